#include "routh/record/sample_state.h"

#include <cmath>

#include "routh/contact/contact.h"
#include "routh/contact/tolerances.h"
#include "routh/dynamics/dynamics.h"
#include "routh/math/dense_qr.h"

namespace routh::internal {

State state_of(const Model& model, const Sample& sample) {
  State state = sample.state;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> closed;
  for (const ActiveContact& active : sample.active)
    if (const auto contact = find_contact(model, workspace, state.q, active.contact.id)) closed.push_back(*contact);
  if (closed.empty()) return state;
  const auto count = static_cast<Eigen::Index>(closed.size());
  Eigen::MatrixXd normals(count, model.velocities);
  Eigen::VectorXd rates(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Contact& contact = closed[static_cast<std::size_t>(k)];
    Eigen::MatrixXd rows(contact_rows(model), model.velocities);
    contact_jacobian(model, workspace, contact, rows);
    normals.row(k) = rows.row(0);
    rates[k] = contact_velocity(model, workspace, state.v, contact).n -
               surface_velocity(model, workspace, contact, state.time).n;
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(normals);
  const Eigen::VectorXd change = solver.solve(rates);
  // What then is rounding of the speeds before is none: a machine at rest has no speed that it could be judged by.
  const double rounding = tolerances::resting_speed_relative * state.v.lpNorm<Eigen::Infinity>();
  state.v -= change;
  for (double& speed : state.v)
    if (std::abs(speed) <= rounding) speed = 0;
  return state;
}

}  // namespace routh::internal
