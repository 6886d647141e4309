// The impacts of an instant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "routh/impact/restitution.h"
#include "routh/impact/solve.h"
#include "routh/march/run_rule.h"
#include "routh/march/together.h"
#include "routh/math/elementary.h"
#include "routh/math/gram_factor.h"
#include "routh/simulation/instant_parts.h"
#include "routh/simulation/moment.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/single_impact.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

// A tangential impact begins on the edge of the jam, where rounding decides whether it does. One after the other until
// it does: just beyond the edge.
constexpr int most_nudges = 6;
Friction nudged(const Friction& friction, int nudge) {
  const double kinetic = friction.kinetic_coefficient * (1 + tolerances::jam_seed * elementary::pow(10.0, nudge));
  return {std::max(friction.static_coefficient, kinetic), kinetic};
}

// Of an impulse along a straight way, from the velocities of the problem.
EnergyLedger straight_ledger(const TogetherProblem& problem, const Eigen::VectorXd& impulse) {
  const Eigen::Index rows = impulse.size() / static_cast<Eigen::Index>(problem.contacts.size());
  const Eigen::VectorXd mean = problem.velocity + 0.5 * (problem.inertia * impulse);
  EnergyLedger energy;
  for (Eigen::Index row = 0; row < impulse.size(); ++row)
    (row % rows == 0 ? energy.normal_work : energy.tangential_work) += impulse[row] * mean[row];
  energy.supplied = impulse.dot(problem.surface_velocity);
  energy.change = impulse.dot(mean) + energy.supplied;
  return energy;
}

// The laws are given velocities with what counts as zero taken out; the bodies keep it, and impulses do work on it.
// The work that was left out of the ledger.
double book_untidied(const ContactVector& impulse, const ContactVector& full, const ContactVector& tidied,
                     EnergyLedger& energy) {
  const double normal = impulse.n * (full.n - tidied.n);
  const double tangential = impulse.t1 * (full.t1 - tidied.t1) + impulse.t2 * (full.t2 - tidied.t2);
  energy.normal_work += normal;
  energy.tangential_work += tangential;
  return normal + tangential;
}

}  // namespace

// `motion_` for these contacts, at this state, unless it is ready for them.
bool Instant::prepare(const std::vector<std::size_t>& list) {
  if (list == prepared_ && result_.state.q == prepared_q_ && result_.state.v == prepared_v_) return true;
  std::vector<HeldContact> held;
  for (const std::size_t i : list) held.push_back(held_contact(i));
  motion_.hold(std::move(held));
  prepared_.clear();
  if (motion_.prepare(model_, result_.state, problem_.force, workspace_) != MotionFault::none) return false;
  prepared_ = list;
  prepared_q_ = result_.state.q;
  prepared_v_ = result_.state.v;
  return true;
}

// Steps leave loops open in velocity by their errors, near a singular posture by far more, and impulses would do work
// on that of which the laws of contacts know nothing.
void Instant::close_loops() {
  if (model_.loop_rows == 0) return;
  compute_kinematics(model_, result_.state.q, workspace_);
  if (loops_.factorise(model_, result_.state.q, workspace_) >= 0) return;
  const double before = total_energy(model_, result_.state, workspace_);
  loops_.close_velocity(result_.state.v);
  result_.accounts.corrected += total_energy(model_, result_.state, workspace_) - before;
  update_velocities();
}

// Strikes until nothing approaches. Groups of contacts that do not act on one another are impacts of their own.
SimulationStatus Instant::strike_all() {
  const auto approaches = [](const Touching& each) { return each.velocity.n < 0; };
  if (std::any_of(touching_.begin(), touching_.end(), approaches)) close_loops();
  while (std::any_of(touching_.begin(), touching_.end(), approaches)) {
    if (++rounds_ > options_.max_events_at_once)
      return fail(SimulationStatus::event_limit, "impacts at one instant do not come to an end");
    if (touching_.size() == 1) {
      static const std::vector<std::size_t> only{0};
      if (const SimulationStatus status = strike_group(only, Load::unknown); status != SimulationStatus::ready)
        return status;
      continue;
    }
    std::vector<std::size_t> all(touching_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!prepare(all))
      return fail(SimulationStatus::singular, "the inertia of contacts that strike cannot be computed");
    for (const std::vector<std::size_t>& group : motion_.coupled_groups()) {
      if (std::none_of(group.begin(), group.end(), [&](std::size_t i) { return touching_[i].velocity.n < 0; }))
        continue;
      const SimulationStatus status = strike_group(group, Load::unknown);
      if (status != SimulationStatus::ready) return status;
    }
  }
  return SimulationStatus::ready;
}

SimulationStatus Instant::tangential_impact(const std::vector<std::size_t>& list) {
  close_loops();
  if (!prepare(list)) return fail(SimulationStatus::singular, "the inertia of a wedging contact cannot be computed");
  SimulationStatus status = SimulationStatus::ready;
  bool jammed = false;
  for (const std::vector<std::size_t>& group : motion_.coupled_groups()) {
    std::vector<std::size_t> members;
    bool any = false;
    for (const std::size_t k : group) {
      members.push_back(list[k]);
      any = any || slips(touching_[list[k]]);
    }
    if (!any) continue;
    const SimulationStatus outcome = strike_group(members, Load::pressed);
    jammed = jammed || outcome == SimulationStatus::ready;
    if (outcome != SimulationStatus::ready) status = outcome;
    if (outcome != SimulationStatus::ready && outcome != SimulationStatus::unsolved_impact) return status;
  }
  return jammed ? SimulationStatus::ready : status;  // groups that slide as before are none the worse
}

SimulationStatus Instant::strike_group(const std::vector<std::size_t>& group, Load load) {
  Event event = begin_event(group, load);
  // Velocities that are zero to rounding are zero for the laws.
  bool solved = false;
  if (group.size() == 1) {
    // Where D is singular by rounding the march through one impulse has no end; springs do.
    solved = strike_one(group[0], load, event) || (marches(event.law) && strike_together(group, load, event));
  } else {
    const auto together = [&] { return strike_together(group, load, event); };
    const auto simultaneously = [&] { return load == Load::unknown && strike_simultaneously(group, event); };
    solved = simultaneously() || together();
  }
  if (!solved)
    return fail(SimulationStatus::unsolved_impact,
                fmt::format("the impact at {} has no answer: {}", event.contacts.front().name, result_.trouble));
  if (!result_.state.v.allFinite())
    return fail(SimulationStatus::non_finite, fmt::format("velocities after the impact at {}", event.contacts[0].name));
  for (const std::size_t i : group) touching_[i].struck = true;
  end_event(group, event);
  result_.events.push_back(std::move(event));
  return SimulationStatus::ready;
}

// The only way an impact changes the state.
void Instant::set_velocity(const Eigen::VectorXd& after) {
  result_.state.v = after;
  faults_.at(FaultPlace::impact, result_.state.v);
}

Event Instant::begin_event(const std::vector<std::size_t>& group, Load load) const {
  Event event;
  event.time = result_.state.time;
  event.position = result_.state.q;
  event.velocity_before = result_.state.v;
  bool limits = true;
  for (const std::size_t i : group) {
    const Touching& it = touching_[i];
    event.contacts.push_back({.id = it.contact.id,
                              .name = contact_name(model_, it.contact),
                              .velocity_before = it.velocity,
                              .velocity_after = {},
                              .impulse = {},
                              .friction = contact_friction(model_, it.contact).kinetic_coefficient});
    if (it.velocity.n < 0) limits = limits && it.contact.kind == ContactKind::limit;
  }
  event.kind = load == Load::pressed ? EventKind::tangential_impact : limits ? EventKind::limit : EventKind::impact;
  return event;
}

void Instant::end_event(const std::vector<std::size_t>& group, Event& event) {
  event.velocity_after = result_.state.v;
  update_velocities();
  for (std::size_t k = 0; k < group.size(); ++k) {
    Touching& it = touching_[group[k]];
    // No approach outlives an impact of all: here next to nothing moves the contact, and rounding is what is left.
    if (event.rule == ImpactRule::together && it.velocity.n < 0 &&
        it.velocity.n > -tolerances::approach_left * speed_scale_) {
      it.rounding = std::max(it.rounding, -1.01 * it.velocity.n);
      it.velocity.n = 0;
    }
    event.contacts[k].velocity_after = it.velocity;
    if (it.velocity.n > 0 && event.contacts[k].velocity_before.n < 0)
      bounces_.add(it.contact.id, result_.state.time, it.velocity.n);
  }
  // The law judged the velocities of contacts that it was given. The machine's own would show what its ledger cannot
  // see. Of velocities that count as none, impulses can gain what rounding can.
  const State start{result_.state.q, event.velocity_before, result_.state.time};
  const double kinetic = compute_energy(model_, start, workspace_).kinetic;
  const double kinetic_after = compute_energy(model_, result_.state, workspace_).kinetic;
  EnergyLedger& energy = event.energy;
  energy.change = kinetic_after - kinetic;
  const double work = energy.normal_work + energy.tangential_work;
  const double most = std::max(kinetic, kinetic_after), unseen = energy.change - energy.supplied - work;
  if (work > tolerances::cancelled * most || unseen > tolerances::energy_unseen * most) energy.consistent = false;
  if (!energy.consistent) event.warn(Warning::energy_gain);
  event.warnings |= hints_.warnings;
}

bool Instant::strike_one(std::size_t index, Load load, Event& event) {
  const Touching& it = touching_[index];
  if (builder_.prepare(model_, result_.state, workspace_) >= 0) {
    result_.trouble = "the mass matrix is singular";
    return false;
  }
  ImpactProblem problem = builder_.impact_problem(model_, workspace_, it.contact);
  problem.load = load;
  problem.restitution = restitution_of(it);
  const ContactVector full = problem.velocity;
  // The velocity with its rounding taken out.
  problem.velocity.n = it.velocity.n;
  problem.velocity.t1 = it.velocity.t1 + problem.surface_velocity.t1;
  problem.velocity.t2 = it.velocity.t2 + problem.surface_velocity.t2;
  const Law asked = options_.law.value_or(contact_law(model_, it.contact));
  event.law = asked;
  // Only the incremental laws with an account of work know impacts that begin without approach.
  if (load == Load::pressed && !has_tangential_impact(asked)) event.law = Law::energetic;
  ImpactResult result = solve_impact(problem, event.law);
  if (load == Load::pressed) {
    for (int nudge = 0; nudge < most_nudges && (!usable(result.status) || result.status == ImpactStatus::no_impact);
         ++nudge) {
      problem.friction = nudged(problem.friction, nudge);
      result = solve_impact(problem, event.law);
      result.warn(Warning::friction_changed);
    }
    if (result.status == ImpactStatus::no_impact) {
      result_.trouble = "nothing jams";
      return false;
    }
  }
  if (!usable(result.status)) {
    result_.trouble =
        fmt::format("{} (law {}; the energetic and Poisson's law have one)", explain(result.status), name(event.law));
    return false;
  }
  builder_.apply(result);
  set_velocity(builder_.velocity_after());
  describe_single_impact(problem, result, event);
  book_untidied(result.impulse, full, problem.velocity, event.energy);
  if (event.law != asked) event.warn(Warning::law_replaced);
  return true;
}

// By projection, where runs take it.
bool Instant::strike_simultaneously(const std::vector<std::size_t>& group, Event& event) {
  std::vector<Contact> contacts;
  const Eigen::Index rows = contact_rows(model_);
  Eigen::VectorXd belts = Eigen::VectorXd::Zero(rows * static_cast<Eigen::Index>(group.size()));
  for (const std::size_t i : group) {
    contacts.push_back(touching_[i].contact);
    const ContactVector belt = surface_velocity(model_, workspace_, contacts.back(), result_.state.time);
    const double tangential[] = {belt.t1, belt.t2};
    for (Eigen::Index t = 0; t + 1 < rows; ++t)
      belts[rows * static_cast<Eigen::Index>(contacts.size() - 1) + 1 + t] = tangential[t];
  }
  SimultaneousProblem problem =
      simultaneous_problem(model_, result_.state, contacts, TangentialRows::sticking, workspace_);
  for (std::size_t k = 0; k < group.size(); ++k) problem.restitution[k] = restitution_of(touching_[group[k]]);
  const std::optional<SimultaneousResult> kept = project_as_runs(problem, belts);
  if (!kept) return false;
  const SimultaneousResult& result = *kept;
  event.rule = ImpactRule::simultaneous;
  event.energy = {result.normal_work, result.tangential_work, 0, result.energy_change, true};
  event.warnings = result.warnings;
  result_.accounts.corrected += result.bilateral_work;  // of loops that were not quite closed
  for (std::size_t k = 0; k < group.size(); ++k) {
    const SimultaneousContactResult& each = result.contacts[k];
    event.contacts[k].impulse = {each.normal_impulse, each.tangential_impulse[0], each.tangential_impulse[1]};
    event.contacts[k].restitution = each.restitution;
  }
  set_velocity(result.velocity);
  return true;
}

// Contacts that friction wedges: from the edge of the jam, or pressed by their load. No impulse when nothing jams.
TogetherResult Instant::jam_together(TogetherProblem problem) const {
  // A lesser jump only gives back the seed; where contacts wedged again at once, more is asked for.
  const int first = std::min(hints_.again, most_nudges);
  const double speed = problem.velocity.cwiseAbs().maxCoeff();
  const double least = tolerances::jam_seed * speed, enough = least * elementary::pow(10.0, first);
  std::optional<TogetherResult> slow, faint;  // too near the edge to end, or to get far
  ModesProblem loaded{problem.dimension, problem.inertia, motion_.free_acceleration(), problem.velocity, {}};
  for (const TogetherContact& each : problem.contacts) loaded.friction.push_back(each.friction);
  TogetherResult result;
  for (int nudge = 0; nudge <= most_nudges; ++nudge) {
    if (nudge >= first) {
      result = solve_together(problem);
      const double jump = (result.velocity - problem.velocity).cwiseAbs().maxCoeff();
      const bool ended = usable(result.status) && !result.has(Warning::plastic_end);
      if (jump >= enough && ended) return result;
      if (jump >= least && ended) faint = result;
      if (jump >= least && usable(result.status) && !ended) slow = result;
    }
    for (TogetherContact& each : problem.contacts) each.friction = nudged(each.friction, nudge);
  }
  if (Moment moment = press_for_a_moment(loaded); moment.answered && moment.jams) {
    moment.result.energy = straight_ledger(problem, moment.result.impulse);
    moment.result.warn(Warning::modes_estimated);
    moment.result.warn(Warning::rebound_given_up);
    return std::move(moment.result);
  }
  if (faint) return *faint;
  if (slow) return *slow;
  result.impulse.setZero();
  return result;
}

bool Instant::strike_together(const std::vector<std::size_t>& group, Load load, Event& event) {
  const Eigen::Index rows = contact_rows(model_);
  if (!prepare(group)) {
    result_.trouble = "the inertia of the contacts cannot be computed";
    return false;
  }
  TogetherProblem problem;
  problem.dimension = model_.dimension;
  problem.inertia = motion_.inertia();
  problem.velocity = motion_.velocity();
  problem.surface_velocity = motion_.surface_velocity();
  problem.rounding = rounding();
  for (std::size_t k = 0; k < group.size(); ++k) {
    const Touching& it = touching_[group[k]];
    const double speeds[] = {it.velocity.n, it.velocity.t1, it.velocity.t2};
    for (Eigen::Index r = 0; r < rows; ++r) problem.velocity[rows * static_cast<Eigen::Index>(k) + r] = speeds[r];
    problem.contacts.push_back({contact_friction(model_, it.contact), restitution_of(it),
                                options_.law.value_or(contact_law(model_, it.contact)), load});
  }
  const TogetherResult result = load == Load::pressed ? jam_together(problem) : solve_together(problem);
  if (!usable(result.status)) {
    result_.trouble = explain(result.status);
    return false;
  }
  if (load == Load::pressed && result.impulse.isZero(0)) {
    result_.trouble = "nothing jams";
    return false;
  }
  Eigen::VectorXd jump(model_.velocities);
  motion_.respond(result.impulse, jump);
  set_velocity(result_.state.v + jump);
  event.rule = ImpactRule::together;
  event.energy = result.energy;
  event.warnings = result.warnings;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const Law law = problem.contacts[k].law;
    if (!marches(law)) event.warn(Warning::law_replaced);
    event.contacts[k].impulse = contact_entries(result.impulse, k, rows);
    event.energy.change += book_untidied(event.contacts[k].impulse, contact_entries(motion_.velocity(), k, rows),
                                         contact_entries(problem.velocity, k, rows), event.energy);
    event.contacts[k].restitution = result.contacts[k].restitution;
    event.contacts[k].friction = result.contacts[k].friction;
    if (result.contacts[k].friction != contact_friction(model_, touching_[group[k]].contact).kinetic_coefficient)
      event.warn(Warning::friction_changed);
  }
  return true;
}

}  // namespace routh::internal
