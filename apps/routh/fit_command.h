// `routh fit`: friction and restitution from measured impacts.
#pragma once

#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "picture_output.h"
#include "routh/study/fit.h"
#include "terminal.h"

namespace routh {

struct FitCommandOptions {
  std::string data;
  std::string problem;  // empty: the data hold everything
  PictureFiles pictures;
  std::string csv;
  FitOptions fit;
  OutputFormat format = OutputFormat::table;
};

ExitCode run_fit(const FitCommandOptions& options, const Terminal& terminal);

}  // namespace routh
