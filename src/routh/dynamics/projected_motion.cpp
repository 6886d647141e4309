#include "routh/dynamics/projected_motion.h"

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/kinematics.h"
#include "routh/dynamics/loops.h"

namespace routh::internal {

ProjectedDynamics::ProjectedDynamics(const Model& model, int most_held_rows) : force_(model.velocities) {
  projections_.reserve(static_cast<std::size_t>(most_held_rows) + 1);
  for (int k = 0; k <= most_held_rows; ++k) projections_.emplace_back(model.velocities, model.loop_rows + k);
  motion_.acceleration = motion_.constraint_force = Eigen::VectorXd::Zero(model.velocities);
}

const ProjectedMotion& ProjectedDynamics::compute(const Model& model, const State& state, const HeldRows& held,
                                                  Workspace& workspace) {
  const Eigen::Index loops = model.loop_rows, count = loops + held.rows.rows();
  compute_velocities(model, state.q, state.v, workspace);
  compute_applied_force(model, state, workspace);
  compute_bias(model, state.q, state.v, workspace);
  force_ = workspace.applied - workspace.force;  // u − h
  compute_mass_matrix(model, state.q, workspace);
  rows_.resize(count, model.velocities);
  rate_.resize(count);
  if (loops > 0) {
    loop_jacobian(model, workspace, rows_.topRows(loops));
    loop_drift(model, workspace, rate_.head(loops));
  }
  rows_.bottomRows(held.rows.rows()) = held.rows;
  rate_.tail(held.rows.rows()) = held.drift;
  rate_ = -rate_;
  ObliqueProjection& projection = projections_[static_cast<std::size_t>(held.rows.rows())];
  motion_.report = projection.compute(workspace.mass_matrix, rows_);
  if (!motion_.report.usable()) return motion_;
  projection.accelerate(force_, rate_, motion_.acceleration);
  motion_.constraint_force.noalias() = workspace.mass_matrix * motion_.acceleration;
  motion_.constraint_force -= force_;
  motion_.multipliers.resize(count);
  projection.multipliers(motion_.constraint_force, motion_.multipliers);
  motion_.unique.resize(static_cast<std::size_t>(count));
  for (int row = 0; row < static_cast<int>(count); ++row)
    motion_.unique[static_cast<std::size_t>(row)] = projection.is_unique(row);
  return motion_;
}

}  // namespace routh::internal
