// The space spanned by some columns, some of which may depend on others: orthonormal basis, rank, projection, and
// coefficients of least norm.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

// Removes from `column` its part in the first `count` orthonormal columns of `basis`; twice is enough for full
// accuracy. The coefficients are added to `coefficients` when it is given.
void remove_basis(const Eigen::MatrixXd& basis, int count, Eigen::Ref<Eigen::VectorXd> column, double* coefficients);

class ColumnSpace {
 public:
  // A column that keeps less than this of its length after projection lies in the space of the others.
  static constexpr double rank_tolerance = 1e-11;

  // Of at most `count` columns of `size` entries. Allocates once.
  ColumnSpace(int size, int count, double tolerance = rank_tolerance);

  void clear();
  // The next column of X.
  void add(const Eigen::Ref<const Eigen::VectorXd>& column);
  // After the last column; everything below needs it. The column of which most is left comes first, each judged against
  // its own length, so that the rank depends neither on units nor on the order: two columns that nearly agree would
  // otherwise give a direction made of rounding, to which true ones then seem new.
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
  int find_longest() const;
  void take_share(int k);

  double tolerance_;
  int rank_ = 0;
  int columns_ = 0;
  Eigen::MatrixXd left_;        // of each column, what the basis does not hold
  Eigen::VectorXd lengths_;     // of the columns as they were added
  Eigen::VectorXd left_share_;  // of its length, what is left; 0: nothing but rounding
  Eigen::MatrixXd basis_;       // Q in its first `rank_` columns
  Eigen::MatrixXd shares_;      // X = Q · shares
  Eigen::MatrixXd row_basis_;   // sharesᵀ = row_basis · row_triangle
  Eigen::MatrixXd row_triangle_;
  mutable Eigen::VectorXd coefficients_;
};

}  // namespace routh::internal
