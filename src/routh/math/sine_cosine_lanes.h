// Sine and cosine of the angles in one vector register, for kernels that have them at hand. Private to the library.
#pragma once

#include <cstdint>

#include "routh/math/lanes.h"
#include "routh/math/sine_cosine_series.h"

namespace routh::internal {

template <std::size_t lanes>
struct LaneBitsOf {
  using type __attribute__((vector_size(lanes * sizeof(double)), may_alias)) = std::int64_t;
};
template <std::size_t lanes>
using LaneBits = typename LaneBitsOf<lanes>::type;

// Whether `sine_cosine_lanes` may be asked: none beyond 2²⁰, nor NaN.
template <std::size_t lanes>
[[gnu::always_inline]] inline bool reducible(const Lanes<lanes>& x) {
  constexpr double largest = 0x1p20;
  const LaneBits<lanes> within = (x <= largest) & (x >= -largest);
  std::int64_t all = -1;
  for (std::size_t i = 0; i < lanes; ++i) all &= within[i];
  return all != 0;
}

template <std::size_t lanes>
[[gnu::always_inline]] inline void sine_cosine_lanes(const Lanes<lanes>& x, Lanes<lanes>& sine, Lanes<lanes>& cosine) {
  // π/2 in three parts, the first two with 33 bits, so that their products with a quadrant number below 2²⁰ are exact.
  constexpr double part1 = 0x1.921fb544p+0;
  constexpr double part2 = 0x1.0b4611a6p-34;
  constexpr double part3 = 0x1.3198a2e037073p-69;
  constexpr double quadrants_per_radian = 0x1.45f306dc9c883p-1;  // 2/π
  constexpr double shifter = 0x1.8p52;                           // adding it rounds to an integer, held in the low bits
  using Number = Lanes<lanes>;
  using Bits = LaneBits<lanes>;
  const Number shifted = x * quadrants_per_radian + shifter;
  const Number k = shifted - shifter;
  const Number r = ((x - k * part1) - k * part2) - k * part3;  // |r| ≤ π/4
  const Number z = r * r, zz = z * z;
  Number s, c;
  sine_series(z, s);
  cosine_series(z, c);
  s = r + (z * r) * s;
  c = 1.0 - (0.5 * z - zz * c);
  // In odd quadrants the two change places; signs follow from the second bit.
  const Bits quadrant = reinterpret_cast<Bits>(shifted);
  const Bits sine_bits = reinterpret_cast<Bits>(s), cosine_bits = reinterpret_cast<Bits>(c);
  const Bits swap = (sine_bits ^ cosine_bits) & -(quadrant & 1);
  const Bits sine_out = (sine_bits ^ swap) ^ ((quadrant & 2) << 62);
  const Bits cosine_out = (cosine_bits ^ swap) ^ (((quadrant + 1) & 2) << 62);
  sine = reinterpret_cast<Number>(sine_out);
  cosine = reinterpret_cast<Number>(cosine_out);
}

}  // namespace routh::internal
