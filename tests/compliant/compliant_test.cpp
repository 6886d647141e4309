// Impacts through springs: against a march in time that shares no code with them, closed forms, Garwin's ball, the
// rigid limit, and what holds for every impact.
#include "routh/compliant/compliant_impact.h"

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

double random_compliance(Random& random) { return std::exp(2 * random.normal()); }

// Springs in time: half a step of the deflections, back to the friction cone, a step of the velocity, half a step.
ContactVector march(const ImpactProblem& p, double compliance, int steps_each_radian) {
  const routh::ContactInertia& d = p.inertia;
  const double mu = p.friction.kinetic_coefficient, e = p.restitution.normal, stiffness = 1 / compliance;
  const double h = 1 / (std::sqrt(d.a * (1 + 1 / (e * e)) + stiffness * (d.b11 + d.b22)) * steps_each_radian);
  double n = p.velocity.n, t1 = p.velocity.t1, t2 = p.velocity.t2, x = 0, u1 = 0, u2 = 0;
  const auto drift = [&] {
    x -= 0.5 * h * n * (n < 0 ? 1 : 1 / (e * e));
    u1 += 0.5 * h * t1;
    u2 += 0.5 * h * t2;
  };
  for (long step = 0; step < 20'000'000; ++step) {
    drift();
    if (x <= 0 && n > 0) break;
    const double limit = mu * x * compliance, length = std::hypot(u1, u2);
    if (length > limit) u1 *= limit / length, u2 *= limit / length;
    const double f1 = -stiffness * u1, f2 = -stiffness * u2;
    n += h * (d.a * x + d.c1 * f1 + d.c2 * f2);
    t1 += h * (d.c1 * x + d.b11 * f1 + d.b12 * f2);
    t2 += h * (d.c2 * x + d.b12 * f1 + d.b22 * f2);
    drift();
  }
  return {n, t1, t2};
}

// D = A Aᵀ of a random A, so that neither direction is all but locked.
ImpactProblem random_impact(Random& random, routh::Dimension dimension) {
  double a[3][3], d[3][3] = {};
  for (auto& row : a)
    for (double& x : row) x = random.normal();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) d[i][j] += a[i][k] * a[j][k];
  const bool planar = dimension == routh::Dimension::planar;
  ImpactProblem p;
  p.inertia = planar ? routh::planar_inertia(d[0][0], d[0][1], d[1][1])
                     : routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
  p.velocity = {-0.05 - std::fabs(random.normal()), random.normal(), planar ? 0 : random.normal()};
  p.friction.kinetic_coefficient = p.friction.static_coefficient = random.uniform(0.02, 1.2);
  p.restitution.normal = random.uniform(0.2, 1);
  return p;
}

TEST(Compliant, AgreesWithAMarchInTime) {
  constexpr std::uint64_t seed = 31001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(30); ++k) {
    const ImpactProblem p = random_impact(random, k % 2 ? routh::Dimension::planar : routh::Dimension::spatial);
    const double compliance = random_compliance(random);
    const ImpactResult r = solve_compliant_impact(p, compliance);
    if (r.status != ImpactStatus::ok) continue;  // counted in NeverGains
    const ContactVector expected = march(p, compliance, 1000);
    EXPECT_LT(distance(r.relative_velocity, expected), 2e-4 * (norm(p.velocity) + norm(expected)))
        << to_json(p, r.law) << " compliance " << compliance;
  }
}

// A solid sphere that neither slips nor loses: b/a = 7/2, and η² = b/a turns the velocity of the contact round. Thrown
// under a table it comes back after three bounces with 333/343 of its speed [Garwin 1969].
TEST(Compliant, ASuperballComesBack) {
  double velocity = 1, rim = 0, fall = 1;  // v, R ω, v_n in the units of the throw
  for (const double side : {1.0, -1.0, 1.0}) {
    ImpactProblem p;
    p.inertia = routh::planar_inertia(1, 0, 3.5);
    p.velocity = {-fall, velocity + side * rim, 0};
    p.friction = {HUGE_VAL, HUGE_VAL};
    p.restitution.normal = 1;
    const ImpactResult r = solve_compliant_impact(p, 3.5);
    ASSERT_EQ(r.status, ImpactStatus::ok);
    EXPECT_NEAR(r.relative_velocity.t1, -p.velocity.t1, 1e-12);
    EXPECT_NEAR(r.energy.normal_work + r.energy.tangential_work, 0, 1e-12);
    velocity += r.impulse.t1;
    rim += 2.5 * side * r.impulse.t1;
    fall = r.relative_velocity.n;
  }
  EXPECT_NEAR(velocity, -333.0 / 343, 1e-12);
  EXPECT_NEAR(rim, 130.0 / 343, 1e-12);
}

// Without coupling and slip both springs swing by themselves, and time is what joins them: half a period of the normal
// one in compression and restitution, (1 + e)/2 of it with loss.
TEST(Compliant, StuckAndUncoupledIsACosine) {
  for (const double compliance : {0.3, 1.0, 3.5, 20.0})
    for (const double e : {0.4, 1.0}) {
      ImpactProblem p;
      p.inertia = routh::spatial_inertia(0.7, 0, 0, 2, 0, 2);
      p.velocity = {-1, 0.3, -0.1};
      p.friction = {HUGE_VAL, HUGE_VAL};
      p.restitution.normal = e;
      const ImpactResult r = solve_compliant_impact(p, compliance);
      const double turn = std::cos(std::sqrt(2 / (0.7 * compliance)) * M_PI * (1 + e) / 2);
      EXPECT_NEAR(r.relative_velocity.n, e, 1e-12);
      EXPECT_NEAR(r.relative_velocity.t1, 0.3 * turn, 1e-10) << compliance << ' ' << e;
      EXPECT_NEAR(r.relative_velocity.t2, -0.1 * turn, 1e-10) << compliance << ' ' << e;
      EXPECT_EQ(r.mode, routh::ImpactMode::stick);
    }
}

void check_balance(const ImpactProblem& p, const ImpactResult& r, double compliance) {
  const routh::ContactInertia& d = p.inertia;
  const ContactVector &i = r.impulse, &v = p.velocity, &w = r.relative_velocity;
  const ContactVector change{d.a * i.n + d.c1 * i.t1 + d.c2 * i.t2, d.c1 * i.n + d.b11 * i.t1 + d.b12 * i.t2,
                             d.c2 * i.n + d.b12 * i.t1 + d.b22 * i.t2};
  const double speed = norm(v) + norm(w);
  ASSERT_LT(distance(w, {v.n + change.n, v.t1 + change.t1, v.t2 + change.t2}), 1e-8 * (speed + norm(change)))
      << to_json(p, r.law) << " compliance " << compliance;
  ASSERT_LE(std::hypot(i.t1, i.t2), p.friction.static_coefficient * i.n * (1 + 1e-9)) << to_json(p, r.law);
  ASSERT_TRUE(r.energy.consistent) << to_json(p, r.law) << " compliance " << compliance;
  const double gain = 0.5 * (i.n * (v.n + w.n) + i.t1 * (v.t1 + w.t1) + i.t2 * (v.t2 + w.t2));
  ASSERT_LE(gain, 1e-9 * norm(i) * speed) << to_json(p, r.law) << " compliance " << compliance;
}

// 10⁶ of them with ROUTH_TEST_SCALE = 50.
TEST(Compliant, NeverGains) {
  constexpr std::uint64_t seed = 31002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int unanswered = 0;
  const int planar = scaled(20000), spatial = scaled(200);
  for (int k = 0; k < planar + spatial; ++k) {
    ImpactProblem p = k < planar ? random_planar(random) : random_impact(random, routh::Dimension::spatial);
    const double compliance = random_compliance(random);
    const ImpactResult r = solve_compliant_impact(p, compliance);
    if (r.status == ImpactStatus::ok) {
      check_balance(p, r, compliance);
      ASSERT_FALSE(HasFatalFailure());
      continue;
    }
    ++unanswered;
    ASSERT_GE(k, planar) << name(r.status) << ' ' << to_json(p, r.law) << " compliance " << compliance;
    ASSERT_EQ(norm(r.impulse), 0);
  }
  EXPECT_LE(unanswered, 2 + spatial / 100);
}

// Tangents that get stiffer: ever nearer to Routh's law, and it itself below the least compliance.
TEST(Compliant, StiffTangentsAreRouthsLaw) {
  Random random(31003);
  double soft = 0, stiff = 0;
  const int count = scaled(300, 100);
  for (int k = 0; k < count; ++k) {
    const ImpactProblem p = random_impact(random, routh::Dimension::planar);
    const ImpactResult rigid = solve_impact(p);
    const auto off = [&](double compliance) {
      return distance(solve_compliant_impact(p, compliance).relative_velocity, rigid.relative_velocity) /
             (norm(p.velocity) + norm(rigid.relative_velocity));
    };
    soft += off(1e-2) / count;
    stiff += off(1e-5) / count;
    ASSERT_EQ(off(1e-7), 0);
    ASSERT_EQ(off(0), 0);
  }
  EXPECT_LT(soft, 0.05);
  EXPECT_LT(stiff, soft / 10);
}

// The same problem with a third axis that plays no part, and turned.
TEST(Compliant, SpaceHoldsThePlane) {
  Random random(31004);
  for (int k = 0; k < scaled(200); ++k) {
    const ImpactProblem plane = random_impact(random, routh::Dimension::planar);
    const routh::ContactInertia& d = plane.inertia;
    ImpactProblem space = plane;
    space.inertia = routh::spatial_inertia(d.a, d.c1, 0, d.b11, 0, random.uniform(0.5, 3));
    const double compliance = random_compliance(random);
    const ImpactResult expected = solve_compliant_impact(plane, compliance);
    const ImpactResult r = solve_compliant_impact(space, compliance);
    ASSERT_EQ(r.status, ImpactStatus::ok) << to_json(space, r.law);
    ASSERT_LT(distance(r.relative_velocity, expected.relative_velocity), 1e-9 * norm(plane.velocity))
        << to_json(space, r.law) << " compliance " << compliance;
  }
}

TEST(Compliant, AnswersAreContinuous) {
  Random random(31005);
  int jumps = 0;
  const int count = scaled(2000);
  for (int k = 0; k < count; ++k) {
    ImpactProblem p = random_impact(random, routh::Dimension::planar);
    const double compliance = random_compliance(random);
    const ContactVector here = solve_compliant_impact(p, compliance).relative_velocity;
    p.velocity.t1 += 1e-9;
    p.velocity.n -= 1e-9;
    const double moved = distance(solve_compliant_impact(p, compliance * (1 + 1e-9)).relative_velocity, here);
    if (moved > 1e-6) ++jumps;
  }
  EXPECT_EQ(jumps, 0);
}

// Jammed and pressed, without approach: a tangential impact, as between rigid tangents.
TEST(Compliant, ATangentialImpactStartsFromNothing) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 1.5, 3);
  p.velocity = {0, 1, 0};
  p.friction = {1.2, 1.2};
  p.restitution.normal = 0.5;
  EXPECT_EQ(solve_compliant_impact(p, 1).status, ImpactStatus::no_impact);
  p.load = routh::Load::pressed;
  const ImpactResult r = solve_compliant_impact(p, 1), stiff = solve_compliant_impact(p, 1e-5);
  ASSERT_EQ(r.status, ImpactStatus::ok);
  check_balance(p, r, 1);
  EXPECT_GT(r.relative_velocity.n, 0);
  EXPECT_LT(distance(stiff.relative_velocity, solve_impact(p).relative_velocity), 0.02);
}

TEST(Compliant, PathsBeginAndEndWithTheImpact) {
  Random random(31006);
  for (int k = 0; k < scaled(40); ++k) {
    const ImpactProblem p = random_impact(random, k % 4 ? routh::Dimension::planar : routh::Dimension::spatial);
    const ImpactResult r = solve_compliant_impact(p, 1.2);
    if (r.status != ImpactStatus::ok) continue;
    const std::vector<routh::PathPoint> path = trace_compliant_impact(p, 1.2);
    ASSERT_GE(path.size(), 2u);
    EXPECT_EQ(distance(path.front().velocity, p.velocity), 0);
    EXPECT_EQ(path.back().normal_impulse, r.impulse.n);
    EXPECT_LT(distance(path.back().velocity, r.relative_velocity), 1e-12 * norm(p.velocity));
    for (std::size_t i = 1; i < path.size(); ++i) EXPECT_GE(path[i].normal_impulse, path[i - 1].normal_impulse);
  }
}

TEST(Compliant, BadNumbersAreNamed) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0, 3);
  p.velocity = {-1, 1, 0};
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_STREQ(check_compliant(p, bad).quantity, "tangential_compliance");
    EXPECT_EQ(solve_compliant_impact(p, bad).status, ImpactStatus::invalid);
    EXPECT_TRUE(trace_compliant_impact(p, bad).empty());
  }
  EXPECT_EQ(check_compliant(p, 1).rule, nullptr);
  p.friction.kinetic_coefficient = -1;
  EXPECT_STREQ(check_compliant(p, 1).quantity, "friction.kinetic");
}

TEST(Compliant, RestitutionFallsWithSlip) {
  ImpactProblem p;
  p.velocity = {-2, 3, 1};
  p.surface_velocity = {0, 0, 5};
  EXPECT_DOUBLE_EQ(restitution_at_slip(p, 0.8, 0.1), 0.8 - 0.1 * 2.5);
  EXPECT_DOUBLE_EQ(restitution_at_slip(p, 0.8, 0), 0.8);
  EXPECT_DOUBLE_EQ(restitution_at_slip(p, 0.2, 0.1), 0);
  EXPECT_DOUBLE_EQ(restitution_at_slip(p, 0.9, -0.1), 1);
  p.velocity.n = 0;
  EXPECT_DOUBLE_EQ(restitution_at_slip(p, 0.8, 0.1), 0);
}

}  // namespace
