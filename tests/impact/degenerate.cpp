// Bad numbers, singular inertia, events that coincide: each row of the fault list for a single impact.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "routh/impact/bounds.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactMode;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

ImpactProblem good() {
  ImpactProblem p;
  p.inertia = routh::spatial_inertia(1, 0.2, -0.1, 1.5, 0.3, 2);
  p.velocity = {-1, 0.5, 0.7};
  p.friction = {0.5, 0.4};
  p.restitution.normal = 0.6;
  return p;
}

void expect_invalid(const ImpactProblem& p, const std::string& quantity) {
  const routh::Violation violation = check(p);
  ASSERT_NE(violation.rule, nullptr) << quantity;
  ASSERT_NE(violation.quantity, nullptr);
  EXPECT_NE(std::string(violation.quantity).find(quantity), std::string::npos) << violation.quantity;
  EXPECT_GT(std::string(violation.rule).size(), 5u);
  for (const Law law : routh::all_laws) {
    const ImpactResult r = solve_impact(p, law);
    EXPECT_EQ(r.status, ImpactStatus::invalid) << quantity;
    EXPECT_TRUE(all_finite(r)) << quantity;
    EXPECT_EQ(norm(r.impulse), 0);
  }
}

TEST(Degenerate, TheGoodProblemIsGood) {
  EXPECT_EQ(check(good()).rule, nullptr);
  for (const Law law : routh::all_laws) EXPECT_EQ(solve_impact(good(), law).status, ImpactStatus::ok);
}

TEST(Degenerate, NonFiniteNumbersAreNamed) {
  struct Field {
    double& (*get)(ImpactProblem&);
    const char* quantity;
  };
  const Field fields[] = {
      {[](ImpactProblem& p) -> double& { return p.inertia.a; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.c1; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.c2; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.b11; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.b12; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.b22; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.inertia.stick_slope; }, "delassus"},
      {[](ImpactProblem& p) -> double& { return p.velocity.n; }, "contact_velocity"},
      {[](ImpactProblem& p) -> double& { return p.velocity.t1; }, "contact_velocity"},
      {[](ImpactProblem& p) -> double& { return p.velocity.t2; }, "contact_velocity"},
      {[](ImpactProblem& p) -> double& { return p.surface_velocity.n; }, "surface_velocity"},
      {[](ImpactProblem& p) -> double& { return p.surface_velocity.t1; }, "surface_velocity"},
      {[](ImpactProblem& p) -> double& { return p.surface_velocity.t2; }, "surface_velocity"},
      {[](ImpactProblem& p) -> double& { return p.restitution.normal; }, "restitution"},
      {[](ImpactProblem& p) -> double& { return p.restitution.tangential; }, "restitution.tangential"},
  };
  for (const Field& field : fields) {
    for (const double value : {nan, inf, -inf}) {
      ImpactProblem p = good();
      field.get(p) = value;
      expect_invalid(p, field.quantity);
    }
  }
  for (const double value : {nan, -inf}) {
    ImpactProblem p = good();
    p.friction.static_coefficient = value;
    expect_invalid(p, "friction");
    p = good();
    p.friction.kinetic_coefficient = value;
    expect_invalid(p, "friction.kinetic");
  }
}

TEST(Degenerate, NumbersOutOfRange) {
  const auto with = [](auto change) {
    ImpactProblem p = good();
    change(p);
    return p;
  };
  expect_invalid(with([](auto& p) { p.inertia.a = 0; }), "delassus[0][0]");
  expect_invalid(with([](auto& p) { p.inertia.a = -1; }), "delassus[0][0]");
  expect_invalid(with([](auto& p) { p.inertia.b11 = -1e-3; }), "delassus[1][1]");
  expect_invalid(with([](auto& p) { p.inertia.b22 = -1e-3; }), "delassus[2][2]");
  expect_invalid(with([](auto& p) { p.friction = {-0.1, -0.2}; }), "friction");
  expect_invalid(with([](auto& p) { p.friction = {0.1, -0.2}; }), "friction.kinetic");
  expect_invalid(with([](auto& p) { p.friction = {0.4, 0.5}; }), "friction.kinetic");
  expect_invalid(with([](auto& p) { p.friction = {0.4, inf}; }), "friction.kinetic");
  expect_invalid(with([](auto& p) { p.restitution.normal = 1.0000001; }), "restitution");
  expect_invalid(with([](auto& p) { p.restitution.normal = -1e-9; }), "restitution");
  expect_invalid(with([](auto& p) { p.restitution.tangential = -1.5; }), "restitution.tangential");
}

TEST(Degenerate, IndefiniteInertia) {
  const routh::ContactInertia indefinite[] = {
      routh::planar_inertia(1, 1.1, 1),
      routh::spatial_inertia(1, 1.1, 0, 1, 0, 1),
      routh::spatial_inertia(1, 0, 1.1, 1, 0, 1),
      routh::spatial_inertia(1, 0, 0, 1, 1.1, 1),
      // every 2×2 minor is positive, the determinant is not
      routh::spatial_inertia(1, 0.8, 0.8, 1, -0.1, 1),
      routh::spatial_inertia(1, 0.5, 0, 0, 0, 1),
  };
  for (const routh::ContactInertia& d : indefinite) {
    ImpactProblem p = good();
    p.inertia = d;
    if (d.dimension == routh::Dimension::planar) p.velocity.t2 = 0;
    for (const Law law : routh::all_laws) {
      const ImpactResult r = solve_impact(p, law);
      EXPECT_TRUE(r.status == ImpactStatus::invalid || r.status == ImpactStatus::ill_conditioned)
          << describe(p) << name(r.status);
      EXPECT_TRUE(all_finite(r));
      EXPECT_EQ(norm(r.impulse), 0);
      EXPECT_EQ(distance(r.velocity, p.velocity), 0);
    }
  }
}

// A = a − μ cσ = 0 exactly: the normal velocity does not change until slip halts.
TEST(Degenerate, SlipThatDoesNotMoveTheNormal) {
  ImpactProblem planar;
  planar.inertia = routh::planar_inertia(1, 1, 2);
  planar.velocity = {-1, 1, 0};
  planar.friction = {1, 1};
  planar.restitution.normal = 0.5;
  ImpactProblem spatial = planar;
  spatial.inertia = routh::spatial_inertia(1, 1, 0, 2, 0, 1);
  for (const ImpactProblem& p : {planar, spatial}) {
    // Halt at I = 1 with v_n = −1, then stick with slope ½: I_c = 3, W_c = −1 − 1.
    const double expected[] = {3 + 1, 3 * 1.5, 3 + std::sqrt(0.25 * 2 * 2 / 0.5)};
    int k = 0;
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status, ImpactStatus::ok) << name(law);
      EXPECT_NEAR(r.impulse.n, expected[k], 1e-14) << name(law);
      EXPECT_EQ(r.velocity.t1, 0);
      EXPECT_EQ(r.mode, ImpactMode::stick_in_compression);
      ++k;
    }
  }
  // Touching, not approaching: edge_of_jam.cpp has what follows when it is pressed.
  planar.velocity.n = 0;
  for (const Law law : incremental_laws) EXPECT_EQ(solve_impact(planar, law).status, ImpactStatus::no_impact);
}

// Infinite friction is the limit of large friction.
TEST(Degenerate, InfiniteFrictionIsTheLimit) {
  constexpr std::uint64_t seed = 5004;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200); ++k) {
    ImpactProblem p = k % 2 ? random_planar(random) : random_spatial(random, Family::body);
    p.friction = {inf, inf};
    ASSERT_EQ(check(p).rule, nullptr);
    oracle::Problem large = to_oracle(p);
    large.mu_static = large.mu_kinetic = 1e9L;
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status, ImpactStatus::ok) << to_json(p, law);
      const oracle::Answer answer = solve(large, to_oracle(law));
      ASSERT_LT(errors(p, r, answer).worst(), 1e-6) << to_json(p, law);
      // The tangential impulse alone can end the impact before slip has stopped; otherwise the contact ends stuck.
      ASSERT_EQ(std::hypot(r.velocity.t1, r.velocity.t2) == 0, answer.stuck) << to_json(p, law);
    }
  }
}

// Infinite static friction with finite kinetic friction: whatever halts, stays.
TEST(Degenerate, InfiniteStaticFriction) {
  constexpr std::uint64_t seed = 5005;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200); ++k) {
    ImpactProblem p = k % 2 ? random_planar(random) : random_spatial(random, Family::rod);
    p.friction.static_coefficient = inf;
    for (const Law law : incremental_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_EQ(r.status, ImpactStatus::ok);
      const oracle::Answer answer = solve(to_oracle(p), to_oracle(law));
      ASSERT_FALSE(answer.restarted);
      ASSERT_TRUE(answer.dip < 1e-9L || errors(p, r, answer).worst() < 1e-10) << to_json(p, law);
    }
  }
}

TEST(Degenerate, OverflowHasAStatus) {
  ImpactProblem p = good();
  for (double* x : {&p.inertia.a, &p.inertia.c1, &p.inertia.c2, &p.inertia.b11, &p.inertia.b12, &p.inertia.b22,
                    &p.inertia.stick_slope}) {
    *x *= 1e-200;
  }
  p.velocity = {-1e200, 1e200, 0};
  for (const Law law : routh::all_laws) {
    const ImpactResult r = solve_impact(p, law);
    EXPECT_EQ(r.status, ImpactStatus::overflow) << name(law) << name(r.status);
    EXPECT_TRUE(all_finite(r));
    EXPECT_EQ(distance(r.velocity, p.velocity), 0);
  }
}

// A number of the kind that breaks programs.
double nasty(Random& random) {
  static constexpr double special[] = {0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       5e-324,
                                       -5e-324,
                                       2.2250738585072014e-308,
                                       1e-300,
                                       1e300,
                                       -1e300,
                                       1.7976931348623157e308,
                                       1e-16,
                                       1 + 2.3e-16,
                                       nan,
                                       inf,
                                       -inf};
  switch (random.below(4)) {
    case 0:
      return std::bit_cast<double>(random.bits());
    case 1:
      return special[static_cast<std::size_t>(random.below(16))];
    case 2:
      return random.normal() * std::pow(10, random.uniform(-20, 20));
    default:
      return random.uniform();
  }
}

TEST(Degenerate, NoNumberBreaksIt) {
  constexpr std::uint64_t seed = 5006;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int answered = 0;
  const int count = scaled(10000);
  for (int k = 0; k < count; ++k) {
    ImpactProblem p = random.chance(0.3) ? random_planar(random) : random_spatial(random);
    double* fields[] = {&p.inertia.a,
                        &p.inertia.c1,
                        &p.inertia.c2,
                        &p.inertia.b11,
                        &p.inertia.b12,
                        &p.inertia.b22,
                        &p.velocity.n,
                        &p.velocity.t1,
                        &p.velocity.t2,
                        &p.surface_velocity.n,
                        &p.surface_velocity.t1,
                        &p.friction.static_coefficient,
                        &p.friction.kinetic_coefficient,
                        &p.restitution.normal,
                        &p.restitution.tangential};
    const int changes = random.chance(0.1) ? 15 : 1 + random.below(3);
    for (int c = 0; c < changes; ++c) *fields[random.below(15)] = nasty(random);
    const auto& d = p.inertia;
    if (d.dimension == routh::Dimension::planar) {
      p.inertia = routh::planar_inertia(d.a, d.c1, d.b11);
    } else {
      p.inertia = routh::spatial_inertia(d.a, d.c1, d.c2, d.b11, d.b12, d.b22);
    }
    const bool valid = check(p).rule == nullptr;
    for (const Law law : routh::all_laws) {
      const ImpactResult r = solve_impact(p, law);
      ASSERT_TRUE(all_finite(r)) << name(r.status) << '\n' << to_json(p, law);
      ASSERT_EQ(r.status == ImpactStatus::invalid, !valid) << to_json(p, law);
      ASSERT_NE(r.status, ImpactStatus::not_converged) << to_json(p, law);
      answered += r.status == ImpactStatus::ok;
      if (valid && k % 16 == 0) {
        for (const auto& point : trace_impact(p, law)) {
          ASSERT_TRUE(std::isfinite(point.normal_impulse) && std::isfinite(norm(point.velocity) * 0))
              << to_json(p, law);
        }
      }
    }
    if (valid) {
      const routh::ImpactBounds bounds = compute_bounds(p);
      for (const double x : {bounds.stick_friction, bounds.impact_friction, bounds.impact_friction_printed,
                             bounds.jamming_friction, bounds.restitution_bound, bounds.restitution_bound_any}) {
        ASSERT_FALSE(std::isnan(x)) << describe(p);
        ASSERT_GE(x, 0) << describe(p);
      }
    }
  }
  EXPECT_GT(answered, count / 4) << "the inputs must not all be rejected at the door";
}

}  // namespace
