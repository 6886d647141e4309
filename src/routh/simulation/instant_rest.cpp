// What comes to rest at an instant beyond the laws of impact: the last of bounces and of slip, and what has no end.
#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/math/dense_qr.h"
#include "routh/math/elementary.h"
#include "routh/simulation/instant_parts.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

// Takes out of the velocities what these contacts forbid.
bool Instant::close_velocities(const std::vector<ClosedContact>& closed) {
  const ClosureReport report = closure_.close_velocity(model_, closed, result_.state, workspace_);
  result_.accounts += report.energy;
  if (!report.closed) return false;
  update_closed(closed);
  return true;
}

// After that, what is left of it by rounding is zero.
void Instant::update_closed(const std::vector<ClosedContact>& closed) {
  update_velocities();
  for (const ClosedContact& each : closed)
    for (Touching& it : touching_) {
      if (it.contact.id != each.id) continue;
      it.velocity.n = 0;
      if (each.mode == ContactMode::stick) it.velocity.t1 = it.velocity.t2 = 0;
    }
}

// The rest of a sequence of bounces, in no time: what the bounces and the contacts beside them do to the velocities
// until the sequence ends, less what contacts that stay closed do in that time. Let P be the impulses of either, over
// a time T so short that nothing turns; the free accelerations f are the same:
//
//   v⁺ = v + f T + D P        closed:  v⁺ = v + f T + D P_0 with v⁺ = 0 in the rows that are closed (H)
//
// Both end at rest in H, and in both friction goes with the load (slip: −μ_k σ) or holds, so that P − P_0 = p obeys
// H (v + D p) = 0 with p of the same form: this impulse, then closed contacts. It does not depend on the restitution,
// pulls (p_n = −v_n/A < 0 for one contact), and friction gives back with it what contacts that stay closed take too
// much until the sequence ends. Positions agree as well: p T is what the mean of the bounces' heights does to them.
// False where friction wedges; nothing is changed then.
bool Instant::sum_bounces(const std::vector<ClosedContact>& closed) {
  std::vector<HeldContact> held;
  for (std::size_t i = 0; i < touching_.size(); ++i)
    for (const ClosedContact& each : closed) {
      if (each.id != touching_[i].contact.id) continue;
      held.push_back(held_contact(i));
      held.back().mode = each.mode;
    }
  motion_.hold(held);
  prepared_.clear();
  Eigen::VectorXd impulse;
  if (motion_.prepare(model_, result_.state, problem_.force, workspace_) != MotionFault::none ||
      !motion_.close(impulse)) {
    motion_.hold(result_.held);
    return false;
  }
  const Eigen::Index rows = contact_rows(model_);
  const Eigen::VectorXd mean = motion_.velocity() + 0.5 * (motion_.inertia() * impulse);
  double friction = 0;
  for (std::size_t k = 0; k < held.size(); ++k)
    for (Eigen::Index r = 1; r < rows && held[k].mode == ContactMode::slip; ++r) {
      const Eigen::Index row = rows * static_cast<Eigen::Index>(k) + r;
      friction += impulse[row] * mean[row];
    }
  const double supplied = impulse.dot(motion_.surface_velocity());
  Eigen::VectorXd jump(model_.velocities);
  motion_.respond(impulse, jump);
  motion_.hold(result_.held);
  const double energy = total_energy(model_, result_.state, workspace_);
  result_.state.v += jump;
  faults_.at(FaultPlace::projection, result_.state.v);
  result_.accounts +=
      {-friction, supplied, total_energy(model_, result_.state, workspace_) - energy - friction - supplied};
  update_closed(closed);
  return true;
}

// Infinite friction halts slip at once also where it does not wedge: by an impulse along the surface. True when
// something was done.
bool Instant::halt_at_once() {
  const auto grips = [&](const Touching& it) {
    return slips(it) && std::isinf(contact_friction(model_, it.contact).kinetic_coefficient);
  };
  const std::vector<HeldContact>& held = result_.held;
  std::vector<std::size_t> group;
  bool any = false;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Touching& it = touching_[i];
    if (std::none_of(held.begin(), held.end(), [&](const auto& each) { return each.id == it.contact.id; })) continue;
    group.push_back(i);
    any = any || grips(it);
  }
  if (!any || motion_.compute(model_, result_.state, problem_.force, workspace_) != MotionFault::none) return false;
  const Eigen::VectorXd rates = motion_.contact_accelerations();
  const Eigen::Index rows = contact_rows(model_);
  const Eigen::VectorXd before = motion_.velocity();
  Eigen::MatrixXd D = motion_.inertia();
  Eigen::VectorXd wanted = -before;
  any = false;
  for (std::size_t k = 0; k < group.size(); ++k) {
    Touching& it = touching_[group[k]];
    const ContactVector rate = contact_entries(rates, k, rows);
    const double speed = elementary::hypot(it.velocity.t1, it.velocity.t2);
    const double loss = -(it.velocity.t1 * rate.t1 + it.velocity.t2 * rate.t2);  // −½ d(speed²)/dt
    const bool halts = grips(it) && speed * speed < tolerances::infinite_friction_time * loss;
    any = any || halts;
    const bool sticks = halts || closed_contact(it).mode == ContactMode::stick;
    for (Eigen::Index r = 1; r < rows && !sticks; ++r) {  // no impulse there
      const Eigen::Index row = rows * static_cast<Eigen::Index>(k) + r;
      D.row(row).setZero();
      D.col(row).setZero();
      D(row, row) = 1;
      wanted[row] = 0;
    }
  }
  if (!any) return false;
  Event event = begin_event(group, Load::pressed);
  event.rule = ImpactRule::projection;
  const Eigen::VectorXd impulse = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(D).solve(wanted);
  Eigen::VectorXd jump(model_.velocities);
  motion_.respond(impulse, jump);
  set_velocity(result_.state.v + jump);
  event.energy.tangential_work = impulse.dot(before + 0.5 * (motion_.inertia() * impulse));
  event.energy.supplied = impulse.dot(motion_.surface_velocity());
  event.energy.change = event.energy.tangential_work + event.energy.supplied;
  for (std::size_t k = 0; k < group.size(); ++k) {
    event.contacts[k].impulse = contact_entries(impulse, k, rows);
    touching_[group[k]].struck = true;
  }
  end_event(group, event);
  result_.events.push_back(std::move(event));
  return true;
}

// Bounces that are too small to be followed, in a geometric sequence, or below rounding, and those that fade below the
// error a step may make: what is left of the normal velocity is taken out, and the time at which the sequence ends is
// noted. True when something was done.
bool Instant::complete_bounces() {
  const double size = size_of(result_.state);
  const auto lowest = [&](const Touching& it) {
    return size * (bounces_.ratio(it.contact.id) ? tolerances::unseen_distance : tolerances::rounding);
  };
  const auto low = [&](const Touching& it) {
    const double speed = it.velocity.n;
    return it.struck && speed > 0 && speed * speed < 2 * tolerances::strongest_pull * lowest(it);
  };
  if (std::none_of(touching_.begin(), touching_.end(), low)) return false;
  if (motion_.compute(model_, result_.state, problem_.force, workspace_) != MotionFault::none) return false;
  compute_velocities(model_, result_.state.q, result_.state.v, workspace_);
  // What rests goes on resting, so that contacts do not throw one another up for ever.
  std::vector<ClosedContact> closed;
  for (const std::size_t i : resting()) closed.push_back(closed_contact(touching_[i]));
  // Contacts that bounce in turns: one whose bounces were summed at this instant was thrown up again by another, which
  // its rest would throw down again. They come to rest together.
  const auto summed = [&](ContactId id) {
    return std::any_of(result_.completed.begin(), result_.completed.end(),
                       [&](const auto& each) { return each.id == id; });
  };
  const bool in_turns = std::any_of(touching_.begin(), touching_.end(),
                                    [&](const Touching& it) { return low(it) && summed(it.contact.id); });
  std::vector<Checkpoint::Pending> ended;
  bool any = false;
  for (const Touching& each : touching_) {
    if (!low(each)) continue;
    contact_jacobian(model_, workspace_, each.contact, jacobian_);
    const double speed = each.velocity.n;
    const double pull =
        -contact_acceleration(model_, workspace_, each.contact, jacobian_, result_.state, motion_.acceleration()).n;
    if (!(pull > 0) && !in_turns) continue;
    const double height = speed * speed / (2 * std::abs(pull)), flight = 2 * speed / pull;
    if (!(height < lowest(each))) continue;
    const ContactId id = each.contact.id;
    closed.push_back(closed_contact(each));
    any = true;
    if (in_turns && (summed(id) || !(pull > 0))) continue;
    const double ratio = bounces_.ratio(id).value_or(bounces_.mean_ratio(id).value_or(0));
    ended.push_back({result_.state.time + flight / (1 - ratio), id, speed, 0});
  }
  if (!any || !((!in_turns && sum_bounces(closed)) || close_velocities(closed))) return false;
  for (const Checkpoint::Pending& each : ended) bounces_.forget(each.id);
  result_.completed.insert(result_.completed.end(), ended.begin(), ended.end());
  return true;
}

}  // namespace routh::internal
