// Exponentials, logarithms, powers and roots. The polynomials are Chebyshev fits, nearly those of least greatest error.
#include "routh/math/elementary.h"

#include <algorithm>
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

// (eʳ − 1 − r − r²/2)/r³ for |r| ≤ (ln 2)/2, to 1e-18 of eʳ; by Estrin's scheme.
double exponential_series(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  const double q0 = 0x1.5555555555555p-3 + r * 0x1.5555555555556p-5;
  const double q2 = 0x1.11111111100dcp-7 + r * 0x1.6c16c16c162d4p-10;
  const double q4 = 0x1.a01a01abe7fe1p-13 + r * 0x1.a01a01a6d889cp-16;
  const double q6 = 0x1.71de0231960ebp-19 + r * 0x1.27e4db646b17ep-22;
  const double q8 = 0x1.af4de97ca4194p-26 + r * 0x1.1f730349868cep-29;
  return (q0 + r2 * q2) + r4 * ((q4 + r2 * q6) + r4 * q8);
}

constexpr double exp_overflows = 710, exp_vanishes = -746;

// x = n ln 2 + r, |r| ≤ (ln 2)/2.
struct ReducedExponent {
  double n;
  DoubleDouble r;
};

ReducedExponent reduced_exponent(double x, double low) {
  constexpr double shifter = 0x1.8p52;                              // adding it rounds to an integer
  const double n = (x * 0x1.71547652b82fep+0 + shifter) - shifter;  // 1/ln 2
  return {n, exact_sum(x - n * ln2_high, low - n * ln2_low)};
}

// exp(x + low) for |low| far below 1 to 0.54 ulp: 1 + r + r²/2 without error, the rest a hundred times smaller.
double exp_of_sum(double x, double low) {
  if (!(x < exp_overflows)) return infinity;
  if (x < exp_vanishes) return 0;
  const auto [n, r] = reduced_exponent(x, low);
  const DoubleDouble square = exact_product(r.high, r.high);
  const DoubleDouble first = ordered_sum(1, r.high);
  const DoubleDouble second = ordered_sum(first.high, 0.5 * square.high);
  const double rest = square.high * r.high * exponential_series(r.high) + 0.5 * square.low + r.low * first.high;
  return scaled(second.high + (second.low + (first.low + rest)), static_cast<int>(n));
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

double exp(double x) {
  if (!(x < exp_overflows)) return x + infinity;  // NaN stays
  if (x < exp_vanishes) return 0;
  const auto [n, r] = reduced_exponent(x, 0);
  const DoubleDouble first = ordered_sum(1, r.high);
  const double rest = r.low + r.high * r.high * (0.5 + r.high * exponential_series(r.high));
  return scaled(first.high + (first.low + rest), static_cast<int>(n));
}

// ln m = f − f²/2 + s (f²/2 + R) with f = m − 1, s = f/(2 + f) and R = 2/3 s² + 2/5 s⁴ + …: f is exact, and what is
// rounded is small beside it.
double log(double x) {
  if (!has_mantissa(x)) return log_of_special(x);
  const auto [m, n] = mantissa(x);
  const double f = m - 1, half_square = 0.5 * f * f, s = f / (2 + f);
  const double z = s * s, zz = z * z;
  const double odd =
      0x1.5555555555558p-1 + zz * (0x1.2492492df281ap-2 + zz * (0x1.7462b51cb66b1p-3 + zz * 0x1.2b5900de53b32p-3));
  const double even = 0x1.99999999952d7p-2 + zz * (0x1.c71c62e3f11e6p-3 + zz * 0x1.39fe51a7c18f9p-3);
  const double series = z * (odd + z * even);
  const DoubleDouble first = ordered_sum(n * ln2_high, f);
  return first.high + (first.low + (n * ln2_low - (half_square - s * (half_square + series))));
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
