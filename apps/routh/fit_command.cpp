#include "fit_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "fit_report.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/problem/reader.h"

namespace routh {

namespace {

bool has_column(const SampleList& list, const std::string& name) {
  return std::find(list.columns.begin(), list.columns.end(), name) != list.columns.end();
}

// A contact whose numbers all stand in the data.
ProblemFile problem_of_columns(const SampleList& list, const std::string& file) {
  const bool spatial = has_column(list, "delassus[2][2]");
  const int n = spatial ? 3 : 2;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      if (const std::string name = fmt::format("delassus[{}][{}]", i, j); !has_column(list, name))
        throw InputError({file, 1, 1}, fmt::format("there is no column '{}', and no --problem", name),
                         "give the problem that the impacts share, or all entries of delassus in every row");
  for (int i = 0; i < n; ++i)
    if (const std::string name = fmt::format("contact_velocity[{}]", i); !has_column(list, name))
      throw InputError({file, 1, 1}, fmt::format("there is no column '{}', and no --problem", name),
                       "give the velocity before each impact");
  const std::string unit = spatial ? "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]" : "[[1, 0], [0, 1]]";
  const std::string zero = spatial ? "[0, 0, 0]" : "[0, 0]";
  return read_problem_text(
      fmt::format("{{delassus: {}, contact_velocity: {}, friction: 1, restitution: 1}}", unit, zero), file);
}

}  // namespace

ExitCode run_fit(const FitCommandOptions& options, const Terminal& terminal) {
  std::string text;
  const SampleList list = read_sample_list(options.data, text);
  ProblemFile problem =
      options.problem.empty() ? problem_of_columns(list, options.data) : read_problem_file(options.problem);
  const FitData data = make_fit_data(std::move(problem), list, options.data);
  const FitReport report = fit_laws(data, options.fit);
  if (!options.svg.empty()) write_file(options.svg, fit_svg(report, data));
  if (!options.csv.empty()) write_file(options.csv, fit_residuals_csv(report, data));
  write_stdout(options.format == OutputFormat::json ? fit_json(report, data, options.fit.confidence) + "\n"
                                                    : fit_table(terminal, report, options.fit.confidence));
  return ExitCode::ok;
}

}  // namespace routh
