#include "routh/math/sine_cosine.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace routh {

namespace {

// π/2 in three parts, the first two with 33 bits, so that their products with a quadrant number below 2²⁰ are exact.
constexpr double part1 = 0x1.921fb544p+0;
constexpr double part2 = 0x1.0b4611a6p-34;
constexpr double part3 = 0x1.3198a2e037073p-69;
constexpr double quadrants_per_radian = 0x1.45f306dc9c883p-1;  // 2/π
constexpr double shifter = 0x1.8p52;                           // adding it rounds to an integer, held in the low bits

bool reducible(const double* x, std::size_t count) {
  constexpr double largest = 0x1p20;
  std::size_t good = 0;
  for (std::size_t i = 0; i < count; ++i) good += std::abs(x[i]) <= largest ? 1 : 0;
  return good == count;
}

}  // namespace

void sine_cosine(const double* x, std::size_t count, double* __restrict sine, double* __restrict cosine) {
  if (!reducible(x, count)) {
    for (std::size_t i = 0; i < count; ++i) {
      sine[i] = std::sin(x[i]);
      cosine[i] = std::cos(x[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double shifted = x[i] * quadrants_per_radian + shifter;
    const double k = shifted - shifter;
    const double r = ((x[i] - k * part1) - k * part2) - k * part3;  // |r| ≤ π/4
    // Taylor to r¹⁷ and r¹⁶: what is left out is below 1e-17.
    const double z = r * r;
    double s = 1.0 / 355687428096000.0;
    double c = 1.0 / 20922789888000.0;
    s = s * z - 1.0 / 1307674368000.0;
    c = c * z - 1.0 / 87178291200.0;
    s = s * z + 1.0 / 6227020800.0;
    c = c * z + 1.0 / 479001600.0;
    s = s * z - 1.0 / 39916800.0;
    c = c * z - 1.0 / 3628800.0;
    s = s * z + 1.0 / 362880.0;
    c = c * z + 1.0 / 40320.0;
    s = s * z - 1.0 / 5040.0;
    c = c * z - 1.0 / 720.0;
    s = s * z + 1.0 / 120.0;
    c = c * z + 1.0 / 24.0;
    s = s * z - 1.0 / 6.0;
    s = r + s * z * r;
    c = 1 - (0.5 * z - c * z * z);
    // In odd quadrants the two change places; signs follow from the second bit.
    const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(shifted);
    const std::uint64_t odd = 0 - (quadrant & 1);
    const std::uint64_t sine_bits = std::bit_cast<std::uint64_t>(s), cosine_bits = std::bit_cast<std::uint64_t>(c);
    const std::uint64_t swap = (sine_bits ^ cosine_bits) & odd;
    sine[i] = std::bit_cast<double>((sine_bits ^ swap) ^ ((quadrant & 2) << 62));
    cosine[i] = std::bit_cast<double>((cosine_bits ^ swap) ^ (((quadrant + 1) & 2) << 62));
  }
}

}  // namespace routh
