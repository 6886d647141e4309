// The plane of friction and restitution against the impacts themselves; thresholds by bisection on behaviour.
#include "routh/solvability/energy_consistency.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/impact/bounds.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

ImpactProblem random_strike(Random& random) {
  ImpactProblem problem =
      random.chance(0.4) ? testing_support::random_planar(random) : testing_support::random_spatial(random);
  problem.surface_velocity = {};
  return problem;
}

TEST(AdmissibleSet, RegionsSayWhatTheUnifiedMapDoes) {
  Random random(431);
  int met[admissible_region_count] = {};
  for (int k = 0; k < scaled(6000, 800); ++k) {
    const ImpactProblem problem = random_strike(random);
    const AdmissibleRegion region = admissible_region(problem);
    ++met[static_cast<int>(region)];
    const ImpactResult result = solve_impact(problem, Law::unified);
    if (result.status != ImpactStatus::ok) {
      EXPECT_EQ(region == AdmissibleRegion::sticks || region == AdmissibleRegion::stick_gains, false);
      continue;
    }
    const double work = result.energy.normal_work + result.energy.tangential_work;
    const double scale = std::abs(result.energy.normal_work) + std::abs(result.energy.tangential_work);
    const bool stuck = result.mode == ImpactMode::stick;
    switch (region) {
      case AdmissibleRegion::sticks:
        EXPECT_TRUE(stuck);
        EXPECT_LE(work, 1e-9 * scale);
        break;
      case AdmissibleRegion::stick_gains:
        EXPECT_TRUE(stuck);
        EXPECT_GE(work, -1e-9 * scale);
        break;
      case AdmissibleRegion::slips:
        EXPECT_FALSE(stuck);
        EXPECT_LE(work, 1e-9 * scale);
        break;
      case AdmissibleRegion::slip_jams:
        EXPECT_FALSE(stuck);
        break;
    }
  }
  for (const int count : met) EXPECT_GT(count, 3);
}

TEST(AdmissibleSet, ForEveryVelocityAgainstSampledOnes) {
  Random random(432);
  int allowed = 0, refused = 0, beyond_printed = 0;
  for (int k = 0; k < scaled(400, 60); ++k) {
    ImpactProblem problem = random_strike(random);
    const ForAllVelocities all = admissible_for_all(problem);
    const bool jams = problem.friction.kinetic_coefficient >= compute_bounds(problem).jamming_friction;
    EXPECT_TRUE(all.exact || !all.printed);  // what the printed rule allows is allowed
    beyond_printed += all.exact && !all.printed;
    double worst = 0;
    for (int s = 0; s < 400; ++s) {
      problem.velocity = {-1, 3 * random.normal(),
                          problem.inertia.dimension == Dimension::planar ? 0 : 3 * random.normal()};
      const AdmissibleRegion region = admissible_region(problem);
      if (region == AdmissibleRegion::stick_gains) {
        const ImpactResult result = solve_impact(problem, Law::unified);
        worst = std::max(
            worst, (result.energy.normal_work + result.energy.tangential_work) / std::abs(result.energy.normal_work));
      }
    }
    if (all.exact) {
      ++allowed;
      EXPECT_LE(worst, 1e-9);
    } else if (!jams) {
      ++refused;
      ASSERT_GT(all.worst_gain, 0);
      problem.velocity = all.worst_velocity;
      // The velocity lies on the edge of what sticks: a breath more friction puts it inside.
      problem.friction.static_coefficient *= 1 + 1e-9;
      const ImpactResult result = solve_impact(problem, Law::unified);
      EXPECT_EQ(result.mode, ImpactMode::stick);
      EXPECT_GT(result.energy.normal_work + result.energy.tangential_work, 0);
    }
  }
  EXPECT_GT(allowed, 5);
  EXPECT_GT(refused, 1);
  EXPECT_GT(beyond_printed, 0);
}

// Each threshold is where the behaviour changes.
TEST(AdmissibleSet, ThresholdsByBisectionOnBehaviour) {
  Random random(433);
  const auto bisect = [](double low, double high, auto&& above) {
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (low + high);
      (above(middle) ? high : low) = middle;
    }
    return high;
  };
  int sticks = 0, jams = 0, holds = 0;
  for (int k = 0; k < scaled(300, 40); ++k) {
    ImpactProblem problem = random_strike(random);
    const ImpactBounds bounds = compute_bounds(problem);
    const auto with_friction = [&](double mu) {
      ImpactProblem at = problem;
      at.friction = {mu, mu};
      return at;
    };
    // μ_cr(e): the unified map sticks above it.
    if (bounds.impact_friction < 50) {
      ++sticks;
      const double found = bisect(
          0, 100, [&](double mu) { return solve_impact(with_friction(mu), Law::unified).mode == ImpactMode::stick; });
      EXPECT_NEAR(found, bounds.impact_friction, 1e-9 * (1 + bounds.impact_friction));
    }
    // μ*: a pressed contact that slips along c suffers a tangential impact above it.
    if (bounds.jamming_friction < 50) {
      ++jams;
      ImpactProblem pressed = problem;
      pressed.velocity = {0, problem.inertia.c1, problem.inertia.c2};
      pressed.load = Load::pressed;
      const double found = bisect(0, 100, [&](double mu) {
        pressed.friction = {mu, mu};
        return solve_impact(pressed, Law::energetic).impulse.n > 0;
      });
      EXPECT_NEAR(found, bounds.jamming_friction, 1e-7 * bounds.jamming_friction);
    }
    // μ_c: an impact without initial slip sticks from the beginning above it.
    if (bounds.stick_friction > 0 && bounds.stick_friction < 50) {
      ++holds;
      ImpactProblem straight = problem;
      straight.velocity = {-1, 0, 0};
      const double found = bisect(0, 100, [&](double mu) {
        straight.friction = {mu, mu};
        return solve_impact(straight, Law::energetic).mode == ImpactMode::stick;
      });
      EXPECT_NEAR(found, bounds.stick_friction, 1e-7 * bounds.stick_friction);
    }
  }
  EXPECT_GT(sticks, 10);
  EXPECT_GT(jams, 10);
  EXPECT_GT(holds, 10);
}

TEST(AdmissibleSet, CurvesBoundTheRegions) {
  Random random(434);
  for (int k = 0; k < scaled(100, 20); ++k) {
    ImpactProblem problem = random_strike(random);
    problem.restitution.tangential = 0;
    const AdmissibleCurves curves = admissible_curves(problem, 21);
    for (const AdmissibleCurvePoint& point : curves.critical) {
      problem.restitution.kind = RestitutionKind::constant;
      problem.restitution.normal = point.restitution;
      const auto sticks = [&](double mu) {
        problem.friction = {mu, mu};
        const AdmissibleRegion region = admissible_region(problem);
        return region == AdmissibleRegion::sticks || region == AdmissibleRegion::stick_gains;
      };
      EXPECT_TRUE(sticks(point.friction * (1 + 1e-9)));
      if (point.friction > 1e-9) {
        EXPECT_FALSE(sticks(point.friction * (1 - 1e-9)));
      }
    }
  }
}

}  // namespace
}  // namespace routh
