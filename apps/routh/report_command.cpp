#include "commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "output.h"
#include "routh/base/error.h"
#include "routh/report/run_document.h"

namespace routh {

namespace {

std::string beside(const std::string& run_file) {
  return std::filesystem::path(run_file).replace_extension(".html").string();
}

}  // namespace

ExitCode run_report(const ReportOptions& options) {
  const PageTemplate page({"-", options.template_file});
  const std::string output = options.output.empty() ? beside(options.file) : options.output;
  check_outputs({{"the run", options.file}, {"the page of --page", options.template_file}}, {{"the report", output}});
  const RunData run = read_run(options.file);
  const std::string text = page.with(run_document(run));
  if (output == "-") {
    if (options.show == ShowPage::in_browser) throw UsageError("error: --open needs a file, not standard output");
    write_stdout(text);
    return ExitCode::ok;
  }
  write_file(output, text);
  if (options.show == ShowPage::in_browser) open_page(output);
  if (options.verbosity == Verbosity::normal)
    write_stdout(fmt::format("{}: {} samples, {} events, {:.1f} MB\n", printable(output, 200), run.samples.size(),
                             run.events.size(), static_cast<double>(text.size()) / 1'000'000));
  return ExitCode::ok;
}

void report_simulated(const PageOptions& options, const PageTemplate& page, const std::string& run_file) {
  write_page(options, page, run_document(read_run(run_file)));
}

}  // namespace routh
