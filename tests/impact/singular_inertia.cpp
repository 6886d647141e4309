// D singular or nearly so: mechanisms that cannot move along some tangent, one degree of freedom, lost digits.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/impact/bounds.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;

// A planar mechanism described in space: no motion along the second tangent.
TEST(SingularInertia, SecondTangentWithoutMobilityIsThePlane) {
  constexpr std::uint64_t seed = 5001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(2000); ++k) {
    const ImpactProblem flat = random_planar(random);
    ImpactProblem p = flat;
    p.inertia = routh::spatial_inertia(flat.inertia.a, flat.inertia.c1, 0, flat.inertia.b11, 0, 0);
    for (const Law law : incremental_laws) {
      const ImpactResult expected = solve_impact(flat, law), r = solve_impact(p, law);
      ASSERT_EQ(r.status, expected.status) << to_json(p, law);
      const double speed = norm(flat.velocity) + norm(expected.velocity);
      ASSERT_LT(distance(r.velocity, expected.velocity), 1e-12 * speed) << to_json(p, law);
      ASSERT_LT(distance(r.impulse, expected.impulse), 1e-12 * norm(expected.impulse)) << to_json(p, law);
      ASSERT_EQ(r.velocity.t2, 0);
      ASSERT_EQ(r.impulse.t2, 0);
      // Turned to any angle the zero eigenvalue is only zero to rounding.
      const ImpactProblem q = turned(p, random.uniform(-3, 3));
      const ImpactResult oblique = solve_impact(q, law);
      if (oblique.status == ImpactStatus::ill_conditioned || oblique.has(routh::Warning::ill_conditioned)) continue;
      ASSERT_EQ(oblique.status, expected.status) << to_json(q, law);
      ASSERT_NEAR(oblique.velocity.n, expected.velocity.n, 1e-8 * speed) << to_json(q, law);
      ASSERT_NEAR(oblique.impulse.n, expected.impulse.n, 1e-8 * norm(expected.impulse)) << to_json(q, law);
    }
  }
}

// Slip along a tangent that cannot move never stops there: friction keeps working.
TEST(SingularInertia, SlipAlongATangentWithoutMobility) {
  constexpr std::uint64_t seed = 5002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(100); ++k) {
    ImpactProblem p = random_planar(random);
    p.inertia = routh::spatial_inertia(p.inertia.a, p.inertia.c1, 0, p.inertia.b11, 0, 0);
    p.velocity.t2 = random.normal();
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status, ImpactStatus::ok) << to_json(p, law);
      ASSERT_NEAR(r.velocity.t2, p.velocity.t2, 1e-10 * norm(p.velocity)) << to_json(p, law);
      const oracle::Answer answer = solve(to_oracle(p), to_oracle(law));
      const double error = errors(p, r, answer).worst();
      if (error < 1e-10) continue;
      ASSERT_LT(error, 100 * sensitivity(to_oracle(p), to_oracle(law))) << to_json(p, law);
    }
  }
}

// D = g gᵀ: one degree of freedom. It either stops for good or comes back the way it came.
TEST(SingularInertia, RankOneInertia) {
  for (const double g : {2.0, -2.0, 0.5}) {
    const double speed = 1.5;
    for (const double mu : {0.1, 0.4, 3.0}) {
      ImpactProblem planar;
      planar.inertia = routh::planar_inertia(1, g, g * g);
      planar.velocity = {-speed, -g * speed, 0};
      planar.friction = {mu, mu};
      planar.restitution.normal = 0.5;
      ImpactProblem spatial = planar;
      spatial.inertia = routh::spatial_inertia(1, g, 0, g * g, 0, 0);
      for (const ImpactProblem& p : {planar, spatial}) {
        for (const Law law : incremental_laws) {
          const ImpactResult r = solve_impact(p, law);
          ASSERT_TRUE(all_finite(r));
          const double down = 1 + mu * std::fabs(g), up = 1 - mu * std::fabs(g), compression = speed / down;
          if (up <= 0) {  // μ ≥ μ_c = 1/|g|: locked
            EXPECT_EQ(r.status, ImpactStatus::locked) << describe(p) << name(law);
            EXPECT_NEAR(norm(r.velocity), 0, 1e-14);
            EXPECT_NEAR(r.impulse.n, compression, 1e-14);
            continue;
          }
          const double back = law == Law::newton    ? 0.5 * speed
                              : law == Law::poisson ? 0.5 * compression * up
                                                    : 0.5 * std::sqrt(speed * compression * up);
          EXPECT_EQ(r.status, ImpactStatus::ok) << describe(p) << name(law);
          EXPECT_NEAR(r.velocity.n, back, 1e-13);
          EXPECT_NEAR(r.velocity.t1, back * g, 1e-13);
          EXPECT_NEAR(r.impulse.n, compression + back / up, 1e-13);
        }
      }
    }
  }
}

// b = 0: no tangential impulse moves the contact, yet friction works on the slip.
TEST(SingularInertia, NoTangentialMobility) {
  for (const auto& d : {routh::planar_inertia(2, 0, 0), routh::spatial_inertia(2, 0, 0, 0, 0, 0)}) {
    for (const double vt : {0.0, 3.0}) {
      ImpactProblem p;
      p.inertia = d;
      p.velocity = {-1, vt, 0};
      p.friction = {0.5, 0.4};
      p.restitution.normal = 0.6;
      for (const Law law : incremental_laws) {
        const ImpactResult r = solve_impact(p, law);
        ASSERT_EQ(r.status, ImpactStatus::ok) << describe(p);
        EXPECT_NEAR(r.impulse.n, 0.8, 1e-15);
        EXPECT_NEAR(r.velocity.n, 0.6, 1e-15);
        EXPECT_EQ(r.velocity.t1, vt);
        EXPECT_NEAR(r.impulse.t1, vt > 0 ? -0.4 * 0.8 : 0, 1e-15);
        EXPECT_NEAR(r.energy.tangential_work, -0.4 * 0.8 * vt, 1e-15);
      }
    }
  }
}

// D with eigenvalues 1, 10^-κ/2 and 10^-κ in random axes. Right to what the digits carry, or said not to be.
TEST(SingularInertia, IllConditionedInertia) {
  constexpr std::uint64_t seed = 5003;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0, outside = 0;
  for (int k = 0; k < scaled(300, 300); ++k) {
    const double kappa = random.uniform(8, 12);
    double d[3][3] = {};
    const double values[3] = {1, std::pow(10, -kappa / 2), std::pow(10, -kappa)};
    double q[4], length = 0;
    for (double& x : q) x = random.normal(), length += x * x;
    for (double& x : q) x /= std::sqrt(length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int l = 0; l < 3; ++l) d[i][j] += axes[i][l] * values[l] * axes[j][l];
      }
    }
    ImpactProblem p = random_spatial(random, Family::gram);
    p.inertia = routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_TRUE(all_finite(r)) << to_json(p, law);
      if (r.status != ImpactStatus::ok || r.has(routh::Warning::ill_conditioned)) continue;
      const oracle::Answer answer = solve(to_oracle(p), to_oracle(law));
      if (answer.outcome != oracle::Outcome::solved) continue;
      ++judged;
      const double error = errors(p, r, answer).worst();
      outside += error > 1e-10;
      const double reported = 4.4e-16 * routh::compute_bounds(p).condition;
      ASSERT_LT(error, std::max(1e-10, reported)) << to_json(p, law);
      if (error < 1e-7) continue;
      const double carried = sensitivity(to_oracle(p), to_oracle(law));  // what the last digits of the input carry
      ASSERT_LT(error, 100 * carried) << "silently wrong\n" << to_json(p, law);
    }
  }
  EXPECT_GT(judged, 0);
  EXPECT_LE(outside, judged / 4);
}

}  // namespace
