// The worst velocity against sampled ones, under a unified law of the test's own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/bounds.h"
#include "routh/impact/solve.h"
#include "routh/solvability/admissible_set.h"
#include "support/random_problems.h"
#include "unified_oracle.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;
using testing_support::UnifiedOracle;
using Real = UnifiedOracle::Real;
using Vector = UnifiedOracle::Vector;

constexpr double agreement = 1e-9;

ImpactProblem random_surface_pair(Random& random) {
  ImpactProblem p = random.chance(0.4) ? testing_support::random_planar(random) : testing_support::random_spatial(random);
  p.surface_velocity = {};
  if (random.chance(0.3)) p.friction.static_coefficient *= random.uniform(1, 4);
  if (random.chance(0.6)) p.restitution.normal = random.uniform(0.4, 1);
  if (random.chance(0.5)) p.restitution.tangential = random.chance(0.1) ? -1 : random.uniform(-1, 1);
  return p;
}

// The greatest relative gain among velocities that stick: those of impulses inside the cone and densely on its edge.
double sampled_stick_gain(const UnifiedOracle& law, const ImpactProblem& p, Random& random) {
  const Real mu = p.friction.static_coefficient;
  double greatest = -1;
  const auto look = [&](Real radius, Real angle) -> double {
    Vector i = Vector::Ones(law.size());
    i(1) = radius * std::cos(angle);
    if (law.size() == 3) i(2) = radius * std::sin(angle);
    const Vector v = law.struck_by(i);
    if (v(0) >= 0) return -1.0;
    const double gain = law.gain(v, law.after_stick(v));
    greatest = std::max(greatest, gain);
    return gain;
  };
  constexpr int edge = 360;
  double best = -1;
  Real at = 0;
  for (int k = 0; k < edge; ++k) {
    const Real angle = law.size() == 2 ? M_PIl * k : 2 * M_PIl * k / edge;
    if (const double gain = look(mu, angle); gain > best) best = gain, at = angle;
    if (law.size() == 2 && k == 1) break;
  }
  for (Real step = M_PIl / edge; law.size() == 3 && step > 1e-12L; step /= 2)  // uphill along the edge
    for (const Real angle : {at - step, at + step})
      if (const double gain = look(mu, angle); gain > best) best = gain, at = angle;
  for (int k = 0; k < 300; ++k) look(mu * std::sqrt(random.uniform()), random.uniform(0, 2 * M_PI));
  return greatest;
}

Vector random_approach(const UnifiedOracle& law, Random& random) {
  Vector v(law.size());
  v(0) = -1;
  const double speed = std::pow(10, random.uniform(-1, 1.5));
  for (Eigen::Index k = 1; k < v.size(); ++k) v(k) = speed * random.normal();
  return v;
}

// What the law makes of any velocity, stick or slip.
double sampled_gain(const UnifiedOracle& law, Random& random, int looks) {
  double greatest = -1;
  for (int k = 0; k < looks; ++k) {
    const Vector v = random_approach(law, random);
    for (const Vector& after : law.outcomes(v)) greatest = std::max(greatest, law.gain(v, after));
  }
  return greatest;
}

void expect_attained(const ImpactProblem& p, const UnifiedOracle& law, const ForAllVelocities& all) {
  const Vector v = law.vector(all.worst_velocity);
  const double size = 1 + std::abs(all.worst_gain);
  EXPECT_LT(v(0), 0);
  EXPECT_TRUE(law.sticks(v, agreement));
  EXPECT_NEAR(law.gain(v, law.after_stick(v)), all.worst_gain, agreement * size);
  ImpactProblem struck = p;
  struck.velocity = all.worst_velocity;
  const ImpactResult result = solve_impact(struck, Law::unified);
  EXPECT_EQ(result.mode, Mode::stick);
  EXPECT_NEAR(result.energy.change / law.energy(v), all.worst_gain, agreement * size);
  EXPECT_TRUE(result.has(Warning::energy_gain));
}

TEST(WorstVelocity, NoSampledVelocityGainsMore) {
  constexpr std::uint64_t seed = 8101;
  Random random(seed);
  int none = 0, planar = 0, spatial = 0, with_tangential = 0, jamming = 0;
  for (int k = 0; k < scaled(1500, 100); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, problem {}", seed, k));
    const ImpactProblem p = random_surface_pair(random);
    const UnifiedOracle law(p);
    const ForAllVelocities all = admissible_for_all(p);
    double sampled = sampled_gain(law, random, 60);
    if (p.restitution.tangential > -1) sampled = std::max(sampled, sampled_stick_gain(law, p, random));
    ASSERT_LE(sampled, all.worst_gain + agreement * (1 + all.worst_gain));
    jamming += p.friction.kinetic_coefficient >= compute_bounds(p).jamming_friction;
    if (all.worst_gain == 0) {
      ++none;
      continue;
    }
    EXPECT_FALSE(all.exact);
    EXPECT_FALSE(all.printed);
    expect_attained(p, law, all);
    (law.size() == 2 ? planar : spatial) += 1;
    with_tangential += p.restitution.tangential != 0;
  }
  for (const int met : {none, planar, spatial, with_tangential, jamming}) EXPECT_GT(met, 10);
}

// Liu's arm at its initial posture, e = 0.7: an outside reader's number.
TEST(WorstVelocity, LiusArm) {
  ImpactProblem p;
  p.inertia = planar_inertia(0.560581615216, 1.15458759888, 2.91064426165);
  p.friction = {0.8, 0.5};
  p.restitution.normal = 0.7;
  const ForAllVelocities all = admissible_for_all(p);
  EXPECT_NEAR(all.worst_gain, 1.678, 1e-3);
}

}  // namespace
}  // namespace routh
