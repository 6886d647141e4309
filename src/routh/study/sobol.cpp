// A dimension belongs to a primitive polynomial x^s + a_1 x^(s−1) + … + a_(s−1) x + 1 over the field of two elements
// and odd numbers m_1 … m_s; its direction numbers v_k = m_k 2^−k follow from the recurrence
//   m_k = 2 a_1 m_(k−1) ⊕ … ⊕ 2^(s−1) a_(s−1) m_(k−s+1) ⊕ 2^s m_(k−s) ⊕ m_(k−s).
// [Joe and Kuo, Constructing Sobol sequences with better two-dimensional projections, 2008; new-joe-kuo-6.21201]
#include "routh/study/sobol.h"

#include <bit>

namespace routh::internal {

namespace {

struct Polynomial {
  int degree;       // s
  unsigned middle;  // a_1 … a_(s−1) as bits, a_1 the highest
  std::array<unsigned, 8> m;
};

// clang-format off
constexpr std::array<Polynomial, max_sobol_dimensions - 1> polynomials = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
}};
// clang-format on

}  // namespace

SobolDimension::SobolDimension(int dimension) {
  const auto place = [](int k) { return sobol_bits - 1 - k; };
  if (dimension == 0) {
    for (int k = 0; k < sobol_bits; ++k) directions_[static_cast<std::size_t>(k)] = std::uint64_t{1} << place(k);
    return;
  }
  const Polynomial& p = polynomials[static_cast<std::size_t>(dimension - 1)];
  for (int k = 0; k < sobol_bits; ++k) {
    std::uint64_t& v = directions_[static_cast<std::size_t>(k)];
    if (k < p.degree) {
      v = std::uint64_t{p.m[static_cast<std::size_t>(k)]} << place(k);
      continue;
    }
    const std::uint64_t oldest = directions_[static_cast<std::size_t>(k - p.degree)];
    v = oldest ^ (oldest >> p.degree);
    for (int j = 1; j < p.degree; ++j)
      if ((p.middle >> (p.degree - 1 - j)) & 1u) v ^= directions_[static_cast<std::size_t>(k - j)];
  }
}

std::uint64_t SobolDimension::bits(std::uint64_t index) const {
  std::uint64_t x = 0;
  for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1)
    x ^= directions_[static_cast<std::size_t>(std::countr_zero(gray))];
  return x;
}

}  // namespace routh::internal
