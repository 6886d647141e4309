// `routh impact`: one impact, all laws side by side.
#pragma once

#include <optional>
#include <string>

#include "exit_code.h"
#include "options.h"
#include "routh/impact/problem.h"
#include "terminal.h"

namespace routh {

enum class EnergyPolicy { warn, reject };  // reject: an answer that gains energy ends with ExitCode::no_answer

struct ImpactOptions {
  std::string file;  // "-": JSON Lines from standard input to standard output
  std::optional<Law> law;
  std::string svg;  // empty: no picture
  OutputFormat format = OutputFormat::table;
  EnergyPolicy energy = EnergyPolicy::warn;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_impact(const ImpactOptions& options, const Terminal& terminal);

}  // namespace routh
