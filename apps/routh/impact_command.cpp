#include "impact_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "impact_report.h"
#include "interrupt.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/figure/hodograph.h"
#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "routh/problem/stream.h"
#include "routh/problem/writer.h"

namespace routh {

namespace {

ExitCode to_exit_code(Outcome outcome) { return static_cast<ExitCode>(exit_code(outcome)); }

ExitCode run_stream(const ImpactOptions& options) {
  if (!options.svg.empty()) throw UsageError("error: --svg needs a problem file, not a stream");
  if (options.energy == EnergyPolicy::reject) throw UsageError("error: --strict needs a problem file, not a stream");
  StreamOptions stream;
  stream.law = options.law;
  const StreamReport report = stream_problems(STDIN_FILENO, STDOUT_FILENO, stream, defer_interrupt());
  if (report.interrupted) return ExitCode::interrupted;
  if (report.bad_lines > 0 && options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("error: {} of {} lines cannot be used; their answers say why", report.bad_lines, report.problems));
  return to_exit_code(report.worst);
}

std::string title_of(const ProblemFile& file, const std::string& path) {
  return printable(file.title.empty() ? std::filesystem::path(path).filename().string() : file.title, 76);
}

std::vector<double> to_vector(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

ImpactReport make_report(const ProblemAnswer& answer, const std::string& title) {
  ImpactReport report;
  report.title = title;
  report.problem = &answer.problem;
  report.bounds = answer.bounds;
  for (const LawAnswer& law : answer.answers()) {
    report.results.push_back(law.result);
    report.machine_velocity.push_back(to_vector(law.velocity));
    report.loop_impulse.push_back(to_vector(law.loop_impulse));
  }
  return report;
}

void write_picture(const ImpactOptions& options, const ProblemAnswer& answer, const std::string& title) {
  std::vector<Law> laws;
  for (const LawAnswer& law : answer.answers()) laws.push_back(law.result.law);
  write_file(options.svg, hodograph_svg(answer.problem, laws, title));
}

std::string render_json(const ProblemFile& file, const ProblemAnswer& answer) {
  std::string out;
  append_answer(out, file, answer);
  return out + "\n";
}

// Says what is to be said besides the result, and what all this means for the exit code.
ExitCode conclude(const ImpactOptions& options, const Terminal& terminal, const ProblemAnswer& answer) {
  std::vector<ImpactResult> results;
  for (const LawAnswer& law : answer.answers()) results.push_back(law.result);
  if (options.verbosity == Verbosity::normal)
    for (const std::string& sentence : warning_sentences(results))
      write_message("warning: " + encode(terminal, sentence));
  const Outcome outcome = answer.outcome();
  if (outcome != Outcome::answered) {
    const ImpactResult& first = results.front();
    write_message(encode(terminal, fmt::format("error: {}: {}", name(first.law), explain(first.status))));
    return to_exit_code(outcome);
  }
  if (options.energy == EnergyPolicy::warn) return ExitCode::ok;
  for (const ImpactResult& result : results) {
    if (!usable(result.status) || result.energy.consistent) continue;
    write_message(fmt::format("error: {} gains {:.3g} J (--strict)", name(result.law),
                              result.energy.normal_work + result.energy.tangential_work));
    return ExitCode::no_answer;
  }
  return ExitCode::ok;
}

}  // namespace

ExitCode run_impact(const ImpactOptions& options, const Terminal& terminal) {
  if (options.file == "-") return run_stream(options);
  ProblemFile file = read_problem_file(options.file);
  if (options.law) file.law = options.law;
  ProblemSolver solver;
  ProblemAnswer answer;
  solver.solve(file, answer);
  const std::string title = title_of(file, options.file);
  if (!options.svg.empty()) write_picture(options, answer, title);
  write_stdout(options.format == OutputFormat::json ? render_json(file, answer)
                                                    : render(terminal, make_report(answer, title)));
  return conclude(options, terminal, answer);
}

}  // namespace routh
