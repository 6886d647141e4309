// The four modes of a sliding contact against the complementarity problem itself, Painlevé's rod, and the behaviour of
// the impact that follows.
#include "routh/solvability/single_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "routh/impact/solve.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

constexpr double degree = std::numbers::pi / 180;

// A uniform rod of mass 1 and length 2 at `angle` to the ground, its lower end in contact at the origin, the rod rising
// along (cos, sin): from Newton and Euler, r = −(cos, sin) from the centre to the contact, J = m l²/12 = 1/3.
ContactInertia rod(double angle) {
  const double rx = -std::cos(angle), ry = -std::sin(angle), inertia = 1.0 / 3;
  return planar_inertia(1 + rx * rx / inertia, -rx * ry / inertia, 1 + ry * ry / inertia);
}

TEST(SlipVerdict, SolvesTheComplementarityProblem) {
  Random random(401);
  int met[slip_mode_count] = {};
  for (int k = 0; k < scaled(4000, 400); ++k) {
    const ImpactProblem problem = testing_support::random_spatial(random);
    const ContactInertia& d = problem.inertia;
    const double mu = problem.friction.kinetic_coefficient, phi = random.uniform(0, 2 * std::numbers::pi);
    const SlipDirection sigma{std::cos(phi), std::sin(phi)};
    const ContactVector f{random.normal(), random.normal(), random.normal()};
    const SlipVerdict verdict = judge_slip(d, mu, sigma, f);
    ++met[static_cast<int>(verdict.mode)];
    // D λ + f for λ = x (1, −μ σ), entry by entry.
    const auto acceleration = [&](double x) {
      const double l1 = -mu * sigma.t1 * x, l2 = -mu * sigma.t2 * x;
      return ContactVector{d.a * x + d.c1 * l1 + d.c2 * l2 + f.n, d.c1 * x + d.b11 * l1 + d.b12 * l2 + f.t1,
                           d.c2 * x + d.b12 * l1 + d.b22 * l2 + f.t2};
    };
    // v̇_n is a straight line in x: its value and slope there decide how many x ≥ 0 solve the problem.
    const double slope = acceleration(1).n - acceleration(0).n;
    int solutions = f.n >= 0 ? 1 : 0;
    if (-f.n / slope > 0) ++solutions;
    constexpr int expected[] = {1, 1, 2, 0};
    EXPECT_EQ(solutions, expected[static_cast<int>(verdict.mode)]) << "A " << verdict.A << " B " << verdict.B;
    const ContactVector there = acceleration(verdict.normal_force);
    if (verdict.mode == SlipMode::slides) {
      EXPECT_GT(verdict.normal_force, 0);
      EXPECT_NEAR(there.n, 0, 1e-10 * (1 + std::abs(f.n)));
    } else {
      EXPECT_EQ(verdict.normal_force, 0);
    }
    EXPECT_NEAR(verdict.C1 * 2 + verdict.D1, acceleration(2).t1, 1e-10 * (1 + std::abs(acceleration(2).t1)));
    EXPECT_NEAR(verdict.C2 * 2 + verdict.D2, acceleration(2).t2, 1e-10 * (1 + std::abs(acceleration(2).t2)));
    if (std::isfinite(verdict.direction_friction))
      EXPECT_NEAR(judge_slip(d, verdict.direction_friction, sigma, f).A, 0, 1e-12 * d.a);
    else
      EXPECT_LE(d.c1 * sigma.t1 + d.c2 * sigma.t2, 0);
  }
  for (const int count : met) EXPECT_GT(count, 5);
}

// [Peiret, Fig. 1], [Génot and Brogliato 1999]: the rod's end leads the slip.
TEST(SlipVerdict, PainleveRod) {
  const auto A = [](double angle, double mu) { return judge_slip(rod(angle), mu, {-1, 0}, {-9.81, 0, 0}).A; };
  double least = 10, at = 0;
  for (double angle = 1; angle < 89; angle += 1e-3) {
    const double mu = judge_slip(rod(angle * degree), 1, {-1, 0}, {}).direction_friction;
    if (mu < least) least = mu, at = angle;
  }
  EXPECT_NEAR(least, 4.0 / 3, 1e-9);
  EXPECT_NEAR(at, 63.434949, 2e-3);
  const auto crossing = [&](double low, double high) {
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      ((A(middle * degree, 1.4) > 0) == (A(low * degree, 1.4) > 0) ? low : high) = middle;
    }
    return low;
  };
  EXPECT_NEAR(crossing(40, 63), 55.585811, 5e-7);
  EXPECT_NEAR(crossing(63, 80), 69.951867, 5e-7);
  EXPECT_EQ(judge_slip(rod(63 * degree), 1.4, {-1, 0}, {-9.81, 0, 0}).mode, SlipMode::inconsistent);
  EXPECT_EQ(judge_slip(rod(63 * degree), 1.4, {-1, 0}, {9.81, 0, 0}).mode, SlipMode::indeterminate);
  EXPECT_EQ(judge_slip(rod(63 * degree), 1.4, {1, 0}, {-9.81, 0, 0}).mode, SlipMode::slides);
}

// The threshold by behaviour: the tangential impact happens exactly above it. Liu's Theorem 1: its phases.
TEST(SlipVerdict, TangentialImpactFollowsTheorem1) {
  Random random(402);
  int jams = 0;
  for (int k = 0; k < scaled(3000, 300); ++k) {
    ImpactProblem problem = testing_support::random_planar(random);
    problem.surface_velocity = {};
    problem.velocity = {0, random.normal(), 0};
    problem.friction.static_coefficient = problem.friction.kinetic_coefficient = random.uniform(0, 6);
    problem.load = Load::pressed;
    const SlipState slip = slip_of(problem.velocity);
    const SlipVerdict verdict =
        judge_slip(problem.inertia, problem.friction.kinetic_coefficient, slip.direction, {-1, random.normal(), 0});
    const ImpactResult impact = solve_impact(problem, Law::poisson);
    if (verdict.marginal) continue;
    EXPECT_EQ(impact.impulse.n > 0, verdict.mode == SlipMode::inconsistent);
    if (verdict.mode != SlipMode::inconsistent) continue;
    ++jams;
    ASSERT_GE(impact.phase_count, 2);
    const Phase* phase = impact.begin();
    EXPECT_EQ(phase[0].kind, PhaseKind::jam);
    EXPECT_EQ(phase[0].stage, Stage::compression);
    EXPECT_EQ(phase[1].kind, PhaseKind::stick);
    EXPECT_EQ(phase[1].stage, Stage::compression);
    EXPECT_NEAR(impact.relative_velocity.t1, 0, 1e-12 * std::abs(problem.velocity.t1));
    // [Liu 2007, eqs 23 to 28]
    const ContactInertia& d = problem.inertia;
    const double mu = -problem.friction.kinetic_coefficient * slip.direction.t1;
    const double P1 = -problem.velocity.t1 / (mu * d.b11 + d.c1);
    const double P2 = d.b11 * (mu * d.c1 + d.a) * P1 / (d.c1 * d.c1 - d.b11 * d.a);
    EXPECT_NEAR(impact.impulse.n, (1 + impact.restitution) * (P1 + P2), 1e-9 * impact.impulse.n);
  }
  EXPECT_GT(jams, 10);
}

TEST(SlipVerdict, DirectionOfSlip) {
  EXPECT_EQ(slip_of({-1, 0, 0}).speed, 0);
  const SlipState slip = slip_of({0, 3, -4});
  EXPECT_DOUBLE_EQ(slip.speed, 5);
  EXPECT_DOUBLE_EQ(slip.direction.t1, 0.6);
  EXPECT_DOUBLE_EQ(slip.direction.t2, -0.8);
  EXPECT_NEAR(slip_of({0, 3e-300, 4e-300}).direction.t1, 0.6, 1e-15);
}

TEST(SlipVerdict, MarginalOnTheBoundary) {
  const ContactInertia d = planar_inertia(1, 0.5, 1);
  EXPECT_TRUE(judge_slip(d, 2, {1, 0}, {-1, 0, 0}).marginal);
  EXPECT_EQ(judge_slip(d, 2, {1, 0}, {-1, 0, 0}).mode, SlipMode::inconsistent);  // A = 0, B < 0: no solution
  EXPECT_FALSE(judge_slip(d, 1.9, {1, 0}, {-1, 0, 0}).marginal);
  EXPECT_TRUE(judge_slip(d, 1, {1, 0}, {0, 1, 0}).marginal);
}

}  // namespace
}  // namespace routh
