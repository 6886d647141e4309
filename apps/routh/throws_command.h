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

std::string identify_table(const Terminal& terminal, const IdentifyReport& report, double confidence);
std::string validate_table(const Terminal& terminal, const ValidateReport& report, double confidence);

}  // namespace routh
