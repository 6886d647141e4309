// The plane: the five modes of Elkaranshawy's Table 1 against his formulas, and what the table leaves out.
#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactMode;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using Real = long double;

ImpactProblem planar(double a, double c, double b, double vn, double vt, routh::Friction friction, double e) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(a, c, b);
  p.velocity = {vn, vt, 0};
  p.friction = friction;
  p.restitution.normal = e;
  return p;
}

// Elkaranshawy's algebra, eqs. 38–89, for a slip that stops at I_nh and then sticks or reverses.
struct Table {
  Real vn, vt, in, it, wn, wt;
};

enum class After { stick, reverse };

Real final_normal_velocity(Law law, Real e, Real vni, Real vnh, Real ratio) {
  const bool in_compression = vnh < 0;
  switch (law) {
    case Law::poisson:  // (62), (70); (77), (84)
      return in_compression ? -e * (vni * ratio + vnh * (1 - ratio)) : -e * vni * ratio + vnh * (1 - ratio);
    case Law::energetic:  // (63), (71); (78), (85)
      return in_compression ? e * std::sqrt(vni * vni * ratio + vnh * vnh * (1 - ratio))
                            : std::sqrt(e * e * vni * vni * ratio + vnh * vnh * (1 - ratio));
    default:  // (61), (69), (76), (83)
      return -e * vni;
  }
}

Table stopping(const ImpactProblem& p, Law law, After after) {
  const Real a = p.inertia.a, c = p.inertia.c1, b = p.inertia.b11, mu = p.friction.kinetic_coefficient;
  const Real vni = p.velocity.n, vti = p.velocity.t1, e = p.restitution.normal;
  const Real sigma = vti > 0 ? 1 : -1;
  const Real zi = 1 / (a - mu * c * sigma);                           // (53)
  const Real inh = -std::fabs(vti) / (sigma * (c - mu * b * sigma));  // (38)
  const Real vnh = vni + inh / zi;                                    // (39)
  const bool reverses = after == After::reverse;
  const Real zf = reverses ? 1 / (a + mu * c * sigma) : 1 / (a - c * c / b);
  Table t;
  t.vn = final_normal_velocity(law, e, vni, vnh, zi / zf);
  t.in = zi * (vnh - vni) + zf * (t.vn - vnh);  // (65), (73), (80), (86)
  const Real rest = t.in - inh;
  t.vt = reverses ? rest * (c + mu * b * sigma) : 0;                   // (64), (72)
  t.it = -mu * sigma * inh - (reverses ? -mu * sigma : c / b) * rest;  // (66), (74)
  t.wn = (zi * (vnh * vnh - vni * vni) + zf * (t.vn * t.vn - vnh * vnh)) / 2;
  // (52) with the sign its printed value needs.
  t.wt = mu * sigma * vti * vti / (c - mu * b * sigma) / 2;
  if (reverses) t.wt += mu * sigma * t.vt * t.vt / (c + mu * b * sigma) / 2;
  return t;
}

Table sliding(const ImpactProblem& p) {
  const Real a = p.inertia.a, c = p.inertia.c1, b = p.inertia.b11, mu = p.friction.kinetic_coefficient;
  const Real vni = p.velocity.n, vti = p.velocity.t1, e = p.restitution.normal;
  const Real sigma = vti > 0 ? 1 : vti < 0 ? -1 : c > 0 ? 1 : -1;
  const Real zeta = 1 / (a - mu * c * sigma);
  Table t;
  t.vn = -e * vni;                           // (56)
  t.in = zeta * (t.vn - vni);                // (58)
  t.vt = vti + t.in * (c - mu * b * sigma);  // (57)
  t.it = -mu * sigma * t.in;                 // (59)
  t.wn = zeta * (t.vn * t.vn - vni * vni) / 2;
  t.wt = -mu * sigma * t.in * (vti + t.vt) / 2;
  return t;
}

void expect_table(const ImpactProblem& p, Law law, ImpactMode mode, const Table& t) {
  SCOPED_TRACE(testing::Message() << name(law) << ' ' << describe(p));
  const ImpactResult r = solve_impact(p, law);
  ASSERT_EQ(r.status, ImpactStatus::ok);
  EXPECT_EQ(r.mode, mode) << name(r.mode);
  const double speed = norm(p.velocity) + norm(r.velocity), impulse = norm(r.impulse);
  EXPECT_NEAR(r.velocity.n, static_cast<double>(t.vn), 2e-15 * speed);
  EXPECT_NEAR(r.velocity.t1, static_cast<double>(t.vt), 2e-15 * speed);
  EXPECT_NEAR(r.impulse.n, static_cast<double>(t.in), 2e-15 * impulse);
  EXPECT_NEAR(r.impulse.t1, static_cast<double>(t.it), 2e-15 * impulse);
  EXPECT_NEAR(r.energy.normal_work, static_cast<double>(t.wn), 4e-15 * speed * impulse);
  EXPECT_NEAR(r.energy.tangential_work, static_cast<double>(t.wt), 4e-15 * speed * impulse);
  EXPECT_EQ(r.velocity.t2, 0);
  EXPECT_EQ(r.impulse.t2, 0);
  const oracle::Answer answer = solve(to_oracle(p), to_oracle(law));
  EXPECT_LT(errors(p, r, answer).worst(), 1e-14);
}

constexpr Law three[] = {Law::newton, Law::poisson, Law::energetic};

TEST(Planar, PermanentSliding) {
  const ImpactProblem p = planar(1, 0.1, 1.2, -1, 5, {0.2, 0.2}, 0.6);
  for (const Law law : three) expect_table(p, law, ImpactMode::sliding, sliding(p));
  const ImpactProblem q = planar(1, 0.1, 1.2, -1, -5, {0.25, 0.2}, 0.6);
  for (const Law law : three) expect_table(q, law, ImpactMode::sliding, sliding(q));
}

TEST(Planar, StickInCompression) {
  const ImpactProblem p = planar(1, 0.3, 1.5, -1, 0.3, {0.65, 0.6}, 0.8);
  for (const Law law : three) expect_table(p, law, ImpactMode::stick_in_compression, stopping(p, law, After::stick));
}

TEST(Planar, ReverseInCompression) {
  const ImpactProblem p = planar(1, 0.7, 1, -1, -0.4, {0.35, 0.3}, 0.8);
  for (const Law law : three)
    expect_table(p, law, ImpactMode::reverse_in_compression, stopping(p, law, After::reverse));
}

TEST(Planar, StickInRestitution) {
  const ImpactProblem p = planar(1, 0.3, 1.5, -1, 0.8, {0.6, 0.6}, 0.8);
  for (const Law law : three) expect_table(p, law, ImpactMode::stick_in_restitution, stopping(p, law, After::stick));
}

TEST(Planar, ReverseInRestitution) {
  const ImpactProblem p = planar(1, 0.7, 1, -1, -1, {0.35, 0.3}, 0.8);
  for (const Law law : three)
    expect_table(p, law, ImpactMode::reverse_in_restitution, stopping(p, law, After::reverse));
}

// Static friction decides whether slip restarts; kinetic friction how.
TEST(Planar, StaticFrictionHoldsWhatKineticDoesNot) {
  const ImpactProblem p = planar(1, 0.7, 1, -1, -0.4, {0.75, 0.3}, 0.8);
  for (const Law law : three) expect_table(p, law, ImpactMode::stick_in_compression, stopping(p, law, After::stick));
}

TEST(Planar, FromRestSlides) {
  const ImpactProblem p = planar(1, 0.7, 1, -1, 0, {0.35, 0.3}, 0.5);
  for (const Law law : three) expect_table(p, law, ImpactMode::sliding, sliding(p));
  const ImpactProblem q = planar(1, -0.7, 1, -1, 0, {0.35, 0.3}, 0.5);
  for (const Law law : three) expect_table(q, law, ImpactMode::sliding, sliding(q));
}

TEST(Planar, FromRestSticks) {
  const ImpactProblem p = planar(1, 0.7, 1, -1, 0, {0.8, 0.3}, 0.5);
  for (const Law law : three) {
    const Real slope = 1 - 0.49L, in = 1.5L / slope;
    const Table t{0.5L, 0, in, -0.7L * in, in * -0.25L, 0};
    expect_table(p, law, ImpactMode::stick, t);
  }
}

// ζ < 0: slip presses the bodies together until it halts.
TEST(Planar, Jam) {
  const ImpactProblem p = planar(1, 0.9, 1, -1, 0.5, {2, 2}, 0.7);
  for (const Law law : three) {
    expect_table(p, law, ImpactMode::stick_in_compression, stopping(p, law, After::stick));
    const ImpactResult r = solve_impact(p, law);
    ASSERT_GE(r.phase_count, 3);
    EXPECT_EQ(r.begin()[0].kind, routh::PhaseKind::jam);
    EXPECT_LT(r.begin()[0].velocity.n, p.velocity.n) << "a jam drives the bodies together";
    EXPECT_EQ(r.begin()[1].kind, routh::PhaseKind::stick);
    EXPECT_EQ(r.begin()[1].stage, routh::Stage::compression);
    EXPECT_EQ(r.begin()[2].stage, routh::Stage::restitution);
  }
}

// A jam's threshold with v_t = 0: whatever the friction, a contact at rest does not jam.
TEST(Planar, FromRestNeverJams) {
  const ImpactProblem p = planar(1, 0.9, 1, -1, 0, {2, 2}, 0.7);
  for (const Law law : three) {
    const ImpactResult r = solve_impact(p, law);
    EXPECT_EQ(r.mode, ImpactMode::stick);
    EXPECT_NEAR(r.impulse.n, 1.7 / 0.19, 1e-13);
  }
}

// Friction exactly critical, approached from both sides: the theory is continuous and so is the answer.
TEST(Planar, CriticalFrictionIsContinuous) {
  for (const double vt : {0.0, -0.3, -1.0}) {
    for (const Law law : three) {
      const auto with = [&](double mu) { return solve_impact(planar(1, 0.5, 1, -1, vt, {mu, mu}, 0.6), law); };
      const ImpactResult at = with(0.5), below = with(0.5 * (1 - 1e-12)), above = with(0.5 * (1 + 1e-12));
      ASSERT_EQ(at.status, ImpactStatus::ok);
      for (const ImpactResult& side : {below, above}) {
        EXPECT_LT(distance(at.velocity, side.velocity), 1e-11) << name(law) << " v_t " << vt;
        EXPECT_LT(distance(at.impulse, side.impulse), 1e-11) << name(law) << " v_t " << vt;
      }
      EXPECT_EQ(at.velocity.t1, 0) << "μ_s ≥ μ_c sticks, the equality included";
    }
  }
}

// Slip stops exactly at maximum compression: one event, and the neighbours in the last bit agree.
TEST(Planar, HaltAtMaximumCompression) {
  for (const double c : {0.0, 0.25, -0.25}) {
    // dv_t/dI = c − μ b, dv_n/dI = 1 − μ c; v_t chosen so that both reach zero at the same impulse.
    const double mu = 0.5, slope = 1 - mu * c, vt = -(c - mu) / slope;
    for (const Law law : three) {
      const ImpactResult at = solve_impact(planar(1, c, 1, -1, vt, {mu, mu}, 0.5), law);
      ASSERT_EQ(at.status, ImpactStatus::ok);
      EXPECT_EQ(at.velocity.t1, 0);
      for (const double to : {0.0, 9.0}) {
        const ImpactResult next = solve_impact(planar(1, c, 1, -1, std::nextafter(vt, to), {mu, mu}, 0.5), law);
        EXPECT_LT(distance(at.velocity, next.velocity), 1e-14);
        EXPECT_LT(distance(at.impulse, next.impulse), 1e-14);
        EXPECT_NEAR(at.energy.normal_work, next.energy.normal_work, 1e-14);
      }
      const oracle::Answer answer = solve(to_oracle(planar(1, c, 1, -1, vt, {mu, mu}, 0.5)), to_oracle(law));
      EXPECT_LT(errors(planar(1, c, 1, -1, vt, {mu, mu}, 0.5), at, answer).worst(), 1e-14);
    }
  }
}

// Slip that stops exactly when the impact ends.
TEST(Planar, HaltAtTheEnd) {
  for (const Law law : three) {
    const ImpactResult r = solve_impact(planar(1, 0, 1, -1, 0.75, {0.5, 0.5}, 0.5), law);
    ASSERT_EQ(r.status, ImpactStatus::ok);
    EXPECT_DOUBLE_EQ(r.velocity.n, 0.5);
    EXPECT_NEAR(r.velocity.t1, 0, 1e-15);
    EXPECT_DOUBLE_EQ(r.impulse.n, 1.5);
  }
}

TEST(Planar, PlasticAndElastic) {
  const ImpactProblem plastic = planar(1, 0.7, 1, -1, -0.4, {0.35, 0.3}, 0);
  for (const Law law : three) {
    const ImpactResult r = solve_impact(plastic, law);
    EXPECT_EQ(r.velocity.n, 0);
    EXPECT_NEAR(r.impulse.n, static_cast<double>(stopping(plastic, law, After::reverse).in), 1e-15);
  }
  const ImpactProblem elastic = planar(1, 0.7, 1, -1, -0.4, {0.35, 0.3}, 1);
  const ImpactResult r = solve_impact(elastic, Law::energetic);
  EXPECT_NEAR(r.energy.normal_work, 0, 1e-15);
  EXPECT_LT(r.energy.tangential_work, 0);
}

TEST(Planar, WithoutFriction) {
  const ImpactProblem p = planar(2, 0.7, 1, -1, -0.4, {0, 0}, 0.5);
  for (const Law law : routh::all_laws) {
    const ImpactResult r = solve_impact(p, law);
    ASSERT_EQ(r.status, ImpactStatus::ok) << name(law);
    EXPECT_NEAR(r.impulse.n, 0.75, 1e-15);
    EXPECT_NEAR(r.impulse.t1, 0, 1e-15);
    EXPECT_NEAR(r.velocity.n, 0.5, 1e-15);
    EXPECT_NEAR(r.velocity.t1, -0.4 + 0.75 * 0.7, 1e-15);
    EXPECT_NEAR(r.energy.tangential_work, 0, 1e-15);
  }
}

TEST(Planar, GrazingAndSeparatingAreNoImpact) {
  for (const double vn : {0.0, 1e-300, 0.5}) {
    for (const Law law : routh::all_laws) {
      const ImpactResult r = solve_impact(planar(1, 0.3, 1, vn, 2, {0.5, 0.5}, 0.5), law);
      EXPECT_EQ(r.status, ImpactStatus::no_impact);
      EXPECT_EQ(norm(r.impulse), 0);
      EXPECT_EQ(r.velocity.n, vn);
      EXPECT_EQ(r.velocity.t1, 2);
      EXPECT_EQ(r.energy.change, 0);
      EXPECT_EQ(r.phase_count, 0);
    }
  }
}

// Liu's rule for an impact without collision, eqs. 23–28, with Q11 = b, Q12 = c, Q22 = a and μ = −μ_k σ.
TEST(Planar, ImpactWithoutCollision) {
  for (const double side : {1.0, -1.0}) {
    ImpactProblem p = planar(1, 0.9 * side, 1.1, 0, 0.8 * side, {2, 2}, 0.7);
    p.load = routh::Load::pressed;
    const Real q11 = 1.1L, q12 = 0.9L * side, q22 = 1, mu = -2 * side, e = 0.7L;
    const Real p1 = -0.8L * side / (mu * q11 + q12);     // (23)
    const Real v1 = (mu * q12 + q22) * p1;               // (24)
    const Real p2 = q11 * v1 / (q12 * q12 - q11 * q22);  // (26)
    const Real slope = q22 - q12 * q12 / q11;
    const ImpactResult poisson = solve_impact(p, Law::poisson);
    ASSERT_EQ(poisson.status, ImpactStatus::ok);
    EXPECT_NEAR(poisson.velocity.n, static_cast<double>(slope * e * (p1 + p2)), 1e-14);  // (27), (28)
    EXPECT_EQ(poisson.velocity.t1, 0);
    EXPECT_NEAR(poisson.impulse.n, static_cast<double>((1 + e) * (p1 + p2)), 1e-13);
    EXPECT_EQ(poisson.mode, ImpactMode::stick_in_compression);

    // Energetic: ½ slope P₃² = e² ½ |v₁| (P₁ + P₂).
    const Real p3 = e * std::sqrt(-v1 * (p1 + p2) / slope);
    const ImpactResult energetic = solve_impact(p, Law::energetic);
    ASSERT_EQ(energetic.status, ImpactStatus::ok);
    EXPECT_NEAR(energetic.velocity.n, static_cast<double>(slope * p3), 1e-14);
    EXPECT_NEAR(energetic.impulse.n, static_cast<double>(p1 + p2 + p3), 1e-13);
    EXPECT_LT(energetic.energy.normal_work + energetic.energy.tangential_work, 0);

    EXPECT_EQ(solve_impact(p, Law::newton).status, ImpactStatus::undefined);
    p.load = routh::Load::unknown;
    for (const Law law : three) {
      const ImpactResult idle = solve_impact(p, law);
      EXPECT_EQ(idle.status, ImpactStatus::no_impact);
      EXPECT_TRUE(idle.has(routh::Warning::jams_if_pressed));
    }
  }
}

TEST(Planar, PressedButNotJammedStaysInContact) {
  ImpactProblem p = planar(1, 0.9, 1.1, 0, 0.8, {0.5, 0.5}, 0.7);
  p.load = routh::Load::pressed;
  for (const Law law : three) {
    EXPECT_EQ(solve_impact(p, law).status, ImpactStatus::no_impact);
    EXPECT_FALSE(solve_impact(p, law).has(routh::Warning::jams_if_pressed));
  }
}

// Energy of Newton's law in Kane's example: gained, and said so.
TEST(Planar, NewtonGainsInKanesExampleAndIsFlagged) {
  const ImpactProblem p = planar(0.33652, 0.507103, 0.813446, -0.2684, -0.534349, {0.51, 0.5}, 1);
  const ImpactResult newton = solve_impact(p, Law::newton);
  EXPECT_FALSE(newton.energy.consistent);
  EXPECT_TRUE(newton.has(routh::Warning::energy_gain));
  EXPECT_NEAR(newton.energy.change, 0.1305, 2e-4);
  for (const Law law : {Law::poisson, Law::energetic}) EXPECT_TRUE(solve_impact(p, law).energy.consistent);
}

TEST(Planar, AgreesWithTheOracleOnRandomProblems) {
  constexpr std::uint64_t seed = 2001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int modes[8] = {};
  for (int i = 0; i < scaled(3000); ++i) {
    const ImpactProblem p = random_planar(random);
    for (const Law law : three) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status, ImpactStatus::ok) << describe(p);
      ++modes[static_cast<int>(r.mode)];
      const oracle::Answer answer = solve(to_oracle(p), to_oracle(law));
      ASSERT_LT(errors(p, r, answer).worst(), 1e-11) << to_json(p, law);
      const bool from_rest = p.velocity.t1 == 0;
      ASSERT_EQ(r.mode == ImpactMode::stick, from_rest && answer.stuck);
      ASSERT_EQ(r.mode == ImpactMode::stick_in_compression || r.mode == ImpactMode::stick_in_restitution,
                !from_rest && answer.stuck);
    }
  }
  for (int mode = 1; mode <= 6; ++mode) EXPECT_GT(modes[mode], 0) << name(static_cast<ImpactMode>(mode));
}

// Phases tell the story: impulses increase, the last one is the end, the slip direction is a unit vector.
TEST(Planar, PhasesAreConsistent) {
  constexpr std::uint64_t seed = 2002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int i = 0; i < scaled(1000); ++i) {
    const ImpactProblem p = random_planar(random);
    for (const Law law : three) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_GT(r.phase_count, 0) << describe(p);
      double last = 0;
      for (const routh::Phase& phase : r) {
        ASSERT_GT(phase.normal_impulse, last) << describe(p);
        last = phase.normal_impulse;
        const double length = std::hypot(phase.direction_t1, phase.direction_t2);
        ASSERT_NEAR(length, phase.kind == routh::PhaseKind::stick ? 0 : 1, 1e-14);
        ASSERT_TRUE(phase.stage == routh::Stage::restitution || phase.velocity.n <= 0) << describe(p);
      }
      ASSERT_EQ(last, r.impulse.n);
      ASSERT_LT(distance(r.begin()[r.phase_count - 1].velocity, r.relative_velocity), 1e-15 * (1 + norm(r.velocity)));
    }
  }
}

}  // namespace
