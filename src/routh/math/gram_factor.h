// λ of least norm with D λ = b, where D = XᵀX is given and some columns of X may depend on others.
//
// D = L Lᵀ by Cholesky's method with pivots, L = B R with an orthonormal B, λ = B R⁻ᵀ R⁻¹ Bᵀ b. This costs a third of
// what ColumnSpace needs, but D shows only dependence that is clear: where it is not, `compute` says so.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

class GramFactor {
 public:
  // For matrices of at most `size` rows. Allocates once.
  explicit GramFactor(int size);

  // Reads the lower triangle. False when a column keeps a share of its length between 3e-7, which might be rounding,
  // and 3e-5 after projection off the others.
  bool compute(const Eigen::MatrixXd& D);
  int rank() const { return rank_; }
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& lambda);

 private:
  int find_pivot() const;

  int rank_ = 0;
  Eigen::VectorXd diagonal_, left_, share_;  // of D; what is left of it; of that, relative
  Eigen::MatrixXd factor_, basis_, triangle_;
  Eigen::VectorXd coefficients_;
};

}  // namespace routh::internal
