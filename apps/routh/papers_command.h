// `routh papers`: every printed number of the papers, and their figures, regenerated.
#pragma once

#include <string>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "terminal.h"

namespace routh {

struct PapersOptions {
  std::string name;    // one paper; empty: all
  std::string data;    // folder to read instead of the data in the program
  std::string output;  // folder to write <paper>/table.md and the figures into
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_papers(const PapersOptions& options, const Terminal& terminal);

}  // namespace routh
