#include "routh/math/column_space.h"

#include <algorithm>

#include "routh/math/inner_product.h"
#include "routh/math/tolerances.h"

namespace routh::internal {

void remove_basis(const Eigen::MatrixXd& basis, int count, Eigen::Ref<Eigen::VectorXd> column, double* coefficients) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      const double amount = inner_product(basis.col(k), column);
      column -= amount * basis.col(k);
      if (coefficients) coefficients[k] += amount;
    }
}

ColumnSpace::ColumnSpace(int size, int count, double tolerance)
    : tolerance_(tolerance),
      left_(size, count),
      lengths_(count),
      left_share_(count),
      basis_(size, count),
      shares_(count, count),
      row_basis_(count, count),
      row_triangle_(count, count),
      coefficients_(count) {}

void ColumnSpace::clear() {
  rank_ = 0;
  columns_ = 0;
  shares_.setZero();
  row_triangle_.setZero();
}

void ColumnSpace::add(const Eigen::Ref<const Eigen::VectorXd>& column) {
  left_.col(columns_) = column;
  lengths_(columns_) = length(column);
  left_share_(columns_) = lengths_(columns_) > 0 ? 1 : 0;
  ++columns_;
}

// The first of those that are nearly as long as the longest, so that rounding seldom decides; −1 when nothing is left.
int ColumnSpace::find_longest() const {
  int longest = -1;
  double most = 0;
  for (int k = 0; k < columns_; ++k) {
    if (!(left_share_(k) > most)) continue;
    longest = k;
    most = left_share_(k) / tolerances::pivot_share;
  }
  return longest;
}

// Removes its part along the last direction from a column of which something is left. What is then no more than
// rounding counts as nothing.
void ColumnSpace::take_share(int k) {
  const auto direction = basis_.col(rank_);
  const double share = inner_product(direction, left_.col(k));
  shares_(rank_, k) = share;
  left_.col(k) -= share * direction;
  const double rest = length(left_.col(k));
  left_share_(k) = rest > tolerance_ * lengths_(k) ? rest / lengths_(k) : 0;
}

void ColumnSpace::finish() {
  const int most = static_cast<int>(std::min(left_.rows(), static_cast<Eigen::Index>(columns_)));
  for (int longest = find_longest(); longest >= 0 && rank_ < most; longest = find_longest()) {
    auto direction = basis_.col(rank_);
    direction = left_.col(longest);
    remove_basis(basis_, rank_, direction, nullptr);  // what rounding left of the ones before
    direction.normalize();
    for (int k = 0; k < columns_; ++k)
      if (left_share_(k) > 0) take_share(k);
    left_share_(longest) = 0;
    ++rank_;
  }
  for (int k = 0; k < rank_; ++k) {
    coefficients_ = shares_.row(k).transpose();
    remove_basis(row_basis_, k, coefficients_, row_triangle_.col(k).data());
    const double size = length(coefficients_);
    row_basis_.col(k) = coefficients_ / size;
    row_triangle_(k, k) = size;
  }
}

void ColumnSpace::project_off(Eigen::Ref<Eigen::VectorXd> x) const { remove_basis(basis_, rank_, x, nullptr); }

void ColumnSpace::project_on(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = 0; k < rank_; ++k) coefficients_(k) = inner_product(basis_.col(k), x);
  x.setZero();
  for (int k = 0; k < rank_; ++k) x += coefficients_(k) * basis_.col(k);
}

// S λ = Qᵀx with X = Q S, Sᵀ = B R: Rᵀ y = Qᵀx, λ = B y.
void ColumnSpace::least_norm(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> lambda) const {
  lambda.setZero();
  for (int k = 0; k < rank_; ++k) {
    double y = inner_product(basis_.col(k), x);
    for (int j = 0; j < k; ++j) y -= row_triangle_(j, k) * coefficients_(j);
    coefficients_(k) = y / row_triangle_(k, k);
    lambda += coefficients_(k) * row_basis_.col(k).head(columns_);
  }
}

// Sᵀ Qᵀy = b: R Qᵀy = Bᵀb.
void ColumnSpace::least_squares(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) const {
  y.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    double z = row_basis_.col(k).head(columns_).dot(b);
    for (int j = k + 1; j < rank_; ++j) z -= row_triangle_(k, j) * coefficients_(j);
    coefficients_(k) = z / row_triangle_(k, k);
    y += coefficients_(k) * basis_.col(k);
  }
}

}  // namespace routh::internal
