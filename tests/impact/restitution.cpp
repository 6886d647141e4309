// The coefficient of restitution: constant, falling linearly with the approach speed, or from a table.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "routh/impact/solve.h"
#include "routh/march/together.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using routh::RestitutionKind;
using routh::RestitutionPoint;
using routh::Warning;

ImpactProblem at_speed(double speed, RestitutionKind kind) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0, 1);
  p.velocity = {-speed, 0, 0};
  p.friction = {0.3, 0.3};
  p.restitution.kind = kind;
  return p;
}

// A central impact: v_n⁺ = e v_n⁻ under every law, so the coefficient can be read off the motion.
void expect_coefficient(const ImpactProblem& p, double e, bool in_range) {
  for (const Law law : routh::all_laws) {
    const ImpactResult r = solve_impact(p, law);
    ASSERT_EQ(r.status, ImpactStatus::ok) << name(law);
    EXPECT_NEAR(r.restitution, e, 1e-15) << name(law);
    EXPECT_NEAR(r.relative_velocity.n, -e * (p.velocity.n - p.surface_velocity.n), 1e-15 * norm(p.velocity))
        << name(law);
    EXPECT_EQ(r.has(Warning::restitution_out_of_range), !in_range) << name(law);
  }
}

TEST(Restitution, Constant) {
  for (const double e : {0.0, 0.3, 1.0}) {
    ImpactProblem p = at_speed(2, RestitutionKind::constant);
    p.restitution.normal = e;
    expect_coefficient(p, e, true);
  }
}

TEST(Restitution, Linear) {
  for (const double speed : {1e-3, 0.5, 3.0}) {
    ImpactProblem p = at_speed(speed, RestitutionKind::linear);
    p.restitution.alpha = 0.2;
    expect_coefficient(p, 1 - 0.2 * speed, true);
  }
  ImpactProblem fast = at_speed(7, RestitutionKind::linear);
  fast.restitution.alpha = 0.2;
  expect_coefficient(fast, 0, false);
  ImpactProblem edge = at_speed(4, RestitutionKind::linear);
  edge.restitution.alpha = 0.25;
  expect_coefficient(edge, 0, true);
}

// The approach speed is the one relative to a moving surface.
TEST(Restitution, LinearOnAMovingSurface) {
  ImpactProblem p = at_speed(1, RestitutionKind::linear);
  p.surface_velocity.n = 0.5;
  p.restitution.alpha = 0.2;
  expect_coefficient(p, 1 - 0.2 * 1.5, true);
}

TEST(Restitution, Table) {
  const std::array<RestitutionPoint, 3> table{{{0.5, 0.9}, {1, 0.7}, {3, 0.1}}};
  const struct {
    double speed, e;
    bool in_range;
  } rows[] = {{0.5, 0.9, true}, {0.75, 0.8, true}, {1, 0.7, true},  {2, 0.4, true},
              {3, 0.1, true},   {0.1, 0.9, false}, {10, 0.1, false}};
  for (const auto& row : rows) {
    ImpactProblem p = at_speed(row.speed, RestitutionKind::table);
    p.restitution.table = table;
    expect_coefficient(p, row.e, row.in_range);
  }
}

TEST(Restitution, TableOfOnePoint) {
  const RestitutionPoint point{2, 0.6};
  ImpactProblem p = at_speed(2, RestitutionKind::table);
  p.restitution.table = {&point, 1};
  expect_coefficient(p, 0.6, true);
  p.velocity.n = -2.5;
  expect_coefficient(p, 0.6, false);
}

// A pressed contact without approach, which jams: D = [[1, 1], [1, 2]]. Slip at s halts after I_h = s/(2μ − 1), at
// v_n = −(μ − 1) I_h; there compression is fastest. Then it sticks with slope ½.
struct Jam {
  double mu, slip, approach;  // approach: speed before
  double halt() const { return slip / (2 * mu - 1); }
  double fastest() const { return approach + (mu - 1) * halt(); }
};

ImpactProblem jam_problem(const Jam& jam, bool spatial) {
  ImpactProblem p;
  p.inertia = spatial ? routh::spatial_inertia(1, 1, 0, 2, 0, 1) : routh::planar_inertia(1, 1, 2);
  p.velocity = {-jam.approach, jam.slip, 0};
  p.friction = {jam.mu, jam.mu};
  p.load = routh::Load::pressed;
  p.restitution.kind = RestitutionKind::linear;
  return p;
}

// W_r = −e² W_c and I_r = e I_c with e of the fastest moment, in the closed form.
TEST(Restitution, AJamCountsByTheSpeedItReaches) {
  for (const bool spatial : {false, true})
    for (const Jam& jam : {Jam{1.2, 1, 0}, Jam{1.7, 0.4, 0}, Jam{1.3, 2, 0.05}, Jam{2.5, 3, 1}})
      for (const double loss : {0.0, 0.2, 0.9}) {
        ImpactProblem p = jam_problem(jam, spatial);
        p.restitution.alpha = loss / jam.fastest();
        const double w = jam.fastest(), e = 1 - loss, rest = w / 0.5;  // impulse from the halt to v_n = 0
        const double I_c = jam.halt() + rest;
        const double W_c = -0.5 * (jam.approach + w) * jam.halt() - 0.5 * w * rest;
        const ImpactResult poisson = solve_impact(p, Law::poisson), energetic = solve_impact(p, Law::energetic);
        SCOPED_TRACE(describe(p));
        for (const ImpactResult* r : {&poisson, &energetic}) {
          ASSERT_EQ(r->status, ImpactStatus::ok);
          EXPECT_NEAR(r->restitution, e, 1e-14);
          EXPECT_FALSE(r->has(Warning::restitution_out_of_range));
        }
        EXPECT_NEAR(poisson.impulse.n, (1 + e) * I_c, 1e-13 * I_c);
        EXPECT_NEAR(poisson.relative_velocity.n, 0.5 * e * I_c, 1e-13 * I_c);
        EXPECT_NEAR(energetic.energy.normal_work, (1 - e * e) * W_c, -1e-13 * W_c);
        EXPECT_NEAR(energetic.relative_velocity.n, e * std::sqrt(-W_c), 1e-13 * I_c);
        if (jam.approach > 0) {
          const ImpactResult newton = solve_impact(p, Law::newton);
          EXPECT_NEAR(newton.relative_velocity.n, e * jam.approach, 1e-13);
        }
      }
}

// Beyond the model's range by the jam alone, and below it where the jam stays slow; in any unit of speed.
TEST(Restitution, RangeIsThatOfTheSpeedReached) {
  for (const double unit : {1.0, 1e-70, 1e70}) {
    const Jam jam{1.2, unit, 0};  // reaches unit/7
    ImpactProblem p = jam_problem(jam, false);
    p.restitution.alpha = 8 / unit;
    ImpactResult r = solve_impact(p);
    EXPECT_EQ(r.restitution, 0);
    EXPECT_TRUE(r.has(Warning::restitution_out_of_range));
    p.restitution.alpha = 3 / unit;
    r = solve_impact(p);
    EXPECT_NEAR(r.restitution, 1 - 3.0 / 7, 1e-14);
    EXPECT_FALSE(r.has(Warning::restitution_out_of_range));
    p.restitution.kind = RestitutionKind::table;
    const std::array<RestitutionPoint, 2> table{{{0.1 * unit, 0.8}, {0.2 * unit, 0.4}}};
    p.restitution.table = table;
    r = solve_impact(p);
    EXPECT_NEAR(r.restitution, 0.8 - 4 * (1.0 / 7 - 0.1), 1e-13);
    EXPECT_FALSE(r.has(Warning::restitution_out_of_range));
    const std::array<RestitutionPoint, 2> fast{{{0.5 * unit, 0.8}, {unit, 0.4}}};
    p.restitution.table = fast;
    r = solve_impact(p);
    EXPECT_EQ(r.restitution, 0.8);
    EXPECT_TRUE(r.has(Warning::restitution_out_of_range));
  }
}

// Of every form only the coefficient that was used counts.
TEST(Restitution, EveryFormActsAsItsCoefficient) {
  constexpr std::uint64_t seed = 20260412;
  Random random(seed);
  for (const RestitutionKind kind : routh::all_values<RestitutionKind>) {
    int compared = 0;
    const int count = scaled(200, 50);
    for (int k = 0; k < count; ++k) {
      ImpactProblem p = k % 2 == 0 ? random_planar(random) : random_spatial(random);
      p.restitution = random_restitution(random, kind, -10 * p.velocity.n);
      for (const Law law : routh::all_laws) {
        const ImpactResult r = solve_impact(p, law);
        ImpactProblem constant = p;
        constant.restitution = {};
        constant.restitution.normal = r.restitution;
        const ImpactResult same = solve_impact(constant, law);
        SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << name(law) << ' ' << describe(p));
        ASSERT_EQ(r.status, same.status);
        if (r.status != ImpactStatus::ok) continue;
        ++compared;
        const double tolerance = 1e-9 * (1 + std::abs(r.impulse.n));
        EXPECT_NEAR(r.impulse.n, same.impulse.n, tolerance);
        EXPECT_NEAR(r.impulse.t1, same.impulse.t1, tolerance);
        EXPECT_NEAR(r.impulse.t2, same.impulse.t2, tolerance);
      }
    }
    EXPECT_GT(compared, count) << name(kind);
  }
}

// Swerving jams: e of the greatest approach of a march in extended precision, and the rest of the answer that of the
// march with this e as a constant.
TEST(Restitution, SwervingJamsAgainstTheOracle) {
  constexpr std::uint64_t seed = 20260411;
  Random random(seed);
  int jams = 0, faster = 0;
  for (int k = 0; k < scaled(120, 40); ++k) {
    ImpactProblem p = random_spatial(random, Family::coupled);
    p.friction.kinetic_coefficient *= 2;
    p.friction.static_coefficient *= 2;
    if (k % 2 == 0) {
      p.velocity.n = 0;
      p.load = routh::Load::pressed;
    }
    // e only ends the march: with e = 0 it is the compression.
    oracle::Problem compression = to_oracle(p);
    compression.restitution = 0;
    const auto w = static_cast<double>(solve(compression, oracle::Law::poisson).greatest_approach);
    if (!(w > 1e-6)) continue;
    ++jams;
    faster += w > -p.velocity.n;
    p.restitution.kind = RestitutionKind::linear;
    p.restitution.alpha = random.uniform(0, 1) / w;
    for (const Law law : {Law::poisson, Law::energetic}) {
      const ImpactResult r = solve_impact(p, law);
      if (r.status != ImpactStatus::ok || r.has(Warning::ill_conditioned) || r.has(Warning::recompression)) continue;
      SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << name(law) << ' ' << describe(p));
      EXPECT_NEAR(r.restitution, 1 - p.restitution.alpha * w, 1e-9);
      oracle::Problem marched = to_oracle(p);
      marched.restitution = r.restitution;
      const oracle::Answer answer = solve(marched, to_oracle(law));
      if (answer.outcome != oracle::Outcome::solved) continue;
      const double error = errors(p, r, answer).worst();
      if (error > 1e-9) {
        EXPECT_LE(error, 100 * sensitivity(marched, to_oracle(law)));
      }
    }
  }
  std::printf("seed %llu: %d impacts, %d of them faster than at first\n", static_cast<unsigned long long>(seed), jams,
              faster);
  EXPECT_GT(faster, jams / 10);
}

// The march of several contacts takes the same e for one contact, and for each of two that do not feel one another.
TEST(Restitution, SeveralContactsAsOne) {
  constexpr std::uint64_t seed = 20260412;
  Random random(seed);
  for (int k = 0; k < scaled(40); ++k) {
    const Jam jam{random.uniform(1.1, 3), random.uniform(0.2, 2), k % 2 == 0 ? 0 : random.uniform(0, 0.3)};
    ImpactProblem p = jam_problem(jam, false);
    p.restitution.alpha = random.uniform(0, 1) / jam.fastest();
    const ImpactResult one = solve_impact(p);
    routh::TogetherProblem q;
    q.dimension = routh::Dimension::planar;
    q.inertia = Eigen::MatrixXd::Zero(4, 4);
    q.inertia.topLeftCorner(2, 2) << 1, 1, 1, 2;
    q.inertia.bottomRightCorner(2, 2) << 3, 0, 0, 1;
    q.velocity = Eigen::VectorXd(4);
    q.velocity << p.velocity.n, p.velocity.t1, -0.7, 0;
    routh::TogetherContact contact;
    contact.friction = p.friction;
    contact.restitution = p.restitution;
    contact.load = routh::Load::pressed;
    q.contacts = {contact, contact};
    q.contacts[1].restitution.alpha = 0.5;
    const routh::TogetherResult both = solve_together(q);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << describe(p));
    ASSERT_EQ(both.status, ImpactStatus::ok);
    EXPECT_NEAR(both.contacts[0].restitution, 1 - p.restitution.alpha * jam.fastest(), 1e-8);
    EXPECT_NEAR(both.contacts[0].restitution, one.restitution, 1e-8);
    EXPECT_NEAR(both.velocity[0], one.relative_velocity.n, 1e-7 * (1 + one.impulse.n));
    EXPECT_NEAR(both.contacts[1].restitution, 1 - 0.5 * 0.7, 1e-12);
    EXPECT_NEAR(both.velocity[2], 0.65 * 0.7, 1e-9);
  }
}

TEST(Restitution, BadModelsAreInvalid) {
  const auto expect_invalid = [](const ImpactProblem& p, const char* quantity) {
    const routh::Violation v = check(p);
    ASSERT_NE(v.rule, nullptr) << quantity;
    EXPECT_EQ(std::string(v.quantity), quantity);
    for (const Law law : routh::all_laws) EXPECT_EQ(solve_impact(p, law).status, ImpactStatus::invalid);
  };
  for (const double alpha : {-0.1, HUGE_VAL, std::nan("")}) {
    ImpactProblem p = at_speed(1, RestitutionKind::linear);
    p.restitution.alpha = alpha;
    expect_invalid(p, "restitution.alpha");
  }
  const std::vector<std::vector<RestitutionPoint>> tables = {
      {},          {{1, 0.5}, {1, 0.4}}, {{2, 0.5}, {1, 0.4}},  {{-1, 0.5}},      {{1, 1.5}},
      {{1, -0.1}}, {{1, std::nan("")}},  {{std::nan(""), 0.5}}, {{HUGE_VAL, 0.5}}};
  for (const auto& table : tables) {
    ImpactProblem p = at_speed(1, RestitutionKind::table);
    p.restitution.table = table;
    expect_invalid(p, "restitution.table");
  }
}

}  // namespace
