// Loops: values, rows and drift by differences, constrained motion by the full system of equations.
#include "routh/dynamics/constrained.h"

#include <Eigen/QR>

#include "case.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/reactions.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::largest;
using reference::Matrix;
using reference::near;
using reference::Real;
using reference::Vector;
using reference::wide;
using routh::LoopKind;
using testing_support::MachineOptions;
using testing_support::PlacedBody;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

const MachineOptions with_forces = {.dof_chance = 0.3, .springs = 1, .forces = 1};

routh::Pose pose_of(const reference::Motion& motion) {
  const Eigen::Matrix<double, 4, 4> T = motion.T[0].cast<double>();
  const auto row = [&](int i) -> routh::Vector3 { return {T(i, 0), T(i, 1), T(i, 2)}; };
  return {{row(0), row(1), row(2)}, {T(0, 3), T(1, 3), T(2, 3)}};
}

// A coupling of two coordinates that are numbers, if there are any, closed at the state.
void add_coupling(Random& random, const Case& c, routh::ModelDescription& description) {
  routh::LoopDescription loop;
  loop.name = "coupling";
  loop.kind = LoopKind::coupling;
  for (const routh::Dof& dof : c.model.dofs)
    if (dof.coordinate >= 0 && loop.terms.size() < 2) {
      const routh::Joint& joint = c.model.joints[static_cast<std::size_t>(dof.joint)];
      const double coefficient = random.uniform(0.5, 2);
      loop.terms.push_back({joint.name, dof.coordinate - joint.q, coefficient, {}});
      loop.constant += coefficient * c.state.q[dof.coordinate];
    }
  if (loop.terms.size() == 2) description.loops.push_back(loop);
}

// The machine of the case with loops of every kind that are closed at its state.
routh::ModelDescription looped(Random& random, const Case& c, int count) {
  routh::ModelDescription description = c.description;
  const auto places = c.machine.places(c.q());
  for (int k = 0; k < count; ++k) {
    const int a = random.below(c.body_count());
    int b = random.below(c.body_count());
    if (c.model.bodies[a].link == c.model.bodies[b].link) b = 0;
    if (c.model.bodies[a].link == c.model.bodies[b].link) continue;
    const LoopKind kinds[] = {LoopKind::point, LoopKind::hinge, LoopKind::weld, LoopKind::distance};
    const PlacedBody first = {c.model.bodies[a].name, pose_of(places[a])};
    const PlacedBody second = {c.model.bodies[b].name, pose_of(places[b])};
    routh::LoopDescription loop = random_loop(random, c.model.dimension, kinds[random.below(4)], first, second);
    loop.name = "loop" + std::to_string(k);
    description.loops.push_back(loop);
  }
  if (random.chance(0.5)) add_coupling(random, c, description);
  return description;
}

TEST(Loops, ClosedWhereTheyWereMade) {
  for_random_machines(3601, scaled(150, 15), {}, [](Case& tree, Random& random) {
    Case c(looped(random, tree, 3));
    if (c.model.loop_rows == 0) return;
    compute_kinematics(c.model, tree.state.q, c.workspace);
    Eigen::VectorXd phi = Eigen::VectorXd::Constant(c.model.loop_rows, 7);
    loop_residual(c.model, c.workspace, tree.state.q, phi);
    EXPECT_LE(phi.cwiseAbs().maxCoeff(), 1e-13);
    for (const routh::Loop& loop : c.model.loops) EXPECT_TRUE(loop_aligned(c.model, c.workspace, loop));
    // And open elsewhere: each loop of a kind that its machine can open.
    const routh::State other = random_state(random, c.model);
    compute_kinematics(c.model, other.q, c.workspace);
    loop_residual(c.model, c.workspace, other.q, phi);
    EXPECT_GE(phi.cwiseAbs().maxCoeff(), 1e-6);
  });
}

TEST(Loops, RowsAndDriftByDifferences) {
  for_random_machines(3602, scaled(150, 15), {}, [](Case& tree, Random& random) {
    Case c(looped(random, tree, 3));
    if (c.model.loop_rows == 0) return;
    const int rows = c.model.loop_rows;
    c.set(random_state(random, c.model));  // anywhere, not only where they are closed
    const auto residual = [&](const Eigen::VectorXd& q) -> Vector {
      Eigen::VectorXd phi(rows);
      compute_kinematics(c.model, q, c.workspace);
      loop_residual(c.model, c.workspace, q, phi);
      return wide(phi);
    };
    const auto jacobian = [&](const Eigen::VectorXd& q) -> Eigen::MatrixXd {
      Eigen::MatrixXd A = Eigen::MatrixXd::Constant(rows, c.n(), 7);
      compute_kinematics(c.model, q, c.workspace);
      loop_jacobian(c.model, c.workspace, A);
      return A;
    };
    const Eigen::MatrixXd A = jacobian(c.state.q);
    for (int k = 0; k < c.n(); ++k) {
      const Vector unit = Vector::Unit(c.n(), k);
      const Vector column = reference::rate(
          [&](Real t) -> Vector { return residual(reference::advanced(c.model, c.q(), unit, t).cast<double>()); },
          5e-3L);
      ASSERT_TRUE(near(A.col(k), column, 1e-10)) << "degree of freedom " << k;
    }
    const Vector drift = reference::rate(
        [&](Real t) -> Vector {
          return wide(jacobian(reference::advanced(c.model, c.q(), c.v(), t).cast<double>()) * c.state.v);
        },
        5e-3L / (1 + c.v().norm()));
    compute_velocities(c.model, c.state.q, c.state.v, c.workspace);
    Eigen::VectorXd found = Eigen::VectorXd::Constant(rows, 7);
    loop_drift(c.model, c.workspace, found);
    ASSERT_TRUE(near(found, drift, 1e-8));
  });
}

// Aᵀλ is the generalised force of the loads; couplings apart, which have none.
TEST(Loops, LoadsAreTheMultipliers) {
  for_random_machines(3603, scaled(150, 15), {}, [](Case& tree, Random& random) {
    Case c(looped(random, tree, 3));
    if (c.model.loop_rows == 0) return;
    c.set(random_state(random, c.model));
    compute_kinematics(c.model, c.state.q, c.workspace);
    Eigen::MatrixXd A(c.model.loop_rows, c.n());
    loop_jacobian(c.model, c.workspace, A);
    Eigen::VectorXd lambda = random_vector(random, c.model.loop_rows);
    for (const routh::Loop& loop : c.model.loops)
      if (loop.kind == LoopKind::coupling) lambda[loop.row] = 0;
    std::vector<routh::PointLoad> loads(2 * c.model.loops.size());
    const int count = routh::loop_loads(c.model, c.workspace, lambda, loads);
    Vector tau = Vector::Zero(c.n());
    const auto places = c.machine.places(c.q());
    const reference::Partials partials = c.machine.partials(c.q());
    for (int i = 0; i < count; ++i) {
      const routh::PointLoad& load = loads[static_cast<std::size_t>(i)];
      const auto& place = places[static_cast<std::size_t>(load.body)];
      const reference::Vec3 local =
          place.rotation().transpose() * (reference::vec(load.point) - place.position(reference::Vec3::Zero()));
      tau += reference::point_jacobian(partials, load.body, local).transpose() * reference::vec(load.wrench.force) +
             reference::angular_jacobian(partials, load.body).transpose() * reference::vec(load.wrench.moment);
    }
    ASSERT_TRUE(near(A.transpose() * lambda, tau, 1e-12));
  });
}

// A q̈ + Ȧ q̇ = 0 and M q̈ + h − τ in the range of Aᵀ: no other q̈ does both.
TEST(ConstrainedMotion, ObeysTheLoopsAndTheEquations) {
  for_random_machines(3604, scaled(150, 15), with_forces, [](Case& tree, Random& random) {
    routh::ModelDescription description = looped(random, tree, 2);
    if (description.loops.empty() || tree.n() == 0) return;
    // One loop twice: its rows are redundant, the motion is the same.
    Case single(description);
    description.loops.push_back(description.loops.front());
    description.loops.back().name = "again";
    Case c(description);
    for (Case* one : {&single, &c}) one->set(tree.state);
    const routh::AssemblyReport report = assemble(c.model, c.state, c.workspace);  // takes out of v what they forbid
    ASSERT_TRUE(report.closed);
    single.set(c.state);

    routh::ConstrainedDynamics dynamics(c.model), without(single.model);
    const routh::ConstrainedMotion& motion = dynamics.compute(c.model, c.state, c.workspace);
    ASSERT_EQ(motion.singular_dof, -1);
    Eigen::MatrixXd A(c.model.loop_rows, c.n());
    Eigen::VectorXd drift(c.model.loop_rows);
    loop_jacobian(c.model, c.workspace, A);
    loop_drift(c.model, c.workspace, drift);
    const double scale = 1 + motion.acceleration.norm() * A.norm() + drift.norm();
    EXPECT_LE((A * motion.acceleration + drift).norm(), 1e-9 * scale);
    EXPECT_EQ(motion.rank, Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(A).setThreshold(1e-9).rank());
    EXPECT_LT(motion.rank, c.model.loop_rows);

    const Vector a = wide(motion.acceleration), applied = c.machine.applied_force(c.q(), c.v(), c.state.time);
    const Vector pull = wide(A.transpose() * motion.multipliers);
    const Vector residual = c.machine.inverse_dynamics(c.q(), c.v(), a) - applied - pull;
    const Matrix M = c.machine.mass_matrix(c.q());
    EXPECT_LE(largest(residual), 1e-9 * (1 + largest(M.cwiseAbs() * a.cwiseAbs()) + largest(pull) + largest(applied)));

    EXPECT_TRUE(near(without.compute(single.model, single.state, single.workspace).acceleration, a, 1e-7));
  });
}

TEST(ConstrainedMotion, WithoutLoopsIsTheTrees) {
  for_random_machines(3605, scaled(50, 6), with_forces, [](Case& c, Random&) {
    routh::ConstrainedDynamics dynamics(c.model);
    const Eigen::VectorXd a = dynamics.compute(c.model, c.state, c.workspace).acceleration;
    compute_acceleration(c.model, c.state, c.workspace);
    EXPECT_EQ(a, c.workspace.acceleration);
  });
}

}  // namespace
