#include "routh/scene/strikes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "routh/simulation/event.h"

namespace routh::internal {

namespace {

std::optional<Law> named_law(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return std::nullopt;
  return model.pairs[static_cast<std::size_t>(contact.id.pair)].properties.law;
}

// The contact is that of the builder's last problem.
void add_increment_numbers(const Model& model, const ImpactProblem& problem, const ContactProblemBuilder& builder,
                           LawAnswer& answer) {
  answer.increment = compute_increment_numbers(problem, answer.result);
  if (!answer.increment) return;
  Eigen::MatrixXd response(model.velocities, contact_rows(model));
  builder.response(response);
  const auto per_impulse = [&](const IncrementStretch& stretch) -> Eigen::VectorXd {
    const Eigen::Vector3d ratio(stretch.ratio.n, stretch.ratio.t1, stretch.ratio.t2);
    return response * ratio.head(response.cols());
  };
  answer.first_velocity_per_impulse = per_impulse(answer.increment->first);
  answer.last_velocity_per_impulse = per_impulse(answer.increment->last);
}

StrikeAnswer solve_touch(const Model& model, const Contact& contact, std::optional<Law> law,
                         ContactProblemBuilder& builder, Workspace& workspace) {
  StrikeAnswer strike;
  strike.contact = contact;
  ProblemAnswer& answer = strike.answer;
  answer.problem = builder.impact_problem(model, workspace, contact);
  answer.bounds = compute_bounds(answer.problem);
  const std::optional<Law> only = law ? law : named_law(model, contact);
  for (const Law each : all_laws) {
    if (only && *only != each) continue;
    LawAnswer& own = answer.laws[static_cast<std::size_t>(answer.count++)] =
        solve_strike(model, answer.problem, each, builder);
    add_increment_numbers(model, answer.problem, builder, own);
    std::vector<Wrench>& impulses = strike.joint_impulses.emplace_back(model.joints.size());
    builder.joint_impulses(model, workspace, contact, own.result, impulses);
  }
  return strike;
}

// The rules have the names of those of events.
static_assert(std::all_of(all_names<SimultaneousRule>.begin(), all_names<SimultaneousRule>.end(),
                          [](std::string_view rule) {
                            return rule == name(SimultaneousRule::run) || value_named<ImpactRule>(rule).has_value();
                          }));

bool is_meant(const ContactStiffness& given, const std::string& contact) {
  return contact == given.contact || contact.substr(0, contact.find(" (")) == given.contact;
}

// After the kinematics of the state.
MarchSettings march_settings(const Model& model, const State& state, std::span<const Contact> contacts,
                             const StrikeOptions& options, const Workspace& workspace) {
  MarchSettings settings;
  if (!options.stiffness.empty()) settings.stiffness.assign(contacts.size(), 1);
  const Eigen::Index rows = contact_rows(model);
  settings.surface_velocity.resize(rows * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    settings.laws.push_back(options.law.value_or(contact_law(model, contacts[k])));
    for (const ContactStiffness& given : options.stiffness)
      if (is_meant(given, contact_name(model, contacts[k]))) settings.stiffness[k] = given.ratio;
    const ContactVector belt = surface_velocity(model, workspace, contacts[k], state.time);
    const double entries[] = {belt.n, belt.t1, belt.t2};
    for (Eigen::Index r = 0; r < rows; ++r)
      settings.surface_velocity[rows * static_cast<Eigen::Index>(k) + r] = entries[r];
  }
  return settings;
}

}  // namespace

std::string stiffness_fault(const Model& model, std::span<const Contact> contacts,
                            std::span<const ContactStiffness> stiffness) {
  for (const ContactStiffness& given : stiffness) {
    if (!(given.ratio > 0) || !std::isfinite(given.ratio))
      return fmt::format("{}: {} must be positive and finite; only ratios count", given.contact, given.ratio);
    std::vector<std::string> names;
    for (const Contact& contact : contacts) names.push_back(contact_name(model, contact));
    if (std::none_of(names.begin(), names.end(), [&](const std::string& each) { return is_meant(given, each); }))
      return fmt::format("unknown contact '{}'; contacts that touch: {}", printable(given.contact),
                         fmt::join(names, ", "));
  }
  return {};
}

SimultaneousAnswers solve_contacts_at_once(const Model& model, const State& state, std::span<const Contact> contacts,
                                           const StrikeOptions& options, Beside beside, Workspace& workspace) {
  // Leaves the kinematics of the state.
  const SimultaneousProblem machine = simultaneous_problem(model, state, contacts, TangentialRows::sticking, workspace);
  const MarchSettings settings = march_settings(model, state, contacts, options, workspace);
  SimultaneousAnswers answers = solve_by_rule(options.rule, machine, settings);
  if (beside == Beside::yes) solve_beside(machine, settings, answers);
  return answers;
}

LawAnswer solve_strike(const Model& model, const ImpactProblem& problem, Law law, ContactProblemBuilder& builder) {
  LawAnswer answer;
  answer.result = solve_impact(problem, law);
  builder.apply(answer.result);
  answer.velocity = builder.velocity_after();
  if (model.loop_rows > 0) {
    answer.loop_impulse = builder.loop_impulse();
    answer.multipliers = builder.loop_multipliers();
  }
  return answer;
}

Outcome SceneAnswer::outcome() const {
  Outcome worst = Outcome::answered;
  for (const StrikeAnswer& strike : strikes) worst = worse(worst, strike.answer.outcome());
  if (together) worst = worse(worst, together->answers.outcome());
  return worst;
}

SceneAnswer solve_strikes(const Model& model, const State& state, const TouchOptions& touch,
                          const StrikeOptions& options, Workspace& workspace) {
  SceneAnswer answer;
  answer.state = state;
  answer.touch = find_touches(model, state, touch, workspace);
  ContactProblemBuilder builder(model);
  builder.prepare(model, state, workspace);
  for (const Touch& each : answer.touch.touches)
    if (each.kind == TouchKind::approaching)
      answer.strikes.push_back(solve_touch(model, each.contact, options.law, builder, workspace));
  if (answer.strikes.empty() || answer.touch.touches.size() < 2) return answer;
  TogetherAnswer& together = answer.together.emplace();
  for (const Touch& each : answer.touch.touches) together.contacts.push_back(each.contact);
  together.answers = solve_contacts_at_once(model, state, together.contacts, options, Beside::yes, workspace);
  return answer;
}

}  // namespace routh::internal
