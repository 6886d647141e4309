#include "routh/math/complementarity.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/math/tolerances.h"

namespace routh::internal {

namespace {

// I w − M z − d z₀ = q, kept in terms of the basis. Columns: w (n), z (n), z₀, right side.
class Tableau {
 public:
  void begin(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& cover, LemkeDigits digits) {
    size_ = q.size();
    renews_ = digits == LemkeDigits::renewed;
    pivot_relative_ = renews_ ? tolerances::lemke_pivot_renewed : tolerances::lemke_pivot_relative;
    rows_.setZero(size_, 2 * size_ + 2);
    rows_.leftCols(size_).setIdentity();
    rows_.middleCols(size_, size_) = -m;
    rows_.col(artificial()) = -cover;
    rows_.col(right()) = q;
    if (renews_) {
      given_ = rows_;
      columns_.resize(size_, size_);
    }
    basis_.resize(static_cast<std::size_t>(size_));
    for (Eigen::Index i = 0; i < size_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  Eigen::Index artificial() const { return 2 * size_; }
  Eigen::Index complement(Eigen::Index variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }
  Eigen::Index basic(Eigen::Index row) const { return basis_[static_cast<std::size_t>(row)]; }

  // The row that z₀ displaces first: the lexicographically least (q, I) / d.
  Eigen::Index first_row() const {
    Eigen::Index best = 0;
    for (Eigen::Index i = 1; i < size_; ++i)
      if (precedes(i, best, artificial())) best = i;
    return best;
  }

  // The row that limits the entering variable; −1 when nothing does.
  Eigen::Index limiting_row(Eigen::Index entering) const {
    const double floor = pivot_relative_ * std::max(1.0, rows_.col(entering).cwiseAbs().maxCoeff());
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < size_; ++i) {
      if (rows_(i, entering) <= floor) continue;
      if (best < 0 || precedes(i, best, entering)) best = i;
    }
    if (best < 0) return best;
    // z₀ leaves whenever it may: that ends the method.
    for (Eigen::Index i = 0; i < size_; ++i)
      if (basic(i) == artificial() && rows_(i, entering) > floor &&
          ratio(i, right(), entering) <= ratio(best, right(), entering) + tolerances::lemke_tie)
        return i;
    return best;
  }

  void pivot(Eigen::Index row, Eigen::Index entering) {
    rows_.row(row) /= rows_(row, entering);
    for (Eigen::Index i = 0; i < size_; ++i) {
      const double factor = rows_(i, entering);
      if (i != row && factor != 0) rows_.row(i) -= factor * rows_.row(row);
    }
    basis_[static_cast<std::size_t>(row)] = entering;
    if (renews_) renew();
  }

  double value(Eigen::Index row) const { return rows_(row, right()); }

 private:
  Eigen::Index right() const { return 2 * size_ + 1; }
  // The rows anew from the basis, with one correction: what pivots have lost does not add up.
  void renew() {
    for (Eigen::Index i = 0; i < size_; ++i) columns_.col(i) = given_.col(basic(i));
    factor_.compute(columns_);
    first_ = factor_.solve(given_);
    left_.noalias() = columns_ * first_;
    left_ = given_ - left_;
    correction_ = factor_.solve(left_);
    rows_ = first_ + correction_;
  }
  double ratio(Eigen::Index row, Eigen::Index column, Eigen::Index entering) const {
    return rows_(row, column) / std::abs(rows_(row, entering));
  }
  // Whether row i comes before row k in the lexicographic order of (right side, columns of w) over the size of
  // the entry of `entering`.
  bool precedes(Eigen::Index i, Eigen::Index k, Eigen::Index entering) const {
    const auto compare = [&](Eigen::Index column) {
      const double x = ratio(i, column, entering), y = ratio(k, column, entering);
      if (std::abs(x - y) <= tolerances::lemke_tie * std::max({1.0, std::abs(x), std::abs(y)})) return 0;
      return x < y ? -1 : 1;
    };
    if (const int order = compare(right()); order != 0) return order < 0;
    for (Eigen::Index j = 0; j < size_; ++j)
      if (const int order = compare(j); order != 0) return order < 0;
    return false;
  }

  Eigen::Index size_ = 0;
  double pivot_relative_ = 0;
  bool renews_ = false;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
  Eigen::MatrixXd given_;    // the rows at the start, where they are renewed
  Eigen::MatrixXd columns_;  // of the basis
  Eigen::MatrixXd first_, left_, correction_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  std::vector<Eigen::Index> basis_;
};

}  // namespace

struct LemkeSolver::Memory {
  Tableau tableau;
  ComplementarityResult result;
};

LemkeSolver::LemkeSolver() : memory_(make_hidden<Memory>()) {}

const ComplementarityResult& LemkeSolver::solve(const Eigen::MatrixXd& m, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& cover, LemkeDigits digits) {
  const Eigen::Index n = q.size();
  ComplementarityResult& result = memory_->result;
  result.end = ComplementarityEnd::limit;
  result.pivots = 0;
  result.z.setZero(n);
  result.w = q;
  if (n == 0 || q.minCoeff() >= 0) {
    result.end = ComplementarityEnd::solved;
    return result;
  }
  Tableau& tableau = memory_->tableau;
  tableau.begin(m, q, cover, digits);
  Eigen::Index row = tableau.first_row();
  Eigen::Index entering = tableau.artificial();
  const int most =
      (digits == LemkeDigits::renewed ? tolerances::lemke_pivots_renewed : tolerances::lemke_pivots_per_row) *
          static_cast<int>(n) +
      tolerances::lemke_pivots_more;
  while (result.pivots < most) {
    const Eigen::Index leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    ++result.pivots;
    if (leaving == tableau.artificial()) {
      result.end = ComplementarityEnd::solved;
      break;
    }
    entering = tableau.complement(leaving);
    row = tableau.limiting_row(entering);
    if (row < 0) {
      result.end = ComplementarityEnd::ray;
      break;
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index variable = tableau.basic(i);
    if (variable >= n && variable < 2 * n) result.z[variable - n] = std::max(0.0, tableau.value(i));
  }
  if (!result.z.allFinite()) {
    result.z.setZero();
    result.end = ComplementarityEnd::limit;
  }
  result.w.noalias() = m * result.z;
  result.w += q;
  return result;
}

ComplementarityResult solve_complementarity(const Eigen::MatrixXd& m, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& cover, LemkeDigits digits) {
  return LemkeSolver().solve(m, q, cover, digits);
}

ComplementarityResult solve_complementarity(const Eigen::MatrixXd& m, const Eigen::VectorXd& q) {
  return solve_complementarity(m, q, Eigen::VectorXd::Ones(q.size()));
}

}  // namespace routh::internal
