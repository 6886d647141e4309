// What holds for every impact, over seeded random problems.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ContactVector;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using routh::Stage;

// Random problems of all kinds, one in four planar, one in four on a moving surface.
ImpactProblem random_problem(Random& random) {
  ImpactProblem p = random.chance(0.25) ? random_planar(random) : random_spatial(random);
  if (random.chance(0.25)) {
    p.surface_velocity = {0, random.normal(), 0};
    if (p.inertia.dimension == routh::Dimension::spatial) p.surface_velocity.t2 = random.normal();
  }
  return p;
}

ContactVector apply(const routh::ContactInertia& d, const ContactVector& i) {
  return {d.a * i.n + d.c1 * i.t1 + d.c2 * i.t2, d.c1 * i.n + d.b11 * i.t1 + d.b12 * i.t2,
          d.c2 * i.n + d.b12 * i.t1 + d.b22 * i.t2};
}

void check_equations(const ImpactProblem& p, const ImpactResult& r) {
  const ContactVector& i = r.impulse;
  const ContactVector before = relative_before(p), change = apply(p.inertia, i);
  const double speed = norm(before) + norm(r.relative_velocity) + norm(change);
  const ContactVector expected{before.n + change.n, before.t1 + change.t1, before.t2 + change.t2};
  const routh::ContactInertia& d = p.inertia;
  const double terms = norm(before) + (d.a + std::fabs(d.c1) + std::fabs(d.c2) + d.b11 + d.b22) * norm(i);
  ASSERT_LT(distance(r.relative_velocity, expected), 1e-11 * terms) << to_json(p, r.law);
  ASSERT_LE(std::hypot(i.t1, i.t2), p.friction.static_coefficient * i.n + 1e-12 * norm(i)) << to_json(p, r.law);
  ASSERT_GT(i.n, 0) << to_json(p, r.law);
  // Works are taken against the kinetic energy that the contact exchanges.
  const double energy = norm(i) * speed;
  const double work = r.energy.normal_work + r.energy.tangential_work;
  ASSERT_NEAR(r.energy.change, work + r.energy.supplied, 1e-12 * (energy + norm(i) * norm(p.surface_velocity)))
      << to_json(p, r.law);
  ASSERT_EQ(r.energy.consistent, !r.has(routh::Warning::energy_gain));
  ASSERT_TRUE(r.energy.consistent || work > 0) << to_json(p, r.law);
  switch (r.law) {
    case Law::poisson:
    case Law::energetic:
      ASSERT_TRUE(r.energy.consistent) << to_json(p, r.law);
      ASSERT_LE(work, 1e-12 * energy) << to_json(p, r.law);
      ASSERT_LE(r.energy.tangential_work, 1e-12 * energy) << to_json(p, r.law);
      break;
    case Law::newton:
    case Law::unified:
    case Law::classical:
      ASSERT_NEAR(r.relative_velocity.n, -p.restitution.normal * before.n, 1e-12 * speed) << to_json(p, r.law);
      break;
  }
}

TEST(Properties, EquationsConeLedgerAndDissipation) {
  constexpr std::uint64_t seed = 3001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int gains = 0, without_answer = 0;
  const int count = scaled(10000);
  for (int k = 0; k < count; ++k) {
    const ImpactProblem p = random_problem(random);
    for (const Law law : routh::all_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_TRUE(all_finite(r)) << to_json(p, law);
      if (r.status == ImpactStatus::no_solution && (law == Law::unified || law == Law::classical)) {
        ++without_answer;
        ASSERT_LT(distance(r.velocity, p.velocity), 1e-300) << "no answer must leave the velocity alone";
        continue;
      }
      ASSERT_EQ(r.status, ImpactStatus::ok) << to_json(p, law);
      ASSERT_NO_FATAL_FAILURE(check_equations(p, r));
      gains += !r.energy.consistent;
    }
  }
  EXPECT_GT(gains, count / 200) << "Newton's law gains energy in about two of a hundred";
  EXPECT_LT(without_answer, count / 2);
}

// Impulse at the last end of compression, from the phases; 0 when there is none.
double compression_impulse(const ImpactResult& r) {
  double impulse = 0;
  for (const routh::Phase& phase : r) {
    if (phase.stage == Stage::compression) impulse = phase.normal_impulse;
  }
  return impulse;
}

TEST(Properties, PoissonFromThePhases) {
  constexpr std::uint64_t seed = 3002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0;
  const int count = scaled(4000);
  for (int k = 0; k < count; ++k) {
    const ImpactProblem p = random_problem(random);
    const ImpactResult r = solve_impact(p, Law::poisson);
    if (r.has(routh::Warning::recompression)) continue;
    ++judged;
    ASSERT_NEAR(r.impulse.n, (1 + p.restitution.normal) * compression_impulse(r), 1e-12 * r.impulse.n) << describe(p);
  }
  EXPECT_GT(judged, count * 9 / 10);
}

// In the plane v_n is linear in I_n over a phase, so the phases carry the works exactly: e² = −W_r/W_c.
TEST(Properties, EnergeticFromThePhasesOfThePlane) {
  constexpr std::uint64_t seed = 3003;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(4000); ++k) {
    const ImpactProblem p = random_planar(random);
    const ImpactResult r = solve_impact(p, Law::energetic);
    double impulse = 0, velocity = p.velocity.n, work[2] = {0, 0};
    for (const routh::Phase& phase : r) {
      work[phase.stage == Stage::restitution] += (phase.normal_impulse - impulse) * (velocity + phase.velocity.n) / 2;
      impulse = phase.normal_impulse, velocity = phase.velocity.n;
    }
    const double e = p.restitution.normal;
    ASSERT_LT(work[0], 0);
    ASSERT_NEAR(work[1], -e * e * work[0], 1e-11 * -work[0]) << describe(p);
    ASSERT_NEAR(work[0] + work[1], r.energy.normal_work, 1e-11 * -work[0]) << describe(p);
  }
}

// In space the traced path is close enough for the same sum to three digits, whatever the slip did.
TEST(Properties, EnergeticFromTheTrace) {
  constexpr std::uint64_t seed = 3004;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(500); ++k) {
    const ImpactProblem p = random_spatial(random);
    const auto path = trace_impact(p, Law::energetic);
    const ImpactResult r = solve_impact(p, Law::energetic);
    ASSERT_GE(path.size(), 2u);
    double work[2] = {0, 0}, span = 0;
    for (std::size_t j = 1; j < path.size(); ++j) {
      const double step = path[j].normal_impulse - path[j - 1].normal_impulse;
      ASSERT_GE(step, 0) << describe(p);
      const double part = step * (path[j].velocity.n + path[j - 1].velocity.n) / 2;
      work[path[j].stage == Stage::restitution] += part;
      span += std::fabs(part);
    }
    const double e = p.restitution.normal;
    ASSERT_NEAR(work[1], -e * e * work[0], 0.02 * span) << describe(p);
    ASSERT_LT(distance(path.front().velocity, p.velocity), 1e-14 * norm(p.velocity));
    ASSERT_LT(distance(path.back().velocity, r.relative_velocity), 1e-9 * (norm(p.velocity) + norm(r.velocity)))
        << describe(p);
    ASSERT_NEAR(path.back().normal_impulse, r.impulse.n, 1e-9 * r.impulse.n) << describe(p);
  }
}

TEST(Properties, PhasesAreOrderedAndEndWithTheImpact) {
  constexpr std::uint64_t seed = 3005;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(3000); ++k) {
    const ImpactProblem p = random_spatial(random);
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_GT(r.phase_count, 0) << to_json(p, law);
      double last = 0;
      for (const routh::Phase& phase : r) {
        ASSERT_GT(phase.normal_impulse, last) << to_json(p, law);
        last = phase.normal_impulse;
        const double length = std::hypot(phase.direction_t1, phase.direction_t2);
        if (phase.kind == routh::PhaseKind::stick) {
          ASSERT_EQ(length, 0);
        } else if (norm({0, p.velocity.t1, p.velocity.t2}) > 0 || phase.kind == routh::PhaseKind::reversal) {
          ASSERT_NEAR(length, 1, 1e-9) << to_json(p, law);
        }
      }
      ASSERT_EQ(last, r.impulse.n) << to_json(p, law);
      ASSERT_LT(distance(r.begin()[r.phase_count - 1].velocity, r.relative_velocity), 1e-12 * (1 + norm(r.velocity)));
    }
  }
}

TEST(Properties, SameBitsAgainAndInOtherThreads) {
  constexpr std::uint64_t seed = 3006;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  std::vector<ImpactProblem> problems;
  for (int k = 0; k < scaled(1000); ++k) problems.push_back(random_problem(random));
  const auto solve_all = [&](std::vector<ImpactResult>& results) {
    for (const ImpactProblem& p : problems) {
      for (const Law law : routh::all_laws) results.push_back(solve_impact(p, law));
    }
  };
  std::vector<ImpactResult> first, second, left, right;
  solve_all(first);
  solve_all(second);
  std::thread one([&] { solve_all(left); });
  std::thread two([&] { solve_all(right); });
  one.join();
  two.join();
  for (std::size_t k = 0; k < first.size(); ++k) {
    ASSERT_TRUE(same_bits(first[k], second[k]));
    ASSERT_TRUE(same_bits(first[k], left[k]));
    ASSERT_TRUE(same_bits(first[k], right[k]));
  }
}

}  // namespace
