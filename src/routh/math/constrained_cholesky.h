// The fast way through M q̈ − Aᵀλ = f, A q̈ = b for rows that are independent:
//
//   M = L Lᵀ      Y = L⁻¹Aᵀ      YᵀY = K Kᵀ      Π = Y (YᵀY)⁻¹ Yᵀ
//
// In the coordinates Lᵀq̇, whose length is the energy, the oblique projector is the orthogonal Π:
// S = L⁻ᵀ Π Lᵀ, M_o⁺ = L⁻ᵀ (I − Π) L⁻¹.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

// Sized once, then free of allocation.
class ConstrainedCholesky {
 public:
  ConstrainedCholesky(int coordinates, int rows);

  enum class Verdict { ok, mass_not_positive_definite, rows_dependent };
  // Reads the lower triangle of M. `rows_dependent` also where they are so nearly, or not finite.
  Verdict factor(const Eigen::Ref<const Eigen::MatrixXd>& mass, const Eigen::Ref<const Eigen::MatrixXd>& A);
  // Of M alone.
  Verdict factor(const Eigen::Ref<const Eigen::MatrixXd>& mass);

  // Estimates of the condition numbers of L (its square is that of M) and of Yᵀ with rows of unit length.
  double mass_root_condition() const;
  double row_condition() const;
  // The least part of a row that does not lie in the rows before it, lengths and angles in the metric of M⁻¹.
  double least_pivot() const { return least_pivot_; }

  void apply_S(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  void apply_S_transposed(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  // out = M_o⁺ f + M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ b; an empty f or b stands for zeros.
  void accelerate(const Eigen::Ref<const Eigen::VectorXd>& f, const Eigen::Ref<const Eigen::VectorXd>& b,
                  Eigen::Ref<Eigen::VectorXd> out) const;
  void multipliers(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::Ref<Eigen::VectorXd> lambda) const;

 private:
  bool factor_mass(int rows);
  bool factor_rows();
  void solve_rows(Eigen::Ref<Eigen::VectorXd> x) const;
  auto L() const { return stack_.topRows(n_).triangularView<Eigen::Lower>(); }
  auto L_transposed() const { return stack_.topRows(n_).transpose().triangularView<Eigen::Upper>(); }
  auto Y_transposed() const { return stack_.bottomRows(m_); }

  int n_ = 0;
  int m_ = 0;
  Eigen::MatrixXd stack_;            // L above Yᵀ
  Eigen::MatrixXd inner_;            // K
  Eigen::VectorXd inverse_lengths_;  // of the rows of K
  double least_pivot_ = 1;
  mutable Eigen::MatrixXd unit_;  // K with rows of unit length
  mutable Eigen::VectorXd wide_, wide_too_, row_, row_too_;
};

}  // namespace routh::internal
