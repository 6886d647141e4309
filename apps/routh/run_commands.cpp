#include "commands.h"

#include <fmt/format.h>

#include "output.h"
#include "routh/base/error.h"
#include "routh/problem/json_text.h"
#include "routh/record/run_file.h"
#include "routh/report/contact_gaps.h"
#include "routh/study/study_export.h"
#include "routh/study/writer.h"

namespace routh {

namespace {

ExportFormat export_format(const ExportOptions& options) {
  for (const ExportFormat format : all_values<ExportFormat>) {
    const std::string word = name(format);
    if (options.format.empty() ? options.output.ends_with("." + word) : options.format == word) return format;
  }
  throw UsageError(
      fmt::format("error: '{}' does not end in .csv, .json or .npz: give --format", printable(options.output, 200)));
}

std::string compare_json(const CompareReport& report) {
  return JsonText::object({{"schema", 1},
                           {"equal", report.equal},
                           {"largest_difference", report.largest_difference},
                           {"first_difference", report.equal ? JsonText() : JsonText(report.first_difference)},
                           {"notes", report.notes}})
      .text();
}

std::string compare_text(const CompareReport& report) {
  std::string text = report.equal
                         ? fmt::format("equal; the largest relative difference is {:.3g}\n", report.largest_difference)
                         : fmt::format("different: {}\nthe largest relative difference is {:.3g}\n",
                                       report.first_difference, report.largest_difference);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace

ExitCode run_export(const ExportOptions& options) {
  const ExportFormat format = export_format(options);
  std::vector<NamedFile> written = {{"-o", options.output}};
  if (is_study_file(options.file)) {
    if (format == ExportFormat::csv) written.push_back({"the table", samples_path(options.output)});
    check_outputs({{"the result", options.file}}, written);
    export_study(options.file, format, options.output);
    return ExitCode::ok;
  }
  if (format == ExportFormat::csv) {
    written.push_back({"the events", events_csv_path(options.output)});
    written.push_back({"the contacts", contacts_csv_path(options.output)});
  }
  check_outputs({{"the run", options.file}}, written);
  const RunData run = read_run(options.file);
  export_run(run, format, options.output, contact_gaps(run));
  return ExitCode::ok;
}

ExitCode run_compare(const CompareCommandOptions& options) {
  const CompareReport report = compare_runs(read_run(options.first), read_run(options.second), options.compare);
  if (options.format == OutputFormat::json) {
    write_stdout(compare_json(report) + "\n");
  } else if (options.verbosity == Verbosity::normal) {
    write_stdout(compare_text(report));
  }
  return report.equal ? ExitCode::ok : ExitCode::mismatch;
}

}  // namespace routh
