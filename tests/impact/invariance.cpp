// The answer does not depend on units, axes or the number of dimensions it was asked in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ContactVector;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;

ContactVector times(const ContactVector& v, double f) { return {v.n * f, v.t1 * f, v.t2 * f}; }

ImpactProblem with_velocity_times(ImpactProblem p, double factor) {
  p.velocity = times(p.velocity, factor);
  p.surface_velocity = times(p.surface_velocity, factor);
  return p;
}

ImpactProblem with_mobility_times(ImpactProblem p, double factor) {
  routh::ContactInertia& d = p.inertia;
  for (double* x : {&d.a, &d.c1, &d.c2, &d.b11, &d.b12, &d.b22, &d.stick_slope}) *x *= factor;
  return p;
}

// The result in other units: velocities times `velocity`, impulses times `impulse`.
ImpactResult in_units(ImpactResult r, double velocity, double impulse) {
  r.velocity = times(r.velocity, velocity);
  r.relative_velocity = times(r.relative_velocity, velocity);
  r.impulse = times(r.impulse, impulse);
  for (double* w : {&r.energy.normal_work, &r.energy.tangential_work, &r.energy.supplied, &r.energy.change}) {
    *w = *w * velocity * impulse;
  }
  for (int i = 0; i < r.phase_count; ++i) {
    auto& phase = r.phase_storage[static_cast<std::size_t>(i)];
    phase.normal_impulse *= impulse;
    phase.velocity = times(phase.velocity, velocity);
  }
  return r;
}

double difference(const ImpactResult& x, const ImpactResult& y, const ImpactProblem& p) {
  const double speed = std::max({norm(relative_before(p)), norm(x.relative_velocity), norm(y.relative_velocity)});
  const double impulse = std::max(norm(x.impulse), norm(y.impulse));
  if (impulse == 0) return distance(x.relative_velocity, y.relative_velocity) / speed;
  return std::max({distance(x.relative_velocity, y.relative_velocity) / speed, distance(x.impulse, y.impulse) / impulse,
                   std::fabs(x.energy.normal_work - y.energy.normal_work) / speed / impulse,
                   std::fabs(x.energy.tangential_work - y.energy.tangential_work) / speed / impulse});
}

// Counts of how many answers moved by more than they may.
struct Tally {
  int judged = 0, outside = 0, bad = 0;
  double worst = 0;
  void note(double error, const ImpactResult& x, const ImpactResult& y, const std::string& what) {
    if (x.has(routh::Warning::ill_conditioned) || y.has(routh::Warning::ill_conditioned)) return;
    ++judged;
    outside += !(error <= 1e-10);
    if (!(error <= 1e-7) && ++bad <= 3) ADD_FAILURE() << "moved by " << error << '\n' << what;
    worst = std::max(worst, error);
  }
  void finish() const {
    EXPECT_EQ(bad, 0);
    EXPECT_LE(outside, judged / 1000) << "of " << judged << ", worst " << worst;
  }
};

TEST(Invariance, VelocityTimesAPowerOfTwoIsExact) {
  constexpr std::uint64_t seed = 4001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(1000); ++k) {
    const ImpactProblem p = random.chance(0.3) ? random_planar(random) : random_spatial(random);
    for (const Law law : routh::all_laws) {
      const ImpactResult base = solve_impact(p, law);
      for (const int exponent : {-470, -40, -1, 3, 60, 470}) {
        const double f = std::ldexp(1.0, exponent);
        const ImpactResult scaled_result = solve_impact(with_velocity_times(p, f), law);
        ASSERT_TRUE(same_bits(in_units(base, f, f), scaled_result)) << "2^" << exponent << ' ' << to_json(p, law);
      }
    }
  }
}

TEST(Invariance, MassTimesAPowerOfTwoIsExact) {
  constexpr std::uint64_t seed = 4002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(1000); ++k) {
    const ImpactProblem p = random.chance(0.3) ? random_planar(random) : random_spatial(random);
    for (const Law law : routh::all_laws) {
      const ImpactResult base = solve_impact(p, law);
      for (const int exponent : {-300, -10, 1, 20, 300}) {
        const double f = std::ldexp(1.0, exponent);
        const ImpactResult scaled_result = solve_impact(with_mobility_times(p, f), law);
        ASSERT_TRUE(same_bits(in_units(base, 1, 1 / f), scaled_result)) << "2^" << exponent << ' ' << to_json(p, law);
      }
    }
  }
}

TEST(Invariance, ExtremeVelocitiesAndMasses) {
  constexpr std::uint64_t seed = 4003;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  for (int k = 0; k < scaled(1000); ++k) {
    const ImpactProblem p = random.chance(0.3) ? random_planar(random) : random_spatial(random);
    for (const Law law : incremental_laws) {
      const ImpactResult base = solve_impact(p, law);
      for (const double f : {1e-150, 1e-7, 1e150}) {
        const ImpactResult fast = solve_impact(with_velocity_times(p, f), law);
        ASSERT_EQ(fast.status, ImpactStatus::ok) << f << ' ' << to_json(p, law);
        tally.note(difference(base, in_units(fast, 1 / f, 1 / f), p), base, fast, to_json(p, law));
        ImpactProblem heavy = with_mobility_times(p, f);
        const ImpactResult slow = solve_impact(heavy, law);
        ASSERT_EQ(slow.status, ImpactStatus::ok) << f << ' ' << to_json(p, law);
        tally.note(difference(base, in_units(slow, 1, f), p), base, slow, to_json(p, law));
      }
    }
  }
  tally.finish();
}

TEST(Invariance, TangentFrame) {
  constexpr std::uint64_t seed = 4004;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  for (int k = 0; k < scaled(4000); ++k) {
    const ImpactProblem p = random_spatial(random);
    const double angle = random.uniform(-M_PI, M_PI);
    const ImpactProblem q = turned(p, angle);
    for (const Law law : incremental_laws) {
      const ImpactResult base = solve_impact(p, law);
      ImpactResult other = solve_impact(q, law);
      const auto back = [&](const ContactVector& v) {
        return ContactVector{v.n, std::cos(angle) * v.t1 + std::sin(angle) * v.t2,
                             std::cos(angle) * v.t2 - std::sin(angle) * v.t1};
      };
      other.impulse = back(other.impulse);
      other.relative_velocity = back(other.relative_velocity);
      tally.note(difference(base, other, p), base, other, to_json(p, law) + "\nturned: " + to_json(q, law));
    }
  }
  tally.finish();
}

// A reflection of the tangent plane, which no rotation makes.
TEST(Invariance, Mirror) {
  constexpr std::uint64_t seed = 4005;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  for (int k = 0; k < scaled(1000); ++k) {
    const ImpactProblem p = random_spatial(random);
    ImpactProblem q = p;
    q.inertia =
        routh::spatial_inertia(p.inertia.a, p.inertia.c1, -p.inertia.c2, p.inertia.b11, -p.inertia.b12, p.inertia.b22);
    q.velocity.t2 = -q.velocity.t2;
    for (const Law law : incremental_laws) {
      const ImpactResult base = solve_impact(p, law);
      ImpactResult other = solve_impact(q, law);
      other.impulse.t2 = -other.impulse.t2;
      other.relative_velocity.t2 = -other.relative_velocity.t2;
      tally.note(difference(base, other, p), base, other, to_json(p, law));
    }
  }
  tally.finish();
}

// A planar impact asked in space: along the first tangent exactly, and turned to any angle.
TEST(Invariance, ConfinedToAPlane) {
  constexpr std::uint64_t seed = 4006;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  for (int k = 0; k < scaled(4000); ++k) {
    const ImpactProblem flat = random_planar(random);
    ImpactProblem p = flat;
    const auto& d = flat.inertia;
    p.inertia = routh::spatial_inertia(d.a, d.c1, 0, d.b11, 0, random.uniform(0.2, 4));
    const double angle = random.uniform(-M_PI, M_PI);
    const ImpactProblem q = turned(p, angle);
    for (const Law law : incremental_laws) {
      const ImpactResult expected = solve_impact(flat, law), aligned = solve_impact(p, law);
      ASSERT_EQ(aligned.status, ImpactStatus::ok);
      ASSERT_LT(difference(expected, aligned, p), 1e-12) << to_json(p, law);
      ASSERT_EQ(aligned.velocity.t2, 0);
      ASSERT_EQ(aligned.mode, expected.mode) << to_json(p, law);
      ImpactResult oblique = solve_impact(q, law);
      const auto back = [&](const ContactVector& v) {
        return ContactVector{v.n, std::cos(angle) * v.t1 + std::sin(angle) * v.t2,
                             std::cos(angle) * v.t2 - std::sin(angle) * v.t1};
      };
      oblique.impulse = back(oblique.impulse);
      oblique.relative_velocity = back(oblique.relative_velocity);
      tally.note(difference(expected, oblique, p), expected, oblique, to_json(q, law));
    }
  }
  tally.finish();
}

struct InvariantStart {
  ImpactProblem problem;
  double along_c, along_b, growth;  // cᵀσ, σᵀbσ, k
};

// A slip that begins on an invariant direction: b, μ, σ and k are chosen, c = (μ b + k)σ follows.
InvariantStart invariant_start(Random& random) {
  const double angle = random.uniform(0, 2 * M_PI), x = std::cos(angle), y = std::sin(angle);
  const double tilt = random.uniform(0, M_PI), b1 = random.uniform(0.2, 2), b2 = random.uniform(0.2, 2);
  const double ct = std::cos(tilt), st = std::sin(tilt);
  const double b11 = b1 * ct * ct + b2 * st * st, b22 = b1 * st * st + b2 * ct * ct, b12 = (b1 - b2) * ct * st;
  const double mu = random.uniform(0.05, 1), k = random.uniform(-0.5, 1);
  const double c1 = mu * (b11 * x + b12 * y) + k * x, c2 = mu * (b12 * x + b22 * y) + k * y;
  const double det = b11 * b22 - b12 * b12;
  const double least = (b22 * c1 * c1 - 2 * b12 * c1 * c2 + b11 * c2 * c2) / det;
  InvariantStart s;
  s.problem.inertia = routh::spatial_inertia(least * random.uniform(1.05, 3) + 0.1, c1, c2, b11, b12, b22);
  s.problem.velocity = {-random.uniform(0.1, 1), 30 * x, 30 * y};
  s.problem.friction = {mu, mu};
  s.problem.restitution.normal = random.uniform();
  s.along_c = c1 * x + c2 * y;
  s.along_b = b11 * x * x + 2 * b12 * x * y + b22 * y * y;
  s.growth = k;
  return s;
}

// There the answer is algebra, and all laws agree while slip lasts.
TEST(Invariance, InvariantDirectionGivesTheAlgebraicAnswer) {
  constexpr std::uint64_t seed = 4007;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0;
  for (int k = 0; k < scaled(3000); ++k) {
    const InvariantStart s = invariant_start(random);
    const ImpactProblem& p = s.problem;
    const double mu = p.friction.kinetic_coefficient, slope = p.inertia.a - mu * s.along_c;
    if (slope < 0.05) continue;
    const double impulse = -(1 + p.restitution.normal) * p.velocity.n / slope;
    if (30 + s.growth * impulse < 1) continue;
    ++judged;
    const double x = p.velocity.t1 / 30, y = p.velocity.t2 / 30;
    for (const Law law : routh::all_laws) {
      const ImpactResult r = solve_impact(p, law);
      // The one-shot laws may prefer a stick; where they slip, this is how.
      if ((law == Law::unified || law == Law::classical) &&
          (r.mode != routh::ImpactMode::sliding || r.has(routh::Warning::non_unique))) {
        continue;
      }
      ASSERT_EQ(r.mode, routh::ImpactMode::sliding) << to_json(p, law);
      ASSERT_NEAR(r.impulse.n, impulse, 1e-11 * impulse) << to_json(p, law);
      ASSERT_NEAR(r.impulse.t1, -mu * impulse * x, 1e-11 * impulse) << to_json(p, law);
      ASSERT_NEAR(r.impulse.t2, -mu * impulse * y, 1e-11 * impulse) << to_json(p, law);
      ASSERT_NEAR(r.velocity.n, -p.restitution.normal * p.velocity.n, 1e-11) << to_json(p, law);
      ASSERT_NEAR(r.velocity.t1, (30 + s.growth * impulse) * x, 1e-10) << to_json(p, law);
      ASSERT_NEAR(r.velocity.t2, (30 + s.growth * impulse) * y, 1e-10) << to_json(p, law);
    }
  }
  EXPECT_GT(judged, scaled(3000) / 3);
}

// Continuity across μ_c where the theory is continuous (μ_s = μ_k).
TEST(Invariance, ContinuousAcrossTheCriticalFriction) {
  constexpr std::uint64_t seed = 4008;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(500); ++k) {
    ImpactProblem p = random_spatial(random, Family::coupled);
    p.velocity.t1 = p.velocity.t2 = 0;
    const double critical = static_cast<double>(oracle::stick_constants(to_oracle(p)).critical_friction);
    for (const Law law : incremental_laws) {
      p.friction = {critical * (1 - 1e-11), critical * (1 - 1e-11)};
      const ImpactResult below = solve_impact(p, law);
      p.friction = {critical * (1 + 1e-11), critical * (1 + 1e-11)};
      const ImpactResult above = solve_impact(p, law);
      ASSERT_EQ(above.mode, routh::ImpactMode::stick) << to_json(p, law);
      ASSERT_EQ(below.mode, routh::ImpactMode::sliding) << to_json(p, law);
      ASSERT_LT(difference(below, above, p), 1e-7) << to_json(p, law);
    }
  }
}

}  // namespace
