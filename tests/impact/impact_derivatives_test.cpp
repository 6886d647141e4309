// Derivatives of one impact against extrapolated differences of solvers in extended precision.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>

#include "impact_derivatives_oracle.h"
#include "support/compare.h"
#include "support/count_allocations.h"

namespace {

using namespace testing_support;
using routh::DerivativeStatus;
using routh::differentiate_impact;
using routh::ImpactDerivatives;
using routh::ImpactInput;
using routh::ImpactOutput;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;

struct DerivativeTally {
  int solved = 0, flagged = 0, near_border = 0, undecided = 0, judged = 0, bad = 0;
  double worst = 0;
  std::map<routh::ImpactMode, int> modes;
  std::map<routh::DerivativeBorder, int> borders;
};

// By which part the entries of D may change before it is no longer positive definite, roughly.
double definite_by(const routh::ContactInertia& d) {
  const double all = d.stick_slope / d.a;
  if (d.dimension == routh::Dimension::planar) return all;
  return std::min(all, 1 - d.b12 * d.b12 / (d.b11 * d.b22));
}

void judge_derivatives(const ImpactProblem& problem, Law law, DerivativeTally& tally) {
  const ImpactResult result = solve_impact(problem, law);
  if (result.status != routh::ImpactStatus::ok || result.has(routh::Warning::ill_conditioned)) return;
  const ImpactDerivatives d = differentiate_impact(problem, result);
  ++tally.solved;
  if (d.status != DerivativeStatus::exact) {
    ++tally.flagged;
    ++tally.borders[d.border];
    EXPECT_NE(d.border, routh::DerivativeBorder::none);
    return;
  }
  // Differences must not leave the sequence of phases: too near a border they have no digits.
  const double step = 0.005 * std::min(d.validity, definite_by(problem.inertia));
  if (step < 5e-9) {
    ++tally.near_border;
    return;
  }
  const auto reference = reference_derivatives(problem, result, std::min(3e-5, step));
  if (!reference || reference->uncertainty > 1e-9) {
    ++tally.undecided;
    return;
  }
  ++tally.judged;
  ++tally.modes[result.mode];
  const double error = derivative_error(problem, d, *reference);
  tally.worst = std::max(tally.worst, error);
  if (error < 1e-8) return;
  if (++tally.bad <= 3)
    ADD_FAILURE() << name(law) << ", mode " << name(result.mode) << ": error " << error << ", validity " << d.validity
                  << '\n'
                  << to_json(problem, law);
}

void print(const DerivativeTally& tally) {
  std::cout << "  " << tally.judged << " judged, worst " << tally.worst << "; " << tally.flagged << " flagged, "
            << tally.near_border << " near a border, " << tally.undecided << " undecided of " << tally.solved << ";";
  for (const auto& [mode, count] : tally.modes) std::cout << ' ' << name(mode) << ' ' << count;
  for (const auto& [border, count] : tally.borders) std::cout << " [" << name(border) << ' ' << count << ']';
  std::cout << '\n';
}

// One problem in twelve is drawn at rest, on the border of slip; of the others at most one in twenty has no derivative.
void expect_few_flagged(const DerivativeTally& tally) {
  int by_chance = tally.flagged;
  if (const auto at_rest = tally.borders.find(routh::DerivativeBorder::slip_from_rest); at_rest != tally.borders.end())
    by_chance -= at_rest->second;
  EXPECT_LE(by_chance, std::max(2, tally.solved / 20));
  EXPECT_LE(tally.near_border + tally.undecided, std::max(3, tally.solved / 25));
}

class ImpactDerivativesOf : public testing::TestWithParam<Law> {};

TEST_P(ImpactDerivativesOf, PlanarImpactsAgreeWithDifferences) {
  constexpr std::uint64_t seed = 30010;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  DerivativeTally tally;
  for (int k = 0; k < scaled(500, 30); ++k) judge_derivatives(random_planar(random), GetParam(), tally);
  print(tally);
  EXPECT_EQ(tally.bad, 0);
  expect_few_flagged(tally);
}

TEST_P(ImpactDerivativesOf, SpatialImpactsAgreeWithDifferences) {
  constexpr std::uint64_t seed = 30020;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  DerivativeTally tally;
  for (int k = 0; k < scaled(30, 10); ++k) judge_derivatives(random_spatial(random), GetParam(), tally);
  print(tally);
  EXPECT_EQ(tally.bad, 0);
  expect_few_flagged(tally);
}

INSTANTIATE_TEST_SUITE_P(All, ImpactDerivativesOf, testing::ValuesIn(routh::all_laws),
                         [](const auto& law) { return std::string(name(law.param)); });

// The columns that follow from others, and those of e(w): differences of the library itself, in double.
TEST(ImpactDerivatives, OfSurfacePushAndSpeedDependentRestitution) {
  constexpr std::uint64_t seed = 30030;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int judged = 0;
  for (int k = 0; k < scaled(600, 60); ++k) {
    const Law law = routh::all_laws[k % routh::law_count];
    ImpactProblem p = k % 2 ? random_planar(random) : random_spatial(random);
    const bool planar = p.inertia.dimension == routh::Dimension::planar;
    const auto any = [&](double size) {
      return routh::ContactVector{size * random.normal(), size * random.normal(), planar ? 0 : size * random.normal()};
    };
    p.surface_velocity = any(0.3);
    p.velocity = routh::ContactVector{p.velocity.n + p.surface_velocity.n, p.velocity.t1 + 0.3, p.velocity.t2};
    if (planar) p.velocity.t2 = 0;
    if (k % 3 == 1) p.push = any(0.2);
    if (k % 3 == 2) p.restitution = random_restitution(random, static_cast<routh::RestitutionKind>(1 + k % 2), 5);
    p.restitution.tangential = law == Law::unified ? 0.3 : 0;
    const ImpactResult result = solve_impact(p, law);
    if (result.status != routh::ImpactStatus::ok) continue;
    const ImpactDerivatives d = differentiate_impact(p, result);
    if (d.status != DerivativeStatus::exact || d.validity < 1e-3 || definite_by(p.inertia) < 1e-2) continue;
    ++judged;
    const auto check = [&](ImpactInput input, auto number, double size) {
      double central[2][routh::impact_output_count];
      for (int level = 0; level < 2; ++level) {
        const double h = 1e-4 * size / (1 << level);
        for (int side = -1; side <= 1; side += 2) {
          ImpactProblem q = p;
          number(q) += side * h;
          const ImpactResult r = solve_impact(q, law);
          const double values[] = {r.velocity.n,      r.velocity.t1,  r.velocity.t2,        r.impulse.n,
                                   r.impulse.t1,      r.impulse.t2,   r.energy.normal_work, r.energy.tangential_work,
                                   r.energy.supplied, r.energy.change};
          for (int o = 0; o < routh::impact_output_count; ++o)
            central[level][o] = (side < 0 ? 0 : central[level][o]) + side * values[o] / (2 * h);
        }
      }
      for (int o = 0; o < routh::impact_output_count; ++o) {
        const double expected = (4 * central[1][o] - central[0][o]) / 3;
        const double ours = d.at(static_cast<ImpactOutput>(o), input);
        EXPECT_NEAR(ours, expected, 2e-6 * (1 + std::abs(expected) + 1 / p.inertia.a))
            << name(law) << ' ' << name(static_cast<ImpactOutput>(o)) << " by " << name(input) << ", problem " << k;
      }
    };
    const double speed = 0.1 * std::min(1.0, d.validity);
    check(
        ImpactInput::surface_n, [](ImpactProblem& q) -> double& { return q.surface_velocity.n; }, speed);
    check(
        ImpactInput::surface_t1, [](ImpactProblem& q) -> double& { return q.surface_velocity.t1; }, speed);
    check(
        ImpactInput::v_n, [](ImpactProblem& q) -> double& { return q.velocity.n; }, speed);
    check(
        ImpactInput::push_t1, [](ImpactProblem& q) -> double& { return q.push.t1; }, speed);
    if (p.push.n != 0)
      check(
          ImpactInput::push_n, [](ImpactProblem& q) -> double& { return q.push.n; }, speed);
    if (law == Law::unified)
      check(
          ImpactInput::tangential_restitution, [](ImpactProblem& q) -> double& { return q.restitution.tangential; },
          speed);
    if (p.restitution.kind == routh::RestitutionKind::linear) {
      ImpactProblem q = p;
      const double h = 1e-5 * q.restitution.alpha;
      q.restitution.alpha += h;
      const double up = solve_impact(q, law).impulse.n;
      q.restitution.alpha -= 2 * h;
      const double expected = (up - solve_impact(q, law).impulse.n) / (2 * h);
      EXPECT_NEAR(-d.compression_speed * d.at(ImpactOutput::impulse_n, ImpactInput::restitution), expected,
                  1e-6 * (1 + std::abs(expected)));
    }
  }
  EXPECT_GT(judged, scaled(600, 60) / 2);
}

TEST(ImpactDerivatives, OfOneBounceInClosedForm) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(2, 0, 2);
  p.velocity = {-3, 5, 0};
  p.friction = {0.1, 0.1};
  p.restitution.normal = 0.8;
  for (const Law law : routh::all_laws) {
    const ImpactDerivatives d = differentiate_impact(p, solve_impact(p, law));
    // I = (1 + e) |v_n| / a, v_t⁺ = v_t − b μ I
    EXPECT_NEAR(d.at(ImpactOutput::velocity_n, ImpactInput::v_n), -0.8, 1e-15);
    EXPECT_NEAR(d.at(ImpactOutput::velocity_n, ImpactInput::restitution), 3, 1e-14);
    EXPECT_NEAR(d.at(ImpactOutput::impulse_n, ImpactInput::a), -1.8 * 3 / 4, 1e-14);
    EXPECT_NEAR(d.at(ImpactOutput::velocity_t1, ImpactInput::kinetic_friction), -2 * 1.8 * 3 / 2, 1e-14);
    EXPECT_EQ(d.status, DerivativeStatus::exact);
  }
}

TEST(ImpactDerivatives, BordersAreToldApart) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0.5, 1);
  p.restitution.normal = 0.5;
  const auto border = [&] { return differentiate_impact(p, solve_impact(p)).border; };
  p.friction = {1, 1};
  p.velocity = {0, 1, 0};
  EXPECT_EQ(border(), routh::DerivativeBorder::grazing);
  p.velocity = {-1, 0, 0};
  EXPECT_EQ(border(), routh::DerivativeBorder::none);  // sticks
  p.friction = {0.25, 0.25};
  EXPECT_EQ(border(), routh::DerivativeBorder::slip_from_rest);
  // Slip that halts just where compression ends: v_n = −1, dv_n/dI = 1 − 0.5 μ, dv_t/dI = 0.5 − μ.
  p.friction = {1, 1};
  p.velocity = {-1, 1, 0};
  EXPECT_EQ(border(), routh::DerivativeBorder::coincident_events);
  p.friction = {0.5, 0.5};
  p.velocity = {-1, -0.01, 0};
  EXPECT_EQ(border(), routh::DerivativeBorder::critical_friction);
}

TEST(ImpactDerivatives, AreFiniteAndAllocateNothing) {
  constexpr std::uint64_t seed = 30040;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(3000, 300); ++k) {
    ImpactProblem p = k % 2 ? random_planar(random) : random_spatial(random);
    switch (random.below(12)) {
      case 0:
        p.velocity.n = 0, p.load = routh::Load::pressed;
        break;
      case 1:
        p.friction = {HUGE_VAL, HUGE_VAL};
        break;
      case 2:
        p.velocity = {1e150 * p.velocity.n, 1e150 * p.velocity.t1, 1e150 * p.velocity.t2};
        break;
      case 3:
        p.inertia.b11 = p.inertia.b12 = p.inertia.c1 = 0;
        break;
      case 4:
        p.velocity.t1 = p.velocity.t2 = 0;
        break;
      case 5:
        p.friction = {0, 0};
        break;
      case 6:
        p.velocity.n = std::nan("");
        break;
      default:
        break;
    }
    const Law law = routh::all_laws[k % routh::law_count];
    ImpactDerivatives d;
    const ImpactResult result = solve_impact(p, law);
    EXPECT_EQ(counts_allocations() ? count_allocations([&] { d = differentiate_impact(p, result); }) : 0, 0);
    double sum = d.validity;
    for (const auto& row : d.rows)
      for (const double x : row) sum += 0 * x;
    EXPECT_TRUE(std::isfinite(sum)) << to_json(p, law);
    EXPECT_EQ(d.border == routh::DerivativeBorder::none, d.status == DerivativeStatus::exact) << to_json(p, law);
  }
}

}  // namespace
