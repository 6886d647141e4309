// `routh check` and `routh info`: is the file sound, and what is in it.
#pragma once

#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

struct InspectOptions {
  SourceFile file;
  std::vector<double> posture;  // empty: that of the scene
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_check(const InspectOptions& options);
ExitCode run_info(const InspectOptions& options, const Terminal& terminal);

}  // namespace routh
