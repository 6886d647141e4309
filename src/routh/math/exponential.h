// exp of a whole panel at once: branch-free, so that compilers vectorise it. Relative error below 4e-16.
#pragma once

#include <bit>
#include <cstdint>

#include "routh/math/chebyshev.h"

namespace routh::internal {

// Arguments must lie in [−700, 700].
[[gnu::always_inline]] inline PanelArray exponential(const PanelArray& x) {
  constexpr double per_log2 = 1.4426950408889634074;
  constexpr double log2_high = 0x1.62e42fee00000p-1;  // ln 2 in two parts: n · high is exact
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  constexpr double shifter = 0x1.8p52;  // adding it rounds to an integer, held in the low bits
  PanelArray y;
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    const double shifted = x[j] * per_log2 + shifter;
    const double n = shifted - shifter;
    const double r = (x[j] - n * log2_high) - n * log2_low;  // |r| ≤ ln 2 / 2
    // Taylor to r¹³/13!, even and odd powers apart so that the two chains run side by side.
    const double r2 = r * r;
    double even = 1.0 / 479001600.0;
    double odd = 1.0 / 6227020800.0;
    even = even * r2 + 1.0 / 3628800.0;
    odd = odd * r2 + 1.0 / 39916800.0;
    even = even * r2 + 1.0 / 40320.0;
    odd = odd * r2 + 1.0 / 362880.0;
    even = even * r2 + 1.0 / 720.0;
    odd = odd * r2 + 1.0 / 5040.0;
    even = even * r2 + 1.0 / 24.0;
    odd = odd * r2 + 1.0 / 120.0;
    even = even * r2 + 0.5;
    odd = odd * r2 + 1.0 / 6.0;
    const double p = (1 + even * r2) + (r + odd * r2 * r);
    const std::uint64_t bits = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    y[j] = p * std::bit_cast<double>(bits);
  }
  return y;
}

}  // namespace routh::internal
