#include "routh/math/pivoted_qr.h"

#include <Eigen/Householder>
#include <cassert>
#include <cmath>
#include <utility>

namespace routh::internal {

PivotedQr::PivotedQr(int most_rows, int most_columns)
    : factor_(most_rows, most_columns),
      tau_(most_columns),
      order_(most_columns),
      length_(most_columns),
      reference_(most_columns),
      scratch_(std::max(most_rows, most_columns)) {}

Eigen::Block<Eigen::MatrixXd> PivotedQr::input(int rows, int columns) {
  assert(rows <= factor_.rows() && columns <= factor_.cols());
  rows_ = rows;
  columns_ = columns;
  return factor_.topLeftCorner(rows, columns);
}

void PivotedQr::factor(double tolerance) {
  rank_ = 0;
  largest_dropped_ = 0;
  for (int c = 0; c < columns_; ++c) {
    order_(c) = c;
    length_(c) = reference_(c) = factor_.col(c).head(rows_).norm();
  }
  double greatest = 0;
  for (int k = 0; k < columns_; ++k) {
    if (k == rows_) return;  // nothing is left of the other columns
    bring_forward(k);
    if (k == 0) greatest = length_(0);
    if (!(length_(k) > tolerance * greatest)) {
      largest_dropped_ = length_(k);
      return;
    }
    reflect(k);
    rank_ = k + 1;
  }
}

// The longest of the columns left comes to place k.
void PivotedQr::bring_forward(int k) {
  Eigen::Index longest = 0;
  length_.segment(k, columns_ - k).maxCoeff(&longest);
  const int from = k + static_cast<int>(longest);
  if (from == k) return;
  factor_.col(k).head(rows_).swap(factor_.col(from).head(rows_));
  std::swap(order_(k), order_(from));
  length_(from) = length_(k);
  reference_(from) = reference_(k);
  length_(k) = factor_.col(k).segment(k, rows_ - k).norm();
}

void PivotedQr::reflect(int k) {
  const int below = rows_ - k - 1, right = columns_ - k - 1;
  double diagonal = 0;
  factor_.col(k).segment(k, below + 1).makeHouseholderInPlace(tau_(k), diagonal);
  factor_(k, k) = diagonal;
  if (right == 0) return;
  factor_.block(k, k + 1, below + 1, right)
      .applyHouseholderOnTheLeft(factor_.col(k).segment(k + 1, below), tau_(k), scratch_.data());
  // Lengths are carried along by Pythagoras; where that cancels, they are computed afresh [Drmač and Bujanović 2008].
  for (int c = k + 1; c < columns_; ++c) {
    if (length_(c) == 0) continue;
    const double gone = std::abs(factor_(k, c)) / length_(c);
    const double left = std::max(0.0, (1 - gone) * (1 + gone));
    const double ratio = length_(c) / reference_(c);
    if (left * ratio * ratio <= 1.5e-8)
      length_(c) = reference_(c) = factor_.col(c).segment(k + 1, below).norm();
    else
      length_(c) *= std::sqrt(left);
  }
}

void PivotedQr::apply_q(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const auto v = factor_.col(k).segment(k + 1, rows_ - k - 1);
    const double amount = tau_(k) * (x(k) + v.dot(x.segment(k + 1, rows_ - k - 1)));
    x(k) -= amount;
    x.segment(k + 1, rows_ - k - 1) -= amount * v;
  }
}

void PivotedQr::apply_q_transposed(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = 0; k < rank_; ++k) {
    const auto v = factor_.col(k).segment(k + 1, rows_ - k - 1);
    const double amount = tau_(k) * (x(k) + v.dot(x.segment(k + 1, rows_ - k - 1)));
    x(k) -= amount;
    x.segment(k + 1, rows_ - k - 1) -= amount * v;
  }
}

void PivotedQr::complement(Eigen::Ref<Eigen::MatrixXd> basis) const {
  basis.setZero();
  basis.bottomRows(rows_ - rank_).setIdentity();
  for (int k = rank_ - 1; k >= 0; --k)
    basis.bottomRows(rows_ - k).applyHouseholderOnTheLeft(factor_.col(k).segment(k + 1, rows_ - k - 1), tau_(k),
                                                          scratch_.data());
}

}  // namespace routh::internal
