// Feet: bodies that strike a floor with several contacts at once, more than are needed to hold them, and contacts whose
// velocities fit each other only to rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "routh/march/together.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

// A free body over the plane z = 0: D = J M⁻¹ Jᵀ and v = J q̇ of its points, rows (n, t1, t2) = (z, x, y).
struct Foot {
  Eigen::MatrixXd J;
  Eigen::Matrix<double, 6, 1> mass, velocity;  // diagonal M; q̇ = (linear, angular)

  Foot(Random& random, const std::vector<Eigen::Vector3d>& points) : J(3 * points.size(), 6) {
    for (int k = 0; k < 3; ++k) {
      mass[k] = 1;
      mass[3 + k] = random.uniform(0.01, 0.05);
      velocity[k] = random.normal();
      velocity[3 + k] = random.normal();
    }
    velocity[2] = -random.uniform(0.5, 2);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Eigen::Vector3d& p = points[i];
      const auto row = 3 * static_cast<Eigen::Index>(i);
      J.row(row) << 0, 0, 1, p.y(), -p.x(), 0;
      J.row(row + 1) << 1, 0, 0, 0, p.z(), -p.y();
      J.row(row + 2) << 0, 1, 0, -p.z(), 0, p.x();
    }
  }

  TogetherProblem problem(double mu, double e, Law law) const {
    TogetherProblem p;
    p.dimension = Dimension::spatial;
    p.inertia = J * mass.cwiseInverse().asDiagonal() * J.transpose();
    p.velocity = J * velocity;
    for (Eigen::Index i = 0; i < J.rows(); i += 3) {
      TogetherContact c;
      c.friction = {mu, mu};
      c.restitution.normal = e;
      c.law = law;
      p.contacts.push_back(c);
    }
    return p;
  }
};

std::vector<Eigen::Vector3d> random_points(Random& random, int count) {
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < count; ++i)
    points.emplace_back(random.uniform(-0.2, 0.2), random.uniform(-0.1, 0.1), -random.uniform(0.05, 0.2));
  for (Eigen::Vector3d& p : points) p.z() = points[0].z();
  return points;
}

void expect_over(const TogetherProblem& p, const TogetherResult& result, double tolerance) {
  const double speed = p.velocity.cwiseAbs().maxCoeff();
  EXPECT_TRUE(result.energy.consistent);
  EXPECT_NEAR((p.velocity + p.inertia * result.impulse - result.velocity).norm(), 0, 1e-12 * speed);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const TogetherContactResult& c = result.contacts[i];
    EXPECT_GE(c.velocity.n, -tolerance * speed) << i;
    EXPECT_GE(c.impulse.n, -1e-12 * speed) << i;
    EXPECT_LE(std::hypot(c.impulse.t1, c.impulse.t2),
              p.contacts[i].friction.static_coefficient * c.impulse.n + 1e-9 * speed)
        << i;
  }
}

// All of them; a few in a hundred by the contact problem, for which the bounds hold too.
TEST(TogetherFeet, ComeToAnEnd) {
  Random random(4711);
  const int trials = scaled(150, 15);
  int ended = 0;
  for (int k = 0; k < trials; ++k) {
    SCOPED_TRACE(k);
    const int count = 2 + random.below(4);
    const Foot foot(random, random_points(random, count));
    const Law law = k % 2 == 0 ? Law::energetic : Law::poisson;
    const TogetherProblem p = foot.problem(random.uniform(0.1, 1.2), k % 3 == 0 ? 0 : random.uniform(), law);
    const TogetherResult result = solve_together(p);
    expect_over(p, result, 1e-9);
    EXPECT_LT(result.steps, 4000);
    EXPECT_TRUE(usable(result.status)) << name(result.status);
    ended += result.has(Warning::plastic_end);
  }
  EXPECT_LE(ended, 1 + trials / 50);
}

// The slower the strike beside the machine's own motion, the less its velocities fit each other. Two contacts whose
// difference cannot be moved by any impulse would creep for ever.
TEST(TogetherFeet, VelocitiesThatFitOnlyToRounding) {
  Random random(4712);
  for (int k = 0; k < scaled(60, 6); ++k) {
    SCOPED_TRACE(k);
    const double rounding = std::pow(10, random.uniform(-12, -8));
    const Foot foot(random, random_points(random, 2));
    TogetherProblem p = foot.problem(0.8, random.uniform(0, 0.9), Law::energetic);
    const TogetherResult exact = solve_together(p);
    for (double& v : p.velocity) v += rounding * random.uniform(-0.5, 0.5);
    p.rounding = rounding;
    const TogetherResult result = solve_together(p);
    EXPECT_EQ(result.status, ImpactStatus::ok) << result.steps << " steps, " << result.events << " events";
    expect_over(p, result, 1e-9 + 10 * rounding);
    EXPECT_LT(result.steps, 2000);
    EXPECT_NEAR((result.velocity - exact.velocity).norm(), 0, 1e-6 + 1e3 * rounding);
  }
}

// Without being told of the rounding it takes longer, but ends too.
TEST(TogetherFeet, CreepComesToRest) {
  Random random(4713);
  for (int k = 0; k < scaled(30, 4); ++k) {
    SCOPED_TRACE(k);
    const Foot foot(random, random_points(random, 2));
    TogetherProblem p = foot.problem(0.8, 0.3, Law::energetic);
    for (double& v : p.velocity) v += 1e-9 * random.uniform(-0.5, 0.5);
    const TogetherResult result = solve_together(p);
    EXPECT_EQ(result.status, ImpactStatus::ok) << result.steps << " steps, " << result.events << " events";
    expect_over(p, result, 1e-6);
  }
}

// A contact that nothing moves along its normal takes no part; one that approaches cannot be answered.
TEST(TogetherFeet, ImmovableContact) {
  Random random(4714);
  const Foot foot(random, random_points(random, 2));
  TogetherProblem p = foot.problem(0.5, 0.4, Law::energetic), more = p;
  const TogetherResult alone = solve_together(p);
  const Eigen::Index n = p.inertia.rows();
  more.inertia = Eigen::MatrixXd::Zero(n + 3, n + 3);
  more.inertia.topLeftCorner(n, n) = p.inertia;
  more.inertia(n + 1, n + 1) = more.inertia(n + 2, n + 2) = 1;
  more.velocity.conservativeResize(n + 3);
  more.velocity.tail(3) << 0, 0.1, 0;
  more.contacts.push_back(p.contacts[0]);
  const TogetherResult with = solve_together(more);
  ASSERT_EQ(with.status, ImpactStatus::ok);
  EXPECT_EQ(with.impulse.head(n), alone.impulse);
  EXPECT_EQ(with.impulse.tail(3).norm(), 0);
  more.velocity[n] = -0.1;
  EXPECT_EQ(solve_together(more).status, ImpactStatus::invalid);
}

// Both ends of a rod, with friction at rest: as the load of one end goes, its friction goes with it, at once and not by
// one limit after the other.
TEST(TogetherFeet, FrictionFollowsItsLoad) {
  Eigen::MatrixXd J(4, 3);  // rows n, t of each end; columns x, y, angle
  J << 0, 1, 0.5, 1, 0, 0.05, 0, 1, -0.5, 1, 0, 0.05;
  const Eigen::Vector3d mass(1, 1, 1.0 / 12), velocity(-0.05 * 0.03, -0.985, 0.03);
  TogetherProblem p;
  p.dimension = Dimension::planar;
  p.inertia = J * mass.cwiseInverse().asDiagonal() * J.transpose();
  p.velocity = J * velocity;
  for (int i = 0; i < 2; ++i) {
    TogetherContact c;
    c.friction = {0.5, 0.5};
    c.restitution.normal = 0.7;
    c.law = Law::energetic;
    p.contacts.push_back(c);
  }
  const TogetherResult result = solve_together(p);
  ASSERT_EQ(result.status, ImpactStatus::ok);
  EXPECT_LT(result.steps, 20);
  EXPECT_TRUE(result.energy.consistent);
  // Nearly flat: each end leaves with nearly its own restitution, and the rod does not slip.
  EXPECT_NEAR(result.velocity[0], -0.7 * p.velocity[0], 0.03);
  EXPECT_NEAR(result.velocity[2], -0.7 * p.velocity[2], 0.03);
  EXPECT_NEAR(result.velocity[1], 0, 1e-12);
}

// A contact that nothing moves along its normal, and that approaches by rounding, does not keep the others from theirs.
TEST(TogetherFeet, ImmovableBesideOthers) {
  TogetherProblem p;
  p.dimension = Dimension::planar;
  p.inertia = Eigen::Vector4d(1, 1, 0, 0).asDiagonal();
  p.velocity = Eigen::Vector4d(-1, 0.2, -1e-11, 0);
  p.rounding = 1e-11;
  for (int i = 0; i < 2; ++i) {
    TogetherContact c;
    c.friction = {0.5, 0.5};
    c.restitution.normal = 0.5;
    p.contacts.push_back(c);
  }
  const TogetherResult result = solve_together(p);
  ASSERT_EQ(result.status, ImpactStatus::ok);
  EXPECT_NEAR(result.velocity[0], 0.5, 1e-9);
  EXPECT_EQ(result.velocity[2], -1e-11);
  p.velocity[2] = -0.1;  // that is no rounding
  EXPECT_EQ(solve_together(p).status, ImpactStatus::invalid);
}

}  // namespace
