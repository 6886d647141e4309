// Bisection and bracketed Newton iteration: against closed forms, and where Newton's method alone would fail.
#include "routh/math/bracket.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace routh;

TEST(Bracket, BisectionHalvesAsOftenAsAsked) {
  int calls = 0;
  const Bracket found = bisect({0, 1}, 10, [&](double x) {
    ++calls;
    return x < 1.0 / 3;
  });
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(found.high - found.low, std::ldexp(1, -10));
  EXPECT_EQ(found.low, 341.0 / 1024);  // ⌊1024/3⌋
  const Bracket early = bisect(
      {0, 1}, 100, [](double x) { return x < 1.0 / 3; }, [](const Bracket& b) { return b.high - b.low <= 0.25; });
  EXPECT_EQ(early.low, 0.25);
  EXPECT_EQ(early.high, 0.5);
}

TEST(Bracket, BordersToTheLastDigit) {
  const Bracket found = bisect({1, 2}, 60, [](double x) { return x * x < 2; });
  EXPECT_NEAR(found.middle(), std::sqrt(2), 5e-16);
  EXPECT_LE(found.high - found.low, 3e-16);
}

// arctan from far away: Newton's method alone runs off to infinity.
TEST(Bracket, NewtonDoesNotLeaveItsBracket) {
  int calls = 0;
  const double root = find_root({-30, 100}, 100, std::numeric_limits<double>::epsilon(), [&](double x) -> RootPoint {
    ++calls;
    const double value = std::atan(x - 3);
    return {value < 0, x - value * (1 + (x - 3) * (x - 3)), value == 0};
  });
  EXPECT_NEAR(root, 3, 1e-15);
  EXPECT_LT(calls, 30);
}

TEST(Bracket, WithoutNewtonItIsBisection) {
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  const double root = find_root({0, 2}, 0.1, 1e-15, [&](double x) -> RootPoint { return {x * x < 2, nowhere, false}; });
  EXPECT_NEAR(root, std::sqrt(2), 2e-15);
}

}  // namespace
