#include "routh/simulation/blows.h"

#include <algorithm>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/math/column_space.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

// S of an impulse, after compute_kinematics.
Eigen::VectorXd generalised(const Model& model, const Workspace& workspace, const Impulse& impulse) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(model.velocities);
  if (impulse.body < 0) {
    all[impulse.dof] = impulse.along_dof;
    return all;
  }
  const Pose pose = body_pose(model, workspace, impulse.body);
  const bool world = impulse.frame == ForceFrame::world;
  const Wrench wrench = {world ? impulse.impulse : pose.rotation * impulse.impulse,
                         world ? impulse.angular_impulse : pose.rotation * impulse.angular_impulse};
  add_point_force(model, workspace, impulse.body, pose * impulse.at, wrench, all);
  return all;
}

}  // namespace

long Blows::before(double time) const {
  const auto later = std::find_if(model_.impulses.begin(), model_.impulses.end(),
                                  [&](const Impulse& each) { return each.time >= time; });
  return static_cast<long>(later - model_.impulses.begin());
}

double Blows::time(long number) const {
  return number < std::ssize(model_.impulses) ? model_.impulses[static_cast<std::size_t>(number)].time
                                              : tolerances::never;
}

std::optional<Event> Blows::strike(long number, State& state, Workspace& workspace) {
  if (!dynamics_) dynamics_.emplace(model_);
  const Impulse& impulse = model_.impulses[static_cast<std::size_t>(number)];
  compute_kinematics(model_, state.q, workspace);
  if (dynamics_->factorise(model_, state.q, workspace) >= 0) return std::nullopt;
  const Eigen::VectorXd push = generalised(model_, workspace, impulse);
  Eigen::VectorXd jump = push;
  dynamics_->factor().half_solve(jump);
  if (model_.loop_rows > 0) dynamics_->loops().project_off(jump);
  dynamics_->factor().finish_solve(jump);
  Event event;
  event.time = state.time;
  event.kind = EventKind::impulse;
  event.label = impulse.name;
  event.position = state.q;
  event.velocity_before = state.v;
  const double before = compute_energy(model_, state, workspace).kinetic;
  event.energy.supplied = push.dot(state.v) + 0.5 * push.dot(jump);
  state.v += jump;
  event.velocity_after = state.v;
  event.energy.change = compute_energy(model_, state, workspace).kinetic - before;
  return event;
}

}  // namespace routh::internal
