// `routh referee`: the rigid impact beside contacts that get stiffer.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "commands.h"
#include "impact_outcome.h"
#include "output.h"
#include "reports.h"
#include "routh/base/error.h"
#include "routh/contact/contact_problem.h"
#include "routh/figure/force_figure.h"
#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "routh/referee/referee.h"
#include "routh/text/document.h"
#include "scene_source.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

void refuse_what_is_not_compliant(const Document& document, const ProblemFile& file, const ImpactProblem& contact) {
  const Node root = document.root();
  if (const auto push = root.find("external_impulse"); push && !file.external_impulse.empty())
    push->fail("an impulse has no duration: the referee knows forces only", "leave `external_impulse` out");
  if (!std::isfinite(contact.friction.static_coefficient))
    root.require("friction").fail("the referee needs finite friction", "give a large coefficient, such as 100");
}

std::string contact_words(const AccelerationProblem& problem, const RefereeReport& report, double ratio) {
  const ContactVector& f = problem.free_acceleration;
  std::string text = fmt::format("spring and dashpot for e = {:.5g}, μ = {:.5g}", report.asked,
                                 problem.contact.friction.kinetic_coefficient);
  if (ratio > 0) text += fmt::format(", tangential stiffness {:.5g} k", ratio);
  if (f.n != 0 || f.t1 != 0 || f.t2 != 0)
    text += problem.contact.inertia.dimension == Dimension::planar
                ? fmt::format("; f = ({:.5g}, {:.5g}) m/s²", f.n, f.t1)
                : fmt::format("; f = ({:.5g}, {:.5g}, {:.5g}) m/s²", f.n, f.t1, f.t2);
  return text;
}

std::string render_referee(const Terminal& terminal, const std::string& title, const AccelerationProblem& problem,
                           const RefereeReport& report, double ratio) {
  const bool spatial = problem.contact.inertia.dimension == Dimension::spatial;
  std::string text = paint(terminal, Tone::strong, encode(terminal, title)) + "\n";
  text += wrapped(terminal, contact_words(problem, report, ratio)) + "\n";
  std::vector<Column> columns = {{9}, {9}, {9}, {9}};
  std::vector<std::string> heading = {"π/√(ak)", "k [N/m]", "v_n⁺", "v_t⁺"};
  if (spatial) columns.push_back({9}), heading[3] = "v_t1⁺", heading.push_back("v_t2⁺");
  for (const char* word : {"lasts [s]", "peak [N]", "off by"}) columns.push_back({9}), heading.emplace_back(word);
  TextTable table(columns);
  table.add_heading(heading);
  const auto short_number = [](double value) { return Cell{fmt::format("{:.3g}", value), Tone::plain}; };
  // What is left of a slip that halted is told as such, in few digits.
  const auto velocity = [](double value) {
    return Cell{std::abs(value) < tolerances::shown_velocity_min ? fmt::format("{:.1g}", value == 0 ? 0 : value)
                                                                 : fmt::format("{:.5g}", value),
                Tone::plain};
  };
  for (const RefereeTrial& trial : report.trials) {
    std::vector<Cell> row = {short_number(trial.duration), short_number(trial.contact.stiffness)};
    if (trial.course.end == CourseEnd::failed) {
      row.push_back({"gave up"});
      row.resize(spatial ? 8 : 7);
      table.add_row(row);
      continue;
    }
    row.push_back(velocity(trial.course.velocity.n));
    row.push_back(velocity(trial.course.velocity.t1));
    if (spatial) row.push_back(velocity(trial.course.velocity.t2));
    row.push_back(short_number(trial.course.duration));
    row.push_back(short_number(trial.course.peak_force));
    row.push_back(short_number(trial.difference));
    table.add_row(row);
  }
  table.add_rule();
  const ContactVector& rigid = report.trials.back().rigid.relative_velocity;
  std::vector<Cell> row = {{"Routh"}, {"rigid"}, velocity(rigid.n), velocity(rigid.t1)};
  if (spatial) row.push_back(velocity(rigid.t2));
  table.add_row(row);
  text += table.render(terminal) + "\n";
  for (const std::string& sentence : report.sentences) text += wrapped(terminal, sentence);
  return text;
}

// What is put before the referee.
struct Question {
  std::string title;
  AccelerationProblem problem;
  std::shared_ptr<const void> keeper;  // of the tables that the problem views
};

Question of_problem(const OpenedFile& opened, const std::string& path) {
  struct Kept {
    ProblemFile file;
    ProblemSolver solver;
  };
  const auto kept = std::make_shared<Kept>();
  kept->file = take_problem(opened);
  Question question{title_of(kept->file.title, path), {}, kept};
  question.problem.contact = kept->solver.prepare(kept->file);
  refuse_what_is_not_compliant(*opened.document, kept->file, question.problem.contact);
  question.problem.free_acceleration = kept->solver.free_acceleration(kept->file);
  return question;
}

// The contact that is named, or the only one.
const Contact& choose_contact(const Model& model, const std::vector<Touch>& touches, const std::string& wanted) {
  if (touches.empty())
    throw NoAnswer("error: nothing touches at the state of the scene; with --first-strike it moves on to a strike");
  std::vector<std::string> names;
  for (const Touch& touch : touches) names.push_back(contact_name(model, touch.contact));
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == wanted || (wanted.empty() && names.size() == 1)) return touches[k].contact;
  throw UsageError(fmt::format("error: --contact: {}\nContacts that touch: {}",
                               wanted.empty() ? "the referee takes one contact; say which"
                                              : fmt::format("unknown contact '{}'", printable(wanted)),
                               fmt::join(names, ", ")));
}

// All that acts on the machine acts all the while; other contacts are left out.
Question of_scene(OpenedFile& opened, const RefereeCommandOptions& options) {
  const auto scene = std::make_shared<Scene>(take_checked_scene(opened, options.verbosity));
  const Model& model = scene->model;
  const State state = find_moment(*scene, options.moment, ImpactOptions{}.duration);
  Workspace workspace(model);
  const TouchReport report = find_touches(model, state, scene->touch, workspace);
  const Contact contact = choose_contact(model, report.touches, options.contact);
  if (contact.kind == ContactKind::limit)
    throw UsageError("error: the end of a joint's range is no contact of surfaces: the referee has no friction there");
  ContactProblemBuilder builder(model);
  if (builder.prepare_forces(model, state, workspace) >= 0) throw NoAnswer("error: the mass matrix is singular");
  Question question{fmt::format("{}: {}, t = {:.9g} s", title_of(model.name, options.file.path),
                                contact_name(model, contact), state.time),
                    builder.force_problem(model, workspace, contact), scene};
  if (!std::isfinite(question.problem.contact.friction.static_coefficient))
    throw InputError(Location{options.file.path}, "the referee needs finite friction",
                     "give the surfaces a large coefficient, such as 100");
  return question;
}

Question ask(const RefereeCommandOptions& options) {
  OpenedFile opened = open_file(options.file);
  if (opened.scene) return of_scene(opened, options);
  if (!options.contact.empty()) throw UsageError("error: --contact: a problem file has one contact, without a name");
  if (options.moment == StrikeMoment::first_strike)
    throw UsageError("error: --first-strike: a problem file has no motion; give a scene");
  return of_problem(opened, options.file.path);
}

nlohmann::ordered_json vector_json(const ContactVector& v, Dimension dimension) {
  if (dimension == Dimension::planar) return {v.n, v.t1};
  return {v.n, v.t1, v.t2};
}

std::string referee_json(const AccelerationProblem& problem, const RefereeReport& report) {
  const Dimension dimension = problem.contact.inertia.dimension;
  nlohmann::ordered_json json = {{"schema", 1}, {"verdict", name(report.verdict)}, {"restitution_asked", report.asked}};
  for (const RefereeTrial& trial : report.trials)
    json["contacts"].push_back({{"duration_asked", trial.duration},
                                {"stiffness", trial.contact.stiffness},
                                {"damping", trial.contact.damping},
                                {"tangential_ratio", trial.contact.tangential_ratio},
                                {"end", name(trial.course.end)},
                                {"velocity", vector_json(trial.course.velocity, dimension)},
                                {"impulse", vector_json(trial.course.impulse, dimension)},
                                {"duration", trial.course.duration},
                                {"peak_force", trial.course.peak_force},
                                {"fastest_approach", trial.course.fastest_approach},
                                {"jams", trial.course.jams},
                                {"restitution_energetic", trial.energetic},
                                {"restitution_newton", trial.newton},
                                {"restitution_poisson", trial.poisson},
                                {"rigid_status", name(trial.rigid.status)},
                                {"rigid_velocity", vector_json(trial.rigid.relative_velocity, dimension)},
                                {"difference", trial.difference}});
  json["sentences"] = report.sentences;
  return json.dump();
}

}  // namespace

ExitCode run_referee(const RefereeCommandOptions& options, const Terminal& terminal) {
  check_outputs({{"the file that is read", options.file.path}}, options.pictures.named());
  const Question question = ask(options);
  const AccelerationProblem& problem = question.problem;
  RefereeOptions asked;
  asked.durations = options.durations;
  for (const double stiffness : options.stiffness)
    asked.durations.push_back(std::numbers::pi / std::sqrt(problem.contact.inertia.a * stiffness));
  std::sort(asked.durations.rbegin(), asked.durations.rend());
  asked.tangential_ratio = options.tangential_ratio;
  const RefereeReport report = referee(problem, asked);
  const CompliantCourse& course = report.trials.back().course;
  if (options.pictures.wanted()) {
    if (course.points.empty()) throw NoAnswer("error: no force arises, so that there is no picture of it");
    write_pictures(options.pictures, force_picture({question.title, problem.contact.inertia.dimension,
                                                    problem.contact.friction.kinetic_coefficient, course}));
  }
  write_stdout(options.format == OutputFormat::json
                   ? referee_json(problem, report) + "\n"
                   : render_referee(terminal, question.title, problem, report, options.tangential_ratio));
  return course.end == CourseEnd::failed ? ExitCode::no_answer : ExitCode::ok;
}

}  // namespace routh
