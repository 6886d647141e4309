// `routh identify` and `routh validate`: recordings of throws, and what is learned from them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "routh/recording/identify.h"
#include "routh/recording/validate.h"

namespace routh {

// What both are told.
struct ThrowsOptions {
  std::string data;  // a CSV file, or a folder of them
  std::string scene;
  std::vector<std::string> set;  // PATH=VALUE; of identify PATH=LOW:HIGH, too
  BadFiles bad = BadFiles::refuse;
  double confidence = 0.95;
  int threads = 0;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

// --set PATH=VALUE and PATH=LOW:HIGH.
struct Settings {
  std::vector<std::pair<ThrowParameter, double>> given;
  std::vector<SoughtParameter> sought;
};
enum class Ranges { allowed, refused };
// Throws UsageError.
Settings read_settings(const std::vector<std::string>& texts, Ranges ranges);
// The scene with what is given. Throws InputError.
Scene throws_scene(const ThrowsOptions& options, const Settings& settings);

enum class ResumeStart { fresh, resume, anew };

struct IdentifyCommandOptions {
  ThrowsOptions throws;
  FitCommandOptions fit;  // of impacts: without a scene
  std::vector<std::string> laws;
  std::optional<ThrowLoss> loss;
  std::string output;  // JSON; the checkpoint stands beside it
  ResumeStart start = ResumeStart::fresh;
};
ExitCode run_identify(const IdentifyCommandOptions& options, const Terminal& terminal);

struct ValidateCommandOptions {
  ThrowsOptions throws;
  std::optional<Law> law;
  std::string csv, html;
};
ExitCode run_validate(const ValidateCommandOptions& options, const Terminal& terminal);

// Sentences, one below the other.
std::string list_of(const Terminal& terminal, const std::vector<std::string>& remarks);
std::string identify_table(const Terminal& terminal, const IdentifyReport& report, double confidence);
std::string validate_table(const Terminal& terminal, const ValidateReport& report, double confidence);

}  // namespace routh
