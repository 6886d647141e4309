// The oracle is the C library's function of long double, which has eleven bits more.
#include "routh/math/elementary.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "support/random_problems.h"

namespace {

namespace elementary = routh::elementary;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double within = 1, within_of_quotients = 1.5;  // [ulp] what the header promises

static_assert(std::numeric_limits<long double>::digits >= 64, "the oracle must have more digits than double");

// |value − truth| in units of the last place of a double near the truth.
double ulps(double value, long double truth) {
  const double near = static_cast<double>(truth);
  if (std::isnan(near) || std::isinf(near))
    return std::isnan(near) == std::isnan(value) && !(near != value && !std::isnan(near)) ? 0 : infinity;
  int exponent = 0;
  std::frexp(near, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 53, -1074));
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / static_cast<long double>(ulp));
}

class Sample {
 public:
  explicit Sample(std::uint64_t seed) : random_(seed) {}
  // Of either sign or none, every binary exponent as often.
  double size(double from, double to) {
    const auto low = std::bit_cast<std::uint64_t>(from), high = std::bit_cast<std::uint64_t>(to);
    return std::bit_cast<double>(low +
                                 static_cast<std::uint64_t>(random_.uniform(0, 1) * static_cast<double>(high - low)));
  }
  double sign() { return random_.below(2) ? 1 : -1; }
  double even(double from, double to) { return random_.uniform(from, to); }

 private:
  testing_support::Random random_;
};

struct Range {
  double from, to;
};

using Function = double (*)(double);
using Oracle = long double (*)(long double);

// The largest error over sizes between the ends, half of them spread over the exponents and half over the numbers.
void expect_accurate(const char* name, Function function, Oracle oracle, const std::vector<Range>& ranges,
                     bool both_signs, double bound = within) {
  constexpr std::uint64_t seed = 2210;
  Sample sample(seed);
  for (const Range& range : ranges)
    for (int k = 0; k < testing_support::scaled(40'000); ++k) {
      const double x = (both_signs ? sample.sign() : 1) *
                       (k % 2 ? sample.size(range.from, range.to) : sample.even(range.from, range.to));
      const double error = ulps(function(x), oracle(static_cast<long double>(x)));
      ASSERT_LT(error, bound) << name << " of " << std::hexfloat << x << ", seed " << std::dec << seed;
    }
}

TEST(Elementary, ExponentialsAndLogarithms) {
  expect_accurate("exp", elementary::exp, std::exp, {{least, 1}, {0.1, 709.7}}, true);
  expect_accurate(
      "exp of small", [](double x) { return elementary::exp(-x); }, [](long double x) { return std::exp(-x); },
      {{700, 746}}, false);
  expect_accurate("log", elementary::log, std::log, {{least, largest}, {0.5, 2}, {0.999, 1.001}}, false);
  expect_accurate("log10", elementary::log10, std::log10, {{least, largest}, {0.5, 2}}, false);
  expect_accurate("cbrt", elementary::cbrt, std::cbrt, {{least, largest}, {1, 8}}, true);
}

TEST(Elementary, Angles) {
  const std::vector<Range> turns = {{least, 1}, {0.1, 10}, {1, 0x1p20}, {0x1p20, 1e10}, {1e5, largest}};
  expect_accurate("sin", elementary::sin, std::sin, turns, true);
  expect_accurate("cos", elementary::cos, std::cos, turns, true);
  expect_accurate("tan", elementary::tan, std::tan, turns, true, within_of_quotients);
  expect_accurate("asin", elementary::asin, std::asin, {{least, 1}, {0.99, 1}}, true);
  expect_accurate("acos", elementary::acos, std::acos, {{least, 1}, {0.99, 1}}, true);
  expect_accurate("atan", elementary::atan, std::atan, {{least, largest}, {0.01, 100}}, true);
}

// The doubles next to multiples of π/2, where the reduction loses most; and the one of all that comes nearest
// [Muller 2016, 11.3.2].
TEST(Elementary, AnglesNextToRightOnes) {
  constexpr long double half_pi = 1.57079632679489661923132169163975144L;
  const auto check = [](double x) {
    const auto exact = static_cast<long double>(x);
    ASSERT_LT(ulps(elementary::sin(x), std::sin(exact)), within) << std::hexfloat << x;
    ASSERT_LT(ulps(elementary::cos(x), std::cos(exact)), within) << std::hexfloat << x;
    ASSERT_LT(ulps(elementary::tan(x), std::tan(exact)), within_of_quotients) << std::hexfloat << x;
  };
  for (long k = 1; k < 2'000'000; k += 1 + k / 50) {
    const auto x = static_cast<double>(static_cast<long double>(k) * half_pi);
    for (const double each : {std::nextafter(x, 0.0), x, std::nextafter(x, infinity)}) check(each), check(-each);
  }
  check(6381956970095103.0 * 0x1p797);
}

TEST(Elementary, TwoArguments) {
  constexpr std::uint64_t seed = 2211;
  Sample sample(seed);
  for (int k = 0; k < testing_support::scaled(80'000); ++k) {
    const double x = sample.sign() * sample.size(least, largest);
    const double near = x * sample.size(1e-6, 1e6);
    const double y = sample.sign() * (k % 2 || std::isinf(near) ? sample.size(least, largest) : near);
    const auto u = static_cast<long double>(x), v = static_cast<long double>(y);
    SCOPED_TRACE(testing::Message() << std::hexfloat << y << ", " << x << ", seed " << std::dec << seed);
    ASSERT_LT(ulps(elementary::atan2(y, x), std::atan2(v, u)), within);
    ASSERT_LT(ulps(elementary::hypot(x, y), std::sqrt(u * u + v * v)), within_of_quotients);
    const double z = x * sample.even(-1, 1);
    const auto w = static_cast<long double>(z);
    ASSERT_LT(ulps(elementary::hypot(x, y, z), std::sqrt(u * u + v * v + w * w)), within_of_quotients);
    const double base = k % 2 ? sample.size(least, largest) : sample.size(0.01, 100);
    double exponent = sample.even(-740, 740) / std::log(base) * (k % 3 ? 1 : 0.01);
    if (k % 5 == 0) exponent = std::round(exponent);
    ASSERT_LT(ulps(elementary::pow(base, exponent), std::pow(static_cast<long double>(base), exponent)), within)
        << base << " to the " << exponent;
  }
}

// Labels of axes are made of these.
TEST(Elementary, PowersOfTenAndWholeNumbers) {
  for (int k = -100; k <= 100; ++k) {
    const double power = std::strtod(("1e" + std::to_string(k)).c_str(), nullptr);
    EXPECT_EQ(elementary::pow(10, k), power) << k;
    EXPECT_EQ(elementary::log10(power), k);
  }
  for (int k = 1; k < 1000; ++k) {
    EXPECT_EQ(elementary::cbrt(static_cast<double>(k) * k * k), k);
    EXPECT_EQ(elementary::hypot(3.0 * k, 4.0 * k), 5.0 * k);
    EXPECT_EQ(elementary::pow(k, 2), static_cast<double>(k) * k);
    EXPECT_EQ(elementary::pow(-k, 3), -static_cast<double>(k) * k * k);
    EXPECT_EQ(elementary::exp(0), 1);
  }
}

// The same value, the same sign of zero, or both NaN.
void expect_same(const char* name, double value, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(value)) << name << ": " << value;
    return;
  }
  EXPECT_EQ(value, expected) << name;
  EXPECT_EQ(std::signbit(value), std::signbit(expected)) << name;
}

TEST(Elementary, ZerosInfinitiesAndNan) {
  const std::array special = {0.0, -0.0, 1.0,   -1.0,   infinity, -infinity, nan,
                              2.0, -2.0, least, -least, largest,  -largest};
  for (const double x : special) {
    SCOPED_TRACE(x);
    expect_same("exp", elementary::exp(x),
                std::isfinite(x) ? static_cast<double>(std::exp(static_cast<long double>(x))) : std::exp(x));
    for (const double y : special) {
      SCOPED_TRACE(y);
      expect_same("hypot", elementary::hypot(x, y), static_cast<double>(std::hypot(static_cast<long double>(x), y)));
      expect_same("atan2", elementary::atan2(y, x), std::atan2(y, x));
      expect_same("pow", elementary::pow(x, y), std::pow(x, y));
      const double sum = std::isinf(x) || std::isinf(y) ? infinity : std::isnan(x + y) ? nan : std::hypot(x, y, y);
      expect_same("hypot of three", elementary::hypot(x, y, y), sum);
    }
  }
  for (const double x : {0.0, -0.0, -1.0, infinity, -infinity, nan, 1.0}) {
    SCOPED_TRACE(x);
    expect_same("log", elementary::log(x), std::log(x));
    expect_same("log10", elementary::log10(x), std::log10(x));
    expect_same("cbrt", elementary::cbrt(x), std::cbrt(x));
    expect_same("atan", elementary::atan(x), std::atan(x));
  }
  for (const double x : {0.0, -0.0, least, -least, infinity, -infinity, nan}) {
    SCOPED_TRACE(x);
    expect_same("sin", elementary::sin(x), std::sin(x));
    expect_same("cos", elementary::cos(x), std::cos(x));
    expect_same("tan", elementary::tan(x), std::tan(x));
    expect_same("asin", elementary::asin(x), std::asin(x));
    expect_same("acos", elementary::acos(x), std::acos(x));
  }
  for (const double x : {1.0, -1.0, std::nextafter(1.0, 2.0), -std::nextafter(1.0, 2.0)}) {
    SCOPED_TRACE(x);
    expect_same("asin", elementary::asin(x), std::asin(x));
    expect_same("acos", elementary::acos(x), std::acos(x));
  }
}

TEST(Elementary, OverflowAndUnderflow) {
  EXPECT_EQ(elementary::exp(709.8), infinity);
  EXPECT_EQ(elementary::exp(-745.2), 0);
  EXPECT_EQ(elementary::exp(-745), least);
  EXPECT_EQ(elementary::pow(2, 1023), 0x1p1023);
  EXPECT_EQ(elementary::pow(2, 1024), infinity);
  EXPECT_EQ(elementary::pow(2, -1074), least);
  EXPECT_EQ(elementary::pow(-2, -1075.0 - 1), 0);
  EXPECT_EQ(elementary::pow(std::nextafter(1.0, 0.0), 1e300), 0);
  EXPECT_EQ(elementary::pow(std::nextafter(1.0, 0.0), -1e300), infinity);
  EXPECT_EQ(elementary::hypot(largest, largest), infinity);
  EXPECT_EQ(elementary::hypot(least, 0.0), least);
}

}  // namespace
