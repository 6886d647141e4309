// Sobol's sequence: points that fill a cube evenly, by Joe and Kuo's direction numbers.
#pragma once

#include <array>
#include <cstdint>

namespace routh::internal {

inline constexpr int max_sobol_dimensions = 32;
inline constexpr int sobol_bits = 52;

// One dimension. Point `index` in the order of the Gray code, as it is usually listed: 0, ½, ¾, ¼, ⅜, …
class SobolDimension {
 public:
  // `dimension` from 0 to max_sobol_dimensions − 1.
  explicit SobolDimension(int dimension);

  // As a whole number below 2^sobol_bits; `index` below 2^sobol_bits.
  std::uint64_t bits(std::uint64_t index) const;

 private:
  std::array<std::uint64_t, sobol_bits> directions_{};
};

}  // namespace routh::internal
