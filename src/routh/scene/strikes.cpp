#include "routh/scene/strikes.h"

namespace routh::internal {

namespace {

std::optional<Law> named_law(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return std::nullopt;
  return model.pairs[static_cast<std::size_t>(contact.id.pair)].properties.law;
}

StrikeAnswer solve_strike(const Model& model, const Contact& contact, std::optional<Law> law, StrikeSolver& solver,
                          Workspace& workspace) {
  StrikeAnswer strike;
  strike.contact = contact;
  ProblemAnswer& answer = strike.answer;
  answer.problem = solver.reduce(model, workspace, contact);
  answer.bounds = compute_bounds(answer.problem);
  const std::optional<Law> only = law ? law : named_law(model, contact);
  for (const Law each : all_laws) {
    if (only && *only != each) continue;
    LawAnswer& own = answer.laws[static_cast<std::size_t>(answer.count++)];
    own.result = solve_impact(answer.problem, each);
    solver.expand(own.result);
    own.velocity = solver.velocity_after();
    if (model.loop_rows > 0) {
      own.loop_impulse = solver.loop_impulse();
      own.multipliers = solver.loop_multipliers();
    }
    std::vector<Wrench>& impulses = strike.joint_impulses.emplace_back(model.joints.size());
    solver.joint_impulses(model, workspace, contact, own.result, impulses);
  }
  return strike;
}

bool has_belt(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return false;
  return model.shapes[static_cast<std::size_t>(contact.shape_a)].moving ||
         model.shapes[static_cast<std::size_t>(contact.shape_b)].moving;
}

TogetherAnswer solve_together(const Model& model, const State& state, const TouchReport& touch, Workspace& workspace) {
  TogetherAnswer together;
  bool belts = false;
  for (const Touch& each : touch.touches) {
    together.contacts.push_back(each.contact);
    belts = belts || has_belt(model, each.contact);
  }
  const auto solve = [&](TangentialRows rows) {
    return solve_simultaneous(simultaneous_problem(model, state, together.contacts, rows, workspace));
  };
  together.answers.smooth = solve(TangentialRows::none);
  if (!belts) together.answers.sticking = solve(TangentialRows::sticking);
  return together;
}

}  // namespace

Outcome SceneAnswer::outcome() const {
  Outcome worst = Outcome::answered;
  for (const StrikeAnswer& strike : strikes) worst = worse(worst, strike.answer.outcome());
  if (together) worst = worse(worst, together->answers.outcome());
  return worst;
}

SceneAnswer solve_strikes(const Model& model, const State& state, const TouchOptions& options, std::optional<Law> law,
                          Workspace& workspace) {
  SceneAnswer answer;
  answer.state = state;
  answer.touch = find_touches(model, state, options, workspace);
  StrikeSolver solver(model);
  solver.prepare(model, state, workspace);
  for (const Touch& touch : answer.touch.touches)
    if (touch.kind == TouchKind::approaching)
      answer.strikes.push_back(solve_strike(model, touch.contact, law, solver, workspace));
  if (!answer.strikes.empty() && answer.touch.touches.size() > 1)
    answer.together = solve_together(model, state, answer.touch, workspace);
  return answer;
}

}  // namespace routh::internal
