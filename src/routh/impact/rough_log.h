// Logarithm and exponential to the three digits that widths of panels and counts of terms need, at a fraction of what
// the last digits cost: cubics between powers of two. The same bits everywhere, like math/elementary.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace routh::internal {

inline constexpr double ln_2 = 0x1.62e42fefa39efp-1;

// ln x within 5e-4, for normal x > 0.
inline double rough_log(double x) {
  constexpr int bias = 1023, fraction_bits = 52;
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << fraction_bits) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double m = std::bit_cast<double>((bits & mantissa) | std::bit_cast<std::uint64_t>(1.0));
  const auto exponent = static_cast<double>(static_cast<int>(bits >> fraction_bits) - bias);
  return ln_2 * (exponent + (((0.1564 * m - 1.0426) * m + 3.0313) * m - 2.1451));
}

// eˣ within 1e-4 of itself, for |x| < 700.
inline double rough_exp(double x) {
  constexpr int bias = 1023, fraction_bits = 52;
  const double power = x / ln_2, whole = std::floor(power), f = power - whole;
  const auto scale = static_cast<std::uint64_t>(static_cast<int>(whole) + bias) << fraction_bits;
  return (1 + f * (0.6958 + f * (0.2263 + f * 0.0779))) * std::bit_cast<double>(scale);
}

}  // namespace routh::internal
