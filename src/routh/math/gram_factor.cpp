#include "routh/math/gram_factor.h"

#include <cmath>

#include "routh/math/column_space.h"

namespace routh::internal {

namespace {

// Squared shares of a column's length: beyond the first it is a direction of its own, below the second it is none.
constexpr double clear = 1e-9, nothing = 1e-13;

}  // namespace

GramFactor::GramFactor(int size)
    : diagonal_(size),
      left_(size),
      share_(size),
      factor_(size, size),
      basis_(size, size),
      triangle_(size, size),
      coefficients_(size) {}

// The first of those of which nearly most is left, so that rounding seldom decides.
int GramFactor::find_pivot() const {
  constexpr double nearly = 0.25;
  int found = 0;
  for (int k = 1; k < share_.size(); ++k)
    if (nearly * share_[k] > share_[found]) found = k;
  return found;
}

bool GramFactor::compute(const Eigen::MatrixXd& D) {
  diagonal_ = left_ = D.diagonal();
  const int size = static_cast<int>(D.rows());
  for (int k = 0; k < size; ++k) share_[k] = diagonal_[k] > 0 ? 1 : 0;
  for (rank_ = 0; rank_ < size; ++rank_) {
    const int pivot = find_pivot();
    if (!(share_.maxCoeff() > nothing)) break;
    if (!(share_[pivot] > clear)) return false;
    auto column = factor_.col(rank_);
    column.head(pivot) = D.row(pivot).head(pivot).transpose();
    column.tail(size - pivot) = D.col(pivot).tail(size - pivot);
    for (int j = 0; j < rank_; ++j) column -= factor_(pivot, j) * factor_.col(j);
    column /= std::sqrt(left_[pivot]);
    for (int i = 0; i < size; ++i) {
      if (share_[i] == 0) continue;
      left_[i] -= column[i] * column[i];
      share_[i] = std::max(left_[i] / diagonal_[i], 0.0);
    }
    share_[pivot] = 0;
  }
  for (int k = 0; k < rank_; ++k) {
    triangle_.col(k).setZero();
    basis_.col(k) = factor_.col(k);
    remove_basis(basis_, k, basis_.col(k), triangle_.col(k).data());
    triangle_(k, k) = basis_.col(k).norm();
    basis_.col(k) /= triangle_(k, k);
  }
  return true;
}

void GramFactor::solve(const Eigen::VectorXd& b, Eigen::VectorXd& lambda) {
  for (int k = rank_ - 1; k >= 0; --k) {
    double z = basis_.col(k).dot(b);
    for (int j = k + 1; j < rank_; ++j) z -= triangle_(k, j) * coefficients_[j];
    coefficients_[k] = z / triangle_(k, k);
  }
  lambda.setZero();
  for (int k = 0; k < rank_; ++k) {
    double y = coefficients_[k];
    for (int j = 0; j < k; ++j) y -= triangle_(j, k) * coefficients_[j];
    coefficients_[k] = y / triangle_(k, k);
    lambda += coefficients_[k] * basis_.col(k);
  }
}

}  // namespace routh::internal
