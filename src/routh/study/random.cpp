#include "routh/study/random.h"

namespace routh::internal {

namespace {

enum Purpose : std::uint32_t { feistel_key = 0x7065726d };

std::uint64_t mixed(std::uint64_t value) {
  // The finaliser of SplitMix64 [Steele, Lea and Flood 2014].
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

}  // namespace

PhiloxCounter philox(PhiloxCounter c, PhiloxKey k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xd2511f53u} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xcd9e8d57u} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  return c;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::uint32_t dimension, std::uint32_t purpose) {
  const PhiloxCounter out =
      philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), dimension, purpose},
             {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return (std::uint64_t{out[1]} << 32) | out[0];
}

double uniform(std::uint64_t seed, std::uint64_t index, std::uint32_t dimension, std::uint32_t purpose) {
  return static_cast<double>(random_bits(seed, index, dimension, purpose) >> 11) * 0x1p-53;
}

Permutation::Permutation(std::uint64_t count, std::uint64_t seed, std::uint32_t dimension)
    : count_(count), half_bits_(1), keys_{} {
  while (half_bits_ < 31 && (std::uint64_t{1} << (2 * half_bits_)) < count) ++half_bits_;
  for (std::uint32_t round = 0; round < rounds; ++round)
    keys_[round] = random_bits(seed, round, dimension, feistel_key);
}

std::uint64_t Permutation::operator()(std::uint64_t index) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t at = index;
  // The walk is a cycle through `index`, so it ends.
  do {
    std::uint64_t left = at >> half_bits_, right = at & mask;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t next = left ^ (mixed(right + key) & mask);
      left = right;
      right = next;
    }
    at = (left << half_bits_) | right;
  } while (at >= count_);
  return at;
}

}  // namespace routh::internal
