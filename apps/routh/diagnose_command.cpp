#include "commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "output.h"
#include "reports.h"
#include "routh/base/error.h"
#include "routh/problem/answer.h"
#include "routh/problem/diagnosis_writer.h"
#include "routh/problem/reader.h"
#include "routh/problem/several_diagnosis.h"
#include "routh/report/documents.h"
#include "routh/scene/diagnosis_writer.h"
#include "routh/solvability/diagnosis_words.h"
#include "scene_source.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

// Several contacts of bare matrices: as things go together, since each alone is not what happens.
ExitCode diagnose_contacts(const DiagnoseOptions& options, const Terminal& terminal, const ProblemFile& file) {
  if (options.page.wanted())
    throw UsageError("error: --html shows one contact or a scene; this problem file has several contacts");
  const SeveralDiagnosis diagnosis = diagnose_several(file);
  if (options.format == OutputFormat::json) {
    write_stdout(several_diagnosis_json(file, diagnosis) + "\n");
    return ExitCode::ok;
  }
  const std::string title =
      fmt::format("{}: {} contacts", title_of(file.title, options.file.path), file.contacts.size());
  std::string text = paint(terminal, Tone::strong, encode(terminal, title)) + "\n";
  for (const std::string& sentence : several_diagnosis_sentences(diagnosis)) text += wrapped(terminal, sentence);
  write_stdout(text);
  return ExitCode::ok;
}

ExitCode diagnose_problem(const DiagnoseOptions& options, const Terminal& terminal, const ProblemFile& file) {
  if (!file.contacts.empty()) return diagnose_contacts(options, terminal, file);
  ProblemSolver solver;
  AccelerationProblem problem;
  problem.contact = solver.prepare(file);
  problem.free_acceleration = solver.free_acceleration(file);
  const ContactDiagnosis diagnosis =
      diagnose(problem, file.has_acceleration() ? FreeAcceleration::given : FreeAcceleration::unknown,
               options.law.value_or(file.law.value_or(Law::energetic)));
  const std::vector<std::string> sentences = diagnosis_sentences(diagnosis, {});
  if (options.page.wanted())
    write_page(options.page, PageTemplate(options.page),
               diagnosis_document({.title = title_of(file.title, options.file.path)}, diagnosis_json(file, diagnosis),
                                  {{&diagnosis, sentences}}));
  write_stdout(options.format == OutputFormat::json
                   ? diagnosis_json(file, diagnosis) + "\n"
                   : render(terminal, DiagnosisReport{title_of(file.title, options.file.path), &diagnosis, sentences}));
  return ExitCode::ok;
}

std::string answer_words(const ModesReport& report) {
  const std::size_t count = report.solutions.size();
  switch (report.status) {
    case ModesStatus::complete:
    case ModesStatus::sampled:
      if (count == 0) return "no solution: an impact must decide";
      if (count == 1) return report.solutions[0].force_unique ? "one solution" : "one motion, forces not unique";
      return fmt::format("{} solutions", count);
    case ModesStatus::one_found:
      return report.solutions[0].force_unique ? "a solution; others were not looked for"
                                              : "a solution, forces not unique; others were not looked for";
    case ModesStatus::none_found:
      return "no solution found";
  }
  return {};
}

std::string render_together(const Terminal& terminal, const Model& model, const SceneDiagnosis& diagnosis) {
  const ModesReport& report = *diagnosis.together;
  const int rows = contact_rows(model) * static_cast<int>(diagnosis.together_contacts.size());
  std::string text = fmt::format("{}; D has rank {} of {}\n", answer_words(report), report.rank, rows);
  for (std::size_t k = 0; k < report.solutions.size(); ++k) {
    const ModesSolution& solution = report.solutions[k];
    TextTable table({{40, Align::left}, {8, Align::left}, {14}, {14}});
    table.add_heading(
        {report.solutions.size() > 1 ? fmt::format("solution {}", k + 1) : "contact", "mode", "λ_n [N]", "v̇_n [m/s²]"});
    for (std::size_t c = 0; c < solution.modes.size(); ++c) {
      const auto row = static_cast<Eigen::Index>(c) * contact_rows(model);
      const auto touch = static_cast<std::size_t>(diagnosis.together_contacts[c]);
      table.add_row({{contact_name(model, diagnosis.contacts[touch].contact)},
                     {name(solution.modes[c])},
                     {fmt::format("{:.6g}", solution.force[row])},
                     {fmt::format("{:.6g}", std::abs(solution.acceleration[row]) < tolerances::shown_acceleration_min
                                                ? 0
                                                : solution.acceleration[row])}});
    }
    text += table.render(terminal);
  }
  return text;
}

// The verdict on all contacts, then the table of solutions.
std::string render_hold(const Terminal& terminal, const Model& model, const SceneDiagnosis& diagnosis,
                        const std::string& title) {
  const std::string heading = fmt::format("{}: all {} contacts together, t = {:.9g} s", title,
                                          diagnosis.together_contacts.size(), diagnosis.state.time);
  std::string text = paint(terminal, Tone::strong, encode(terminal, heading)) + "\n";
  for (const std::string& sentence : hold_sentences(model, diagnosis)) text += wrapped(terminal, sentence);
  return text + "\n" + render_together(terminal, model, diagnosis);
}

std::string render_flow(const Terminal& terminal, const Model& model, const SlipFlowReport& flow) {
  if (flow.points.empty()) return {};
  const std::string joint = dof_name(model, flow.dof), unit = is_angular(model, flow.dof) ? "rad" : "m";
  TextTable table({{16}, {14}, {16, Align::left}, {30, Align::left}});
  table.add_heading(
      {fmt::format("{} [{}]", joint, unit), fmt::format("rate [{}/s]", unit), "kind", "the paradox there"});
  for (const SingularPoint& point : flow.points)
    table.add_row({{fmt::format("{:.5g}", point.x)},
                   {fmt::format("{:.5g}", point.rate)},
                   {name(point.kind)},
                   {explain(point.entry)}});
  std::string text =
      "\n" + paint(terminal, Tone::strong, "Singular points of the slip (A = B = 0)") + "\n" + table.render(terminal);
  const auto entered = [](const auto& slide) { return slide.in_paradox; };
  const auto count = std::count_if(flow.slides.begin(), flow.slides.end(), entered);
  if (!flow.slides.empty())
    text += wrapped(terminal, fmt::format("Of {} slides from around {}, {} into the paradox; --json has their courses.",
                                          flow.slides.size(), flow.points.size() == 1 ? "it" : "them",
                                          count == 0 ? "none leads" : fmt::format("{} lead", count)));
  const auto single = [](const SingularPoint& point) { return point.entry == SlipEntry::one; };
  if (std::any_of(flow.points.begin(), flow.points.end(), single))
    text += wrapped(terminal,
                    "Where a single slide enters, all others turn away: of states chosen at random none does. That is "
                    "\"cannot enter the paradox\" in [Liu 2007, section 4].");
  return text;
}

std::string render_restitution(const Terminal& terminal, const SceneDiagnosis& diagnosis) {
  const RestitutionAnswer& answer = *diagnosis.restitution;
  std::vector<std::string> sentences;
  if (answer.status == RestitutionStatus::ok) {
    sentences.push_back(
        answer.consistent
            ? "No velocity gains energy with these restitutions, without friction."
            : fmt::format("Some velocity gains energy with these restitutions, up to {:.3g} % of what the "
                          "contacts hold; scaled by {:.4g} none does.",
                          100 * answer.worst_growth, answer.largest_scaling));
    if (answer.consistent != answer.consistent_printed)
      sentences.push_back(
          "The printed test over all rows [Aghili 2019, eq. 55] says otherwise: it also counts "
          "velocities that loops and resting contacts exclude.");
    if (answer.consistent) sentences.push_back(fmt::format("Every coefficient may be off by {:.4g}.", answer.box));
  } else {
    sentences.push_back(answer.message);
  }
  sentences.push_back(fmt::format("Rank {} of {} rows{}.", diagnosis.rank, diagnosis.rows,
                                  diagnosis.rank < diagnosis.rows ? ": impulses are not unique" : ""));
  std::string text = "\n" + paint(terminal, Tone::strong, "All strikes together") + "\n";
  for (const std::string& sentence : sentences) text += wrapped(terminal, sentence);
  return text;
}

std::string render_scene(const Terminal& terminal, const Scene& scene, const SceneDiagnosis& diagnosis,
                         const std::string& title) {
  if (diagnosis.contacts.empty()) {
    std::string text = title + ": nothing touches";
    if (diagnosis.touch.nearest)
      text += fmt::format("; nearest: {}, {:.6g} m apart", contact_name(scene.model, *diagnosis.touch.nearest),
                          diagnosis.touch.nearest->gap);
    return wrapped(terminal, text);
  }
  std::string text;
  if (diagnosis.hold) text = render_hold(terminal, scene.model, diagnosis, title);
  for (std::size_t k = 0; k < diagnosis.contacts.size(); ++k) {
    const TouchDiagnosis& touch = diagnosis.contacts[k];
    const auto& together = diagnosis.together_contacts;
    const bool one_of_several = std::find(together.begin(), together.end(), static_cast<int>(k)) != together.end();
    const std::string heading = fmt::format("{}: {}{}, t = {:.9g} s", title, contact_name(scene.model, touch.contact),
                                            one_of_several ? ", if it were alone" : "", diagnosis.state.time);
    text +=
        (text.empty() ? "" : "\n") +
        render(terminal, DiagnosisReport{heading, &touch.diagnosis, contact_sentences(scene.model, diagnosis, touch)});
    if (touch.flow) text += render_flow(terminal, scene.model, *touch.flow);
  }
  if (diagnosis.restitution && diagnosis.rows > 1) text += render_restitution(terminal, diagnosis);
  return text;
}

void write_scene_page(const DiagnoseOptions& options, const Scene& scene, const SceneDiagnosis& diagnosis) {
  DocumentHead head{title_of(scene.model.name, options.file.path), scene.warnings};
  if (diagnosis.contacts.empty()) head.warnings.emplace_back("Nothing touches.");
  std::vector<DiagnosedContact> contacts;
  for (const TouchDiagnosis& touch : diagnosis.contacts)
    contacts.push_back({&touch.diagnosis, contact_sentences(scene.model, diagnosis, touch)});
  std::optional<DiagnosedTogether> together;
  if (diagnosis.hold) together = {diagnosis.hold->verdict, hold_sentences(scene.model, diagnosis)};
  write_page(options.page, PageTemplate(options.page),
             diagnosis_document(head, diagnosis_json(scene, diagnosis), contacts, together));
}

ExitCode diagnose_state(const DiagnoseOptions& options, const Terminal& terminal, const Scene& scene) {
  Workspace workspace(scene.model);
  DiagnosisOptions question;
  question.law = options.law;
  const SceneDiagnosis diagnosis = diagnose_scene(scene.model, scene.state, scene.touch, question, workspace);
  if (options.page.wanted()) write_scene_page(options, scene, diagnosis);
  write_stdout(options.format == OutputFormat::json
                   ? diagnosis_json(scene, diagnosis) + "\n"
                   : render_scene(terminal, scene, diagnosis, title_of(scene.model.name, options.file.path)));
  return ExitCode::ok;
}

}  // namespace

ExitCode run_diagnose(const DiagnoseOptions& options, const Terminal& terminal) {
  check_outputs({{"the file that is read", options.file.path}, {"the page of --page", options.page.template_file}},
                {{"--html", options.page.html}});
  OpenedFile file = open_file(options.file);
  return file.scene ? diagnose_state(options, terminal, take_checked_scene(file, options.verbosity))
                    : diagnose_problem(options, terminal, take_problem(file));
}

}  // namespace routh
