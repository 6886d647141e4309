// Friction thresholds and restitution bounds, against plain matrices and against the behaviour they foretell.
#include "routh/impact/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/compare.h"
#include "support/dense.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactMode;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using routh::Warning;

// μ_cr is where the behaviour changes, found by bisection on the behaviour itself.
TEST(Bounds, CriticalFrictionByBisection) {
  constexpr std::uint64_t seed = 6004;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int finite = 0, infinite = 0;
  for (int k = 0; k < scaled(300); ++k) {
    ImpactProblem p = random_invertible(random);
    p.friction = {0, 0};
    const auto sticks = [&](double mu) {
      p.friction.static_coefficient = mu;
      const ImpactResult r = solve_impact(p, Law::unified);
      return r.status == ImpactStatus::ok && r.mode == ImpactMode::stick;
    };
    const double critical = compute_bounds(p).impact_friction;
    if (std::isinf(critical)) {
      ++infinite;
      ASSERT_FALSE(sticks(1e12)) << describe(p);
      ASSERT_LE(sticking_impulse(p)(0), 0) << describe(p);
      continue;
    }
    ++finite;
    double low = 0, high = 1;
    while (!sticks(high)) high *= 2;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (sticks(middle) ? high : low) = middle;
    }
    ASSERT_NEAR(critical, high, 1e-12 * high) << describe(p);
    ASSERT_EQ(compute_bounds(p).slip_unavoidable, critical >= 1);
  }
  EXPECT_GT(finite, 0);
  EXPECT_GT(infinite, 0) << "some sticking impulses would pull";
}

// Whoever goes along with the surface sees the same impact: the speed on which e depends is relative, too.
TEST(Bounds, DoNotDependOnTheMotionOfTheObserver) {
  constexpr std::uint64_t seed = 6011;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int finite = 0;
  for (int k = 0; k < scaled(200, 50); ++k) {
    ImpactProblem p = random_invertible(random);
    p.restitution.kind = routh::RestitutionKind::linear;
    p.restitution.alpha = random.uniform(0.05, 0.4);
    const routh::ImpactBounds standing = compute_bounds(p);
    const routh::ContactVector along = {random.uniform(-1, 1), random.uniform(-1, 1), 0};
    for (routh::ContactVector* v : {&p.velocity, &p.surface_velocity}) v->n += along.n, v->t1 += along.t1;
    const routh::ImpactBounds moving = compute_bounds(p);
    if (std::isinf(standing.impact_friction)) {
      ASSERT_TRUE(std::isinf(moving.impact_friction)) << describe(p);
      continue;
    }
    ASSERT_NEAR(moving.impact_friction, standing.impact_friction, 1e-9 * (1 + standing.impact_friction)) << describe(p);
    ++finite;
  }
  EXPECT_GT(finite, 0);
}

// The printed (23), a/(1+e), commutes G with I + E: it agrees for c = 0 or e = 0 only.
TEST(Bounds, PrintedCriticalFriction) {
  ImpactProblem p;
  p.inertia = routh::spatial_inertia(1, 0, 0, 2, 0.3, 1);
  p.velocity = {-1, 0.4, 0.2};
  p.restitution.normal = 0.5;
  routh::ImpactBounds bounds = compute_bounds(p);
  EXPECT_NEAR(bounds.impact_friction, bounds.impact_friction_printed, 1e-14);
  p.inertia = routh::spatial_inertia(1, 0.4, 0.1, 2, 0.3, 1);
  bounds = compute_bounds(p);
  EXPECT_GT(std::fabs(bounds.impact_friction - bounds.impact_friction_printed), 0.01);
  p.restitution.normal = 0;
  bounds = compute_bounds(p);
  EXPECT_NEAR(bounds.impact_friction, bounds.impact_friction_printed, 1e-14);
  const Eigen::Vector3d xi = delassus(p).ldlt().solve(vec(p.velocity));
  EXPECT_NEAR(bounds.impact_friction_printed, xi.tail<2>().norm() / std::fabs(xi(0)), 1e-14);
}

TEST(Bounds, StickAndJammingFriction) {
  constexpr std::uint64_t seed = 6005;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(500); ++k) {
    const ImpactProblem p = random_invertible(random);
    const routh::ImpactBounds bounds = compute_bounds(p);
    const Eigen::Vector2d c(p.inertia.c1, p.inertia.c2);
    const Eigen::Matrix2d b = delassus(p).bottomRightCorner<2, 2>();
    ASSERT_NEAR(bounds.stick_friction, (b.inverse() * c).norm(), 1e-11 * bounds.stick_friction);
    ASSERT_NEAR(bounds.jamming_friction, p.inertia.a / c.norm(), 1e-14 * bounds.jamming_friction);
  }
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0, 1);
  p.velocity.n = -1;
  EXPECT_TRUE(std::isinf(compute_bounds(p).jamming_friction));
  // Peiret's rod at 45°: a/‖c‖ = 5/3.
  p.inertia = routh::planar_inertia(1 + 3 * 0.5, 3 * 0.5, 1 + 3 * 0.5);
  EXPECT_NEAR(compute_bounds(p).jamming_friction, 5.0 / 3, 1e-15);
}

// e*(v): where a sticking impact stops losing, by bisection on its energy.
TEST(Bounds, RestitutionBoundByBisection) {
  constexpr std::uint64_t seed = 6006;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(1000); ++k) {
    ImpactProblem p = random_invertible(random);
    p.restitution.tangential = 0;
    const Eigen::Matrix3d g = delassus(p).inverse();
    const auto change = [&](double e) {
      const Eigen::Matrix3d matrix = Eigen::Vector3d(e, 0, 0).asDiagonal();
      return -0.5 * vec(p.velocity).dot((g - matrix * g * matrix) * vec(p.velocity));
    };
    double low = 0, high = 1;
    while (change(high) < 0) high *= 2;
    for (int i = 0; i < 60; ++i) (change((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    const routh::ImpactBounds bounds = compute_bounds(p);
    ASSERT_NEAR(bounds.restitution_bound, high, 1e-9 * high) << describe(p);
    ASSERT_NEAR(bounds.restitution_bound_any, 1 / std::sqrt(p.inertia.a * g(0, 0)), 1e-10) << describe(p);
    ASSERT_LE(bounds.restitution_bound_any, bounds.restitution_bound * (1 + 1e-12)) << describe(p);
  }
}

// With e_t: e* for every velocity is the largest e with λ_min(G − E G E) ≥ 0.
TEST(Bounds, RestitutionBoundForEveryVelocityWithTangential) {
  constexpr std::uint64_t seed = 6007;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(500); ++k) {
    ImpactProblem p = random_invertible(random);
    const double et = random.uniform(-0.9, 0.9);
    p.restitution.tangential = et;
    const Eigen::Matrix3d g = delassus(p).inverse();
    const auto least = [&](double e) {
      const Eigen::Matrix3d matrix = Eigen::Vector3d(e, et, et).asDiagonal();
      const Eigen::Matrix3d loss = g - matrix * g * matrix;
      return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(loss).eigenvalues()(0) / g.norm();
    };
    const double bound = compute_bounds(p).restitution_bound_any;
    ASSERT_GE(bound, 0);
    ASSERT_LE(bound, 1);
    // Just inside nothing gains, just outside something does. λ_min may leave zero with a small slope, hence the
    // margins.
    if (bound > 1e-3) {
      ASSERT_GT(least(bound - 1e-3), -1e-9) << describe(p) << " e_t " << et;
    }
    if (bound < 1 - 1e-3) {
      ASSERT_LT(least(bound + 1e-3), 1e-12) << describe(p) << " e_t " << et;
    }
    double margin = 1e-6;
    if (bound > margin) {
      ASSERT_GT(least(bound - margin), -1e-9) << describe(p) << " e_t " << et;
    }
    if (bound < 1 - 0.01) {
      ASSERT_LT(least(bound + 0.01), 0) << describe(p) << " e_t " << et;
    }
  }
}

// Gains are flagged exactly when they are there.
TEST(Bounds, GainBeyondTheBoundIsFlagged) {
  constexpr std::uint64_t seed = 6008;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int gained = 0;
  for (int k = 0; k < scaled(3000); ++k) {
    ImpactProblem p = random_invertible(random);
    p.restitution.tangential = 0;
    p.friction.static_coefficient = std::numeric_limits<double>::infinity();
    const ImpactResult r = solve_impact(p, Law::unified);
    if (r.status != ImpactStatus::ok || r.mode != ImpactMode::stick) continue;
    const double bound = compute_bounds(p).restitution_bound;
    if (std::fabs(p.restitution.normal - bound) < 1e-9) continue;
    ASSERT_EQ(r.has(Warning::energy_gain), p.restitution.normal > bound) << describe(p);
    gained += r.has(Warning::energy_gain);
  }
  EXPECT_GT(gained, 0);
}

}  // namespace
