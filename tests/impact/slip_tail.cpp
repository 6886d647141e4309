// The closed forms of the tail against panels, which know nothing of power series.
#include "routh/impact/slip_tail.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

struct Case {
  SlipCurve curve;
  SlipState state;  // in the tail
  double normal_velocity;
};

Case random_case(Random& random) {
  const double mu = random.uniform(0.05, 2), b1 = random.uniform(0.5, 3), b2 = random.uniform(0.1, b1);
  const SlipField field{mu * b1, mu * b2, random.uniform(0, 1), random.uniform(0, 1)};
  const double angle = random.uniform(0, 2 * M_PI);
  const Direction slip{std::cos(angle), std::sin(angle)};
  const SlipCurve curve(field, random.uniform(1, 3), mu, enclosing_directions(field, slip), slip);
  double zeta = 1e-3;
  while (!curve.in_tail(zeta)) zeta *= 1.1;
  zeta *= std::exp(random.uniform(0, 3));
  const double unit_speed = curve.speed({zeta, 1});
  return {curve, {zeta, 1 / unit_speed}, random.normal()};
}

SlipIncrement plus(const SlipIncrement& p, const SlipIncrement& q) {
  return {p.impulse + q.impulse,         p.direction_x + q.direction_x,
          p.direction_y + q.direction_y, p.normal_velocity + q.normal_velocity,
          p.normal_work + q.normal_work, p.tangential_work + q.tangential_work};
}

void expect_near(const SlipIncrement& p, const SlipIncrement& q, double bound) {
  const double scale = 1 + std::abs(q.impulse) + std::abs(q.normal_work) + std::abs(q.tangential_work);
  EXPECT_NEAR(p.impulse, q.impulse, bound * scale);
  EXPECT_NEAR(p.direction_x, q.direction_x, bound * scale);
  EXPECT_NEAR(p.direction_y, q.direction_y, bound * scale);
  EXPECT_NEAR(p.normal_velocity, q.normal_velocity, bound * scale);
  EXPECT_NEAR(p.normal_work, q.normal_work, bound * scale);
  EXPECT_NEAR(p.tangential_work, q.tangential_work, bound * scale);
}

// The way over Δz by panels so narrow that their error is rounding.
SlipIncrement by_panels(const Case& c, double distance, double kappa, SlipState& end) {
  SlipIncrement sum;
  end = c.state;
  SlipPanel panel;
  const int count = 20 + static_cast<int>(10 * distance * (1 + std::abs(kappa)));
  for (int i = 0; i < count; ++i) {
    panel.compute(c.curve, end, c.normal_velocity + sum.normal_velocity, distance / count, {1, 1});
    sum = plus(sum, panel.increment());
    end = panel.end();
  }
  return sum;
}

TEST(SlipTail, AgreesWithPanels) {
  constexpr std::uint64_t seed = 4001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int usable = 0;
  const int count = scaled(400, 50);
  for (int k = 0; k < count && !testing::Test::HasFailure(); ++k) {
    const Case c = random_case(random);
    const SlipTail tail(c.curve, c.state);
    if (!tail.usable()) continue;
    ++usable;
    for (const double distance : {0.0, 0.01, 0.7, 5.0}) {
      SCOPED_TRACE(testing::Message() << "problem " << k << ", kappa " << tail.kappa() << ", distance " << distance);
      SlipState end;
      const SlipIncrement expected = by_panels(c, distance, tail.kappa(), end);
      const SlipTail::Point point = tail.at(distance, c.normal_velocity);
      const double scale = 1 + c.curve.speed(end);
      EXPECT_NEAR(c.curve.speed(point.state), c.curve.speed(end),
                  1e-13 * scale * (1 + std::abs(tail.kappa()) * distance));
      EXPECT_NEAR(point.state.zeta, end.zeta, 1e-12 * end.zeta);
      // Near a resonance up to four digits cancel.
      expect_near(point.increment, expected,
                  std::abs(2 * tail.kappa() - std::round(2 * tail.kappa())) < 0.02 ? 1e-10 : 1e-11);
      EXPECT_LT(point.mismatch, 1e-11 * scale);
    }
  }
  EXPECT_GT(usable, count * 8 / 10);
}

TEST(SlipTail, TheHaltIsTheLimit) {
  constexpr std::uint64_t seed = 4002;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int halts = 0;
  for (int k = 0; k < scaled(400, 50); ++k) {
    const Case c = random_case(random);
    const SlipTail tail(c.curve, c.state);
    if (!tail.usable() || tail.kappa() > -0.3) continue;
    ++halts;
    const SlipTail::Point far = tail.at(40 / -tail.kappa(), c.normal_velocity);
    expect_near(tail.to_halt(c.normal_velocity), far.increment, 1e-13);
    EXPECT_LT(c.curve.speed(far.state), 1e-12);
  }
  EXPECT_GT(halts, 10);
}

// κ = 0 has no closed form: the tail must say so, not cancel.
TEST(SlipTail, RefusesResonance) {
  // b = 1, so that h = c2 σ1 − c1 σ2, and slip ends along c with growth ‖c‖ − μ: zero for ‖c‖ = μ.
  const SlipField field{0.5, 0.5, 0.3, 0.4};
  const Direction slip{1, 0};
  const SlipCurve curve(field, 1, 0.5, enclosing_directions(field, slip), slip);
  const SlipTail tail(curve, {1e3, 1});
  EXPECT_NEAR(tail.kappa(), 0, 1e-12);
  EXPECT_FALSE(tail.usable());
}

}  // namespace
