// The one-shot laws: Aghili's unified stick/slip and the textbook's, with the bounds that go with them.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "support/compare.h"
#include "support/dense.h"
#include "support/kane.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactMode;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using routh::Warning;

TEST(AverageSlip, KanesClassicalNumbers) {
  const ImpactResult r = solve_impact(Kane().problem(0.7), Law::classical);
  ASSERT_EQ(r.status, ImpactStatus::ok);
  EXPECT_EQ(r.mode, ImpactMode::sliding);
  EXPECT_NEAR(r.velocity.n, 0.1879, 5e-5);
  EXPECT_NEAR(r.velocity.t1, 0.0177, 5e-5);
  EXPECT_NEAR(r.impulse.n, 5.4995, 5e-5);
  EXPECT_NEAR(r.impulse.t1, -2.7498, 5e-5);
  EXPECT_NEAR(r.energy.change, 0.4889, 5e-5);
  EXPECT_TRUE(r.has(Warning::energy_gain));
  EXPECT_FALSE(r.energy.consistent);
}

TEST(AverageSlip, StickIsTheMatrixFormula) {
  constexpr std::uint64_t seed = 6001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0;
  for (int k = 0; k < scaled(3000); ++k) {
    ImpactProblem p = random_invertible(random);
    for (const Law law : {Law::unified, Law::classical}) {
      if (law == Law::classical) p.restitution.tangential = 0;
      const Eigen::Vector3d i = sticking_impulse(p);
      const double ratio = i.tail<2>().norm() / i(0);
      const bool sticks = i(0) > 0 && ratio <= p.friction.static_coefficient;
      if (std::fabs(ratio - p.friction.static_coefficient) < 1e-9) continue;
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status == ImpactStatus::ok && r.mode == ImpactMode::stick, sticks) << to_json(p, law);
      if (!sticks) continue;
      ++judged;
      ASSERT_LT((vec(r.impulse) - i).norm(), 1e-11 * i.norm()) << to_json(p, law);
      ASSERT_LT((vec(r.velocity) + restitution_matrix(p) * vec(p.velocity)).norm(), 1e-14 * norm(p.velocity));
      // (28): ΔT = −½ vᵀ(G − E G E)v
      const Eigen::Matrix3d g = delassus(p).inverse(), e = restitution_matrix(p);
      const double loss = -0.5 * vec(p.velocity).dot((g - e * g * e) * vec(p.velocity));
      ASSERT_NEAR(r.energy.change, loss, 1e-11 * i.norm() * norm(p.velocity)) << to_json(p, law);
      ASSERT_NEAR(r.energy.normal_work + r.energy.tangential_work, loss, 1e-11 * i.norm() * norm(p.velocity));
    }
  }
  EXPECT_GT(judged, scaled(3000) / 10);
}

// Weight of the impulse in the slip velocity that friction opposes: the mean or the final one.
double weight(Law law) { return law == Law::unified ? 0.5 : 1.0; }

TEST(AverageSlip, SlipSatisfiesItsOwnEquations) {
  constexpr std::uint64_t seed = 6002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0;
  for (int k = 0; k < scaled(4000); ++k) {
    const ImpactProblem p = random.chance(0.2) ? random_planar(random) : random_invertible(random);
    for (const Law law : {Law::unified, Law::classical}) {
      const ImpactResult r = solve_impact(p, law);
      if (r.status != ImpactStatus::ok || r.mode != ImpactMode::sliding) continue;
      ++judged;
      const double mu = p.friction.kinetic_coefficient, e = p.restitution.normal;
      const Eigen::Vector3d i = vec(r.impulse), after = vec(p.velocity) + delassus(p) * i;
      const Eigen::Vector2d slip = vec(p.velocity).tail<2>() + weight(law) * (delassus(p) * i).tail<2>();
      ASSERT_GT(i(0), 0) << to_json(p, law);
      ASSERT_GT(slip.norm(), 0);
      // Friction is μ i_n against that slip, and the normal velocity obeys Newton's law.
      ASSERT_LT((i.tail<2>() + mu * i(0) * slip.normalized()).norm() * slip.norm(),
                1e-10 * i.norm() * (norm(p.velocity) + after.norm()))
          << to_json(p, law);
      ASSERT_NEAR(i.tail<2>().norm(), mu * i(0), 1e-12 * i.norm());
      ASSERT_NEAR(after(0), -e * p.velocity.n, 1e-10 * (norm(p.velocity) + after.norm())) << to_json(p, law);
      ASSERT_LT((vec(r.velocity) - after).norm(), 1e-10 * (norm(p.velocity) + after.norm()));
      // (36), second line, with g = 1/(a − μ cᵀû): the mean slip does the work.
      const Eigen::Vector2d mean = vec(p.velocity).tail<2>() + 0.5 * (delassus(p) * i).tail<2>();
      const Eigen::Vector2d u = slip.normalized();
      const double g = 1 / (p.inertia.a - mu * (p.inertia.c1 * u(0) + p.inertia.c2 * u(1)));
      const double vn = p.velocity.n;
      const double loss = -0.5 * (1 - e * e) * g * vn * vn + (1 + e) * g * mu * mean.dot(u) * vn;
      ASSERT_NEAR(r.energy.change, loss, 1e-9 * i.norm() * (norm(p.velocity) + after.norm())) << to_json(p, law);
      ASSERT_TRUE(law == Law::classical || r.energy.consistent) << "(36): a unified slip below μ* cannot gain\n"
                                                                << to_json(p, law);
    }
  }
  EXPECT_GT(judged, scaled(4000) / 4);
}

struct Roots {
  int count = 0;
  bool clear = true;  // false: a root so near a double root or so near zero slip that a scan cannot tell
};

// Slip directions by a scan of the circle.
Roots scan(const ImpactProblem& p, Law law) {
  constexpr int steps = 20000;
  const double mu = p.friction.kinetic_coefficient, e = p.restitution.normal;
  Roots roots;
  double last = 0, least = HUGE_VAL, before_last = 0, size = 0;
  for (int k = 0; k <= steps; ++k) {
    const double angle = 2 * M_PI * k / steps + 0.1, x = std::cos(angle), y = std::sin(angle);
    const double resistance = p.inertia.a - mu * (p.inertia.c1 * x + p.inertia.c2 * y);
    const double push = -weight(law) * (1 + e) * p.velocity.n;
    // resistance × (v_t + λ i_n (c − μ b u)), free of poles
    const double s1 = resistance * p.velocity.t1 + push * (p.inertia.c1 - mu * (p.inertia.b11 * x + p.inertia.b12 * y));
    const double s2 = resistance * p.velocity.t2 + push * (p.inertia.c2 - mu * (p.inertia.b12 * x + p.inertia.b22 * y));
    const double across = x * s2 - y * s1, along = x * s1 + y * s2;
    size = std::max(size, std::hypot(s1, s2));
    if (k > 0 && (across > 0) != (last > 0)) {
      if (resistance > 0 && along > 0) ++roots.count;
      least = std::min({least, std::fabs(along), std::fabs(resistance) * size / p.inertia.a});
    }
    if (k > 1 && std::fabs(last) <= std::fabs(across) && std::fabs(last) <= std::fabs(before_last) &&
        (across > 0) == (before_last > 0)) {
      least = std::min(least, 1e3 * std::fabs(last));  // a near touch
    }
    before_last = last, last = across;
  }
  roots.clear = least > 1e-3 * size;
  return roots;
}

// Strong coupling and friction on both sides of jamming: where slips are many or none.
ImpactProblem contested_impact(Random& random) {
  ImpactProblem p = random_invertible(random);
  p.restitution.tangential = 0;
  const double mu = std::pow(10, random.uniform(-1, 1)) * p.inertia.a / std::hypot(p.inertia.c1, p.inertia.c2);
  p.friction = {mu, mu};
  const double speed = std::pow(10, random.uniform(-2, 1)), angle = random.uniform(0, 2 * M_PI);
  p.velocity.t1 = speed * std::cos(angle), p.velocity.t2 = speed * std::sin(angle);
  return p;
}

enum class Verdict { unique, several, reflected, none };
constexpr int verdict_count = 4;

Verdict verdict_of(const ImpactResult& r) {
  if (r.status == ImpactStatus::no_solution) return Verdict::none;
  if (r.mode == ImpactMode::mean_slip_zero) return Verdict::reflected;
  return r.has(Warning::non_unique) ? Verdict::several : Verdict::unique;
}

// What the scan and the cone make of it. Without slip the unified law reflects v_t if the cone allows it.
Verdict verdict_of(const ImpactProblem& p, Law law, const Roots& roots) {
  if (roots.count > 0) return roots.count > 1 ? Verdict::several : Verdict::unique;
  const Eigen::Vector3d change(-(1 + p.restitution.normal) * p.velocity.n, -2 * p.velocity.t1, -2 * p.velocity.t2);
  const Eigen::Vector3d i = delassus(p).ldlt().solve(change);
  const bool allowed = law == Law::unified && i(0) > 0 && i.tail<2>().norm() <= p.friction.static_coefficient * i(0);
  return allowed ? Verdict::reflected : Verdict::none;
}

// How many slips there are, told by a scan, against what the library says it found.
TEST(AverageSlip, FlagsAndStatusMatchAScanOfTheCircle) {
  constexpr std::uint64_t seed = 6003;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int scanned[2][verdict_count] = {};
  for (int k = 0; k < scaled(30000); ++k) {
    const ImpactProblem p = contested_impact(random);
    for (const Law law : {Law::unified, Law::classical}) {
      const ImpactResult r = solve_impact(p, law);
      if (r.mode == ImpactMode::stick) continue;
      const Verdict verdict = verdict_of(r);
      int& seen = scanned[law == Law::classical][static_cast<int>(verdict)];
      if (seen >= 150) continue;
      const Roots roots = scan(p, law);
      if (!roots.clear) continue;
      ++seen;
      ASSERT_EQ(verdict, verdict_of(p, law, roots)) << roots.count << " slips: " << to_json(p, law);
      if (verdict != Verdict::reflected) continue;
      ASSERT_NEAR(r.velocity.t1, -p.velocity.t1, 1e-11 * norm(p.velocity));
      ASSERT_NEAR(r.velocity.t2, -p.velocity.t2, 1e-11 * norm(p.velocity));
      ASSERT_NEAR(r.energy.tangential_work, 0, 1e-11 * norm(r.impulse) * norm(p.velocity));
    }
  }
  for (const int law : {0, 1}) {
    EXPECT_GT(scanned[law][static_cast<int>(Verdict::unique)], 100);
    if (test_scale() >= 1) {
      EXPECT_GT(scanned[law][static_cast<int>(Verdict::several)], 0);
    }
  }
  EXPECT_GT(scanned[0][static_cast<int>(Verdict::reflected)], 0);
  RecordProperty("no_solution_unified", scanned[0][static_cast<int>(Verdict::none)]);
  RecordProperty("no_solution_classical", scanned[1][static_cast<int>(Verdict::none)]);
  std::cout << "  unified: " << scanned[0][0] << ' ' << scanned[0][1] << ' ' << scanned[0][2] << ' ' << scanned[0][3]
            << ", classical: " << scanned[1][0] << ' ' << scanned[1][1] << ' ' << scanned[1][2] << ' ' << scanned[1][3]
            << " (one slip, several, reflected, none)\n";
}

// Infinite friction is the limit of large friction; with D invertible there is always an answer.
TEST(AverageSlip, InfiniteFrictionIsTheLimit) {
  constexpr std::uint64_t seed = 6010;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int sticks = 0, pulls = 0;
  for (int k = 0; k < scaled(1000); ++k) {
    ImpactProblem p = random_invertible(random);
    p.restitution.tangential = 0;
    ImpactProblem large = p;
    p.friction.static_coefficient = p.friction.kinetic_coefficient = std::numeric_limits<double>::infinity();
    large.friction.static_coefficient = large.friction.kinetic_coefficient = 1e6;
    const double stick = sticking_impulse(p)(0);
    if (std::fabs(stick) < 1e-3 * sticking_impulse(p).norm()) continue;
    for (const Law law : {Law::unified, Law::classical}) {
      const ImpactResult r = solve_impact(p, law), limit = solve_impact(large, law);
      ASSERT_EQ(r.status, ImpactStatus::ok) << describe(p);
      ASSERT_EQ(r.mode == ImpactMode::stick, stick > 0) << describe(p);
      (stick > 0 ? sticks : pulls) += 1;
      if (r.has(Warning::non_unique) || limit.has(Warning::non_unique)) continue;
      ASSERT_EQ(limit.mode, r.mode) << describe(p);
      ASSERT_LT(distance(r.velocity, limit.velocity), 1e-3 * (norm(p.velocity) + norm(r.velocity))) << describe(p);
      ASSERT_LT(distance(r.impulse, limit.impulse), 1e-3 * norm(r.impulse)) << describe(p);
    }
  }
  EXPECT_GT(sticks, 0);
  EXPECT_GT(pulls, 0) << "some sticking impulses would pull";
}

TEST(AverageSlip, TangentialRestitutionBelongsToTheUnifiedLaw) {
  Random random(6009);
  ImpactProblem p = random_invertible(random);
  p.restitution.tangential = 0.4;
  for (const Law law : routh::all_laws) {
    EXPECT_EQ(solve_impact(p, law).has(Warning::tangential_restitution_ignored), law != Law::unified) << name(law);
  }
}

}  // namespace
