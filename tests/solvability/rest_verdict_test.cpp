// A contact at rest: every solution against the definition, their number against a fine scan of directions.
#include "routh/solvability/single_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

ContactVector accelerate(const ContactInertia& d, const ContactVector& l, const ContactVector& f) {
  return {d.a * l.n + d.c1 * l.t1 + d.c2 * l.t2 + f.n, d.c1 * l.n + d.b11 * l.t1 + d.b12 * l.t2 + f.t1,
          d.c2 * l.n + d.b12 * l.t1 + d.b22 * l.t2 + f.t2};
}

void expect_solution(const RestSolution& s, const ContactInertia& d, const Friction& friction, const ContactVector& f) {
  const ContactVector v = accelerate(d, s.force, f);
  const double force = std::abs(s.force.n) + std::hypot(s.force.t1, s.force.t2);
  const double tolerance = 1e-8 * (std::abs(f.n) + std::hypot(f.t1, f.t2) + (d.a + d.b11 + d.b22) * force);
  EXPECT_NEAR(v.n, s.acceleration.n, tolerance);
  EXPECT_NEAR(v.t1, s.acceleration.t1, tolerance);
  EXPECT_NEAR(v.t2, s.acceleration.t2, tolerance);
  EXPECT_GE(s.force.n, 0);
  switch (s.mode) {
    case RestMode::detaches:
      EXPECT_EQ(force, 0);
      EXPECT_GE(v.n, 0);
      break;
    case RestMode::sticks:
      EXPECT_NEAR(std::hypot(v.n, v.t1, v.t2), 0, tolerance);
      EXPECT_LE(std::hypot(s.force.t1, s.force.t2), friction.static_coefficient * s.force.n * (1 + 1e-12));
      break;
    case RestMode::slips:
      EXPECT_NEAR(v.n, 0, tolerance);
      EXPECT_NEAR(v.t1 * s.direction.t2 - v.t2 * s.direction.t1, 0, tolerance);
      EXPECT_GT(v.t1 * s.direction.t1 + v.t2 * s.direction.t2, 0);
      EXPECT_NEAR(s.force.t1, -friction.kinetic_coefficient * s.force.n * s.direction.t1, 1e-12 * force);
      break;
  }
}

// Directions along which slip can begin, by sign changes over a fine grid.
int scan(const ContactInertia& d, double mu, const ContactVector& f) {
  const int count = 20000;
  const auto at = [&](int k, double& along) {
    const double phi = 2 * std::numbers::pi * (k + 0.3) / count;
    const double s1 = std::cos(phi), s2 = std::sin(phi);
    const ContactVector unit = accelerate(d, {1, -mu * s1, -mu * s2}, {});
    const double force = -f.n / unit.n;
    const double v1 = unit.t1 * force + f.t1, v2 = unit.t2 * force + f.t2;
    along = force > 0 ? v1 * s1 + v2 * s2 : -1;
    // Times A: without the pole where A changes sign.
    return (v1 * s2 - v2 * s1) * unit.n;
  };
  int found = 0;
  double along = 0, last = at(count - 1, along);
  for (int k = 0; k < count; ++k) {
    const double next = at(k, along);
    if ((next > 0) != (last > 0) && along > 0) ++found;
    last = next;
  }
  return found;
}

TEST(RestVerdict, SpatialSolutionsAreRightAndComplete) {
  Random random(411);
  int several = 0, slips = 0, sticks = 0, detaches = 0;
  for (int k = 0; k < scaled(1500, 150); ++k) {
    const ImpactProblem problem = testing_support::random_spatial(random);
    const ContactVector f{random.normal(), random.normal(), random.normal()};
    const RestVerdict verdict = judge_rest(problem.inertia, problem.friction, f);
    ASSERT_GT(verdict.count, 0);  // D is positive definite and μ_s ≥ μ_k: a solution exists
    int slipping = 0;
    for (int s = 0; s < verdict.count; ++s) {
      const RestSolution& solution = verdict.solutions[static_cast<std::size_t>(s)];
      expect_solution(solution, problem.inertia, problem.friction, f);
      slipping += solution.mode == RestMode::slips;
    }
    EXPECT_EQ(slipping, scan(problem.inertia, problem.friction.kinetic_coefficient, f));
    several += verdict.answer == RestAnswer::several;
    slips += verdict.chosen().mode == RestMode::slips;
    sticks += verdict.chosen().mode == RestMode::sticks;
    detaches += verdict.chosen().mode == RestMode::detaches;
  }
  EXPECT_GT(several, 0);
  EXPECT_GT(slips, 10);
  EXPECT_GT(sticks, 10);
  EXPECT_GT(detaches, 10);
}

TEST(RestVerdict, PlanarByEnumeration) {
  Random random(412);
  for (int k = 0; k < scaled(3000, 300); ++k) {
    const ImpactProblem problem = testing_support::random_planar(random);
    const ContactInertia& d = problem.inertia;
    const ContactVector f{random.normal(), random.normal(), 0};
    const RestVerdict verdict = judge_rest(d, problem.friction, f);
    for (int s = 0; s < verdict.count; ++s)
      expect_solution(verdict.solutions[static_cast<std::size_t>(s)], d, problem.friction, f);
    int expected = f.n > 0 ? 1 : 0;
    const double determinant = d.a * d.b11 - d.c1 * d.c1;
    const double ln = (-f.n * d.b11 + f.t1 * d.c1) / determinant, lt = (f.n * d.c1 - f.t1 * d.a) / determinant;
    if (ln >= 0 && std::abs(lt) <= problem.friction.static_coefficient * ln) ++expected;
    for (const double sigma : {1.0, -1.0}) {
      const double mu = problem.friction.kinetic_coefficient, force = -f.n / (d.a - mu * d.c1 * sigma);
      if (force > 0 && sigma * ((d.c1 - mu * d.b11 * sigma) * force + f.t1) > 0) ++expected;
    }
    EXPECT_EQ(verdict.count, expected);
  }
}

TEST(RestVerdict, KnownCases) {
  const ContactInertia point = spatial_inertia(1, 0, 0, 1, 0, 1);  // a particle of 1 kg
  // On an incline of 30°: tan 30° = 0.577.
  const ContactVector incline{-9.81 * std::cos(std::numbers::pi / 6), 9.81 * std::sin(std::numbers::pi / 6), 0};
  RestVerdict verdict = judge_rest(point, {0.6, 0.6}, incline);
  EXPECT_EQ(verdict.chosen().mode, RestMode::sticks);
  EXPECT_EQ(verdict.answer, RestAnswer::unique);
  EXPECT_NEAR(verdict.friction_demand, std::tan(std::numbers::pi / 6), 1e-14);
  verdict = judge_rest(point, {0.5, 0.5}, incline);
  EXPECT_EQ(verdict.chosen().mode, RestMode::slips);
  EXPECT_NEAR(verdict.chosen().acceleration.t1, 9.81 * (0.5 - 0.5 * std::cos(std::numbers::pi / 6)), 1e-12);
  // Between μ_k and μ_s what sticks goes on sticking.
  verdict = judge_rest(point, {0.6, 0.5}, incline);
  EXPECT_EQ(verdict.chosen().mode, RestMode::sticks);
  EXPECT_EQ(verdict.answer, RestAnswer::unique);
  EXPECT_EQ(verdict.count, 2);
  EXPECT_EQ(judge_rest(point, {1, 1}, {1, 0, 0}).chosen().mode, RestMode::detaches);
  EXPECT_EQ(judge_rest(point, {0, 0}, {}).chosen().mode, RestMode::sticks);
  // Nothing to hold on to: the tangent cannot be moved, whatever the force.
  const ContactInertia guided = planar_inertia(1, 0, 0);
  EXPECT_EQ(judge_rest(guided, {1, 1}, {-1, 0, 0}).chosen().mode, RestMode::sticks);
  EXPECT_FALSE(judge_rest(guided, {1, 1}, {-1, 1, 0}).stick_exists);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(judge_rest(point, {infinite, infinite}, {-1, 50, 0}).chosen().mode, RestMode::sticks);
}

}  // namespace
}  // namespace routh
