// Exponentials, logarithms, powers and roots. Tables are made by the compiler in
// double-double arithmetic.
#include "routh/math/elementary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "routh/math/double_double.h"

namespace routh::internal::elementary {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double least_normal = std::numeric_limits<double>::min();

// ln 2 in two parts; the first has 40 bits, so that its product with a binary exponent is exact.
constexpr double ln2_high = 0x1.62e42fefa2p-1, ln2_low = 0x1.9ef35793c7673p-41;

// 2ⁿ for −1022 ≤ n ≤ 1023.
double power_of_two(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52); }

// y 2ⁿ with one rounding, for y between 1/2 and 2 and |n| ≤ 1100.
double scaled(double y, int n) { return y * power_of_two(n / 2) * power_of_two(n - n / 2); }

constexpr DoubleDouble ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// 2^(i/64), i < 64.
constexpr int exp_steps = 64;
constexpr auto exp_table = [] {
  std::array<DoubleDouble, exp_steps> table;
  for (int i = 0; i < exp_steps; ++i) {
    const DoubleDouble x = DoubleDouble{static_cast<double>(i) / exp_steps} * ln2;
    DoubleDouble sum = {1};
    for (int k = 26; k > 0; --k) sum = DoubleDouble{1} + x * sum / DoubleDouble{static_cast<double>(k)};
    table[static_cast<std::size_t>(i)] = sum;
  }
  return table;
}();

constexpr double exp_overflows = 710, exp_vanishes = -746, exp_normal = 708;

// exp(x + low) for |low| far below 1 to 0.52 ulp: x + low = k (ln 2)/64 + r, |r| ≤ (ln 2)/128. What is rounded is at
// most r beside 2^(k/64), which the table holds in two parts.
double exp_of_sum(double x, double low) {
  if (!(x < exp_overflows)) return infinity;
  if (x < exp_vanishes) return 0;
  constexpr double step_high = 0x1.62e42fefp-7, step_low = 0x1.473de6af278edp-40;  // k step_high is exact
  constexpr double shifter = 0x1.8p52;                        // adding it rounds to an integer, held in the low bits
  const double shifted = x * 0x1.71547652b82fep+6 + shifter;  // 64/ln 2
  const double steps = shifted - shifter;
  const int k = static_cast<int>(std::bit_cast<std::int64_t>(shifted) & 0xffffffff);
  const double r = (x - steps * step_high) + (low - steps * step_low), r2 = r * r;
  const double growth = (r + r2 * (0.5 + r * (1.0 / 6))) + r2 * r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));
  const auto& [high, rest] = exp_table[static_cast<std::size_t>(k & (exp_steps - 1))];
  const double y = high + (high * growth + rest);
  const int n = k >> 6;
  return std::abs(x) < exp_normal ? y * power_of_two(n) : scaled(y, n);
}

// x = m 2ⁿ with √½ ≤ m < √2, for x > 0 and finite.
struct Mantissa {
  double m;
  int n;
};

Mantissa mantissa(double x) {
  constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
  const bool subnormal = x < least_normal;
  const auto bits = std::bit_cast<std::int64_t>(subnormal ? x * 0x1p54 : x);
  const std::int64_t n = (bits - root_half) >> 52;
  return {std::bit_cast<double>(bits - n * (std::int64_t{1} << 52)), static_cast<int>(n) - (subnormal ? 54 : 0)};
}

// Of zero, negative numbers, infinity and NaN, which have no mantissa.
double log_of_special(double x) { return x == 0 ? -infinity : x > 0 ? infinity : not_a_number; }

bool has_mantissa(double x) { return x > 0 && x < infinity; }

// ln x to 2⁻⁷⁵ of itself, from ln m = 2 artanh s = 2 s (1 + z/3 + z²/5 + …), s = (m − 1)/(m + 1), z = s².
DoubleDouble accurate_log(double x) {
  constexpr DoubleDouble third = DoubleDouble{1} / DoubleDouble{3}, fifth = DoubleDouble{1} / DoubleDouble{5},
                         seventh = DoubleDouble{1} / DoubleDouble{7};
  const auto [m, n] = mantissa(x);
  const DoubleDouble s = DoubleDouble{m - 1} / exact_sum(m, 1);
  const DoubleDouble z = s * s;
  double far = 0;  // from z⁴/9 on in one double
  constexpr int last = 15, first = 4;
#pragma GCC unroll 16
  for (int k = last; k >= first; --k) far = far * z.high + 1.0 / (2 * k + 1);
  DoubleDouble sum = seventh + exact_product(z.high, far);
  sum = fifth + z * sum;
  sum = third + z * sum;
  sum = DoubleDouble{1} + z * sum;
  sum = DoubleDouble{2 * s.high, 2 * s.low} * sum;
  constexpr DoubleDouble rest = {ln2_low, 0x1.f97b57a079a19p-103};  // ln 2 beyond its first part
  return (DoubleDouble{n * ln2_high} + DoubleDouble{static_cast<double>(n)} * rest) + sum;
}

// By multiples of 1/128 from √½ to √2: a number c near it with a short inverse. The first part of ln c is a multiple of
// 2⁻⁴¹, as n ln2_high is.
struct LogStep {
  double inverse, log_high, log_low;
};

constexpr int log_first = 90, log_last = 182;  // [1/128]
constexpr auto log_table = [] {
  std::array<LogStep, log_last - log_first + 1> table;
  for (int k = log_first; k <= log_last; ++k) {
    const double inverse = static_cast<int>(1024 * 128.0 / k + 0.5) / 1024.0;
    const DoubleDouble s = DoubleDouble{1 - inverse} / DoubleDouble{1 + inverse}, z = s * s;
    DoubleDouble sum;  // artanh s / s
    for (int j = 24; j >= 0; --j) sum = DoubleDouble{1} / DoubleDouble{2.0 * j + 1} + z * sum;
    const DoubleDouble log = DoubleDouble{2 * s.high, 2 * s.low} * sum;
    constexpr double shifter = 0x1.8p11;
    const double high = (log.high + shifter) - shifter;
    table[static_cast<std::size_t>(k - log_first)] = {inverse, high, (log.high - high) + log.low};
  }
  return table;
}();

bool is_odd(double x) { return std::fmod(x, 2) != 0; }

// Of a zero or infinite base or exponent; neither is NaN, nor the base one or the exponent zero.
double pow_of_special(double base, double exponent) {
  const bool odd = std::abs(exponent) < infinity && std::floor(exponent) == exponent && is_odd(exponent);
  const double size = std::abs(base);
  if (std::abs(exponent) == infinity) {
    if (size == 1) return 1;
    return (size > 1) == (exponent > 0) ? infinity : 0;
  }
  const double power = (size > 1) == (exponent > 0) ? infinity : 0;
  return odd ? std::copysign(power, base) : power;
}

}  // namespace

double exp(double x) { return std::isnan(x) ? x : exp_of_sum(x, 0); }

// ln x = n ln 2 + ln c + ln(1 + r) with 1/c of eleven bits out of the table and r = m/c − 1, |r| < 1/160. The first two
// add up without error, c = 1 next to one, and what is rounded is small beside r.
double log(double x) {
  if (!has_mantissa(x)) return log_of_special(x);
  const auto [m, n] = mantissa(x);
  constexpr double shifter = 0x1.8p45;  // adding it rounds to multiples of 1/128
  const auto place = static_cast<std::int32_t>(std::bit_cast<std::int64_t>(m + shifter) & 0xffff);
  const LogStep& step = log_table[static_cast<std::size_t>(place - log_first)];
  constexpr std::uint64_t kept = ~std::uint64_t{0x1fff};
  const double m_high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(m) & kept);
  const auto [r, r_low] = ordered_sum(m_high * step.inverse - 1, (m - m_high) * step.inverse);
  const double r2 = r * r;
  const double series = (r * (1.0 / 3) - 0.5) + r2 * ((r * (1.0 / 5) - 0.25) + r2 * (r * (1.0 / 7) - 1.0 / 6));
  const DoubleDouble first = ordered_sum(n * ln2_high + step.log_high, r);
  return first.high + (first.low + ((n * ln2_low + step.log_low) + r_low + r2 * series));
}

double log10(double x) {
  if (!has_mantissa(x)) return log_of_special(x);
  constexpr DoubleDouble per_e = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};  // 1/ln 10
  return (accurate_log(x) * per_e).high;
}

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return not_a_number;
  const double size = std::abs(base);
  if (!has_mantissa(size) || std::abs(exponent) == infinity) return pow_of_special(base, exponent);
  double sign = 1;
  if (base < 0) {
    if (std::floor(exponent) != exponent) return not_a_number;
    sign = is_odd(exponent) ? -1 : 1;
  }
  // Beyond this the power overflows or vanishes for every base but one.
  constexpr double largest = 0x1p64;
  const double bounded = std::clamp(exponent, -largest, largest);
  const DoubleDouble product = DoubleDouble{bounded} * accurate_log(size);
  return sign * exp_of_sum(product.high, product.low);
}

// Halley's iteration for y³ = a, twice, from a cubic polynomial with four digits; before the last one y is cut to 26
// bits, so that y² is exact.
double cbrt(double x) {
  if (x == 0 || !(std::abs(x) < infinity)) return x;
  const bool subnormal = std::abs(x) < least_normal;
  const auto bits = std::bit_cast<std::uint64_t>(std::abs(subnormal ? x * 0x1p54 : x));
  constexpr int bias = 1022;  // of a mantissa between 1/2 and 1
  const int exponent = static_cast<int>(bits >> 52) - bias;
  const int third = (exponent + 3 * bias) / 3 - bias, rest = exponent - 3 * third;  // 0, 1 or 2
  const double m = std::bit_cast<double>((bits & 0xfffffffffffff) | (std::uint64_t{bias} << 52));
  constexpr double root[] = {1, 0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0};  // of 1, 2 and 4
  const double a = rest == 0 ? m : rest == 1 ? 2 * m : 4 * m;
  double y = root[rest] *
             (0.44113157750282332 + m * (0.92200442430350527 + m * (m * 0.14063547369158259 - 0.50372191199259533)));
  const double cube = y * y * y;
  y *= (cube + 2 * a) / (2 * cube + a);
  constexpr std::uint64_t kept = ~std::uint64_t{0x7ffffff};
  y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) & kept);
  const double quotient = a / (y * y);
  y += y * (quotient - y) / (2 * y + quotient);
  return std::copysign(y * power_of_two(third - (subnormal ? 18 : 0)), x);
}

double scaled_hypot(double x, double y, double z) {
  if (std::isinf(x) || std::isinf(y) || std::isinf(z)) return infinity;
  const double largest = std::max({std::abs(x), std::abs(y), std::abs(z)});
  if (std::isnan(x + y + z) || largest == 0) return x + y + z == 0 ? 0 : not_a_number;
  const double up = largest > 1 ? 0x1p-600 : 0x1p600;
  const double scaled_x = x * up, scaled_y = y * up, scaled_z = z * up;
  return std::sqrt(scaled_x * scaled_x + scaled_y * scaled_y + scaled_z * scaled_z) / up;
}

}  // namespace routh::internal::elementary
