// Householder factorisation with column pivoting, X Π = Q R, that tells the rank of X.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

// Sized once for the largest X, then free of allocation.
class PivotedQr {
 public:
  PivotedQr(int most_rows, int most_columns);

  // Where to write the next X before `factor`.
  Eigen::Block<Eigen::MatrixXd> input(int rows, int columns);
  // Stops at the first pivot not above `tolerance` times the greatest; the columns left are dropped.
  void factor(double tolerance);

  int rank() const { return rank_; }
  // Which column of X stands at place k.
  int column(int k) const { return order_(k); }
  double greatest() const { return rank_ > 0 ? std::abs(factor_(0, 0)) : 0; }
  double smallest_kept() const { return rank_ > 0 ? std::abs(factor_(rank_ - 1, rank_ - 1)) : 0; }
  double largest_dropped() const { return largest_dropped_; }
  // The rows of R that count, rank × columns: above and on the diagonal.
  Eigen::Block<const Eigen::MatrixXd> triangle() const { return factor_.topLeftCorner(rank_, columns_); }

  // x ← Q x and x ← Qᵀ x
  void apply_q(Eigen::Ref<Eigen::VectorXd> x) const;
  void apply_q_transposed(Eigen::Ref<Eigen::VectorXd> x) const;
  // The columns of Q after the first `rank`: an orthonormal basis of what is orthogonal to X.
  void complement(Eigen::Ref<Eigen::MatrixXd> basis) const;

 private:
  void bring_forward(int k);
  void reflect(int k);

  int rows_ = 0;
  int columns_ = 0;
  int rank_ = 0;
  double largest_dropped_ = 0;
  Eigen::MatrixXd factor_;  // R on and above the diagonal, reflectors below
  Eigen::VectorXd tau_;
  Eigen::VectorXi order_;
  Eigen::VectorXd length_;     // of what is left of each column
  Eigen::VectorXd reference_;  // the same when it was last computed afresh
  mutable Eigen::VectorXd scratch_;
};

}  // namespace routh::internal
