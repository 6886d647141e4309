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
  std::vector<int> held;  // directions of each: the normal, and of one that sticks the tangents
  int count = 0;
  for (const ActiveContact& active : sample.active) {
    const auto contact = find_contact(model, workspace, state.q, active.contact.id);
    if (!contact) continue;
    closed.push_back(*contact);
    held.push_back(active.mode == ContactMode::stick && contact->kind == ContactKind::surfaces ? contact_rows(model)
                                                                                               : 1);
    count += held.back();
  }
  if (closed.empty()) return state;
  Eigen::MatrixXd jacobian(count, model.velocities), rows(contact_rows(model), model.velocities);
  Eigen::VectorXd rates(count);
  int row = 0;
  for (std::size_t k = 0; k < closed.size(); ++k) {
    contact_jacobian(model, workspace, closed[k], rows);
    jacobian.middleRows(row, held[k]) = rows.topRows(held[k]);
    const ContactVector speed = contact_velocity(model, workspace, state.v, closed[k]);
    const ContactVector surface = surface_velocity(model, workspace, closed[k], state.time);
    const double components[] = {speed.n - surface.n, speed.t1 - surface.t1, speed.t2 - surface.t2};
    for (int i = 0; i < held[k]; ++i) rates[row + i] = components[i];
    row += held[k];
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(jacobian);
  const Eigen::VectorXd change = solver.solve(rates);
  // What then is rounding of the speeds before is none: a machine at rest has no speed that it could be judged by.
  const double rounding = tolerances::resting_speed_relative * state.v.lpNorm<Eigen::Infinity>();
  state.v -= change;
  for (double& speed : state.v)
    if (std::abs(speed) <= rounding) speed = 0;
  return state;
}

}  // namespace routh::internal
