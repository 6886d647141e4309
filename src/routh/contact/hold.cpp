#include "routh/contact/hold.h"

namespace routh {

HoldSolver::HoldSolver(const Model& model)
    : strike_(model),
      motion_(model),
      state_(rest_state(model)),
      acceleration_(model.velocities),
      jacobian_(contact_rows(model), model.velocities) {}

int HoldSolver::prepare(const Model& model, const State& state, Workspace& workspace) {
  const ConstrainedMotion& motion = motion_.compute(model, state, workspace);
  if (motion.singular_dof >= 0) return motion.singular_dof;
  acceleration_ = motion.acceleration;
  state_ = state;
  const int singular = strike_.prepare(model, state, workspace);
  if (singular >= 0) return singular;
  compute_velocities(model, state.q, state.v, workspace);
  return -1;
}

ContactVector contact_acceleration(const Model& model, const Workspace& workspace, const Contact& contact,
                                   const Eigen::MatrixXd& J, const State& state, const ConstVector& acceleration) {
  const ContactVector drift = contact_drift(model, workspace, state.v, contact);
  const ContactVector belt = surface_acceleration(model, workspace, contact, state.time);
  ContactVector f{J.row(0).dot(acceleration) + drift.n - belt.n, J.row(1).dot(acceleration) + drift.t1 - belt.t1, 0};
  if (J.rows() == 3) f.t2 = J.row(2).dot(acceleration) + drift.t2 - belt.t2;
  return f;
}

ContactVector HoldSolver::free_acceleration(const Model& model, const Workspace& workspace, const Contact& contact) {
  contact_jacobian(model, workspace, contact, jacobian_);
  return contact_acceleration(model, workspace, contact, jacobian_, state_, acceleration_);
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
    const ContactVector belt = surface_velocity(model, workspace, contact, state_.time);
    const double entries[] = {f.n, f.t1, f.t2}, speeds[] = {belt.n, belt.t1, belt.t2};
    for (Eigen::Index r = 0; r < rows; ++r, ++row) {
      free[row] = entries[r];
      velocity[row] -= speeds[r];
    }
  }
}

}  // namespace routh
