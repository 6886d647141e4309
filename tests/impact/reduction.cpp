// From a machine to its contact and back, against plain dense algebra.
#include "routh/impact/reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "routh/impact/solve.h"
#include "support/compare.h"
#include "support/kane.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ContactVector;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;
using routh::Reduction;
using routh::ReductionStatus;

struct Machine {
  MatrixXd mass, jacobian, bilateral;
  VectorXd velocity, external;
  routh::MachineState state() const { return {mass, jacobian, velocity, bilateral, external}; }
  MatrixXd inverse() const { return mass.ldlt().solve(MatrixXd::Identity(mass.rows(), mass.cols())); }
};

MatrixXd random_matrix(Random& random, int rows, int columns) {
  MatrixXd m(rows, columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) m(r, c) = random.normal();
  }
  return m;
}

// A machine of n coordinates with m loop rows that its velocity respects.
Machine random_machine(Random& random, int n, int contact_rows, int m) {
  Machine machine;
  const MatrixXd root = random_matrix(random, n, n);
  machine.mass = root * root.transpose() + 0.3 * MatrixXd::Identity(n, n);
  machine.mass = (0.5 * (machine.mass + machine.mass.transpose())).eval();
  machine.jacobian = random_matrix(random, contact_rows, n);
  machine.bilateral = random_matrix(random, m, n);
  machine.velocity = random_matrix(random, n, 1);
  if (m > 0) {
    const MatrixXd& a = machine.bilateral;
    machine.velocity -= a.transpose() * (a * a.transpose()).ldlt().solve(a * machine.velocity);
  }
  return machine;
}

// Velocity jump and multipliers under an impulse p, by the whole KKT system [M −Aᵀ; A 0].
VectorXd kkt(const Machine& machine, const VectorXd& p) {
  const Eigen::Index n = machine.mass.rows(), m = machine.bilateral.rows();
  MatrixXd k = MatrixXd::Zero(n + m, n + m);
  k.topLeftCorner(n, n) = machine.mass;
  k.topRightCorner(n, m) = -machine.bilateral.transpose();
  k.bottomLeftCorner(m, n) = machine.bilateral;
  VectorXd rhs = VectorXd::Zero(n + m);
  rhs.head(n) = p;
  return k.completeOrthogonalDecomposition().solve(rhs);
}

MatrixXd as_matrix(const routh::ContactInertia& d) {
  Eigen::Matrix3d m;
  m << d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22;
  return d.dimension == routh::Dimension::planar ? MatrixXd(m.topLeftCorner(2, 2)) : MatrixXd(m);
}

VectorXd as_vector(const ContactVector& v, Eigen::Index rows) { return Eigen::Vector3d(v.n, v.t1, v.t2).head(rows); }

ImpactProblem problem_of(const Reduction& reduction) {
  ImpactProblem p;
  p.inertia = reduction.inertia();
  p.velocity = reduction.contact_velocity();
  p.push = reduction.contact_push();
  p.friction = {0.6, 0.5};
  p.restitution.normal = 0.4;
  return p;
}

TEST(Reduction, WithoutLoopsItIsThePlainProduct) {
  constexpr std::uint64_t seed = 7001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(300); ++k) {
    const int n = 3 + random.below(8), rows = 2 + random.below(2);
    const Machine machine = random_machine(random, n, rows, 0);
    Reduction reduction(n, 0);
    ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
    const MatrixXd d = machine.jacobian * machine.inverse() * machine.jacobian.transpose();
    ASSERT_LT((as_matrix(reduction.inertia()) - d).norm(), 1e-12 * d.norm());
    ASSERT_LT((as_vector(reduction.contact_velocity(), rows) - machine.jacobian * machine.velocity).norm(), 1e-12);
    const Eigen::Index t = rows - 1;
    const double slope = d(0, 0) - (d.row(0).tail(t) * d.bottomRightCorner(t, t).inverse() * d.col(0).tail(t))(0);
    ASSERT_NEAR(reduction.inertia().stick_slope, slope, 1e-9 * d(0, 0));
    if (rows == 2) {
      ASSERT_EQ(reduction.inertia().dimension, routh::Dimension::planar);
      ASSERT_EQ(reduction.inertia().c2, 0);
      ASSERT_EQ(reduction.inertia().b12, 0);
      ASSERT_EQ(reduction.inertia().b22, 0);
      ASSERT_EQ(reduction.contact_velocity().t2, 0);
    }
  }
}

TEST(Reduction, LoopsAgainstTheKktSystem) {
  constexpr std::uint64_t seed = 7002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(300); ++k) {
    const int rows = 2 + random.below(2), m = 1 + random.below(3), n = rows + m + 1 + random.below(4);
    const Machine machine = random_machine(random, n, rows, m);
    Reduction reduction(n, m);
    ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
    ASSERT_EQ(reduction.bilateral_rank(), m);
    ASSERT_LT(reduction.bilateral_residual(), 1e-12);
    MatrixXd d(rows, rows);
    for (int c = 0; c < rows; ++c) {
      d.col(c) = machine.jacobian * kkt(machine, machine.jacobian.row(c).transpose()).head(n);
    }
    ASSERT_LT((as_matrix(reduction.inertia()) - d).norm(), 1e-11 * d.norm());

    ImpactResult result = solve_impact(problem_of(reduction), Law::energetic);
    if (result.status != routh::ImpactStatus::ok) continue;
    reduction.expand(machine.state(), result);
    const VectorXd impulse = machine.jacobian.transpose() * as_vector(result.impulse, rows);
    const VectorXd answer = kkt(machine, impulse);
    const double scale = machine.velocity.norm() + answer.head(n).norm();
    ASSERT_LT((reduction.velocity_after() - machine.velocity - answer.head(n)).norm(), 1e-10 * scale);
    const VectorXd loop = machine.bilateral.transpose() * answer.tail(m);
    ASSERT_LT((reduction.loop_impulse() - loop).norm(), 1e-10 * (impulse.norm() + loop.norm()));
    ASSERT_LT((reduction.multipliers() - answer.tail(m)).norm(), 1e-9 * (1 + answer.tail(m).norm()));
    ASSERT_LT((machine.bilateral * reduction.velocity_after()).norm(), 1e-10 * scale * machine.bilateral.norm());
    // Momentum closes: M Δq̇ = Jᵀi + loops.
    const VectorXd momentum = machine.mass * (reduction.velocity_after() - machine.velocity);
    ASSERT_LT((momentum - impulse - reduction.loop_impulse()).norm(), 1e-10 * (impulse.norm() + loop.norm()));
    // The kinetic energy of the machine changes by what the contact's ledger says.
    const double before = 0.5 * machine.velocity.dot(machine.mass * machine.velocity);
    const double after = 0.5 * reduction.velocity_after().dot(machine.mass * reduction.velocity_after());
    ASSERT_NEAR(result.energy.change, after - before, 1e-12 * (before + after) * 10);
    ASSERT_NEAR(result.energy.change, result.energy.normal_work + result.energy.tangential_work,
                1e-11 * (before + after));
    ASSERT_FALSE(result.has(routh::Warning::bilateral_velocity));
  }
}

// A repeated or combined loop row changes nothing but the multipliers, which are of least norm.
TEST(Reduction, DependentLoopRows) {
  constexpr std::uint64_t seed = 7003;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200); ++k) {
    const int n = 8;
    const Machine machine = random_machine(random, n, 3, 2);
    Machine redundant = machine;
    redundant.bilateral.resize(4, n);
    redundant.bilateral.topRows(2) = machine.bilateral;
    redundant.bilateral.row(2) = 1e4 * machine.bilateral.row(0);
    redundant.bilateral.row(3) = machine.bilateral.row(0) - 2 * machine.bilateral.row(1);
    Reduction plain(n, 2), over(n, 4);
    ASSERT_EQ(plain.compute(machine.state()), ReductionStatus::ok);
    ASSERT_EQ(over.compute(redundant.state()), ReductionStatus::ok);
    ASSERT_EQ(over.bilateral_rank(), 2);
    const MatrixXd d = as_matrix(plain.inertia());
    ASSERT_LT((as_matrix(over.inertia()) - d).norm(), 1e-11 * d.norm());
    ImpactResult first = solve_impact(problem_of(plain), Law::poisson), second = first;
    if (first.status != routh::ImpactStatus::ok) continue;
    plain.expand(machine.state(), first);
    over.expand(redundant.state(), second);
    ASSERT_LT((plain.velocity_after() - over.velocity_after()).norm(), 1e-10 * (1 + plain.velocity_after().norm()));
    ASSERT_LT((plain.loop_impulse() - over.loop_impulse()).norm(), 1e-10 * (1 + plain.loop_impulse().norm()));
    const VectorXd least = redundant.bilateral.transpose().completeOrthogonalDecomposition().solve(over.loop_impulse());
    ASSERT_LT((redundant.bilateral.transpose() * over.multipliers() - over.loop_impulse()).norm(),
              1e-9 * (1 + over.loop_impulse().norm()));
    ASSERT_LT((over.multipliers() - least).norm(), 1e-8 * (1 + least.norm()));
  }
}

TEST(Reduction, ExternalImpulseBesideTheContact) {
  constexpr std::uint64_t seed = 7004;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200); ++k) {
    const int n = 7, m = k % 3;
    Machine machine = random_machine(random, n, 3, m);
    machine.external = random_matrix(random, n, 1);
    Reduction reduction(n, m);
    ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
    const VectorXd kicked = machine.velocity + kkt(machine, machine.external).head(n);
    const VectorXd before_it = as_vector(reduction.contact_velocity(), 3);
    const double scale = (1 + kicked.norm()) * machine.jacobian.norm();
    ASSERT_LT((before_it - machine.jacobian * machine.velocity).norm(), 1e-12 * scale);
    ASSERT_LT((before_it + as_vector(reduction.contact_push(), 3) - machine.jacobian * kicked).norm(), 1e-10 * scale);
    ImpactResult result = solve_impact(problem_of(reduction), Law::energetic);
    if (!usable(result.status)) continue;
    reduction.expand(machine.state(), result);
    const VectorXd impulse = machine.jacobian.transpose() * as_vector(result.impulse, 3) + machine.external;
    const VectorXd answer = kkt(machine, impulse);
    ASSERT_LT((reduction.velocity_after() - machine.velocity - answer.head(n)).norm(), 1e-10 * (1 + answer.norm()));
    if (m > 0) {
      const VectorXd loop = machine.bilateral.transpose() * answer.tail(m);
      ASSERT_LT((reduction.loop_impulse() - loop).norm(), 1e-9 * (1 + loop.norm()));
    }
    const double before = 0.5 * machine.velocity.dot(machine.mass * machine.velocity);
    const double after = 0.5 * reduction.velocity_after().dot(machine.mass * reduction.velocity_after());
    ASSERT_NEAR(result.energy.change, after - before, 1e-11 * (before + after));
    ASSERT_NEAR(result.energy.change,
                result.energy.normal_work + result.energy.tangential_work + result.energy.supplied,
                1e-10 * (before + after + impulse.norm()));
  }
}

TEST(Reduction, KanesMachine) {
  const Kane kane;
  Machine machine;
  machine.mass.resize(2, 2), machine.jacobian.resize(2, 2), machine.velocity.resize(2), machine.bilateral.resize(0, 2);
  for (int r = 0; r < 2; ++r) {
    machine.velocity(r) = static_cast<double>(kane.rates[r]);
    for (int c = 0; c < 2; ++c) {
      machine.mass(r, c) = static_cast<double>(kane.mass[r][c]);
      machine.jacobian(r, c) = static_cast<double>(kane.jacobian[r][c]);
    }
  }
  Reduction reduction(2, 0);
  ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
  ImpactProblem p = problem_of(reduction);
  p.friction = {0.51, 0.5};
  p.restitution.normal = 0.7;
  const struct {
    Law law;
    double q1, q2, change;
  } printed[] = {{Law::newton, -0.2747, 0.3758, -0.00196},
                 {Law::poisson, -0.2029, 0.2310, -0.1192},
                 {Law::energetic, -0.2087, 0.2428, -0.1112},
                 {Law::classical, -0.4430, 0.4909, 0.4889}};
  for (const auto& row : printed) {
    ImpactResult r = solve_impact(p, row.law);
    reduction.expand(machine.state(), r);
    EXPECT_NEAR(reduction.velocity_after()(0), row.q1, 5.01e-5) << name(row.law);
    EXPECT_NEAR(reduction.velocity_after()(1), row.q2, 5.01e-5) << name(row.law);
    EXPECT_NEAR(r.energy.change, row.change, 5.01e-5) << name(row.law);
  }
}

// Normal and tangent rows nearly parallel in the metric of M: the sticking slope from D has lost its digits, the one
// from the square root has not.
TEST(Reduction, StickSlopeSurvivesBadConditioning) {
  for (const double epsilon : {1e-4, 1e-5, 1e-6}) {
    Machine machine;
    const int n = 3;
    machine.mass = MatrixXd::Identity(n, n);
    machine.mass(0, 0) = 4, machine.mass(1, 1) = 0.25;
    machine.jacobian.resize(2, n);
    // L⁻¹Jᵀ = (1, 1, 1 + ε) and (1, 1, 1); the exact slope is ε²·2/3 for the numbers as rounded.
    machine.jacobian << 2, 0.5, 1 + epsilon, 2, 0.5, 1;
    machine.velocity = VectorXd::Zero(n), machine.bilateral.resize(0, n);
    Reduction reduction(n, 0);
    ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
    const double gap = (1 + epsilon) - 1;
    const double exact = gap * gap * 2 / 3;
    const routh::ContactInertia& d = reduction.inertia();
    EXPECT_NEAR(d.stick_slope, exact, 1e-7 * exact) << epsilon;
    const double from_d = d.a - d.c1 * d.c1 / d.b11;
    EXPECT_LE(std::fabs(d.stick_slope - exact), std::fabs(from_d - exact)) << epsilon;
  }
}

TEST(Reduction, WrongShapes) {
  Random random(7005);
  const Machine good = random_machine(random, 5, 3, 2);
  Reduction reduction(5, 2);
  ASSERT_EQ(reduction.compute(good.state()), ReductionStatus::ok);
  const auto expect_bad = [&](auto change) {
    Machine bad = good;
    change(bad);
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::bad_shape);
  };
  expect_bad([](Machine& m) { m.mass = MatrixXd::Identity(4, 4); });
  expect_bad([](Machine& m) { m.mass = MatrixXd::Identity(5, 4); });
  expect_bad([](Machine& m) { m.jacobian = MatrixXd::Ones(1, 5); });
  expect_bad([](Machine& m) { m.jacobian = MatrixXd::Ones(4, 5); });
  expect_bad([](Machine& m) { m.jacobian = MatrixXd::Ones(3, 6); });
  expect_bad([](Machine& m) { m.velocity = VectorXd::Ones(4); });
  expect_bad([](Machine& m) { m.velocity.resize(0); });
  expect_bad([](Machine& m) { m.bilateral = MatrixXd::Ones(3, 5); });
  expect_bad([](Machine& m) { m.bilateral = MatrixXd::Ones(2, 4); });
  expect_bad([](Machine& m) { m.external = VectorXd::Ones(4); });
}

TEST(Reduction, BadNumbers) {
  Random random(7006);
  const Machine good = random_machine(random, 5, 3, 2);
  Reduction reduction(5, 2);
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Machine bad = good;
    bad.mass(2, 1) = bad.mass(1, 2) = x;
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::non_finite);
    bad = good, bad.jacobian(2, 4) = x;
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::non_finite);
    bad = good, bad.velocity(3) = x;
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::non_finite);
    bad = good, bad.bilateral(1, 1) = x;
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::non_finite);
    bad = good, bad.external = VectorXd::Constant(5, x);
    EXPECT_EQ(reduction.compute(bad.state()), ReductionStatus::non_finite);
  }
  Machine indefinite = good;
  indefinite.mass(3, 3) = -1;
  EXPECT_EQ(reduction.compute(indefinite.state()), ReductionStatus::mass_matrix_indefinite);
  indefinite.mass = MatrixXd::Zero(5, 5);
  EXPECT_EQ(reduction.compute(indefinite.state()), ReductionStatus::mass_matrix_indefinite);
  // and the workspace serves again after every refusal
  EXPECT_EQ(reduction.compute(good.state()), ReductionStatus::ok);
}

TEST(Reduction, VelocityThatBreaksTheLoopsIsFlagged) {
  Random random(7007);
  Machine machine = random_machine(random, 6, 3, 1);
  machine.velocity += 0.1 * machine.bilateral.row(0).transpose();
  Reduction reduction(6, 1);
  ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
  const double expected = (machine.bilateral * machine.velocity).cwiseAbs().maxCoeff() /
                          (machine.bilateral.norm() * machine.velocity.norm());
  EXPECT_NEAR(reduction.bilateral_residual(), expected, 1e-3 + expected);
  EXPECT_GT(reduction.bilateral_residual(), 1e-3);
  ImpactResult result = solve_impact(problem_of(reduction), Law::energetic);
  reduction.expand(machine.state(), result);
  EXPECT_TRUE(result.has(routh::Warning::bilateral_velocity));
  // The next machine is judged by itself.
  machine = random_machine(random, 6, 3, 1);
  ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
  EXPECT_LT(reduction.bilateral_residual(), 1e-12);
}

// The contact is moved along one coordinate; the energy of an impulse along the other is no number.
TEST(Reduction, AMachineBeyondTheRangeOfNumbersIsAsBefore) {
  Machine machine;
  machine.mass = MatrixXd::Identity(2, 2);
  machine.jacobian = MatrixXd::Zero(2, 2);
  machine.jacobian(0, 0) = 1;
  machine.bilateral = MatrixXd(0, 2);
  machine.velocity = Eigen::Vector2d(-1, 0);
  machine.external = Eigen::Vector2d(0, 1e200);
  Reduction reduction(2, 0);
  ASSERT_EQ(reduction.compute(machine.state()), ReductionStatus::ok);
  ImpactProblem problem = problem_of(reduction);
  problem.surface_velocity = {0.25, 0.5};
  problem.restitution.normal = 0.5;
  problem.restitution.tangential = 0.1;
  ImpactResult result = solve_impact(problem, Law::energetic);
  ASSERT_TRUE(usable(result.status)) << name(result.status);
  reduction.expand(machine.state(), problem, result);
  EXPECT_EQ(result.status, routh::ImpactStatus::overflow);
  EXPECT_EQ(result.law, Law::energetic);
  EXPECT_EQ(result.restitution, 0.5);
  EXPECT_TRUE(result.has(routh::Warning::tangential_restitution_ignored));
  EXPECT_EQ(result.velocity.n, -1);
  EXPECT_EQ(result.relative_velocity.n, -1.25);
  EXPECT_EQ(result.relative_velocity.t1, -0.5);
  EXPECT_EQ(result.impulse.n, 0);
  EXPECT_EQ(reduction.velocity_after(), machine.velocity);
}

}  // namespace
