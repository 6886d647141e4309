// The space spanned by some columns, some of which may depend on others: orthonormal basis, rank, projection, and
// coefficients of least norm.
#pragma once

#include <Eigen/Core>

namespace routh {

class ColumnSpace {
 public:
  // Of at most `count` columns of `size` entries. Allocates once.
  ColumnSpace(int size, int count);

  void clear();
  // The next column of X. Each is judged against its own length, so that the rank does not depend on units.
  void add(const Eigen::Ref<const Eigen::VectorXd>& column);
  // After the last column: prepares `least_norm`.
  void finish();

  int rank() const { return rank_; }
  int columns() const { return columns_; }

  // x ← x − Q Qᵀ x, to full accuracy.
  void project_off(Eigen::Ref<Eigen::VectorXd> x) const;
  // x ← Q Qᵀ x
  void project_on(Eigen::Ref<Eigen::VectorXd> x) const;
  // λ of least norm with X λ = Q Qᵀ x; one entry for each column added.
  void least_norm(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> lambda) const;
  // y in the space with Xᵀ y = b, in the sense of least squares where columns depend on one another.
  void least_squares(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) const;

 private:
  int rank_ = 0;
  int columns_ = 0;
  Eigen::MatrixXd basis_;      // Q in its first `rank_` columns
  Eigen::MatrixXd triangle_;   // X = Q · triangle
  Eigen::MatrixXd row_basis_;  // triangleᵀ = row_basis · row_triangle
  Eigen::MatrixXd row_triangle_;
  Eigen::VectorXd column_;
  mutable Eigen::VectorXd coefficients_;
};

}  // namespace routh
