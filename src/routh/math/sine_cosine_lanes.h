// Sine and cosine of the angles in one vector register, for kernels that have them at hand. Private to the library.
#pragma once

#include <cstdint>

#include "routh/math/lanes.h"

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
  // sin r = r + r z S(z) and cos r = 1 − z/2 + z² C(z) with the polynomials of least greatest error (Remez), below
  // 6e-18; summed by Estrin's scheme, since a kernel waits for them.
  const Number z = r * r, zz = z * z;
  const Number s1 = z * 0x1.111111110f928p-7 - 0x1.5555555555549p-3;
  const Number s2 = z * 0x1.71de359ae95b7p-19 - 0x1.a01a019c3406cp-13;
  const Number s3 = z * 0x1.5d9b55d13ad36p-33 - 0x1.ae5e83287e46fp-26;
  const Number c1 = z * -0x1.6c16c16c15047p-10 + 0x1.555555555554cp-5;
  const Number c2 = z * -0x1.27e4f78134cbcp-22 + 0x1.a01a019c441e6p-16;
  const Number c3 = z * -0x1.8f68238b120adp-37 + 0x1.1ee971f95fa2bp-29;
  const Number s = r + (z * r) * ((s3 * zz + s2) * zz + s1);
  const Number c = 1.0 - (0.5 * z - zz * ((c3 * zz + c2) * zz + c1));
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
