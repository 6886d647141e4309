// The least value along a path, against closed forms and fine sampling.
#include "routh/solvability/least_on_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "routh/base/error.h"
#include "solvability/sliding_machines.h"
#include "support/random_problems.h"

namespace {

using routh::least_on_path;
using routh::LeastValue;
using testing_support::Random;
using testing_support::scaled;

constexpr double infinite = std::numeric_limits<double>::infinity();

// [Liu 2007, section 4] prints 0.4807; it computes to 0.48063.
TEST(LeastOnPath, FrictionOfTheArm) {
  const sliding::Arm arm;
  const auto critical = [&](double theta) -> std::optional<double> {
    const auto s = arm.at(theta, 1);
    return s ? std::optional(s->a / std::abs(s->c)) : std::nullopt;
  };
  const auto least = least_on_path(critical, -0.9, 0.9);
  ASSERT_TRUE(least);
  EXPECT_NEAR(least->value, 0.48063, 5e-6);
  double sampled = infinite;
  for (int k = 0; k <= 400000; ++k)
    if (const auto value = critical(0.7 + 0.04 * k / 400000)) sampled = std::min(sampled, *value);
  EXPECT_LE(least->value, sampled);
  EXPECT_NEAR(least->value, sampled, 1e-12);
  EXPECT_NEAR(*critical(least->at), least->value, 0);
}

// Uniform rod: a = 1 + 3 cos²θ, c = 3 sin θ cos θ; μ* = (4 + t²)/(3 t) with t = tan θ, least 4/3 at t = 2.
TEST(LeastOnPath, FrictionOfTheRod) {
  const auto least = least_on_path(
      [](double theta) -> std::optional<double> {
        return (1 + 3 * std::pow(std::cos(theta), 2)) / std::abs(3 * std::sin(theta) * std::cos(theta));
      },
      0, std::acos(0));
  ASSERT_TRUE(least);
  EXPECT_NEAR(least->value, 4.0 / 3, 1e-15);
  EXPECT_NEAR(std::tan(least->at), 2, 1e-6);
}

// Sums of a parabola and a kink, whose least is known, on paths whose samples miss it.
TEST(LeastOnPath, RandomParabolasAndKinks) {
  constexpr std::uint64_t seed = 71001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200, 20); ++k) {
    const double low = random.uniform(-5, 0), high = low + random.uniform(0.1, 8);
    const double at = random.uniform(low, high), floor = random.uniform(-2, 2);
    const double square = random.uniform(0.1, 3), kink = random.chance(0.5) ? random.uniform(0.1, 2) : 0;
    const auto least = least_on_path(
        [&](double x) -> std::optional<double> {
          return floor + square * (x - at) * (x - at) + kink * std::abs(x - at);
        },
        low, high, 3 + random.below(40));
    ASSERT_TRUE(least);
    ASSERT_NEAR(least->value, floor, 1e-14);
    ASSERT_NEAR(least->at, at, kink > 0 ? 1e-13 : 1e-6);
  }
}

TEST(LeastOnPath, LowestOfSeveral) {
  // cos x + x/10 has leasts near π, 3π, 5π; the first is the lowest.
  const auto least = least_on_path([](double x) -> std::optional<double> { return std::cos(x) + x / 10; }, 0.5, 20);
  ASSERT_TRUE(least);
  EXPECT_NEAR(least->at, std::acos(-1) - std::asin(0.1), 1e-6);
}

// Golden section alone takes about 75 looks.
TEST(LeastOnPath, ParabolasSaveLooks) {
  int looks = 0;
  const auto least = least_on_path(
      [&](double x) -> std::optional<double> {
        ++looks;
        return std::cosh(x - 0.3) - 2 + 0.01 * x * x * x;
      },
      -1, 1, 3);
  ASSERT_TRUE(least);
  EXPECT_LT(looks, 60);
}

TEST(LeastOnPath, AtAnEnd) {
  const auto rising = least_on_path([](double x) -> std::optional<double> { return x; }, 2, 3);
  const auto falling = least_on_path([](double x) -> std::optional<double> { return -x; }, 2, 3, 2);
  ASSERT_TRUE(rising && falling);
  EXPECT_EQ(rising->at, 2);
  EXPECT_EQ(falling->at, 3);
  const auto point = least_on_path([](double x) -> std::optional<double> { return x; }, 2, 2);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->value, 2);
}

// Where the function ceases to exist the least can be at the edge, between two samples.
TEST(LeastOnPath, AtTheEdgeOfExistence) {
  const double edge = 0.123456789;
  const auto least = least_on_path([&](double x) { return x >= edge ? std::optional(x * x) : std::nullopt; }, 0, 1, 30);
  ASSERT_TRUE(least);
  EXPECT_NEAR(least->at, edge, 1e-14);
  EXPECT_GE(least->at, edge);
}

TEST(LeastOnPath, NothingAndInfinite) {
  EXPECT_FALSE(least_on_path([](double) { return std::optional<double>(); }, 0, 1));
  EXPECT_FALSE(least_on_path([](double) { return std::optional(std::nan("")); }, 0, 1));
  const auto never = least_on_path([](double x) { return x > 0.5 ? std::optional(infinite) : std::nullopt; }, 0, 1);
  ASSERT_TRUE(never);
  EXPECT_EQ(never->value, infinite);
  EXPECT_GT(never->at, 0.5) << "a place where it exists";
  const auto bottomless = least_on_path([](double) { return std::optional(-infinite); }, 0, 1);
  ASSERT_TRUE(bottomless);
  EXPECT_EQ(bottomless->value, -infinite);
}

TEST(LeastOnPath, BadPath) {
  const auto any = [](double x) -> std::optional<double> { return x; };
  EXPECT_THROW(least_on_path(any, 1, 0), routh::InputError);
  EXPECT_THROW(least_on_path(any, 0, 1, 1), routh::InputError);
  EXPECT_THROW(least_on_path(any, std::nan(""), 1), routh::InputError);
}

}  // namespace
