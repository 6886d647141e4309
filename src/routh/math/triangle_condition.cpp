#include "routh/math/triangle_condition.h"

#include <cmath>
#include <limits>

namespace routh::internal {

double lower_triangle_condition(const Eigen::Ref<const Eigen::MatrixXd>& T, Eigen::Ref<Eigen::VectorXd> scratch,
                                Eigen::Ref<Eigen::VectorXd> scratch_too) {
  const Eigen::Index n = T.rows();
  if (n == 0) return 1;
  const double root = std::sqrt(static_cast<double>(n));
  auto y = scratch.head(n), z = scratch_too.head(n);
  const auto column = [&](Eigen::Index j) { return T.col(j).tail(n - j); };
  const auto below = [&](Eigen::Index j) { return T.col(j).tail(n - j - 1); };
  // y = T x, x = ±1; then Tᵀ y
  y.setZero();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (column(j).dot(y.tail(n - j)) < 0)
      y.tail(n - j) -= column(j);
    else
      y.tail(n - j) += column(j);
  }
  const double grown = y.norm();
  for (Eigen::Index j = 0; j < n; ++j) z(j) = column(j).dot(y.tail(n - j));
  const double norm = std::max(grown / root, z.norm() / grown);
  // T z = ±1 against what has gathered in y; then Tᵀ y = z
  y.setZero();
  for (Eigen::Index j = 0; j < n; ++j) {
    z(j) = ((y(j) > 0 ? -1 : 1) - y(j)) / T(j, j);
    y.tail(n - j - 1) += z(j) * below(j);
  }
  const double solved = z.norm();
  for (Eigen::Index j = n - 1; j >= 0; --j) y(j) = (z(j) - below(j).dot(y.tail(n - j - 1))) / T(j, j);
  const double inverse_norm = std::max(solved / root, y.norm() / solved);
  const double condition = norm * inverse_norm;
  return std::isfinite(condition) ? std::max(1.0, condition) : std::numeric_limits<double>::infinity();
}

}  // namespace routh::internal
