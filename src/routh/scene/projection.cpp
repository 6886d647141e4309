#include "routh/scene/projection.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/contact/contact_problem.h"
#include "routh/contact/contact_rows.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/impact/restitution.h"

namespace routh::internal {

namespace {

// Ȧ q̇ of loops and normals; after compute_velocities.
Eigen::VectorXd drift_of(const Model& model, const State& state, const std::vector<Contact>& contacts,
                         const Workspace& workspace) {
  Eigen::VectorXd drift = Eigen::VectorXd::Zero(model.loop_rows + static_cast<Eigen::Index>(contacts.size()));
  if (model.loop_rows > 0) loop_drift(model, workspace, drift.head(model.loop_rows));
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(model.velocities);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    contact_jacobian(model, workspace, contacts[c], J);
    drift[model.loop_rows + static_cast<Eigen::Index>(c)] =
        contact_acceleration(model, workspace, contacts[c], J, state, still).n;
  }
  return drift;
}

}  // namespace

ProjectionReport projection_of_scene(const Model& model, const State& state, const TouchOptions& touch,
                                     Workspace& workspace) {
  ProjectionReport report;
  report.title = model.name;
  std::vector<Contact> contacts;
  std::vector<double> approaches;
  for (const Touch& each : find_touches(model, state, touch, workspace).touches) {
    if (each.kind == TouchKind::separating) continue;
    contacts.push_back(each.contact);
    approaches.push_back(each.kind == TouchKind::resting ? 0 : -each.normal_velocity);
  }
  const SimultaneousProblem all = simultaneous_problem(model, state, contacts, TangentialRows::none, workspace);
  ProjectionProblem& problem = report.problem;
  problem.mass_matrix = all.mass_matrix;
  problem.bilateral = all.bilateral;
  problem.unilateral = all.normal;
  problem.velocity = state.v;
  problem.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t k = 0; k < contacts.size(); ++k)
    problem.restitution[static_cast<Eigen::Index>(k)] = restitution_at(all.restitution[k], approaches[k]).coefficient;
  compute_velocities(model, state.q, state.v, workspace);
  problem.drift = drift_of(model, state, contacts, workspace);
  compute_applied_force(model, state, workspace);
  problem.force = workspace.applied;
  compute_bias(model, state.q, state.v, workspace);
  problem.force -= workspace.force;
  for (int dof = 0; dof < model.velocities; ++dof) report.coordinates.push_back(dof_name(model, dof));
  for (const Loop& loop : model.loops)
    for (int row = 0; row < loop.row_count; ++row)
      report.rows.push_back(loop.row_count > 1 ? fmt::format("{} ({})", loop.name, row + 1) : loop.name);
  for (const Contact& contact : contacts) report.rows.push_back(contact_name(model, contact));
  return report;
}

SceneStrikes strikes_of_scene(const Model& model, const State& state, const TouchOptions& touch, Workspace& workspace) {
  std::vector<Contact> fixed, striking;
  std::vector<double> approaches;
  for (const Touch& each : find_touches(model, state, touch, workspace).touches) {
    if (each.kind == TouchKind::resting) fixed.push_back(each.contact);
    if (each.kind != TouchKind::approaching) continue;
    striking.push_back(each.contact);
    approaches.push_back(-each.normal_velocity);
  }
  SceneStrikes out;
  const SimultaneousProblem rest = simultaneous_problem(model, state, fixed, TangentialRows::none, workspace);
  const SimultaneousProblem struck = simultaneous_problem(model, state, striking, TangentialRows::none, workspace);
  out.question.mass_matrix = rest.mass_matrix;
  out.question.fixed.resize(rest.bilateral.rows() + rest.normal.rows(), model.velocities);
  out.question.fixed << rest.bilateral, rest.normal;
  out.question.striking = struck.normal;
  out.question.restitution.resize(struck.normal.rows());
  for (std::size_t k = 0; k < striking.size(); ++k) {
    out.question.restitution[static_cast<Eigen::Index>(k)] =
        restitution_at(struck.restitution[k], approaches[k]).coefficient;
    out.names.push_back(contact_name(model, striking[k]));
  }
  return out;
}

}  // namespace routh::internal
