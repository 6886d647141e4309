// Slip exactly at the edge of a jam, A = a − μ cᵀσ = 0, without approach and pressed: Liu's mode M_s⁴ is A ≤ 0, and the
// tangential impact is the limit of those with a little more friction.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "routh/impact/solve.h"
#include "routh/march/together.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace edge_of_jam_test {
namespace {

using namespace testing_support;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;

constexpr std::uint64_t edge_seed = 20260413;

ImpactProblem at_the_edge(const routh::ContactInertia& d, double slip) {
  ImpactProblem p;
  p.inertia = d;
  p.velocity = {0, slip, 0};
  const double mu = d.a / std::abs(d.c1);
  p.friction = {mu, mu};
  p.load = routh::Load::pressed;
  p.restitution.normal = 0.5;
  return p;
}

// [Liu 2007, eqs 23–28] with A = 0: slip halts after s/(μb − |c|) while v_n stays 0, then sticks; restitution returns e
// of the impulse (Poisson), and none of the work, for there was none (energetic).
void expect_liu(const ImpactProblem& p) {
  const routh::ContactInertia& d = p.inertia;
  const double mu = p.friction.kinetic_coefficient, e = p.restitution.normal;
  const double halt = std::abs(p.velocity.t1) / (mu * d.b11 - std::abs(d.c1));
  const double slope = d.a - d.c1 * (d.c1 / d.b11);
  const ImpactResult poisson = solve_impact(p, Law::poisson), energetic = solve_impact(p, Law::energetic);
  SCOPED_TRACE(describe(p));
  ASSERT_EQ(poisson.status, ImpactStatus::ok);
  ASSERT_EQ(energetic.status, ImpactStatus::ok);
  EXPECT_EQ(poisson.mode, routh::ImpactMode::stick_in_compression);
  EXPECT_NEAR(poisson.impulse.n, (1 + e) * halt, 1e-11 * halt);
  EXPECT_NEAR(poisson.relative_velocity.n, slope * e * halt, 1e-11 * slope * halt);
  EXPECT_NEAR(energetic.impulse.n, halt, 1e-7 * halt);  // a root of what rounding leaves of the work
  EXPECT_NEAR(energetic.relative_velocity.n, 0, 1e-7 * slope * halt);
  EXPECT_EQ(solve_impact(p, Law::newton).status, ImpactStatus::undefined);
}

TEST(EdgeOfJam, Planar) {
  expect_liu(at_the_edge(routh::planar_inertia(1, 1, 2), 1));
  expect_liu(at_the_edge(routh::planar_inertia(1, -1, 2), -1));
  const ImpactResult poisson = solve_impact(at_the_edge(routh::planar_inertia(1, 1, 2), 1), Law::poisson);
  EXPECT_NEAR(poisson.impulse.n, 1.5, 1e-15);
  EXPECT_NEAR(poisson.relative_velocity.n, 0.25, 1e-15);
}

TEST(EdgeOfJam, IsAnswerOfPressedContactsOnly) {
  ImpactProblem p = at_the_edge(routh::planar_inertia(1, 1, 2), 1);
  p.load = routh::Load::unknown;
  const ImpactResult r = solve_impact(p);
  EXPECT_EQ(r.status, ImpactStatus::no_impact);
  EXPECT_TRUE(r.has(routh::Warning::jams_if_pressed));
  p.load = routh::Load::pressed;
  p.velocity.t1 = -1;  // the other way
  EXPECT_EQ(solve_impact(p).status, ImpactStatus::no_impact);
}

// μ = a/c as rounded, and its neighbours: one answer; a little less friction: none.
TEST(EdgeOfJam, RoundingDoesNotTell) {
  Random random(edge_seed);
  std::printf("seed %llu\n", static_cast<unsigned long long>(edge_seed));
  for (int k = 0; k < scaled(300); ++k) {
    const double b = random.uniform(0.5, 3), c = random.uniform(-1, 1), a = c * c / b + random.uniform(0.1, 2);
    ImpactProblem p = at_the_edge(routh::planar_inertia(a, c, b), std::copysign(random.uniform(0.1, 3), c));
    const double mu = p.friction.kinetic_coefficient;
    for (const double at : {mu, std::nextafter(mu, 0.0), std::nextafter(mu, 1e9)}) {
      p.friction = {at, at};
      expect_liu(p);
    }
    p.friction = {mu * (1 + 1e-9), mu * (1 + 1e-9)};
    const ImpactResult above = solve_impact(p, Law::poisson);
    p.friction = {mu, mu};
    const ImpactResult edge = solve_impact(p, Law::poisson);
    EXPECT_NEAR(above.impulse.n, edge.impulse.n, 1e-6 * edge.impulse.n) << describe(p);
    p.friction = {mu * (1 - 1e-12), mu * (1 - 1e-12)};
    EXPECT_EQ(solve_impact(p, Law::poisson).status, ImpactStatus::no_impact) << describe(p);
  }
}

// In space along an invariant direction, in any tangent frame: the same.
TEST(EdgeOfJam, SpatialStraight) {
  Random random(edge_seed + 1);
  for (int k = 0; k < scaled(300); ++k) {
    const double b = random.uniform(0.5, 3), c = random.uniform(0.1, 1), a = c * c / b + random.uniform(0.1, 2);
    const ImpactProblem p = at_the_edge(routh::spatial_inertia(a, c, 0, b, 0, random.uniform(0.2, 3)), 1);
    const ImpactProblem q = turned(p, random.uniform(0, 6.28));
    const ImpactResult poisson = solve_impact(q, Law::poisson);
    const double halt = 1 / (p.friction.kinetic_coefficient * b - c);
    SCOPED_TRACE(describe(q));
    ASSERT_EQ(poisson.status, ImpactStatus::ok);
    EXPECT_NEAR(poisson.impulse.n, 1.5 * halt, 1e-9 * halt);
    EXPECT_NEAR(norm(poisson.relative_velocity), 0.5 * halt * (a - c * c / b), 1e-9 * halt);
  }
}

// In space slip swerves, and A with it: dA/dτ = −μ (cᵀσ⊥)(σ⊥ᵀ(c − μ b σ)). Where A falls it is the limit of jams, where
// it rises the impulse of jams with ever less friction goes to zero.
TEST(EdgeOfJam, SpatialSwerving) {
  Random random(edge_seed + 2);
  int jams = 0, leaves = 0;
  for (int k = 0; k < scaled(300, 150); ++k) {
    ImpactProblem p = random_spatial(random, Family::coupled);
    const double angle = random.uniform(0, 6.28), s1 = std::cos(angle), s2 = std::sin(angle);
    const routh::ContactInertia& d = p.inertia;
    const double along = d.c1 * s1 + d.c2 * s2, across = d.c2 * s1 - d.c1 * s2;
    if (!(along > 0.1 * std::hypot(d.c1, d.c2)) || std::abs(across) < 0.05 * along) continue;
    const double mu = d.a / along;
    p.velocity = {0, s1, s2};
    p.load = routh::Load::pressed;
    p.friction = {mu, mu};
    const double turning = s1 * (d.c2 - mu * (d.b12 * s1 + d.b22 * s2)) - s2 * (d.c1 - mu * (d.b11 * s1 + d.b12 * s2));
    if (std::abs(turning) < 0.05 * mu * (d.b11 + d.b22)) continue;
    SCOPED_TRACE(testing::Message() << "seed " << edge_seed + 2 << ' ' << describe(p));
    const ImpactResult edge = solve_impact(p, Law::poisson);
    if (across * turning < 0) {
      EXPECT_EQ(edge.status, ImpactStatus::no_impact);
      ++leaves;
      continue;
    }
    ++jams;
    oracle::Problem marched = to_oracle(p);
    marched.mu_kinetic *= 1 + 1e-9L;
    marched.mu_static *= 1 + 1e-9L;
    const oracle::Answer answer = solve(marched, oracle::Law::poisson);
    if (answer.outcome != oracle::Outcome::solved) continue;
    ASSERT_EQ(edge.status, ImpactStatus::ok);
    const double error = errors(p, edge, answer).worst();
    if (error > 1e-5) {
      EXPECT_LE(error, 1e8 * sensitivity(marched, oracle::Law::poisson));
    }
  }
  std::printf("seed %llu: %d jam, %d leave\n", static_cast<unsigned long long>(edge_seed + 2), jams, leaves);
  EXPECT_GT(jams, 10);
  EXPECT_GT(leaves, 3);
}

// The march of several contacts: to the halt at any |A|, however slowly the jam grows. What Poisson's law takes out
// beyond the work that went in, it does not (see together.h).
TEST(EdgeOfJam, SeveralContacts) {
  for (const double beyond : {0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
    routh::TogetherProblem q;
    q.dimension = routh::Dimension::planar;
    q.inertia = (Eigen::MatrixXd(2, 2) << 1, 1, 1, 2).finished();
    q.velocity = Eigen::Vector2d(0, 1);
    routh::TogetherContact contact;
    contact.friction = {1 + beyond, 1 + beyond};
    contact.restitution.normal = 0.5;
    contact.load = routh::Load::pressed;
    q.contacts = {contact};
    ImpactProblem p = at_the_edge(routh::planar_inertia(1, 1, 2), 1);
    p.friction = contact.friction;
    const ImpactResult one = solve_impact(p, Law::energetic);
    const routh::TogetherResult r = solve_together(q);
    ASSERT_EQ(r.status, ImpactStatus::ok) << beyond;
    EXPECT_NEAR(r.impulse[0], one.impulse.n, 1e-7) << beyond;
    EXPECT_NEAR(r.velocity[0], one.relative_velocity.n, 1e-7) << beyond;
    EXPECT_NEAR(r.velocity[1], 0, 1e-12) << beyond;
  }
}

}  // namespace
}  // namespace edge_of_jam_test
