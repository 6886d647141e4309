// Real roots of polynomials of small degree.
#pragma once

#include <array>
#include <span>

namespace routh::internal {

struct RealRoots {
  int count = 0;
  std::array<double, 4> root{};  // ascending

  const double* begin() const { return root.data(); }
  const double* end() const { return root.data() + count; }
};

// Real roots of c[0] + c[1] x + … + c[n] xⁿ, n ≤ 4. A double root that the rounding of the coefficients cannot tell
// from two or none is given once. Coefficients are finite; leading zeros lower the degree. A constant has no roots.
RealRoots real_roots(std::span<const double> coefficients);

}  // namespace routh::internal
