// `routh show`: what the machine of a file looks like in its posture, before anything is computed.
#pragma once

#include "commands.h"

namespace routh {

struct ShowOptions {
  SourceFile file;
  PictureFiles pictures;
  PageOptions page;  // without any file to write a page in the current folder
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_show(const ShowOptions& options, const Terminal& terminal);

}  // namespace routh
