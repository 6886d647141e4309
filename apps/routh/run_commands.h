// `routh export` and `routh compare`: what can be done with run files.
#pragma once

#include <string>

#include "exit_code.h"
#include "options.h"

namespace routh {

struct ExportOptions {
  std::string file;
  std::string output;
  std::string format;  // csv, json or npz; empty: as the output's name ends
};

struct CompareCommandOptions {
  std::string first, second;
  double rtol = 1e-9, atol = 1e-12;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;  // quiet: the exit code alone
};

ExitCode run_export(const ExportOptions& options);
ExitCode run_compare(const CompareCommandOptions& options);

}  // namespace routh
