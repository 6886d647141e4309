// `routh project`: the oblique projection of a machine with its constraints.
#pragma once

#include <optional>
#include <string>

#include "options.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

struct ProjectOptions {
  SourceFile file;  // a problem file with a machine, or a scene
  std::optional<double> nu;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_project(const ProjectOptions& options, const Terminal& terminal);

}  // namespace routh
