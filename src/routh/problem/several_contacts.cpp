#include "routh/problem/several_contacts.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "routh/problem/dense.h"
#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

SimultaneousProblem make_problem(const ProblemFile& file) {
  SimultaneousProblem problem;
  problem.mass_matrix = dense(file.mass_matrix);
  problem.velocity = dense(file.velocity);
  const Eigen::Index n = problem.velocity.size(), tangents = file.contacts.front().jacobian.rows - 1;
  const auto count = static_cast<Eigen::Index>(file.contacts.size());
  problem.bilateral = file.bilateral.rows > 0 ? Eigen::MatrixXd(dense(file.bilateral)) : Eigen::MatrixXd(0, n);
  if (file.has(Field::external_impulse)) problem.external_impulse = dense(file.external_impulse);
  problem.normal.resize(count, n);
  problem.tangential.resize(count * tangents, n);
  for (Eigen::Index k = 0; k < count; ++k) {
    const ProblemContact& contact = file.contacts[static_cast<std::size_t>(k)];
    const Eigen::MatrixXd J = dense(contact.jacobian);
    problem.normal.row(k) = J.row(0);
    problem.tangential.middleRows(k * tangents, tangents) = J.bottomRows(tangents);
    problem.friction.push_back(contact.friction);
    problem.restitution.push_back(contact.restitution);
    problem.restitution.back().table = contact.table;
  }
  return problem;
}

void check_rows(const ProblemFile& file) {
  const int rows = file.contacts.front().jacobian.rows;
  for (std::size_t k = 0; k < file.contacts.size(); ++k)
    if (file.contacts[k].jacobian.rows != rows)
      throw InputError(file.where(Field::contacts),
                       "contacts[" + std::to_string(k) + "].jacobian has another number of rows than the first",
                       "give all contacts 2 rows (the plane) or 3 (space)");
}

}  // namespace

Outcome outcome_of(SimultaneousStatus status) {
  if (usable(status)) return Outcome::answered;
  return status == SimultaneousStatus::not_converged ? Outcome::no_answer : Outcome::invalid;
}

std::vector<NamedAnswer> answers_of(const SimultaneousAnswers& answers) {
  std::vector<NamedAnswer> named;
  switch (answers.rule) {
    case SimultaneousRule::together:
      return {{name(answers.rule), &answers.march, &answers.path}};
    case SimultaneousRule::run:
      named.push_back({name(answers.rule), &answers.run->result, &answers.run->path});
      if (answers.laws.empty()) return named;
      break;
    case SimultaneousRule::simultaneous:
      break;
  }
  named.push_back({"smooth", &answers.smooth});
  if (answers.sticking) named.push_back({"sticking", &*answers.sticking});
  for (const LawOfAll& each : answers.laws) named.push_back({name(each.law), &each.result, &each.path});
  return named;
}

Outcome SimultaneousAnswers::outcome() const {
  if (run) return outcome_of(run->result.status);
  Outcome worst = frictional ? frictional->answer.outcome() : Outcome::answered;
  for (const NamedAnswer& each : answers_of(*this)) worst = worse(worst, outcome_of(each.result->status));
  return worst;
}

Eigen::MatrixXd SimultaneousAnswers::slip(const SimultaneousResult& result) const {
  const auto count = static_cast<Eigen::Index>(result.contacts.size());
  if (count == 0) return {};
  const Eigen::Index tangents = tangential.rows() / count;
  Eigen::MatrixXd slip = (tangential * result.velocity).reshaped(tangents, count);
  if (surface_velocity.size() > 0) slip -= surface_velocity.reshaped(1 + tangents, count).bottomRows(tangents);
  return slip;
}

std::optional<FrictionalAnswer> solve_frictional(const SimultaneousProblem& problem) {
  const auto rebounds = [](const Restitution& e) { return e.kind != RestitutionKind::constant || e.normal != 0; };
  const auto frictional = [](const Friction& friction) { return friction.kinetic_coefficient > 0; };
  if (std::any_of(problem.restitution.begin(), problem.restitution.end(), rebounds)) return std::nullopt;
  if (!std::any_of(problem.friction.begin(), problem.friction.end(), frictional)) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> factor(problem.mass_matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::Index count = problem.normal.rows(), tangents = problem.tangential.rows() / count, d = 1 + tangents;
  std::optional<FrictionalAnswer> result(std::in_place);
  ContactsMachine& machine = result->file.machine.emplace();
  machine.mass_matrix = problem.mass_matrix;
  machine.velocity = problem.velocity;
  if (problem.external_impulse.size() > 0) machine.velocity += factor.solve(problem.external_impulse);
  machine.jacobian.resize(count * d + problem.bilateral.rows(), problem.velocity.size());
  for (Eigen::Index k = 0; k < count; ++k)
    machine.jacobian.middleRows(k * d, d) << problem.normal.row(k),
        problem.tangential.middleRows(k * tangents, tangents);
  machine.jacobian.bottomRows(problem.bilateral.rows()) = problem.bilateral;
  FrictionContactProblem& contacts = result->file.problem;
  contacts.dimension = tangents == 1 ? Dimension::planar : Dimension::spatial;
  machine.reduce(contacts);
  for (const Friction& friction : problem.friction) contacts.friction.push_back(friction.kinetic_coefficient);
  result->file.options.least_norm = true;
  FrictionContactSolver solver;
  result->answer = solve_contacts(result->file, solver);
  return result;
}

std::vector<std::string> warning_sentences(const SimultaneousResult& result) {
  std::vector<std::string> sentences;
  for (int bit = 0; bit < warning_count; ++bit) {
    const auto warning = static_cast<Warning>(1u << bit);
    if (!result.has(warning)) continue;
    sentences.push_back(
        warning == Warning::energy_gain
            ? fmt::format("these restitutions gain {:.3g} J: the contacts do positive work", result.gain)
            : explain(warning));
  }
  return sentences;
}

namespace {

// `surface_velocity` holds for every contact.
MarchSettings march_settings(const ProblemFile& file, SimultaneousRule rule) {
  if (file.has(Field::external_impulse))
    throw InputError(file.where(Field::external_impulse),
                     fmt::format("external_impulse: the rule '{}' has none", name(rule)),
                     "use the rule 'simultaneous'");
  // A run follows other laws as the energetic one, and warns.
  if (rule == SimultaneousRule::together && file.law && !knows(rule, *file.law))
    throw InputError(file.where(Field::law),
                     fmt::format("law: the rule 'together' does not know '{}'", name(*file.law)), known_laws());
  MarchSettings settings;
  settings.laws.assign(file.contacts.size(), file.law.value_or(Law::energetic));
  settings.load = file.load;
  for (const ProblemContact& contact : file.contacts) settings.stiffness.push_back(contact.stiffness);
  if (file.has(Field::surface_velocity))
    settings.surface_velocity =
        dense(file.surface_velocity).replicate(static_cast<Eigen::Index>(file.contacts.size()), 1);
  return settings;
}

// Newton's rule, without friction and, where no surface moves, without slip.
void solve_projections(const SimultaneousProblem& machine, SimultaneousAnswers& answers) {
  SimultaneousProblem smooth = machine;
  smooth.tangential.resize(0, 0);
  answers.smooth = solve_simultaneous(smooth);
  if (answers.surface_velocity.isZero(0)) answers.sticking = solve_simultaneous(machine);
}

}  // namespace

SimultaneousRule rule_of(const ProblemFile& file) {
  if (file.rule) return *file.rule;
  const bool newton = file.law && knows(SimultaneousRule::simultaneous, *file.law);
  return newton || file.has(Field::external_impulse) ? SimultaneousRule::simultaneous : SimultaneousRule::run;
}

SimultaneousAnswers solve_by_rule(SimultaneousRule rule, const SimultaneousProblem& machine,
                                  const MarchSettings& settings) {
  SimultaneousAnswers answers;
  answers.rule = rule;
  answers.tangential = machine.tangential;
  answers.surface_velocity = settings.surface_velocity;
  switch (rule) {
    case SimultaneousRule::simultaneous:
      solve_projections(machine, answers);
      break;
    case SimultaneousRule::together:
      answers.march = solve_march(machine, settings, &answers.path);
      break;
    case SimultaneousRule::run:
      answers.run = solve_as_runs(machine, settings);
      break;
  }
  return answers;
}

void solve_beside(const SimultaneousProblem& machine, const MarchSettings& settings, SimultaneousAnswers& answers) {
  if (answers.run) {
    solve_projections(machine, answers);
    for (const Law law : all_laws) {
      if (!marches(law)) continue;
      MarchSettings all = settings;
      all.laws.assign(settings.laws.size(), law);
      LawOfAll& each = answers.laws.emplace_back();
      each.law = law;
      each.result = solve_march(machine, all, &each.path);
    }
  }
  if (answers.sticking) answers.frictional = solve_frictional(machine);
}

SimultaneousAnswers solve_several(const ProblemFile& file) {
  check_rows(file);
  const SimultaneousRule rule = rule_of(file);
  const SimultaneousProblem machine = make_problem(file);
  MarchSettings settings;
  if (rule != SimultaneousRule::simultaneous)
    settings = march_settings(file, rule);
  else if (file.has(Field::surface_velocity))
    settings.surface_velocity =
        dense(file.surface_velocity).replicate(static_cast<Eigen::Index>(file.contacts.size()), 1);
  SimultaneousAnswers answers = solve_by_rule(rule, machine, settings);
  if (answers_of(answers).front().result->status == SimultaneousStatus::mass_matrix_indefinite)
    throw InputError(file.where(Field::mass_matrix), "mass_matrix is not positive definite",
                     "every motion of the machine needs inertia");
  solve_beside(machine, settings, answers);
  return answers;
}

namespace {

JsonText warnings_json(const SimultaneousResult& result) {
  JsonText warnings = JsonText::list();
  const std::vector<std::string> sentences = warning_sentences(result);
  std::size_t next = 0;
  for (int bit = 0; bit < warning_count; ++bit) {
    const auto warning = static_cast<Warning>(1u << bit);
    if (result.has(warning))
      warnings.push_back(JsonText::object({{"code", name(warning)}, {"message", sentences[next++]}}));
  }
  return warnings;
}

JsonText energy_json(const SimultaneousResult& result) {
  return JsonText::object({{"normal_work", json_number(result.normal_work)},
                           {"tangential_work", json_number(result.tangential_work)},
                           {"bilateral_work", json_number(result.bilateral_work)},
                           {"supplied", json_number(result.supplied)},
                           {"change", json_number(result.energy_change)},
                           {"gain", json_number(result.gain)},
                           {"ratio", json_number(result.ratio)},
                           {"consistent", result.consistent}});
}

}  // namespace

JsonText simultaneous_json(const SimultaneousResult& result, const Eigen::MatrixXd& slip) {
  JsonText contacts = JsonText::list();
  Eigen::Index next = 0;
  for (const SimultaneousContactResult& contact : result.contacts)
    contacts.push_back(JsonText::object({{"role", name(contact.role)},
                                         {"approach", json_number(contact.approach)},
                                         {"departure", json_number(contact.departure)},
                                         {"restitution", json_number(contact.restitution)},
                                         {"residual", json_number(contact.residual)},
                                         {"normal_impulse", json_number(contact.normal_impulse)},
                                         {"tangential_impulse", json_numbers(contact.tangential_impulse)},
                                         {"slip", json_numbers(Eigen::VectorXd(slip.col(next++)))},
                                         {"impulse_unique", contact.impulse_unique},
                                         {"inside_cone", contact.inside_cone}}));
  JsonText json = JsonText::object({{"status", name(result.status)}});
  if (!usable(result.status)) json.add("explanation", explain(result.status));
  json.add("velocity", json_numbers(result.velocity));
  json.add("impulse", json_numbers(result.impulse));
  json.add("loop_multipliers", json_numbers(result.bilateral_impulse));
  json.add("rank", result.rank);
  json.add("rows", result.rows);
  json.add("energy", energy_json(result));
  json.add("contacts", contacts);
  json.add("warnings", warnings_json(result));
  return json;
}

JsonText path_json(const std::vector<MarchPoint>& path) {
  return json_list(path, [](const MarchPoint& point) {
    const auto rows = point.velocity.size() / static_cast<Eigen::Index>(point.stages.size());
    const auto vectors = [&](const Eigen::VectorXd& all) {
      JsonText list = JsonText::list();
      for (Eigen::Index k = 0; k < all.size(); k += rows)
        list.push_back(json_numbers(Eigen::VectorXd(all.segment(k, rows))));
      return list;
    };
    return JsonText::object({{"impulse", vectors(point.impulse)},
                             {"velocity", vectors(point.velocity)},
                             {"stage", json_list(point.stages, [](MarchStage each) { return JsonText(name(each)); })},
                             {"slip", json_list(point.slips, [](MarchSlip each) { return JsonText(name(each)); })}});
  });
}

JsonText frictional_json(const std::optional<FrictionalAnswer>& frictional) {
  if (!frictional) return JsonText();
  std::string members;
  append_contacts(members, frictional->file, frictional->answer);
  JsonText json = JsonText::object({{"rule", "e = 0, Signorini and Coulomb on the true cone"}});
  json.add_members(std::string_view(members).substr(1, members.size() - 2));
  return json;
}

void add_answers(JsonText& json, const SimultaneousAnswers& answers) {
  json.add("rule", name(answers.rule));
  for (const auto& [label, result, path] : answers_of(answers)) {
    JsonText one = JsonText::object();
    const bool run = answers.run && result == &answers.run->result;
    if (run) {
      one.add("rule", name(answers.run->rule));
      one.add("rules", json_list(answers.run->rules, [](SimultaneousRule each) { return JsonText(name(each)); }));
    }
    const std::string members = simultaneous_json(*result, answers.slip(*result)).text();
    one.add_members(std::string_view(members).substr(1, members.size() - 2));
    if (path != nullptr && !path->empty()) one.add("path", path_json(*path));
    json.add(label, one);
  }
  if (answers.rule == SimultaneousRule::together) return;
  if (!answers.sticking) json.add("sticking", JsonText());
  json.add("frictional", frictional_json(answers.frictional));
}

void append_several(std::string& out, const ProblemFile& file, const SimultaneousAnswers& answers) {
  JsonText members = JsonText::object();
  add_answers(members, answers);
  const std::string& text = members.text();
  JsonStream json(out);
  begin_result(json, file.id_kind, file.id);
  json.members(std::string_view(text).substr(1, text.size() - 2));
  json.end_object();
}

}  // namespace routh::internal
