#include "routh/contact/simultaneous_strike.h"

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/loops.h"

namespace routh {

SimultaneousProblem simultaneous_problem(const Model& model, const State& state, std::span<const Contact> contacts,
                                         TangentialRows tangential, Workspace& workspace) {
  const Eigen::Index n = model.velocities, rows = contact_rows(model), tangents = rows - 1;
  const auto count = static_cast<Eigen::Index>(contacts.size());
  SimultaneousProblem problem;
  compute_kinematics(model, state.q, workspace);
  compute_mass_matrix(model, state.q, workspace);
  problem.mass_matrix = workspace.mass_matrix;
  problem.velocity = state.v;
  problem.bilateral.resize(model.loop_rows, n);
  if (model.loop_rows > 0) loop_jacobian(model, workspace, problem.bilateral);
  problem.normal.resize(count, n);
  if (tangential == TangentialRows::sticking) problem.tangential.resize(count * tangents, n);
  Eigen::MatrixXd J(rows, n);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Contact& contact = contacts[static_cast<std::size_t>(k)];
    contact_jacobian(model, workspace, contact, J);
    problem.normal.row(k) = J.row(0);
    if (tangential == TangentialRows::sticking)
      problem.tangential.middleRows(k * tangents, tangents) = J.bottomRows(tangents);
    problem.restitution.push_back(contact_restitution(model, contact));
    problem.friction.push_back(contact_friction(model, contact));
  }
  return problem;
}

}  // namespace routh
