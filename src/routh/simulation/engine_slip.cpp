// Slip on the way: how it turns, and when it has halted.
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/math/elementary.h"
#include "routh/simulation/engine.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh {

// In space the slip of a held contact turns; its direction follows from step to step.
void Engine::turn_slip_directions() {
  if (model.dimension == Dimension::planar) return;
  bool begins = false, slow = false;
  for (std::size_t i = 0; i < motion_.held().size(); ++i) {
    HeldContact& each = motion_.change(i);
    if (each.mode != ContactMode::slip || each.friction.static_coefficient == 0) continue;
    compute_velocities(model, state.q, state.v, workspace_);
    const auto contact = find_contact(model, workspace_, state.q, each.id);
    if (!contact) continue;
    motion_.follow_tangents(i, *contact);
    const ContactVector v = contact_velocity(model, workspace_, state.v, *contact);
    const ContactVector s = surface_velocity(model, workspace_, *contact, state.time);
    const SlipState slip = slip_of({0, v.t1 - s.t1, v.t2 - s.t2});
    each.beginning = each.beginning && slip.speed < tolerances::halting_speed;
    slow = slow || (!each.beginning && slip.speed < tolerances::creeping_speed);
    begins = begins || each.beginning;
    if (!each.beginning && slip.speed > tolerances::slip_rounding &&
        slip.direction.t1 * each.direction.t1 + slip.direction.t2 * each.direction.t2 > 0)
      each.direction = slip.direction;
  }
  if (slow) begins = find_creeping() || begins;
  if (begins) settle_directions();
}

// Slow slip that neither halts nor gets away turns within microseconds: for the steps it is one that begins.
bool Engine::find_creeping() {
  if (motion_.compute(model, state, force_, workspace_) != MotionFault::none) return false;
  const Eigen::VectorXd rates = motion_.contact_accelerations();
  bool any = false;
  for (std::size_t i = 0; i < motion_.held().size(); ++i) {
    HeldContact& each = motion_.change(i);
    if (each.mode != ContactMode::slip || each.beginning || each.friction.static_coefficient == 0) continue;
    const auto row = 3 * static_cast<Eigen::Index>(i);
    const Eigen::Vector2d slip = motion_.velocity().segment(row + 1, 2), rate = rates.segment(row + 1, 2);
    const double speed = slip.norm();
    if (!(speed > tolerances::slip_rounding && speed < tolerances::creeping_speed &&
          -slip.dot(rate) * tolerances::beginning_step < speed * speed))
      continue;
    each.beginning = any = true;
  }
  return any;
}

// The direction in which slip begins is the one in which friction lets it: v̇_t = κ σ. It hardly changes in a step, so
// a few turns towards v̇_t find it again; a turn is what friction would do to a slow slip in the time it takes.
void Engine::settle_directions() {
  for (int round = 0; round < 30; ++round) {
    if (motion_.compute(model, state, force_, workspace_) != MotionFault::none) return;
    const Eigen::VectorXd rates = motion_.contact_accelerations();
    double turned = 0;
    for (std::size_t i = 0; i < motion_.held().size(); ++i) {
      HeldContact& each = motion_.change(i);
      if (!each.beginning) continue;
      const auto row = 3 * static_cast<Eigen::Index>(i);
      const double stiffness = each.friction.kinetic_coefficient * std::abs(motion_.force()[row]) *
                               (motion_.inertia()(row + 1, row + 1) + motion_.inertia()(row + 2, row + 2));
      if (!(stiffness > 0)) continue;
      const Eigen::Vector2d sigma(each.direction.t1, each.direction.t2), rate = rates.segment(row + 1, 2);
      const Eigen::Vector2d across = (rate - rate.dot(sigma) * sigma) / stiffness;
      const SlipState slip = slip_of({0, sigma[0] + across[0], sigma[1] + across[1]});
      each.direction = slip.direction;
      turned = std::max(turned, across.norm());
    }
    if (turned < tolerances::cancelled) return;
  }
}

// Slip in space turns ever faster as it comes to a halt. What is about to halt within a distance that no one can see
// halts now.
bool Engine::nearly_halted(InstantHints& hints) {
  if (model.dimension == Dimension::planar) return false;
  for (const HeldContact& each : motion_.held())
    if (each.mode == ContactMode::slip && !each.beginning && each.friction.static_coefficient > 0 &&
        slip_speed(each.id) < tolerances::halting_speed)
      hints.stopped.push_back(each.id);
  if (hints.stopped.empty()) return false;
  if (motion_.compute(model, state, force_, workspace_) != MotionFault::none) return true;
  const Eigen::VectorXd rates = motion_.contact_accelerations();
  for (std::size_t i = 0; i < motion_.held().size(); ++i) {
    const auto row = 3 * static_cast<Eigen::Index>(i);
    const Eigen::Vector2d slip = motion_.velocity().segment(row + 1, 2), rate = rates.segment(row + 1, 2);
    const double along = -slip.dot(rate);  // halts after slip³/along, if it does
    if (!(along > 0) || slip.norm() * slip.squaredNorm() > tolerances::unseen_distance * along)
      std::erase(hints.stopped, motion_.held()[i].id);
  }
  leave_out_passing(hints);
  return !hints.stopped.empty();
}

// Until the first slip halts if it went on losing speed as it does now [s]. In space it turns on its last stretch, and
// what lies behind its halt is no guide to the way there.
double Engine::time_to_halt() {
  double least = std::numeric_limits<double>::max();
  const auto rubs = [](const HeldContact& each) {
    return each.mode == ContactMode::slip && each.friction.static_coefficient > 0 && !each.beginning;
  };
  if (model.dimension == Dimension::planar || std::none_of(motion_.held().begin(), motion_.held().end(), rubs) ||
      motion_.compute(model, state, force_, workspace_) != MotionFault::none)
    return least;
  const Eigen::VectorXd rates = motion_.contact_accelerations();
  for (std::size_t i = 0; i < motion_.held().size(); ++i) {
    if (!rubs(motion_.held()[i])) continue;
    const auto row = 3 * static_cast<Eigen::Index>(i);
    const Eigen::Vector2d slip = motion_.velocity().segment(row + 1, 2), rate = rates.segment(row + 1, 2);
    const double loss = -slip.dot(rate);
    if (loss > 0 && slip.norm() > tolerances::creeping_speed) least = std::min(least, slip.squaredNorm() / loss);
  }
  return least;
}

// Slip that passes by zero where the machine as a whole does not halt, as at a dead centre: to take out the last of it
// would stop the machine. After motion_.compute at the present state.
void Engine::leave_out_passing(InstantHints& hints) {
  for (std::size_t i = 0; i < motion_.held().size(); ++i)
    if (const ContactId id = motion_.held()[i].id;
        std::find(hints.stopped.begin(), hints.stopped.end(), id) != hints.stopped.end() &&
        motion_.slip_mobility(i) < tolerances::halting_mobility)
      std::erase(hints.stopped, id);
}

double Engine::slip_speed(ContactId id) {
  compute_velocities(model, state.q, state.v, workspace_);
  const auto contact = find_contact(model, workspace_, state.q, id);
  if (!contact) return 0;
  const ContactVector v = contact_velocity(model, workspace_, state.v, *contact);
  const ContactVector s = surface_velocity(model, workspace_, *contact, state.time);
  return elementary::hypot(v.t1 - s.t1, v.t2 - s.t2);
}

}  // namespace routh
