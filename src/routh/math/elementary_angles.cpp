// Sines, cosines and their inverses.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "routh/math/double_double.h"
#include "routh/math/elementary.h"
#include "routh/math/sine_cosine_series.h"

namespace routh::internal::elementary {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double tiny_angle = 0x1p-27;  // below it x³ is less than half an ulp of x

constexpr DoubleDouble pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr DoubleDouble half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// x = quadrant · π/2 + r, |r| ≤ π/4; the quadrant counts modulo 4.
struct Reduced {
  unsigned quadrant;
  DoubleDouble r;
};

// For |x| ≤ 2²⁰: π/2 in parts of 33 bits, whose products with a number of quadrants are exact [Cody and Waite 1980].
Reduced reduced_by_parts(double x) {
  constexpr double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2ep-69;
  constexpr double part4 = 0x1.b839a252049c1p-104;
  constexpr double shifter = 0x1.8p52;                        // adding it rounds to an integer, held in the low bits
  const double shifted = x * 0x1.45f306dc9c883p-1 + shifter;  // 2/π
  const double k = shifted - shifter;
  const DoubleDouble first = exact_sum(x - k * part1, -k * part2);
  const DoubleDouble second = exact_sum(first.high, -k * part3);
  return {static_cast<unsigned>(std::bit_cast<std::uint64_t>(shifted)) & 3,
          ordered_sum(second.high, second.low + (first.low - k * part4))};
}

// For 2²⁰ ≤ x < ∞ [Payne and Hanek 1983]: of x · 2/π = m 2ᵉ · 2/π, m of 53 bits, the digits of 2/π before weight
// 2^(1−e) make multiples of 4, and those 192 places on change nothing: no double comes nearer to a multiple of π/2
// than 2⁻⁶².
Reduced reduced_by_digits(double x) {
  // Two words of zeros, then 2/π in binary.
  static constexpr std::array<std::uint32_t, 39> digits = {
      0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
      0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
      0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
      0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
      0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};
  constexpr std::size_t words = 6;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0xfffffffffffff) | (std::uint64_t{1} << 52);
  const std::size_t place = (bits >> 52) - 1075 + 62;  // e + 62: where the digits begin
  std::array<std::uint32_t, words> product{};  // modulo 2¹⁹², the lowest word first; in units of 2⁻¹⁹⁰
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t factor = (m >> (32 * half)) & 0xffffffff;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i + half < words; ++i) {
      const std::size_t word = place / 32 + words - 1 - i;
      const std::uint64_t two_words =
          (std::uint64_t{digits[word]} << 32) | (word + 1 < digits.size() ? digits[word + 1] : 0);
      carry += product[i + half] + factor * ((two_words >> (32 - place % 32)) & 0xffffffff);
      product[i + half] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr std::uint32_t half_quadrant = 0x20000000;  // of 2³⁰ units of the highest word
  product[words - 1] += half_quadrant;                 // so that the fraction lies between −1/2 and 1/2
  const double top = static_cast<double>(product[words - 1] & 0x3fffffff) - half_quadrant;
  DoubleDouble fraction = {top * 0x1p-30};
  double unit = 0x1p-30;
  for (std::size_t i = words - 1; i-- > 1;) {
    unit *= 0x1p-32;
    const DoubleDouble sum = exact_sum(fraction.high, product[i] * unit);
    fraction = ordered_sum(sum.high, sum.low + fraction.low);
  }
  return {product[words - 1] >> 30, fraction * half_pi};
}

Reduced reduced(double x) {
  constexpr double by_parts = 0x1p20;
  if (std::abs(x) <= by_parts) return reduced_by_parts(x);
  const Reduced size = reduced_by_digits(std::abs(x));
  return x > 0 ? size : Reduced{-size.quadrant & 3, -size.r};
}

// Not rounded to one double yet; the second part up to a tenth of the first.
DoubleDouble sine_near_zero(const DoubleDouble& r) {
  const double z = r.high * r.high;
  double series;
  sine_series(z, series);
  return {r.high, z * r.high * series + r.low * (1 - 0.5 * z)};
}

DoubleDouble cosine_near_zero(const DoubleDouble& r) {
  const double z = r.high * r.high;
  double series;
  cosine_series(z, series);
  const DoubleDouble first = ordered_sum(1, -0.5 * z);
  return {first.high, first.low + (z * z * series - r.high * r.low)};
}

DoubleDouble normalized(const DoubleDouble& x) { return ordered_sum(x.high, x.low); }

double rounded(const DoubleDouble& x) { return x.high + x.low; }

// sin x for quarters = 0, cos x for quarters = 1: the sine a quadrant further on.
double sine(double x, unsigned quarters) {
  const auto [quadrant, r] = reduced(x);
  const unsigned ahead = quadrant + quarters;
  const double size = rounded(ahead & 1 ? cosine_near_zero(r) : sine_near_zero(r));
  return ahead & 2 ? -size : size;
}

// The angle of (x, y) for x, y ≥ 0, not both zero, neither below 2⁻⁷⁰ of the other unless zero. With c the eighth next
// to t = y/x ≤ 1: arctan t = arctan c + arctan((t − c)/(1 + t c)).
DoubleDouble angle_up_to_diagonal(const DoubleDouble& y, const DoubleDouble& x) {
  static constexpr std::array<DoubleDouble, 9> arctan_of_eighths = {{{0, 0},
                                                                     {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                                     {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                                     {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                                     {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                                     {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                                     {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                                     {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                                     {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};
  const auto eighths = static_cast<std::size_t>(8 * (y.high / x.high) + 0.5);
  const DoubleDouble c = {static_cast<double>(eighths) / 8};
  const DoubleDouble t = (y - c * x) / (x + c * y);
  const double z = t.high * t.high;  // below 1/250: seven terms of the series
  const double series = -1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13)))));
  return arctan_of_eighths[eighths] + ordered_sum(t.high, t.low + t.high * z * series);
}

DoubleDouble angle_in_first_quadrant(const DoubleDouble& y, const DoubleDouble& x) {
  return y.high > x.high ? half_pi - angle_up_to_diagonal(x, y) : angle_up_to_diagonal(y, x);
}

// (arcsin s)/s − 1 for z = s² ≤ 1/4, to 5e-18: a Chebyshev fit, nearly that of least greatest error.
double arcsine_series(double z) {
  const double z2 = z * z, z4 = z2 * z2;
  const double p0 =
      (0x1.5555555555556p-3 + z * 0x1.3333333332e87p-4) + z2 * (0x1.6db6db6e3844bp-5 + z * 0x1.f1c71c19f8d29p-6);
  const double p4 =
      (0x1.6e8bb25868b49p-6 + z * 0x1.1c4d28ea04196p-6) + z2 * (0x1.c9d07d4d03ddbp-7 + z * 0x1.78186416c6a4ep-7);
  const double p8 =
      (0x1.529a9bba29802p-7 + z * 0x1.62c22a53244ebp-8) + z2 * (0x1.1f0750c0651fcp-6 + z * -0x1.ec92eb603f636p-7);
  return z * (p0 + z4 * (p4 + z4 * (p8 + z4 * 0x1.d924a1e3b6e41p-6)));
}

// 2 arcsin √z for z ≤ 1/4; not rounded to one double yet.
DoubleDouble twice_arcsine_of_root(double z) {
  const DoubleDouble root = square_root(z);
  return {2 * root.high, 2 * (root.low + (root.high + root.low) * arcsine_series(z))};
}

}  // namespace

double sin(double x) {
  if (std::abs(x) < tiny_angle) return x;
  return std::isfinite(x) ? sine(x, 0) : not_a_number;
}

double cos(double x) { return std::isfinite(x) ? sine(x, 1) : not_a_number; }

double tan(double x) {
  if (std::abs(x) < tiny_angle) return x;
  if (!std::isfinite(x)) return not_a_number;
  const auto [quadrant, r] = reduced(x);
  const DoubleDouble sine = normalized(sine_near_zero(r)), cosine = normalized(cosine_near_zero(r));
  return rounded(quadrant & 1 ? -cosine / sine : sine / cosine);
}

// Beyond 1/2 by arcsin |x| = π/2 − 2 arcsin √((1 − |x|)/2), where the difference is exact.
double asin(double x) {
  const double size = std::abs(x);
  if (size < tiny_angle) return x;
  if (!(size <= 1)) return not_a_number;
  if (size <= 0.5) return x + x * arcsine_series(x * x);
  const DoubleDouble twice = twice_arcsine_of_root(0.5 * (1 - size));
  const DoubleDouble first = ordered_sum(half_pi.high, -twice.high);
  return std::copysign(first.high + (first.low + (half_pi.low - twice.low)), x);
}

double acos(double x) {
  const double size = std::abs(x);
  if (!(size <= 1)) return not_a_number;
  if (size <= 0.5) {
    const DoubleDouble first = ordered_sum(half_pi.high, -x);
    return first.high + (first.low + (half_pi.low - x * arcsine_series(x * x)));
  }
  const DoubleDouble twice = twice_arcsine_of_root(0.5 * (1 - size));
  if (x > 0) return rounded(twice);
  const DoubleDouble first = ordered_sum(pi.high, -twice.high);
  return first.high + (first.low + (pi.low - twice.low));
}

double atan(double x) { return atan2(x, 1); }

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return not_a_number;
  double up = std::abs(y), along = std::abs(x);
  if (up == infinity || along == infinity) {  // only the directions count
    const bool along_infinite = along == infinity;
    along = along_infinite ? 1 : 0;
    up = up == infinity ? 1 : 0;
  }
  const bool backward = std::signbit(x);
  constexpr double negligible = 0x1p-64;
  if (up == 0 || up < along * negligible) {
    const double angle = up == 0 ? 0 : up / along;
    return std::copysign(backward ? pi.high : angle, y);
  }
  if (along == 0 || along < up * negligible) return std::copysign(half_pi.high, y);
  constexpr double large = 0x1p400, small = 0x1p-400;
  const double larger = std::max(up, along);
  const double scale = larger > large ? 0x1p-600 : larger < small ? 0x1p600 : 1;
  const DoubleDouble angle = angle_in_first_quadrant({up * scale}, {along * scale});
  return std::copysign(rounded(backward ? pi - angle : angle), y);
}

}  // namespace routh::internal::elementary
