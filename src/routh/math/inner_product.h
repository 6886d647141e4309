// aᵀb of long vectors in four partial sums, which the compiler keeps in registers: the order of the sum is written
// here, the same on every machine, and it does not wait for one addition after the other as Eigen's does without
// packets.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace routh::internal {

inline double inner_product(const double* a, const double* b, Eigen::Index size) {
  double sum[4] = {};
  const Eigen::Index whole = size / 4 * 4;
  for (Eigen::Index i = 0; i < whole; i += 4)
    for (Eigen::Index k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  for (Eigen::Index k = 0; k < size - whole; ++k) sum[k] += a[whole + k] * b[whole + k];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// Of two columns.
template <class A, class B>
double inner_product(const A& a, const B& b) {
  static_assert(A::InnerStrideAtCompileTime == 1 && B::InnerStrideAtCompileTime == 1);
  eigen_assert(a.size() == b.size());
  return inner_product(a.data(), b.data(), a.size());
}

template <class A>
double length(const A& a) {
  return std::sqrt(inner_product(a, a));
}

}  // namespace routh::internal
