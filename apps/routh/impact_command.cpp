#include "assignments.h"
#include "commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "embedded.h"
#include "impact_outcome.h"
#include "impact_report.h"
#include "interrupt.h"
#include "output.h"
#include "reports.h"
#include "routh/base/error.h"
#include "routh/play/impact_question.h"
#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "routh/problem/several_contacts.h"
#include "routh/problem/stream.h"
#include "routh/problem/writer.h"
#include "routh/report/documents.h"
#include "routh/text/document.h"
#include "scene_source.h"

namespace routh {

namespace {

void refuse_derivatives(const ImpactOptions& options, std::string_view reason) {
  if (options.derivatives == DerivativeOutput::all) throw UsageError(fmt::format("error: --derivatives {}", reason));
}

ExitCode run_stream(const ImpactOptions& options) {
  if (options.pictures.wanted())
    throw UsageError(
        fmt::format("error: {} needs a problem file, not a stream", options.pictures.named().front().role));
  if (options.page.wanted()) throw UsageError("error: --html needs a problem file, not a stream");
  if (options.energy == EnergyPolicy::reject) throw UsageError("error: --strict needs a problem file, not a stream");
  refuse_derivatives(options, "needs a problem file, not a stream");
  StreamOptions stream;
  stream.law = options.law;
  stream.rule = options.rule;
  const StreamReport report = stream_problems(STDIN_FILENO, STDOUT_FILENO, stream, defer_interrupt());
  if (report.interrupted) return ExitCode::interrupted;
  if (report.bad_lines > 0 && options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("error: {} of {} lines cannot be used; their answers say why", report.bad_lines, report.problems));
  return to_exit_code(report.worst);
}

std::vector<std::string> numbered(const char* label, Eigen::Index count) {
  std::vector<std::string> labels;
  for (Eigen::Index k = 1; k <= count; ++k) labels.push_back(fmt::format(fmt::runtime(label), k));
  return labels;
}

ImpactReport make_report(const ProblemAnswer& answer, const std::string& title) {
  ImpactReport report = contact_report(answer, title);
  const LawAnswer& first = answer.laws[0];
  report.sections = {
      law_section(answer, &LawAnswer::velocity, numbered("q̇_{}⁺", first.velocity.size())),
      law_section(answer, &LawAnswer::loop_impulse, numbered("loop impulse {}", first.loop_impulse.size()))};
  return report;
}

std::string render_json(const ProblemFile& file, const ProblemAnswer& answer) {
  std::string out;
  append_answer(out, file, answer);
  return out + "\n";
}

ExitCode run_several(const ImpactOptions& options, const Terminal& terminal, ProblemFile file) {
  if (options.pictures.wanted())
    throw UsageError(
        fmt::format("error: {} draws one contact; this file has several", options.pictures.named().front().role));
  if (options.rule) file.rule = options.rule;
  if (options.law) file.law = options.law;
  refuse_law(options, rule_of(file));
  const SimultaneousAnswers answers = solve_several(file);
  std::string json;
  append_several(json, file, answers);
  if (options.page.wanted())
    write_page(options.page, PageTemplate(options.page),
               impact_document({title_of(file.title, options.file.path), page_warnings(answers, "")}, json, {}));
  if (options.format == OutputFormat::json) {
    write_stdout(json + "\n");
  } else {
    const std::string title = fmt::format("{}: {} contacts at once, {}", title_of(file.title, options.file.path),
                                          file.contacts.size(), rule_words(answers.rule));
    write_stdout(render(
        terminal,
        TogetherReport{title, numbered("contact {}", static_cast<Eigen::Index>(file.contacts.size())),
                       numbered("q̇_{}", static_cast<Eigen::Index>(file.velocity.size())), &answers, options.detail}));
  }
  return conclude(options, terminal, answers, "");
}

void refuse_what_needs_a_scene(const ImpactOptions& options) {
  if (options.moment == StrikeMoment::first_strike)
    throw UsageError("error: --first-strike needs a scene, not a problem file");
  if (!options.stiffness.empty())
    throw UsageError("error: --stiffness needs a scene; in a problem file each of several contacts has `stiffness`");
}

}  // namespace

ExitCode run_impact(const ImpactOptions& options, const Terminal& terminal) {
  if (options.format != OutputFormat::json) refuse_derivatives(options, "needs --json");
  if (options.file.path == "-") {
    refuse_assignments(options.file.set, "the problems of a stream say their numbers themselves");
    refuse_what_needs_a_scene(options);
    return run_stream(options);
  }
  std::vector<NamedFile> outputs = options.pictures.named();
  outputs.push_back({"--html", options.page.html});
  check_outputs({{"the file that is read", options.file.path}, {"the page of --page", options.page.template_file}},
                outputs);
  OpenedFile opened = open_file(options.file);
  if (opened.scene) refuse_derivatives(options, "needs a problem file, not a scene");
  if (opened.scene) return run_scene_impact(options, terminal, take_checked_scene(opened, options.verbosity));
  refuse_what_needs_a_scene(options);
  ProblemFile file = take_problem(opened);
  if (!file.contacts.empty()) refuse_derivatives(options, "needs one contact; this file has several");
  if (!file.contacts.empty()) return run_several(options, terminal, std::move(file));
  if (options.rule) throw UsageError("error: --rule is for several contacts; this file has one");
  if (options.law) file.law = options.law;
  ProblemSolver solver;
  ProblemAnswer answer;
  solver.solve(file, answer);
  solver.add_increment_numbers(file, answer);
  if (options.derivatives == DerivativeOutput::all) solver.add_derivatives(file, answer);
  const std::string title = title_of(file.title, options.file.path);
  write_picture(options.pictures, answer, title);
  if (options.page.wanted())
    write_page(options.page, PageTemplate(options.page),
               impact_document({title, page_warnings(answer, "")}, render_json(file, answer), page_paths(answer, 0),
                               {embedded_engine(), {question_json(question_of(file, answer.problem.load))}}));
  write_stdout(options.format == OutputFormat::json ? render_json(file, answer)
                                                    : render(terminal, make_report(answer, title)));
  return conclude(options, terminal, answer, "");
}

}  // namespace routh
