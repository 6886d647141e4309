// The oracle itself, against printed digits, closed forms and conservation laws: a judge must be judged first.
#include <gtest/gtest.h>

#include <cmath>

#include "support/kane.h"
#include "support/oracle.h"
#include "support/random_problems.h"

namespace {

using oracle::Answer;
using oracle::Outcome;
using oracle::Problem;
using testing_support::Random;
using testing_support::scaled;

using testing_support::Kane;

Problem kane_problem(const Kane& kane, oracle::Real e) {
  Problem p;
  p.a = kane.inertia[0][0], p.c1 = kane.inertia[0][1], p.b11 = kane.inertia[1][1];
  p.vn = kane.contact_velocity[0], p.vt1 = kane.contact_velocity[1];
  p.mu_static = 0.51L, p.mu_kinetic = 0.5L, p.restitution = e;
  return p;
}

void expect_printed(oracle::Real value, double printed, int digits) {
  EXPECT_NEAR(static_cast<double>(value), printed, 0.5001 * std::pow(10.0, -digits));
}

TEST(OracleSelf, KanePrintedInertia) {
  const Kane kane;
  expect_printed(kane.mass[0][1], 5.90885, 5);
  expect_printed(kane.inertia[0][0], 0.33652, 5);
  expect_printed(kane.inertia[0][1], 0.507103, 6);
  expect_printed(kane.inertia[1][1], 0.813446, 6);
  const Problem p = kane_problem(kane, 0.7L);
  expect_printed(p.vn, -0.2684, 4);
  expect_printed(p.vt1, -0.534349, 6);
  expect_printed(oracle::stick_constants(p).critical_friction, 0.6234, 4);
}

TEST(OracleSelf, KaneThreeLaws) {
  const Kane kane;
  const Answer newton = solve(kane_problem(kane, 0.7L), oracle::Law::newton);
  expect_printed(newton.vn, 0.1879, 4);
  expect_printed(newton.vt1, 0.1346, 4);
  expect_printed(newton.in, 1.9256, 4);
  expect_printed(newton.it1, -0.3781, 4);
  expect_printed(newton.normal_work, 0.1213, 4);
  expect_printed(newton.normal_work + newton.tangential_work, -0.00196, 5);
  expect_printed(newton.halt_impulse, 0.584738, 6);
  EXPECT_TRUE(newton.restarted);
  EXPECT_TRUE(newton.halted_in_restitution);

  const Answer poisson = solve(kane_problem(kane, 0.7L), oracle::Law::poisson);
  expect_printed(poisson.vn, 0.0923, 4);
  expect_printed(poisson.vt1, 0.0189, 4);
  expect_printed(poisson.in, 0.7733, 4);
  expect_printed(poisson.it1, 0.1981, 4);
  expect_printed(poisson.normal_work, -0.0401, 4);
  expect_printed(poisson.normal_work + poisson.tangential_work, -0.1192, 4);
  expect_printed(poisson.compression_impulse, 0.454867, 6);

  const Answer energetic = solve(kane_problem(kane, 0.7L), oracle::Law::energetic);
  expect_printed(energetic.vn, 0.1001, 4);
  expect_printed(energetic.vt1, 0.0283, 4);
  expect_printed(energetic.in, 0.8670, 4);
  expect_printed(energetic.it1, 0.1512, 4);
  expect_printed(energetic.normal_work, -0.0311, 4);
  expect_printed(energetic.normal_work + energetic.tangential_work, -0.1112, 4);
}

TEST(OracleSelf, KaneElasticWork) {
  const Kane kane;
  const Answer newton = solve(kane_problem(kane, 1), oracle::Law::newton);
  expect_printed(newton.normal_work + newton.tangential_work, 0.1305, 4);
  expect_printed(newton.tangential_work, -0.2122, 4);
  const Answer poisson = solve(kane_problem(kane, 1), oracle::Law::poisson);
  expect_printed(poisson.normal_work + poisson.tangential_work, -0.1075, 4);
  expect_printed(poisson.tangential_work, -0.0808, 4);
  const Answer energetic = solve(kane_problem(kane, 1), oracle::Law::energetic);
  expect_printed(energetic.normal_work + energetic.tangential_work, -0.0860, 4);
  expect_printed(energetic.tangential_work, -0.0860, 4);
  EXPECT_NEAR(static_cast<double>(energetic.normal_work), 0, 1e-17);
}

// Largest departure of an answer from what holds exactly, relative to the scales of the problem.
double identity_error(const Problem& p, oracle::Law law, const Answer& r) {
  const oracle::Real speed =
      std::sqrt(p.vn * p.vn + p.vt1 * p.vt1 + p.vt2 * p.vt2) + std::fabs(r.vn) + std::hypot(r.vt1, r.vt2);
  const oracle::Real mass = (std::fabs(r.in) + std::hypot(r.it1, r.it2)) / speed;
  oracle::Real worst = 0;
  const auto note = [&](oracle::Real error, oracle::Real scale) { worst = std::fmax(worst, std::fabs(error) / scale); };
  // Against the terms of each sum: where D is nearly singular they are far larger than the speeds they leave.
  const auto note_row = [&](oracle::Real before, oracle::Real n, oracle::Real t1, oracle::Real t2, oracle::Real after) {
    note(before + n * r.in + t1 * r.it1 + t2 * r.it2 - after,
         speed + std::fabs(n * r.in) + std::fabs(t1 * r.it1) + std::fabs(t2 * r.it2));
  };
  note_row(p.vn, p.a, p.c1, p.c2, r.vn);
  note_row(p.vt1, p.c1, p.b11, p.b12, r.vt1);
  note_row(p.vt2, p.c2, p.b12, p.b22, r.vt2);
  const oracle::Real change = ((p.vn + r.vn) * r.in + (p.vt1 + r.vt1) * r.it1 + (p.vt2 + r.vt2) * r.it2) / 2;
  note(change - r.normal_work - r.tangential_work, mass * speed * speed);
  note(r.compression_work + r.restitution_work - r.normal_work, mass * speed * speed);
  note(r.compression_impulse + r.restitution_impulse - r.in, mass * speed);
  const oracle::Real e = p.restitution;
  switch (law) {
    case oracle::Law::newton:
      note(r.vn + e * p.vn, speed);
      break;
    case oracle::Law::poisson:
      note(r.restitution_impulse - e * r.compression_impulse, mass * speed);
      break;
    case oracle::Law::energetic:
      note(r.restitution_work + e * e * r.compression_work, mass * speed * speed);
      break;
  }
  return static_cast<double>(worst);
}

TEST(OracleSelf, IdentitiesHoldOnRandomProblems) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int halted = 0, stuck = 0, restarted = 0, jammed = 0, recompressed = 0;
  const int count = scaled(600);
  for (int i = 0; i < count; ++i) {
    const Problem p = testing_support::to_oracle(testing_support::random_spatial(random));
    for (const auto law : {oracle::Law::newton, oracle::Law::poisson, oracle::Law::energetic}) {
      const Answer r = solve(p, law);
      ASSERT_EQ(r.outcome, Outcome::solved) << describe(p);
      ASSERT_LT(identity_error(p, law, r), 1e-15) << describe(p);
      ASSERT_LE(std::hypot(r.it1, r.it2), std::fmax(p.mu_static, p.mu_kinetic) * r.in * (1 + 1e-15L)) << describe(p);
      halted += r.halted, stuck += r.stuck, restarted += r.restarted, jammed += r.jammed,
          recompressed += r.recompressed;
    }
  }
  // Every regime is there to be judged.
  EXPECT_GT(stuck, count / 10);
  EXPECT_GT(restarted, count / 50);
  EXPECT_GT(jammed, count / 10);
  EXPECT_GT(halted, stuck);
  RecordProperty("recompressed", recompressed);
}

TEST(OracleSelf, StraightShortcutAgreesWithTheMarch) {
  constexpr std::uint64_t seed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  oracle::Options march_only;
  march_only.straight_shortcut = false;
  march_only.max_steps = 800;
  int judged = 0;
  const int count = scaled(60, 60);
  for (int i = 0; i < count; ++i) {
    const bool planar = i % 2 == 0;
    const Problem p = testing_support::to_oracle(planar ? testing_support::random_planar(random)
                                                        : testing_support::random_spatial(random));
    for (const auto law : {oracle::Law::newton, oracle::Law::poisson, oracle::Law::energetic}) {
      const Answer r = solve(p, law), m = solve(p, law, march_only);
      if (r.outcome == Outcome::gave_up || m.outcome == Outcome::gave_up || r.dip < 1e-9L) continue;
      const double scale = static_cast<double>(std::fabs(r.in) + std::hypot(r.it1, r.it2));
      ASSERT_NEAR(static_cast<double>(r.in), static_cast<double>(m.in), 1e-15 * scale) << describe(p);
      ASSERT_NEAR(static_cast<double>(r.it1), static_cast<double>(m.it1), 1e-15 * scale) << describe(p);
      ASSERT_NEAR(static_cast<double>(r.it2), static_cast<double>(m.it2), 1e-15 * scale) << describe(p);
      ASSERT_EQ(r.stuck, m.stuck);
      ++judged;
    }
  }
  EXPECT_GT(judged, 2 * count);
}

// b = β I, c = 0: v_t keeps its direction and falls linearly in I_n, s = s₀ − μ β I_n.
TEST(OracleSelf, IsotropicUncoupledClosedForm) {
  Problem p;
  p.a = 0.7L, p.b11 = p.b22 = 1.3L, p.vn = -2, p.vt1 = 0.3L, p.vt2 = -0.4L, p.mu_static = p.mu_kinetic = 0.6L;
  p.restitution = 0.5L;
  for (const auto law : {oracle::Law::newton, oracle::Law::poisson, oracle::Law::energetic}) {
    const Answer r = solve(p, law);
    EXPECT_NEAR(static_cast<double>(r.in), 3 / 0.7, 1e-15);
    EXPECT_NEAR(static_cast<double>(r.halt_impulse), 0.5 / (0.6 * 1.3), 1e-15);
    EXPECT_NEAR(static_cast<double>(r.it1), -0.3 / 1.3, 1e-15);
    EXPECT_NEAR(static_cast<double>(r.it2), 0.4 / 1.3, 1e-15);
    EXPECT_NEAR(static_cast<double>(r.tangential_work), -0.25 / (2 * 1.3), 1e-15);
    EXPECT_TRUE(r.stuck);
  }
}

// c = 0, b diagonal with b2 = 2 b1: in the plane of v_t the path is v2 = K v1², whatever the friction.
TEST(OracleSelf, ParabolicHodograph) {
  Problem p;
  p.a = 1, p.b11 = 0.5L, p.b22 = 1, p.vn = -0.8L, p.vt1 = 1.5L, p.vt2 = 2, p.mu_static = p.mu_kinetic = 0.9L;
  p.restitution = 0.3L;
  const Answer r = solve(p, oracle::Law::poisson);
  ASSERT_FALSE(r.halted);
  const oracle::Real shape = p.vt2 / (p.vt1 * p.vt1);
  EXPECT_NEAR(static_cast<double>(r.vt2 / (r.vt1 * r.vt1)), static_cast<double>(shape), 1e-16);
}

}  // namespace
