// The worst velocity against sampled ones, under a unified law of the test's own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/bounds.h"
#include "routh/impact/solve.h"
#include "routh/solvability/energy_consistency.h"
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
  ImpactProblem p =
      random.chance(0.4) ? testing_support::random_planar(random) : testing_support::random_spatial(random);
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
  EXPECT_EQ(result.mode, ImpactMode::stick);
  EXPECT_NEAR(result.energy.change / law.energy(v), all.worst_gain, agreement * size);
  EXPECT_TRUE(result.has(Warning::energy_gain));
}

TEST(WorstVelocity, NoSampledVelocityGainsMore) {
  constexpr std::uint64_t seed = 8101;
  Random random(seed);
  int none = 0, planar = 0, spatial = 0, with_tangential = 0, jamming = 0;
  for (int k = 0; k < scaled(1500, 250); ++k) {
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

// Liu's arm at its initial posture: μ_s exceeds μ_c and the worst of all velocities sticks, so that (32) gives its
// gain.
TEST(WorstVelocity, OfLiusArm) {
  ImpactProblem p;
  p.inertia = planar_inertia(0.560581615216, 1.15458759888, 2.91064426165);
  p.friction = {0.8, 0.5};
  p.restitution.normal = 0.7;
  const ForAllVelocities all = admissible_for_all(p);
  EXPECT_TRUE(all.gains && all.jams);
  EXPECT_NEAR(all.worst_gain, std::pow(0.7 / 0.427776767665, 2) - 1, 1e-9);
  EXPECT_EQ(all.worst_velocity.n, -1);
  EXPECT_NEAR(all.worst_velocity.t1, -1.15458759888 / 0.560581615216, 1e-9);  // along D (1, 0)
}

// The two flags apart: slip that jams does not gain, and a stick can gain where nothing jams.
TEST(WorstVelocity, GainsAndJamsAreTold) {
  ImpactProblem p;
  p.inertia = planar_inertia(1, 0.8, 1);
  p.friction = {2, 1.3};
  p.restitution.normal = 0.1;
  ForAllVelocities all = admissible_for_all(p);
  EXPECT_TRUE(all.jams && !all.gains && !all.exact && !all.printed);
  EXPECT_EQ(all.worst_gain, 0);
  p.friction.kinetic_coefficient = 1.2;
  all = admissible_for_all(p);
  EXPECT_TRUE(all.exact && all.printed && !all.gains && !all.jams);
  p.restitution.normal = 0.9;
  all = admissible_for_all(p);
  EXPECT_TRUE(all.gains && !all.jams && !all.exact);
}

// Slip beyond μ* under the library's own map: friction never feeds the contact.
TEST(WorstVelocity, SlipThatCanJamGainsNothing) {
  constexpr std::uint64_t seed = 8102;
  Random random(seed);
  int slips = 0;
  for (int k = 0; k < scaled(20000, 2000); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, problem {}", seed, k));
    ImpactProblem p = random_surface_pair(random);
    const double jam = compute_bounds(p).jamming_friction * random.uniform(1, 2);
    if (!std::isfinite(jam)) continue;
    p.friction = {jam * random.uniform(1, 1.2), jam};
    const ImpactResult result = solve_impact(p, Law::unified);
    if (result.status != ImpactStatus::ok || result.mode == ImpactMode::stick) continue;
    ++slips;
    const UnifiedOracle law(p);
    EXPECT_LE(law.gain(law.vector(p.velocity), law.vector(result.velocity)), agreement);
  }
  EXPECT_GT(slips, 200);
}

// e_t = −1 keeps the slip. That takes an impulse along −β, the same for all velocities, which does work on slip along
// it.
TEST(WorstVelocity, SlipThatIsKept) {
  ImpactProblem p;
  p.inertia = spatial_inertia(1, 0.5, 0.2, 1, 0.1, 0.8);
  p.restitution = {};
  p.restitution.normal = 0;
  p.restitution.tangential = -1;
  const double needed = compute_bounds(p).stick_friction;
  p.friction = {needed * 1.001, 0.1};
  const ForAllVelocities all = admissible_for_all(p);
  // ζ⁺ = ζ, ν⁺ = −h ζ: the quotient is 1 + h², h² = a/p − 1.
  EXPECT_NEAR(all.worst_gain, p.inertia.a / p.inertia.stick_slope - 1, 1e-12);
  EXPECT_FALSE(all.printed);
  expect_attained(p, UnifiedOracle(p), all);
  p.velocity = all.worst_velocity;
  EXPECT_EQ(admissible_region(p), AdmissibleRegion::stick_gains);
  p.friction.static_coefficient = needed * 0.999;
  EXPECT_FALSE(admissible_for_all(p).gains);
}

// Where D is singular v lies in its range. A second tangent without mobility leaves the planar contact along the first.
TEST(WorstVelocity, SingularInertia) {
  constexpr std::uint64_t seed = 8103;
  Random random(seed);
  int gains = 0;
  for (int k = 0; k < scaled(200, 40); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, problem {}", seed, k));
    ImpactProblem flat = testing_support::random_planar(random);
    flat.restitution.normal = random.uniform(0.4, 1);
    flat.restitution.tangential = random.chance(0.5) ? 0 : random.uniform(-0.9, 0.9);
    const ForAllVelocities expected = admissible_for_all(flat);
    const double angle = random.uniform(0, 2 * M_PI), x = std::cos(angle), y = std::sin(angle);
    const ContactInertia& d = flat.inertia;
    ImpactProblem p = flat;
    p.inertia = spatial_inertia(d.a, d.c1 * x, d.c1 * y, d.b11 * x * x, d.b11 * x * y, d.b11 * y * y);
    const ForAllVelocities all = admissible_for_all(p);
    ASSERT_EQ(all.gains, expected.gains);
    ASSERT_NEAR(all.worst_gain, expected.worst_gain, agreement * (1 + expected.worst_gain));
    if (!all.gains) continue;
    ++gains;
    p.velocity = all.worst_velocity;
    const ImpactResult result = solve_impact(p, Law::unified);
    EXPECT_EQ(result.mode, ImpactMode::stick);
    EXPECT_TRUE(result.has(Warning::energy_gain));
  }
  EXPECT_GT(gains, 10);
  // No inertia along the sticking direction: nothing sticks.
  ImpactProblem locked;
  locked.inertia = planar_inertia(1, 1, 1);
  locked.friction = {0.9, 0.9};
  locked.restitution.normal = 0.5;
  EXPECT_TRUE(admissible_for_all(locked).exact);
}

// Nearly singular D, magnitudes far from one, much friction.
TEST(WorstVelocity, FarFromOrdinary) {
  constexpr std::uint64_t seed = 8104;
  Random random(seed);
  int gains = 0;
  for (int k = 0; k < scaled(2000, 200); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, problem {}", seed, k));
    ImpactProblem p = random_surface_pair(random);
    const double share = 1 - std::pow(10, random.uniform(-9, -1)), b = std::pow(10, random.uniform(-3, 3));
    const double c = share * std::sqrt(b), unit = std::pow(10, random.uniform(-150, 150));
    const double angle = random.uniform(0, 2 * M_PI), across = b * std::pow(10, random.uniform(-6, 6));
    const double x = std::cos(angle), y = std::sin(angle);
    p.inertia = random.chance(0.3)
                    ? planar_inertia(unit, unit * c, unit * b)
                    : spatial_inertia(unit, unit * c * x, unit * c * y, unit * (b * x * x + across * y * y),
                                      unit * (b - across) * x * y, unit * (b * y * y + across * x * x));
    if (random.chance(0.2)) p.friction.static_coefficient *= std::pow(10, random.uniform(0, 8));
    if (random.chance(0.1)) p.friction.static_coefficient = std::numeric_limits<double>::infinity();
    if (check(p).rule || p.inertia.stick_slope < 1e-12 * p.inertia.a) continue;
    const ForAllVelocities all = admissible_for_all(p);
    const UnifiedOracle law(p);
    const double tolerance = 1e-9 + 1e-15 * compute_bounds(p).condition;
    if (std::isfinite(p.friction.static_coefficient) && p.restitution.tangential > -1) {
      ASSERT_LE(sampled_stick_gain(law, p, random), all.worst_gain + tolerance * (1 + all.worst_gain));
    }
    ASSERT_TRUE(std::isfinite(all.worst_gain) && std::isfinite(all.worst_velocity.t1 + all.worst_velocity.t2));
    if (!all.gains) continue;
    ++gains;
    p.velocity = all.worst_velocity;
    const ImpactResult result = solve_impact(p, Law::unified);
    EXPECT_EQ(result.mode, ImpactMode::stick);
    const Vector v = law.vector(all.worst_velocity);
    EXPECT_NEAR(law.gain(v, law.after_stick(v)), all.worst_gain, tolerance * (1 + all.worst_gain));
  }
  EXPECT_GT(gains, 100);
}

// e(v): the e of the problem's speed, and the worst velocity at this speed; a belt does not matter.
TEST(WorstVelocity, RestitutionThatDependsOnTheSpeed) {
  ImpactProblem p;
  p.inertia = spatial_inertia(1, 0.7, 0.3, 1, 0.1, 0.8);
  p.friction = {0.9, 0.5};
  p.restitution.normal = 0.8;
  const ForAllVelocities constant = admissible_for_all(p);
  ASSERT_TRUE(constant.gains);
  p.restitution.kind = RestitutionKind::linear;
  p.restitution.alpha = 0.1;
  p.velocity = {-1.5, 0, 0};
  p.surface_velocity = {0.5, 1, 2};
  const ForAllVelocities all = admissible_for_all(p);
  EXPECT_NEAR(all.worst_gain, constant.worst_gain, 1e-12);
  EXPECT_EQ(all.worst_velocity.n, -2);
  p.surface_velocity = {};
  p.velocity = all.worst_velocity;
  const ImpactResult result = solve_impact(p, Law::unified);
  EXPECT_EQ(result.mode, ImpactMode::stick);
  EXPECT_NEAR(result.energy.change, all.worst_gain * UnifiedOracle(p).energy(UnifiedOracle(p).vector(p.velocity)),
              1e-9);
}

}  // namespace
}  // namespace routh
