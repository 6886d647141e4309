// `routh report`: a run as one page for a browser.
#pragma once

#include <string>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "routh/record/run_file.h"

namespace routh {

struct ReportOptions {
  std::string file;
  std::string output;  // empty: beside the run, ending in .html; "-": standard output
  std::string template_file;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_report(const ReportOptions& options);

// After `routh simulate --report`: the page of the run file that was written.
void report_simulated(const PageOptions& options, const PageTemplate& page, const std::string& run_file);

}  // namespace routh
