// Random numbers by counting: a number depends on the seed, the index of the sample and the dimension alone, so that
// any thread or rank can make any of them.
#pragma once

#include <array>
#include <cstdint>

namespace routh::internal {

// Philox4x32-10 [Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011].
using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

// 64 random bits.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::uint32_t dimension, std::uint32_t purpose = 0);
// In [0, 1), a multiple of 2⁻⁵³.
double uniform(std::uint64_t seed, std::uint64_t index, std::uint32_t dimension, std::uint32_t purpose = 0);

// Where a random permutation of 0 … count − 1 takes `index`, without storing the permutation: a Feistel network over
// the next power of four, walked until it leads back below `count` (fewer than four steps on the average).
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed, std::uint32_t dimension);

  std::uint64_t operator()(std::uint64_t index) const;

 private:
  static constexpr int rounds = 6;
  std::uint64_t count_;
  int half_bits_;
  std::array<std::uint64_t, rounds> keys_;
};

}  // namespace routh::internal
