// The impacts within a step, by the laws of their surfaces.
#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/impact/restitution.h"
#include "routh/simulation/moreau_parts.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/single_impact.h"

namespace routh::internal {

// The impacts of the contacts in `striking_`, each with what touches and acts on it. False when there are none.
bool MoreauStep::strike(State& state) {
  if (!factorise(state.q, 0)) return true;
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  chosen_.clear();
  bool any = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    const double approach = std::max(0.0, -it.velocity.n);
    const bool closes = contacts_[i].gap <= allowed + tolerances::strike_slack_share * step_ * approach;
    const bool strikes = (approach > 0 || it.wedged) && closes &&
                         std::find(striking_.begin(), striking_.end(), contacts_[i].id) != striking_.end();
    it.strikes_at = strikes ? 0 : -1;
    any = any || strikes;
    if (strikes || contacts_[i].gap <= allowed) chosen_.push_back(i);
  }
  if (!any) return false;
  const std::size_t before = events_.size();
  rows_.respond(factor_, loops_, chosen_);
  for (const std::vector<std::size_t>& island : rows_.islands(chosen_))
    if (std::any_of(island.begin(), island.end(), [&](std::size_t i) { return step_contacts_[i].strikes_at == 0; }))
      strike_island(island, state);
  return events_.size() > before;
}

void MoreauStep::strike_island(const std::vector<std::size_t>& island, State& state) {
  Event event;
  event.time = state.time;
  event.position = state.q;
  event.velocity_before = state.v;
  bool limits = true;
  for (const std::size_t i : island) {
    event.contacts.push_back({.id = contacts_[i].id,
                              .name = contact_name(model_, contacts_[i]),
                              .velocity_before = step_contacts_[i].velocity,
                              .velocity_after = {},
                              .impulse = {},
                              .friction = contact_friction(model_, contacts_[i]).kinetic_coefficient});
    if (step_contacts_[i].velocity.n < 0) limits = limits && contacts_[i].kind == ContactKind::limit;
  }
  event.kind = limits ? EventKind::limit : EventKind::impact;
  const bool jam = island.size() == 1 && !(step_contacts_[island.front()].velocity.n < 0);
  if (jam) {
    event.kind = EventKind::tangential_impact;
    if (!strike_one(island.front(), state, event)) return;
  } else if (island.size() > 1 || !strike_one(island.front(), state, event)) {
    strike_several(island, state, event);
  }
  if (faults_) faults_->at(FaultPlace::impact, state.v);
  event.velocity_after = state.v;
  for (std::size_t k = 0; k < island.size(); ++k) event.contacts[k].velocity_after = relative(island[k], state.v);
  if (!event.energy.consistent) event.warn(Warning::energy_gain);
  events_.push_back(std::move(event));
}

bool MoreauStep::strike_one(std::size_t index, State& state, Event& event) {
  if (builder_.prepare(model_, state, *workspace_) >= 0) return false;
  ImpactProblem problem = builder_.impact_problem(model_, *workspace_, contacts_[index]);
  const Law asked = options_.law.value_or(contact_law(model_, contacts_[index]));
  event.law = asked;
  if (event.kind == EventKind::tangential_impact) {
    problem.load = Load::pressed;
    problem.velocity.n = 0;
    if (!has_tangential_impact(asked)) event.law = Law::energetic;
  }
  ImpactResult result = solve_impact(problem, event.law);
  if (!usable(result.status) || (result.status == ImpactStatus::no_impact && problem.load == Load::pressed))
    return false;
  builder_.apply(result);
  state.v = builder_.velocity_after();
  describe_single_impact(problem, result, event);
  if (event.law != asked) event.warn(Warning::law_replaced);
  return true;
}

// A few contacts advance together, by the compliant march. Its cost grows with the cube of their number, and crowds are
// there to be stepped through: more of them, and what has no end by the march, by Newton's rule (strike_crowd).
void MoreauStep::strike_several(const std::vector<std::size_t>& island, State& state, Event& event) {
  const Eigen::Index d = contact_rows(model_), size = d * static_cast<Eigen::Index>(island.size());
  rows_.inertia(island, problem_);
  problem_.friction.clear();
  problem_.velocity.resize(size);
  belt_.resize(size);
  for (std::size_t k = 0; k < island.size(); ++k) {
    const StepContact& it = step_contacts_[island[k]];
    const double speeds[3] = {it.velocity.n, it.velocity.t1, it.velocity.t2};
    const double belt[3] = {it.surface_velocity.n, it.surface_velocity.t1, it.surface_velocity.t2};
    for (Eigen::Index r = 0; r < d; ++r) {
      problem_.velocity[d * static_cast<Eigen::Index>(k) + r] = speeds[r];
      belt_[d * static_cast<Eigen::Index>(k) + r] = belt[r];
    }
    problem_.friction.push_back(contact_friction(model_, contacts_[island[k]]).kinetic_coefficient);
  }
  if (size > tolerances::march_rows_max || !march(island, event)) strike_crowd(island, event);
  half_.setZero();
  for (std::size_t k = 0; k < island.size(); ++k) {
    event.contacts[k].impulse = contact_entries(impulse_, k, d);
    rows_.add_response(island[k], event.contacts[k].impulse, half_);
  }
  factor_.finish_solve(half_);
  state.v += half_;
}

bool MoreauStep::march(const std::vector<std::size_t>& island, Event& event) {
  const auto* const dense = std::get_if<Eigen::MatrixXd>(&problem_.inertia);
  if (!dense) return false;
  TogetherProblem problem;
  problem.dimension = model_.dimension;
  problem.inertia = *dense;
  problem.velocity = problem_.velocity;
  problem.surface_velocity = belt_;
  problem.steps = tolerances::strike_march_steps_max;
  for (const std::size_t i : island) {
    const Law law = options_.law.value_or(contact_law(model_, contacts_[i]));
    problem.contacts.push_back(
        {contact_friction(model_, contacts_[i]), contact_restitution(model_, contacts_[i]), law, Load::unknown});
    if (!marches(law)) event.warn(Warning::law_replaced);
  }
  const TogetherResult result = solve_together(problem);
  if (!usable(result.status) || result.has(Warning::plastic_end)) return false;  // a crowd has its rebound
  event.rule = ImpactRule::together;
  event.energy = result.energy;
  event.warnings |= result.warnings;
  impulse_ = result.impulse;
  for (std::size_t k = 0; k < island.size(); ++k) {
    event.contacts[k].restitution = result.contacts[k].restitution;
    event.contacts[k].friction = result.contacts[k].friction;
  }
  return true;
}

// Newton's rule on the true cone, as far as energy allows. Let p₀ be the impulse without rebound and p₁ the one with
// v_n⁺ ≥ e |v_n⁻| at what strikes. On the way p = p₀ + s (p₁ − p₀) impulses stay in their cones and nothing approaches;
// the change of T is a parabola in s. The largest s ≤ 1 is taken at which at least 1 − e² of what p₀ loses is lost, as
// much as one contact without friction loses: nothing gains, whatever the restitutions.
void MoreauStep::strike_crowd(const std::vector<std::size_t>& island, Event& event) {
  const Eigen::Index d = contact_rows(model_), size = problem_.velocity.size();
  const ContactsOptions options = moreau::contact_options(tolerances::step_residual);
  const Eigen::VectorXd before = problem_.velocity;
  const ContactsSolution& solution = solver_.solve(problem_, options);
  impulse_ = solution.impulse;
  const Eigen::VectorXd plastic = solution.velocity;
  const double lost = 0.5 * impulse_.dot(before + plastic);
  double greatest = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    const StepContact& it = step_contacts_[island[k]];
    if (it.strikes_at != 0) continue;
    const double e = restitution_at(contact_restitution(model_, contacts_[island[k]]), -it.velocity.n).coefficient;
    event.contacts[k].restitution = e;
    greatest = std::max(greatest, e);
    problem_.velocity[d * static_cast<Eigen::Index>(k)] += e * it.velocity.n;
  }
  Eigen::VectorXd after = plastic;
  if (greatest > 0) {
    const std::vector<double> start(impulse_.data(), impulse_.data() + size);
    solver_.solve(problem_, options, start);
    const Eigen::VectorXd more = solution.impulse - impulse_,
                          faster = solution.velocity + before - problem_.velocity - plastic;
    // ΔT(s) = lost + s p'·v₀⁺ + ½ s² p'·D p', with D p' = `faster`; it is to be (1 − e²) lost at most.
    const double a = 0.5 * more.dot(faster), b = more.dot(plastic), c = greatest * greatest * lost;
    double share = 1;
    if (a + b + c > 0) share = a > 0 ? (-b + std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a) : 0;
    share = std::clamp(share, 0.0, 1.0);
    impulse_ += share * more;
    after += share * faster;
  }
  event.rule = ImpactRule::simultaneous;
  for (Eigen::Index row = 0; row < size; ++row)
    (row % d == 0 ? event.energy.normal_work : event.energy.tangential_work) +=
        0.5 * impulse_[row] * (before[row] + after[row]);
  event.energy.supplied = impulse_.dot(belt_);
  event.energy.change = event.energy.normal_work + event.energy.tangential_work + event.energy.supplied;
}

}  // namespace routh::internal
