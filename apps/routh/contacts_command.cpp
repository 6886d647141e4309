#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "impact_outcome.h"
#include "interrupt.h"
#include "output.h"
#include "reports.h"
#include "routh/problem/stream.h"

namespace routh {

namespace {

ExitCode run_contacts_stream(const ContactsCommandOptions& options) {
  if (!options.start.empty()) throw UsageError("error: --start needs a file, not a stream; give `start` in each line");
  ContactsLineSolver solver(options.overrides);
  const auto solve = [&](std::string_view line, long long number, std::string& out) {
    return solver.solve(line, number, out);
  };
  const StreamReport report =
      stream_lines(STDIN_FILENO, STDOUT_FILENO, TextLimits{}.max_bytes, solve, defer_interrupt());
  if (report.interrupted) return ExitCode::interrupted;
  if (report.bad_lines > 0 && options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("error: {} of {} lines cannot be used; their answers say why", report.bad_lines, report.problems));
  return to_exit_code(report.worst);
}

void take_start(const ContactsCommandOptions& options, ContactsFile& file) {
  if (options.start.empty()) return;
  file.start = read_start_file(options.start);
  const auto needed = static_cast<std::size_t>(file.problem.velocity.size());
  if (file.start.size() != needed)
    throw InputError({options.start, 0, 0}, fmt::format("the impulse has {} entries", file.start.size()),
                     fmt::format("{} are needed, one for each row of the problem", needed));
}

}  // namespace

ExitCode run_contacts(const ContactsCommandOptions& options, const Terminal& terminal) {
  if (options.file == "-") return run_contacts_stream(options);
  ContactsFile file = read_contacts_file(options.file);
  options.overrides.apply(file.options);
  take_start(options, file);
  FrictionContactSolver solver;
  const ContactsAnswer answer = solve_contacts(file, solver);
  if (options.format == OutputFormat::json) {
    std::string json;
    append_contacts(json, file, answer);
    write_stdout(json + "\n");
  } else {
    write_stdout(render(terminal, title_of(file.title, options.file), file, answer));
  }
  if (answer.solution.status == ContactsStatus::not_solved)
    write_message(fmt::format("error: not solved to {:g}", file.options.tolerance));
  if (answer.solution.status == ContactsStatus::infeasible) write_message("error: the problem is infeasible");
  return to_exit_code(answer.outcome());
}

}  // namespace routh
