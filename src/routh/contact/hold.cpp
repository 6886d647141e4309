#include "routh/contact/hold.h"

namespace routh {

HoldSolver::HoldSolver(const Model& model)
    : strike_(model),
      motion_(model),
      acceleration_(model.velocities),
      velocity_(model.velocities),
      jacobian_(contact_rows(model), model.velocities) {}

int HoldSolver::prepare(const Model& model, const State& state, Workspace& workspace) {
  const ConstrainedMotion& motion = motion_.compute(model, state, workspace);
  if (motion.singular_dof >= 0) return motion.singular_dof;
  acceleration_ = motion.acceleration;
  velocity_ = state.v;
  time_ = state.time;
  const int singular = strike_.prepare(model, state, workspace);
  if (singular >= 0) return singular;
  compute_velocities(model, state.q, state.v, workspace);
  return -1;
}

ContactVector HoldSolver::free_acceleration(const Model& model, const Workspace& workspace, const Contact& contact) {
  contact_jacobian(model, workspace, contact, jacobian_);
  const ContactVector drift = contact_drift(model, workspace, velocity_, contact);
  const ContactVector belt = surface_acceleration(model, workspace, contact, time_);
  ContactVector f{jacobian_.row(0).dot(acceleration_) + drift.n - belt.n,
                  jacobian_.row(1).dot(acceleration_) + drift.t1 - belt.t1, 0};
  if (jacobian_.rows() == 3) f.t2 = jacobian_.row(2).dot(acceleration_) + drift.t2 - belt.t2;
  return f;
}

AccelerationProblem HoldSolver::reduce(const Model& model, const Workspace& workspace, const Contact& contact) {
  return {strike_.reduce(model, workspace, contact), free_acceleration(model, workspace, contact)};
}

void HoldSolver::stack(const Model& model, const Workspace& workspace, std::span<const Contact> contacts,
                       Eigen::MatrixXd& D, Eigen::VectorXd& velocity, Eigen::VectorXd& free) {
  strike_.stack(model, workspace, contacts, D, velocity);
  free.resize(velocity.size());
  const Eigen::Index rows = jacobian_.rows();
  Eigen::Index row = 0;
  for (const Contact& contact : contacts) {
    const ContactVector f = free_acceleration(model, workspace, contact);
    const ContactVector belt = surface_velocity(model, workspace, contact, time_);
    const double entries[] = {f.n, f.t1, f.t2}, speeds[] = {belt.n, belt.t1, belt.t2};
    for (Eigen::Index r = 0; r < rows; ++r, ++row) {
      free[row] = entries[r];
      velocity[row] -= speeds[r];
    }
  }
}

}  // namespace routh
