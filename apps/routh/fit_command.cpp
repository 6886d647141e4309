#include "commands.h"

#include "output.h"
#include "reports.h"
#include "routh/study/fit_writer.h"

namespace routh {

ExitCode run_fit(const FitCommandOptions& options, const Terminal& terminal) {
  FitOptions fit = options.fit;
  if (options.law) fit.laws = {*options.law};
  if (fit.tangential && options.law && *options.law != Law::unified)
    throw UsageError(
        "error: --tangential: only the unified law has a tangential restitution; leave --law out or choose unified");
  if (fit.refined && options.law && *options.law != Law::energetic)
    throw UsageError(
        "error: --refined: the energetic law alone has tangents that yield; leave --law out or choose energetic");
  std::vector<NamedFile> outputs = options.pictures.named();
  outputs.push_back({"--csv", options.csv});
  check_outputs({{"the data", options.data}, {"the problem", options.problem}}, outputs);
  std::string text;
  const SampleList list = read_sample_list(options.data, text);
  ProblemFile problem =
      options.problem.empty() ? problem_of_columns(list, "--problem") : read_common_problem(options.problem);
  const FitData data = make_fit_data(std::move(problem), list);
  const FitReport report = fit_laws(data, fit);
  write_pictures(options.pictures, fit_picture(report, data));
  if (!options.csv.empty()) write_file(options.csv, fit_residuals_csv(report, data));
  write_stdout(options.format == OutputFormat::json ? fit_json(report, data, fit.confidence) + "\n"
                                                    : fit_table(terminal, report, fit.confidence));
  return ExitCode::ok;
}

}  // namespace routh
