#include "routh/scene/strikes.h"

namespace routh::internal {

namespace {

std::optional<Law> named_law(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return std::nullopt;
  return model.pairs[static_cast<std::size_t>(contact.id.pair)].properties.law;
}

StrikeAnswer solve_strike(const Model& model, const Contact& contact, std::optional<Law> law,
                          ContactProblemBuilder& builder, Workspace& workspace) {
  StrikeAnswer strike;
  strike.contact = contact;
  ProblemAnswer& answer = strike.answer;
  answer.problem = builder.impact_problem(model, workspace, contact);
  answer.bounds = compute_bounds(answer.problem);
  const std::optional<Law> only = law ? law : named_law(model, contact);
  for (const Law each : all_laws) {
    if (only && *only != each) continue;
    LawAnswer& own = answer.laws[static_cast<std::size_t>(answer.count++)];
    own.result = solve_impact(answer.problem, each);
    builder.apply(own.result);
    own.velocity = builder.velocity_after();
    if (model.loop_rows > 0) {
      own.loop_impulse = builder.loop_impulse();
      own.multipliers = builder.loop_multipliers();
    }
    std::vector<Wrench>& impulses = strike.joint_impulses.emplace_back(model.joints.size());
    builder.joint_impulses(model, workspace, contact, own.result, impulses);
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
  const auto problem = [&](TangentialRows rows) {
    return simultaneous_problem(model, state, together.contacts, rows, workspace);
  };
  together.answers.smooth = solve_simultaneous(problem(TangentialRows::none));
  if (!belts) {
    const SimultaneousProblem rough = problem(TangentialRows::sticking);
    together.answers.sticking = solve_simultaneous(rough);
    together.answers.frictional = solve_frictional(rough);
  }
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
  ContactProblemBuilder builder(model);
  builder.prepare(model, state, workspace);
  for (const Touch& touch : answer.touch.touches)
    if (touch.kind == TouchKind::approaching)
      answer.strikes.push_back(solve_strike(model, touch.contact, law, builder, workspace));
  if (!answer.strikes.empty() && answer.touch.touches.size() > 1)
    answer.together = solve_together(model, state, answer.touch, workspace);
  return answer;
}

}  // namespace routh::internal
