#include "impact_outcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "assignments.h"
#include "embedded.h"
#include "output.h"
#include "reports.h"
#include "routh/play/impact_question.h"
#include "routh/scene/writer.h"
#include "routh/simulation/first_strike.h"
#include "tolerances.h"

namespace routh {

namespace {

std::vector<std::string> dof_labels(const Model& model) {
  std::vector<std::string> labels;
  for (int k = 0; k < model.velocities; ++k) labels.push_back(dof_name(model, k));
  return labels;
}

std::vector<std::string> loop_labels(const Model& model) {
  std::vector<std::string> labels;
  for (const Loop& loop : model.loops)
    for (int k = 1; k <= loop.row_count; ++k)
      labels.push_back(loop.row_count == 1 ? loop.name : fmt::format("{} {}", loop.name, k));
  return labels;
}

// The size of the force or moment that each joint passes on; free joints pass on none.
ReportSection joint_section(const Model& model, const StrikeAnswer& strike, Vector3 Wrench::*part) {
  ReportSection section;
  section.values.resize(strike.joint_impulses.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (model.joints[j].kind == JointKind::free) continue;
    section.labels.push_back(model.joints[j].name);
    for (std::size_t k = 0; k < strike.joint_impulses.size(); ++k)
      section.values[k].push_back(norm(strike.joint_impulses[k][j].*part));
  }
  return section;
}

// Whether anything in it stands out from the rounding of an impulse this large.
bool matters(const ReportSection& section, double impulse) {
  for (const std::vector<double>& column : section.values)
    for (const double value : column)
      if (value > tolerances::shown_impulse_relative * impulse) return true;
  return false;
}

// `hidden` counts the rows that are left to --all.
ImpactReport strike_report(const Model& model, const StrikeAnswer& strike, const std::string& title, Detail detail,
                           std::size_t& hidden) {
  ImpactReport report = contact_report(strike.answer, title);
  double impulse = 0;
  for (const ImpactResult& result : report.results) impulse = std::max(impulse, result.impulse.n);
  const auto add = [&](const char* heading, ReportSection section) {
    section.title = heading;
    if (!matters(section, impulse)) return;
    if (detail == Detail::brief && section.labels.size() > tolerances::shown_velocities_brief)
      hidden += section.labels.size();
    else
      report.sections.push_back(std::move(section));
  };
  add("v⁺ [m/s,rad/s]", law_section(strike.answer, &LawAnswer::velocity, dof_labels(model)));
  add("joints [N s]", joint_section(model, strike, &Wrench::force));
  add("joints [N m s]", joint_section(model, strike, &Wrench::moment));
  if (model.loop_rows > 0) add("loops [N s]", law_section(strike.answer, &LawAnswer::multipliers, loop_labels(model)));
  return report;
}

TogetherReport together_report(const Model& model, const TogetherAnswer& together, std::string title, Detail detail) {
  TogetherReport report{std::move(title), {}, dof_labels(model), &together.answers, detail};
  for (const Contact& contact : together.contacts) report.contacts.push_back(contact_name(model, contact));
  return report;
}

std::string describe_quiet(const Scene& scene, const SceneAnswer& answer) {
  const Model& model = scene.model;
  std::string text = fmt::format("nothing strikes at t = {:.6g} s\n", answer.state.time);
  for (const Touch& touch : answer.touch.touches)
    text += fmt::format("{} touches and {}\n", contact_name(model, touch.contact),
                        touch.kind == TouchKind::resting ? "rests" : "moves apart");
  if (answer.touch.nearest)
    text += fmt::format("nearest: {}, {:.6g} m apart\n", contact_name(model, *answer.touch.nearest),
                        answer.touch.nearest->gap);
  return text;
}

std::string render_scene(const Terminal& terminal, const Scene& scene, const SceneAnswer& answer,
                         const std::string& title, Detail detail) {
  if (answer.strikes.empty())
    return paint(terminal, Tone::strong, encode(terminal, title)) + "\n" +
           encode(terminal, describe_quiet(scene, answer));
  std::string text;
  if (answer.together) {
    const std::string heading =
        fmt::format("{}, t = {:.9g} s: {} contacts at once, {}", title, answer.state.time,
                    answer.together->contacts.size(), rule_words(answer.together->answers.rule));
    text = render(terminal, together_report(scene.model, *answer.together, heading, detail));
    if (detail == Detail::brief) return text;
  }
  for (const StrikeAnswer& strike : answer.strikes) {
    if (!text.empty()) text += "\n";
    const std::string heading = fmt::format("{}: {}{}, t = {:.9g} s", title, contact_name(scene.model, strike.contact),
                                            answer.together ? " as if alone" : "", answer.state.time);
    std::size_t hidden = 0;
    text += render(terminal, strike_report(scene.model, strike, heading, detail, hidden));
    if (hidden > 0) text += fmt::format("\n--all shows {} more rows: velocities, joints and loops\n", hidden);
  }
  return text;
}

void write_scene_page(const ImpactOptions& options, const Scene& scene, const SceneAnswer& answer,
                      const std::string& title) {
  const bool several = answer.strikes.size() > 1;
  DocumentHead head{title, {}};
  std::vector<LawPath> paths;
  for (std::size_t k = 0; k < answer.strikes.size(); ++k) {
    const StrikeAnswer& strike = answer.strikes[k];
    for (LawPath& path : page_paths(strike.answer, static_cast<int>(k))) paths.push_back(std::move(path));
    for (std::string& sentence :
         page_warnings(strike.answer, several ? contact_name(scene.model, strike.contact) + ": " : ""))
      head.warnings.push_back(std::move(sentence));
  }
  if (answer.together)
    for (std::string& sentence : page_warnings(answer.together->answers, "together, "))
      head.warnings.push_back(std::move(sentence));
  for (const std::string& warning : scene.warnings) head.warnings.push_back(warning);
  Computing computing{embedded_engine(), {}};
  Workspace workspace(scene.model);
  for (const StrikeAnswer& strike : answer.strikes) {
    const auto question =
        question_of(scene.model, answer.state, strike.contact, strike.answer.problem, options.law, workspace);
    computing.questions.push_back(question ? question_json(*question) : "null");
  }
  write_page(options.page, PageTemplate(options.page),
             impact_document(head, strikes_json(scene, answer), paths, computing));
}

std::vector<ContactStiffness> read_stiffness(const std::vector<std::string>& given) {
  std::vector<ContactStiffness> stiffness;
  for (const std::string& each : given) {
    const Halves halves = split("--stiffness", each, '=', "NAME=RATIO");
    stiffness.push_back(
        {std::string(halves.first), read_quantity("--stiffness", halves.second, {"a ratio of stiffnesses", false})});
  }
  return stiffness;
}

// The springs are those of contacts that act together.
void check_stiffness(const Scene& scene, const TouchReport& touch, std::span<const ContactStiffness> stiffness) {
  if (stiffness.empty()) return;
  std::vector<Contact> contacts;
  for (const Touch& each : touch.touches) contacts.push_back(each.contact);
  if (contacts.size() < 2)
    throw UsageError(fmt::format("error: --stiffness is for several contacts that act together; here {} touches",
                                 contacts.empty() ? "none" : "one"));
  if (const std::string fault = stiffness_fault(scene.model, contacts, stiffness); !fault.empty())
    throw UsageError("error: --stiffness " + fault);
}

}  // namespace

State find_moment(const Scene& scene, StrikeMoment moment, double duration) {
  if (moment == StrikeMoment::state) return scene.state;
  const SimulationOptions run = simulation_options(scene.simulation, scene.touch);
  const FirstStrike first = find_first_strike(scene.model, scene.state, duration, run);
  if (first.status == FirstStrikeStatus::struck) return first.state;
  std::string names;
  for (const std::string& name : first.contacts) names += ": " + name;
  throw NoAnswer(
      fmt::format("error: no first strike up to t = {:.6g} s: {}{}", first.state.time, explain(first), names));
}

ExitCode run_scene_impact(const ImpactOptions& options, const Terminal& terminal, const Scene& scene) {
  Workspace workspace(scene.model);
  const SimultaneousRule rule = options.rule.value_or(SimultaneousRule::run);
  if (options.rule && rule != SimultaneousRule::simultaneous) refuse_law(options, rule);
  const State state = find_moment(scene, options.moment, options.duration);
  const StrikeOptions asked{options.law, rule, read_stiffness(options.stiffness)};
  check_stiffness(scene, find_touches(scene.model, state, scene.touch, workspace), asked.stiffness);
  const SceneAnswer answer = solve_strikes(scene.model, state, scene.touch, asked, workspace);
  const std::string title = title_of(scene.model.name, options.file.path);
  if (options.pictures.wanted()) {
    if (answer.strikes.empty()) throw NoAnswer("error: nothing strikes, so there is no picture to draw");
    write_picture(options.pictures, answer.strikes.front().answer, title);
  }
  if (options.page.wanted()) write_scene_page(options, scene, answer, title);
  write_stdout(options.format == OutputFormat::json ? strikes_json(scene, answer) + "\n"
                                                    : render_scene(terminal, scene, answer, title, options.detail));
  // Where contacts act at once, each alone is a comparison.
  if (answer.together) return conclude(options, terminal, answer.together->answers, "");
  return answer.strikes.empty() ? ExitCode::ok : conclude(options, terminal, answer.strikes.front().answer, "");
}

}  // namespace routh
