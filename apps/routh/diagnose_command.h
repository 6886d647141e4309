// `routh diagnose`: will the contacts hold, and what would change that.
#pragma once

#include <optional>
#include <string>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "routh/impact/surface.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

struct DiagnoseOptions {
  SourceFile file;
  std::optional<Law> law;
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_diagnose(const DiagnoseOptions& options, const Terminal& terminal);

}  // namespace routh
