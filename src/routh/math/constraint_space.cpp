#include "routh/math/constraint_space.h"

#include <cmath>
#include <limits>

#include "routh/math/triangle_condition.h"

namespace routh::internal {

namespace {

// A shorter row is a row of zeros: its inverse length could not be written down.
constexpr double least_length = 1e-300;
// A part of a null vector smaller than this is rounding.
constexpr double least_part = 1e-9;

// Length without overflow or underflow of the squares.
double length_of(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Index row) {
  const double squared = A.row(row).squaredNorm();
  if (squared > 1e-280 && squared < 1e280) return std::sqrt(squared);
  const double greatest = A.row(row).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  if (!std::isfinite(greatest) || greatest < least_length) return greatest;
  return greatest * (A.row(row) / greatest).norm();
}

}  // namespace

ConstraintSpace::ConstraintSpace(int coordinates, int rows)
    : inverse_length_(rows),
      qr_(coordinates, rows),
      allowed_(coordinates, coordinates),
      fit_(rows, std::min(coordinates, rows)),
      excess_(rows, rows),
      weighed_(rows, rows),
      unique_(rows),
      wide_(coordinates),
      row_(rows),
      row_too_(rows) {}

ConstraintSpace::Verdict ConstraintSpace::compute(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  const int n = static_cast<int>(allowed_.rows()), m = static_cast<int>(A.rows());
  if (!scale(A)) return Verdict::not_finite;
  qr_.factor(row_rank_tolerance);
  const int r = qr_.rank();
  qr_.complement(allowed_.leftCols(n - r));
  auto lower = excess_.topLeftCorner(r, r);  // free until prepare_redundant
  lower = qr_.triangle().leftCols(r).transpose();
  condition_ = lower_triangle_condition(lower, row_, row_too_);
  unique_.setOnes();
  if (r < m) prepare_redundant();
  return Verdict::ok;
}

// Writes Bᵀ to where it is factored.
bool ConstraintSpace::scale(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  auto scaled = qr_.input(static_cast<int>(allowed_.rows()), static_cast<int>(A.rows()));
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double length = length_of(A, i);
    if (!std::isfinite(length)) return false;
    inverse_length_(i) = length < least_length ? 0 : 1 / length;
    scaled.col(i) = inverse_length_(i) * A.row(i).transpose();
  }
  return true;
}

// W Π' = Z [U; 0]: least squares from Z and U; the last columns of Z are N.
void ConstraintSpace::prepare_redundant() {
  const int m = static_cast<int>(unique_.size()), r = rank();
  auto W = fit_.input(m, r);
  W.setZero();
  for (int k = 0; k < r; ++k) W.col(k).tail(m - k) = qr_.triangle().row(k).tail(m - k).transpose();
  fit_.factor(0);
  auto N = excess_.leftCols(m - r);
  fit_.complement(N);
  // A null vector is known to the rounding, and to what was dropped, times the condition number.
  const double noise = m * (std::numeric_limits<double>::epsilon() + qr_.largest_dropped()) * condition_;
  for (int k = 0; k < m; ++k) unique_(qr_.column(k)) = N.row(k).norm() <= std::max(least_part, noise);
  const double greatest = inverse_length_.maxCoeff();
  auto weighed = weighed_.input(m, m - r);
  for (int k = 0; k < m; ++k)
    weighed.row(k) = (greatest > 0 ? inverse_length_(qr_.column(k)) / greatest : 0) * N.row(k);
  weighed_.factor(std::numeric_limits<double>::epsilon());
}

void ConstraintSpace::shortest(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> p) const {
  const int m = static_cast<int>(unique_.size()), r = rank();
  for (int k = 0; k < m; ++k) row_(k) = inverse_length_(qr_.column(k)) * b(qr_.column(k));
  auto z = wide_.head(r);
  if (r == m) {  // R₁ᵀ z = Πᵀ D b
    z = row_;
    qr_.triangle().leftCols(r).transpose().triangularView<Eigen::Lower>().solveInPlace(z);
  } else {
    fit_.apply_q_transposed(row_);
    auto u = row_.head(r);
    fit_.triangle().triangularView<Eigen::Upper>().solveInPlace(u);
    for (int k = 0; k < r; ++k) z(fit_.column(k)) = u(k);
  }
  p.setZero();
  p.head(r) = z;
  qr_.apply_q(p);
}

// Π W V₁ᵀ transposed: (ΠW)ᵀ μ = V₁ᵀ f with λ = D μ.
void ConstraintSpace::multipliers(const Eigen::Ref<const Eigen::VectorXd>& f,
                                  Eigen::Ref<Eigen::VectorXd> lambda) const {
  const int m = static_cast<int>(unique_.size()), r = rank();
  wide_ = f;
  qr_.apply_q_transposed(wide_);
  row_.setZero();
  auto mu = row_.head(r);
  if (r == m) {
    mu = wide_.head(r);
    qr_.triangle().leftCols(r).triangularView<Eigen::Upper>().solveInPlace(mu);
  } else {
    for (int k = 0; k < r; ++k) mu(k) = wide_(fit_.column(k));
    fit_.triangle().transpose().triangularView<Eigen::Lower>().solveInPlace(mu);
    fit_.apply_q(row_);
    shift_to_least_norm();
  }
  for (int k = 0; k < m; ++k) lambda(qr_.column(k)) = inverse_length_(qr_.column(k)) * row_(k);
}

// μ ← μ + N c with ‖D(μ + N c)‖ least. Whatever the rounding of c, Aᵀ λ = f stays.
void ConstraintSpace::shift_to_least_norm() const {
  const int m = static_cast<int>(unique_.size()), excess = m - rank(), k = weighed_.rank();
  if (k == 0) return;
  const double greatest = inverse_length_.maxCoeff();
  for (int i = 0; i < m; ++i) row_too_(i) = -inverse_length_(qr_.column(i)) / greatest * row_(i);
  weighed_.apply_q_transposed(row_too_);
  auto c = row_too_.head(k);
  weighed_.triangle().leftCols(k).triangularView<Eigen::Upper>().solveInPlace(c);
  for (int i = 0; i < k; ++i) row_ += row_too_(i) * excess_.leftCols(excess).col(weighed_.column(i));
}

}  // namespace routh::internal
