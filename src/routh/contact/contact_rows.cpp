#include "routh/contact/contact_rows.h"

#include "routh/dynamics/mass_factor.h"
#include "routh/math/column_space.h"
#include "routh/math/inner_product.h"

namespace routh::internal {

void ContactRows::assemble(const Model& model, const Workspace& workspace, const State& state,
                           std::span<const Contact> contacts, const ConstrainedDynamics& dynamics,
                           const ConstVector& free_motion) {
  compute_jacobian(model, workspace, contacts);
  compute_velocities(model, workspace, state, contacts);
  half_solve(dynamics.factor());
  compute_inertia(dynamics.loops());
  compute_free_acceleration(model, workspace, state, contacts, free_motion);
}

void ContactRows::resize(Eigen::Index velocities, Eigen::Index rows) {
  for (Eigen::VectorXd* const each : {&velocity, &surface_velocity, &free_acceleration}) each->setZero(rows);
  jacobian.resize(rows, velocities);
  half.resize(velocities, rows);
  inertia.resize(rows, rows);
}

void ContactRows::compute_jacobian(const Model& model, const Workspace& workspace, std::span<const Contact> contacts) {
  const Eigen::Index rows = contact_rows(model);
  jacobian.resize(rows * static_cast<Eigen::Index>(contacts.size()), model.velocities);
  Eigen::Index first = 0;
  for (const Contact& contact : contacts) {
    contact_jacobian(model, workspace, contact, jacobian.middleRows(first, rows));
    first += rows;
  }
}

void ContactRows::compute_velocities(const Model& model, const Workspace& workspace, const State& state,
                                     std::span<const Contact> contacts) {
  const Eigen::Index rows = contact_rows(model);
  half.resize(jacobian.cols(), jacobian.rows());
  velocity.resize(jacobian.rows());
  surface_velocity.resize(jacobian.rows());
  Eigen::Index row = 0;
  for (const Contact& contact : contacts) {
    const ContactVector belt = routh::surface_velocity(model, workspace, contact, state.time);
    const double speeds[] = {belt.n, belt.t1, belt.t2};
    for (Eigen::Index r = 0; r < rows; ++r, ++row) {
      half.col(row) = jacobian.row(row).transpose();
      surface_velocity[row] = speeds[r];
      velocity[row] = inner_product(half.col(row), state.v);
    }
  }
}

void ContactRows::half_solve(const MassFactor& factor) { factor.half_solve_all(half); }

void ContactRows::compute_inertia(const ColumnSpace& loops) {
  for (Eigen::Index k = 0; k < half.cols(); ++k) loops.project_off(half.col(k));
  inertia.resize(half.cols(), half.cols());
  for (Eigen::Index k = 0; k < half.cols(); ++k)
    for (Eigen::Index j = 0; j <= k; ++j) inertia(j, k) = inertia(k, j) = inner_product(half.col(k), half.col(j));
}

void ContactRows::compute_free_acceleration(const Model& model, const Workspace& workspace, const State& state,
                                            std::span<const Contact> contacts, const ConstVector& free_motion) {
  const Eigen::Index rows = contact_rows(model);
  free_acceleration.resize(jacobian.rows());
  Eigen::Index row = 0;
  for (const Contact& contact : contacts) {
    const ContactVector f =
        contact_acceleration(model, workspace, contact, jacobian.middleRows(row, rows), state, free_motion);
    const double entries[] = {f.n, f.t1, f.t2};
    for (Eigen::Index r = 0; r < rows; ++r, ++row) free_acceleration[row] = entries[r];
  }
}

ContactVector contact_acceleration(const Model& model, const Workspace& workspace, const Contact& contact,
                                   const Eigen::Ref<const Eigen::MatrixXd>& J, const State& state,
                                   const ConstVector& acceleration) {
  const ContactVector drift = contact_drift(model, workspace, state.v, contact);
  const ContactVector belt = surface_acceleration(model, workspace, contact, state.time);
  ContactVector f{J.row(0).dot(acceleration) + drift.n - belt.n, J.row(1).dot(acceleration) + drift.t1 - belt.t1, 0};
  if (J.rows() == 3) f.t2 = J.row(2).dot(acceleration) + drift.t2 - belt.t2;
  return f;
}

}  // namespace routh::internal
