// Motion under loops: against a KKT system by another factorisation, and against oblique projection [Aghili 2019]; a
// four-bar through its singular posture; loops that stay closed over a long run.
#include "routh/dynamics/constrained.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/model/builder.h"
#include "support/machines.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

// A parallelogram: crank and rocker of 1 m, coupler of 2 m; flat at q = 0, where its loop loses rank.
Model parallelogram() {
  ModelBuilder machine(Dimension::planar);
  machine.body("crank").mass(1).com(0.5, 0).inertia(0.1).revolute();
  machine.body("coupler").mass(2).com(1, 0).inertia(0.7).revolute("crank").at(1, 0);
  machine.body("rocker").mass(1).com(0.5, 0).inertia(0.1).revolute().at(2, 0);
  machine.loop("pin").point("coupler", "rocker").at(Vector3{2, 0, 0}, Vector3{1, 0, 0});
  return machine.build();
}

State posture(const Model& model, double angle, double rate) {
  State state = rest_state(model);
  state.q << angle, -angle, angle;
  state.v << rate, -rate, rate;
  return state;
}

struct Expected {
  Eigen::VectorXd acceleration, force, multipliers;
};

// M, A, u − h and −Ȧ q̇, dense.
struct Equations {
  Eigen::MatrixXd M, A;
  Eigen::VectorXd force, rate;

  Equations(const Model& model, const State& state, Workspace& workspace)
      : A(model.loop_rows, model.velocities), rate(model.loop_rows) {
    compute_velocities(model, state.q, state.v, workspace);
    compute_applied_force(model, state, workspace);
    compute_bias(model, state.q, state.v, workspace);
    force = workspace.applied - workspace.force;
    compute_mass_matrix(model, state.q, workspace);
    M = workspace.mass_matrix;
    loop_jacobian(model, workspace, A);
    loop_drift(model, workspace, rate);
    rate = -rate;
  }
};

// [M −Aᵀ; A 0] by a complete orthogonal decomposition: least squares and least norm, whatever the rank.
Expected by_kkt(const Equations& of) {
  const Eigen::Index n = of.A.cols(), m = of.A.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = of.M;
  K.topRightCorner(n, m) = -of.A.transpose();
  K.bottomLeftCorner(m, n) = of.A;
  Eigen::VectorXd rhs(n + m);
  rhs << of.force, of.rate;
  const Eigen::VectorXd x = K.completeOrthogonalDecomposition().solve(rhs);
  return {x.head(n), of.A.transpose() * x.tail(m), x.tail(m)};
}

// P = I − A⁺A, M_c = P M P + ν (I − P), M_o⁺ = P M_c⁻¹ P, S = I − M_o⁺ M, each as the paper defines it:
// q̈ = M_o⁺ (u − h) + S Ω q̇  (13)      f = M q̈ − (u − h)      λ of least norm
Expected by_projection(const Equations& of) {
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(of.M.rows(), of.M.rows());
  const Eigen::MatrixXd A_inverse = of.A.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::MatrixXd P = I - A_inverse * of.A;
  const Eigen::MatrixXd M_c = P * of.M * P + of.M.trace() * (I - P);
  const Eigen::MatrixXd M_o_inverse = P * M_c.inverse() * P;
  const Eigen::MatrixXd S = I - M_o_inverse * of.M;
  Expected out;
  out.acceleration = M_o_inverse * of.force + S * A_inverse * of.rate;
  out.force = of.M * out.acceleration - of.force;
  out.multipliers = A_inverse.transpose() * out.force;
  return out;
}

TEST(ConstrainedMotion, AgreesWithKktAndWithProjection) {
  const Model model = parallelogram();
  Workspace workspace(model);
  ConstrainedDynamics dynamics(model);
  Random random(461);
  for (int k = 0; k < scaled(200, 40); ++k) {
    SCOPED_TRACE("seed 461, posture " + std::to_string(k));
    const State state = posture(model, random.uniform(0.2, 2.9), random.normal());
    const Equations equations(model, state, workspace);
    const ConstrainedMotion& motion = dynamics.compute(model, state, workspace);
    EXPECT_EQ(motion.rank, 2);
    for (const Expected& expected : {by_kkt(equations), by_projection(equations)}) {
      const double size = 1 + expected.acceleration.norm() + expected.force.norm();
      EXPECT_LT((motion.acceleration - expected.acceleration).norm(), 1e-9 * size);
      EXPECT_LT((equations.A.transpose() * motion.multipliers - expected.force).norm(), 1e-9 * size);
      EXPECT_LT((motion.multipliers - expected.multipliers).norm(), 1e-9 * size);
    }
  }
}

// Flat, the loop's row along the bars is one for both: rank 1, and still an answer.
TEST(ConstrainedMotion, FourBarThroughItsSingularPosture) {
  const Model model = parallelogram();
  Workspace workspace(model);
  ConstrainedDynamics dynamics(model);
  EXPECT_EQ(dynamics.compute(model, posture(model, 0, 0), workspace).rank, 1);
  for (const double angle : {0.0, 1e-14, 1e-9, 1e-6, 1e-3}) {
    const ConstrainedMotion& motion = dynamics.compute(model, posture(model, angle, 2), workspace);
    EXPECT_TRUE(motion.acceleration.allFinite() && motion.multipliers.allFinite());
  }
}

// The same bars in space, in a plane that is turned about, with a hinge in place of the pin: three of its five rows say
// that the bars stay in their plane, which they do anyway. What rounding leaves of them must not hold the bars.
TEST(ConstrainedMotion, BarsInATurnedPlaneMoveAsInThePlane) {
  const Model flat = parallelogram();
  Workspace workspace(flat);
  ConstrainedDynamics dynamics(flat);
  const State at = posture(flat, 0.7, 1.3);
  const Eigen::VectorXd expected = dynamics.compute(flat, at, workspace).acceleration;
  Random random(2301);
  for (int k = 0; k < scaled(20, 5); ++k) {
    const Matrix3 R = testing_support::random_rotation(random, Dimension::spatial);
    const Vector3 axis = column_z(R), along = column_x(R), down = -9.81 * column_y(R);
    ModelBuilder machine(Dimension::spatial);
    machine.gravity(down.x, down.y, down.z);
    const auto bar = [&](const char* name, double mass, double half, double zz) {
      BodyWriter body = machine.body(name);
      body.mass(mass).com(half * along.x, half * along.y, half * along.z);
      body.inertia(rotated(R, Symmetric3{0.01, zz, zz, 0, 0, 0}));
      return body;
    };
    bar("crank", 1, 0.5, 0.1).revolute().axis(axis.x, axis.y, axis.z);
    bar("coupler", 2, 1, 0.7).revolute("crank").at(along.x, along.y, along.z).axis(axis.x, axis.y, axis.z);
    bar("rocker", 1, 0.5, 0.1).revolute().at(2 * along.x, 2 * along.y, 2 * along.z).axis(axis.x, axis.y, axis.z);
    machine.loop("pin").hinge("coupler", "rocker").at(Pose{R, 2.0 * along}, Pose{R, along});
    const Model model = machine.build();
    Workspace own(model);
    ConstrainedDynamics motion(model);
    const ConstrainedMotion& found = motion.compute(model, posture(model, 0.7, 1.3), own);
    EXPECT_EQ(found.rank, 2) << k;
    EXPECT_LT((found.acceleration - expected).norm(), 1e-9 * (1 + expected.norm())) << k;
  }
}

// A swing of the linkage by fixed steps of a fourth-order method, closed again after each: the loop stays closed and
// the energy where it was.
// Ten seconds by Runge and Kutta's method from a posture; how far the loop opened and by how much the energy changed.
struct LongRun {
  double loop = 0, energy = 0;
};
LongRun run_long(double angle) {
  const Model model = parallelogram();
  Workspace workspace(model);
  ConstrainedDynamics dynamics(model);
  State state = posture(model, angle, 0.5);
  const Energy before = compute_energy(model, state, workspace);
  const double h = 1e-3;
  LongRun run;
  for (int step = 0; step < 10000; ++step) {
    const auto rate = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
      State at = state;
      at.q = q;
      at.v = v;
      return Eigen::VectorXd(dynamics.compute(model, at, workspace).acceleration);
    };
    const Eigen::VectorXd q = state.q, v = state.v;
    const Eigen::VectorXd a1 = rate(q, v), v2 = v + h / 2 * a1, a2 = rate(q + h / 2 * v, v2);
    const Eigen::VectorXd v3 = v + h / 2 * a2, a3 = rate(q + h / 2 * v2, v3), v4 = v + h * a3,
                          a4 = rate(q + h * v3, v4);
    state.q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    state.v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    EXPECT_TRUE(assemble(model, state, workspace).closed);
    Eigen::VectorXd residual(model.loop_rows);
    compute_kinematics(model, state.q, workspace);
    loop_residual(model, workspace, state.q, residual);
    run.loop = std::max(run.loop, residual.norm());
  }
  const Energy after = compute_energy(model, state, workspace);
  run.energy = std::abs(after.kinetic + after.potential - before.kinetic - before.potential);
  return run;
}

TEST(ConstrainedMotion, LoopsStayClosedOverALongRun) {
  const LongRun swings = run_long(-1.2);  // about the lowest posture
  EXPECT_LT(swings.loop, 1e-12);
  EXPECT_LT(swings.energy, 1e-9);
  // Through the postures in which all bars lie in line: the rows agree there, and rounding decides how it goes on.
  const LongRun turns = run_long(2.2);
  EXPECT_LT(turns.loop, 1e-12);
  EXPECT_LT(turns.energy, 1e-4);
}

}  // namespace
}  // namespace routh
