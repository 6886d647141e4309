// The rows of a constraint Jacobian A of any rank: orthonormal bases, P = I − A⁺A, least squares and least norm.
//
//   B = D A, rows of unit length      Bᵀ Π = Q [R₁ R₂; 0 0]      Q = [V₁ V₂]: V₁ spans the rows, V₂ what they allow
//   W = [R₁ R₂]ᵀ, so that B = Π W V₁ᵀ
#pragma once

#include <Eigen/Core>

#include "routh/math/pivoted_qr.h"

namespace routh::internal {

// A row that keeps less than this of its length besides the rows before it depends on them.
inline constexpr double row_rank_tolerance = 1e-11;

// Sized once, then free of allocation.
class ConstraintSpace {
 public:
  ConstraintSpace(int coordinates, int rows);

  enum class Verdict { ok, not_finite };
  // not_finite: an entry, or the length of a row, is not a finite number; nothing else may be asked then.
  Verdict compute(const Eigen::Ref<const Eigen::MatrixXd>& A);

  int rank() const { return qr_.rank(); }
  const PivotedQr& qr() const { return qr_; }
  // Condition number of the rows of B that count, to a small factor.
  double condition() const { return condition_; }
  // V₂, n × (n − rank)
  auto allowed() const { return allowed_.leftCols(allowed_.rows() - rank()); }

  // The shortest p with B p = D b in the sense of least squares; p = V₁ V₁ᵀ p.
  void shortest(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> p) const;
  // λ of least norm with Aᵀ λ = V₁ V₁ᵀ f.
  void multipliers(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::Ref<Eigen::VectorXd> lambda) const;
  // No null vector of Aᵀ has a part in this row.
  bool is_unique(int row) const { return unique_(row) != 0; }

 private:
  bool scale(const Eigen::Ref<const Eigen::MatrixXd>& A);
  void prepare_redundant();
  void shift_to_least_norm() const;

  Eigen::VectorXd inverse_length_;  // D; 0 for a row of zeros
  PivotedQr qr_;                    // of Bᵀ
  Eigen::MatrixXd allowed_;
  double condition_ = 0;
  // Only where rows depend on one another:
  PivotedQr fit_;           // of W
  Eigen::MatrixXd excess_;  // N, orthonormal basis of the null vectors of (Π W)ᵀ, in the order of Π
  PivotedQr weighed_;       // of D N, D relative to its greatest
  Eigen::VectorXi unique_;
  mutable Eigen::VectorXd wide_, row_, row_too_;
};

}  // namespace routh::internal
