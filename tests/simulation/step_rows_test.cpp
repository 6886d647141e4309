// The rows of a step with loops: blocks and islands against dense matrices.
#include "routh/simulation/step_rows.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "simulation/trial.h"

namespace {

using namespace routh;
using namespace routh::internal;

// A four-bar linkage; two pendulums geared to each other; two discs. What a loop joins is one, and nothing else.
constexpr const char* mixed = R"(routh: 1
dimension: planar
surfaces: {s: {friction: 0.4, restitution: 0}}
world: {shapes: {floor: {kind: half_space, at: [0, -1], surface: s}}}
bodies:
  crank: {mass: 2, com: [0.5, 0], inertia: 0.17, joint: {kind: revolute},
    shapes: {knob: {kind: point, at: [1, 0], surface: s}}}
  disc: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {rim: {kind: sphere, radius: 0.1, surface: s}}}
  coupler: {mass: 3, com: [1.5, 0], inertia: 2.25, joint: {kind: revolute, parent: crank, at: [1, 0]}}
  left: {mass: 1, com: [0, -1], inertia: 0.1, joint: {kind: revolute, at: [5, 0]},
    shapes: {left_tip: {kind: point, at: [0.2, -1], surface: s}}}
  rocker: {mass: 2.5, com: [1.25, 0], inertia: 1.3, joint: {kind: revolute, at: [1.7, 0.4]},
    shapes: {nose: {kind: point, at: [1.25, 0], surface: s}}}
  right: {mass: 2, com: [0, -1], inertia: 0.3, joint: {kind: revolute, at: [6.5, 0]},
    shapes: {right_tip: {kind: point, at: [0.1, -1], surface: s}}}
  other: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {other_rim: {kind: sphere, radius: 0.1, surface: s}}}
loops:
  pin: {kind: point, bodies: [coupler, rocker], at: [[3, 0], [2.5, 0]]}
  gear: {kind: coupling, terms: {left: 1, right: 1}}
contacts: {exclude: [[disc, crank], [disc, rocker], [disc, other], [other, crank], [other, rocker], [disc, left],
  [disc, right], [other, left], [other, right]]}
state:
  position: {crank: 90 deg, coupler: -0.9272952180016122, rocker: 1.2870022175865687, disc: [-3, 0, 0], other: [9, 0, 0]}
)";

TEST(StepRows, LoopsJoinNoMoreThanTheyMove) {
  const Scene scene = read_scene_text(mixed, "mixed");
  const Model& model = scene.model;
  const Eigen::VectorXd& q = scene.state.q;
  Workspace workspace(model);
  compute_mass_matrix(model, q, workspace);
  const Eigen::MatrixXd M = workspace.mass_matrix;
  compute_kinematics(model, q, workspace);
  Eigen::MatrixXd A(model.loop_rows, model.velocities);
  loop_jacobian(model, workspace, A);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, q, 10, contacts);
  ASSERT_EQ(contacts.size(), 6u);
  const auto count = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd J(2 * count, model.velocities);
  for (Eigen::Index i = 0; i < count; ++i)
    contact_jacobian(model, workspace, contacts[static_cast<std::size_t>(i)], J.middleRows(2 * i, 2));
  // The inverse of M on motions that keep the loops closed.
  const Eigen::MatrixXd W = M.inverse(), P = W - W * A.transpose() * (A * W * A.transpose()).inverse() * A * W;
  const Eigen::MatrixXd expected = J * P * J.transpose();

  MassFactor factor(model);
  ASSERT_LT(factor.factorise(q, workspace), 0);
  ColumnSpace loops(model.velocities, model.loop_rows);
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    Eigen::VectorXd column = A.row(r).transpose();
    factor.half_solve(column);
    loops.add(column);
  }
  loops.finish();
  std::vector<int> parents;
  for (const auto& dof : model.dofs) parents.push_back(dof.parent);
  StepRows rows(model, parents);
  rows.set_contacts(model, workspace, contacts);
  std::vector<std::size_t> all(contacts.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  rows.respond(factor, loops, all);
  const std::vector<std::vector<std::size_t>> islands = rows.islands(all);
  ASSERT_EQ(islands.size(), 4u);  // the linkage with two contacts, the pendulums with two, each disc alone
  Eigen::MatrixXd found = Eigen::MatrixXd::Zero(2 * count, 2 * count);
  for (const std::vector<std::size_t>& island : islands) {
    FrictionContactProblem problem;
    rows.inertia(island, problem);
    const auto& D = std::get<Eigen::MatrixXd>(problem.inertia);
    for (std::size_t i = 0; i < island.size(); ++i)
      for (std::size_t j = 0; j < island.size(); ++j)
        found.block<2, 2>(2 * static_cast<Eigen::Index>(island[i]), 2 * static_cast<Eigen::Index>(island[j])) =
            D.block<2, 2>(2 * static_cast<Eigen::Index>(i), 2 * static_cast<Eigen::Index>(j));
  }
  EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
}

}  // namespace
