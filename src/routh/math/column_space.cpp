#include "routh/math/column_space.h"

namespace routh {

namespace {

// A column that keeps less than this of its length after projection lies in the space of the ones before it.
constexpr double rank_tolerance = 1e-11;

// Removes from `column` its part in the first `count` orthonormal columns of `basis`; twice is enough for full
// accuracy. The coefficients are added to `coefficients` when it is given.
void remove_basis(const Eigen::MatrixXd& basis, int count, Eigen::Ref<Eigen::VectorXd> column, double* coefficients) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      const double amount = basis.col(k).dot(column);
      column -= amount * basis.col(k);
      if (coefficients) coefficients[k] += amount;
    }
}

}  // namespace

ColumnSpace::ColumnSpace(int size, int count)
    : basis_(size, count),
      triangle_(count, count),
      row_basis_(count, count),
      row_triangle_(count, count),
      column_(size),
      coefficients_(count) {}

void ColumnSpace::clear() {
  rank_ = 0;
  columns_ = 0;
  triangle_.setZero();
  row_triangle_.setZero();
}

void ColumnSpace::add(const Eigen::Ref<const Eigen::VectorXd>& column) {
  column_ = column;
  const double length = column_.norm();
  coefficients_.setZero();
  remove_basis(basis_, rank_, column_, coefficients_.data());
  const double left = column_.norm();
  if (length > 0 && left > rank_tolerance * length) {
    basis_.col(rank_) = column_ / left;
    coefficients_(rank_) = left;
    ++rank_;
  }
  triangle_.col(columns_) = coefficients_;
  ++columns_;
}

void ColumnSpace::finish() {
  for (int k = 0; k < rank_; ++k) {
    coefficients_ = triangle_.row(k).transpose();
    remove_basis(row_basis_, k, coefficients_, row_triangle_.col(k).data());
    const double left = coefficients_.norm();
    row_basis_.col(k) = coefficients_ / left;
    row_triangle_(k, k) = left;
  }
}

void ColumnSpace::project_off(Eigen::Ref<Eigen::VectorXd> x) const { remove_basis(basis_, rank_, x, nullptr); }

void ColumnSpace::project_on(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = 0; k < rank_; ++k) coefficients_(k) = basis_.col(k).dot(x);
  x.setZero();
  for (int k = 0; k < rank_; ++k) x += coefficients_(k) * basis_.col(k);
}

// triangle λ = Qᵀx with triangleᵀ = B R: Rᵀ y = Qᵀx, λ = B y.
void ColumnSpace::least_norm(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> lambda) const {
  lambda.setZero();
  for (int k = 0; k < rank_; ++k) {
    double y = basis_.col(k).dot(x);
    for (int j = 0; j < k; ++j) y -= row_triangle_(j, k) * coefficients_(j);
    coefficients_(k) = y / row_triangle_(k, k);
    lambda += coefficients_(k) * row_basis_.col(k).head(columns_);
  }
}

// triangleᵀ Qᵀy = b: R Qᵀy = Bᵀb.
void ColumnSpace::least_squares(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) const {
  y.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    double z = row_basis_.col(k).head(columns_).dot(b);
    for (int j = k + 1; j < rank_; ++j) z -= row_triangle_(k, j) * coefficients_(j);
    coefficients_(k) = z / row_triangle_(k, k);
    y += coefficients_(k) * basis_.col(k);
  }
}

}  // namespace routh
