#include "routh/math/constrained_cholesky.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "routh/math/triangle_condition.h"

namespace routh::internal {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

ConstrainedCholesky::ConstrainedCholesky(int coordinates, int rows)
    : n_(coordinates),
      m_(rows),
      stack_(coordinates + rows, coordinates),
      inner_(rows, rows),
      inverse_lengths_(rows),
      unit_(rows, rows),
      wide_(coordinates),
      wide_too_(coordinates),
      row_(rows),
      row_too_(rows) {}

ConstrainedCholesky::Verdict ConstrainedCholesky::factor(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                                                         const Eigen::Ref<const Eigen::MatrixXd>& A) {
  assert(mass.rows() == n_ && mass.cols() == n_ && A.rows() == m_ && A.cols() == n_);
  stack_.topRows(n_) = mass;
  stack_.bottomRows(m_) = A;
  if (!factor_mass(m_)) return Verdict::mass_not_positive_definite;
  return factor_rows() ? Verdict::ok : Verdict::rows_dependent;
}

ConstrainedCholesky::Verdict ConstrainedCholesky::factor(const Eigen::Ref<const Eigen::MatrixXd>& mass) {
  stack_.topRows(n_) = mass;
  return factor_mass(0) ? Verdict::ok : Verdict::mass_not_positive_definite;
}

// Column by column, each from all before it. With A written below M the same step yields Yᵀ = A L⁻ᵀ.
bool ConstrainedCholesky::factor_mass(int rows) {
  for (int j = 0; j < n_; ++j) {
    const int below = n_ + rows - j;
    auto column = stack_.col(j).segment(j, below);
    const double before = column(0);
    column.noalias() -= stack_.block(j, 0, below, j) * stack_.row(j).head(j).transpose();
    const double pivot = column(0);
    if (!(pivot > n_ * epsilon * before) || !std::isfinite(pivot)) return false;
    column *= 1 / std::sqrt(pivot);
  }
  return true;
}

bool ConstrainedCholesky::factor_rows() {
  least_pivot_ = 1;
  for (int j = 0; j < m_; ++j) {
    const int below = m_ - j;
    auto column = inner_.col(j).segment(j, below);
    column.noalias() = Y_transposed().bottomRows(below) * Y_transposed().row(j).transpose();
    const double squared = column(0);
    column.noalias() -= inner_.block(j, 0, below, j) * inner_.row(j).head(j).transpose();
    const double pivot = column(0);
    if (!(pivot > n_ * epsilon * squared) || !(pivot > 1e-290) || !std::isfinite(squared)) return false;
    inverse_lengths_(j) = 1 / std::sqrt(squared);
    least_pivot_ = std::min(least_pivot_, std::sqrt(pivot / squared));
    column *= 1 / std::sqrt(pivot);
  }
  return true;
}

double ConstrainedCholesky::mass_root_condition() const {
  return lower_triangle_condition(stack_.topRows(n_), wide_, wide_too_);
}

double ConstrainedCholesky::row_condition() const {
  for (int j = 0; j < m_; ++j)
    unit_.col(j).tail(m_ - j) = inverse_lengths_.tail(m_ - j).cwiseProduct(inner_.col(j).tail(m_ - j));
  return lower_triangle_condition(unit_, row_, row_too_);
}

void ConstrainedCholesky::solve_rows(Eigen::Ref<Eigen::VectorXd> x) const {
  inner_.triangularView<Eigen::Lower>().solveInPlace(x);
  inner_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

void ConstrainedCholesky::apply_S(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const {
  wide_.noalias() = L_transposed() * x;
  row_.noalias() = Y_transposed() * wide_;
  solve_rows(row_);
  out.noalias() = Y_transposed().transpose() * row_;
  L_transposed().solveInPlace(out);
}

void ConstrainedCholesky::apply_S_transposed(const Eigen::Ref<const Eigen::VectorXd>& x,
                                             Eigen::Ref<Eigen::VectorXd> out) const {
  wide_ = x;
  L().solveInPlace(wide_);
  row_.noalias() = Y_transposed() * wide_;
  solve_rows(row_);
  wide_.noalias() = Y_transposed().transpose() * row_;
  out.noalias() = L() * wide_;
}

// With w = L⁻¹f: Lᵀq̈ = w − Y (YᵀY)⁻¹ (Yᵀw − b).
void ConstrainedCholesky::accelerate(const Eigen::Ref<const Eigen::VectorXd>& f,
                                     const Eigen::Ref<const Eigen::VectorXd>& b,
                                     Eigen::Ref<Eigen::VectorXd> out) const {
  row_.setZero();
  if (b.size() == m_) row_ = -b;
  if (f.size() == n_) {
    out = f;
    L().solveInPlace(out);
    row_.noalias() += Y_transposed() * out;
  } else {
    out.setZero();
  }
  solve_rows(row_);
  out.noalias() -= Y_transposed().transpose() * row_;
  L_transposed().solveInPlace(out);
}

void ConstrainedCholesky::multipliers(const Eigen::Ref<const Eigen::VectorXd>& f,
                                      Eigen::Ref<Eigen::VectorXd> lambda) const {
  wide_ = f;
  L().solveInPlace(wide_);
  lambda.noalias() = Y_transposed() * wide_;
  solve_rows(lambda);
}

}  // namespace routh::internal
