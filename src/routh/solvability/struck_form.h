// What several strikes do to the kinetic energy, as one matrix.
//
// With M = L Lᵀ write x = Lᵀ q̇, so that K = ½‖x‖², and a row a of a Jacobian as the column L⁻¹aᵀ of unit length.
// Project the fixed (bilateral and resting) columns off the striking ones; what is left, X, reaches the admissible
// velocities: φ̇ = Xᵀx. With X = U Σ Vᵀ and y = Uᵀx the impact leaves everything but y alone, and Newton's rule φ̇⁺ = −E
// φ̇⁻ reads
//
//   V Σ y⁺ = −E V Σ y⁻      y⁺ = −T y⁻,   T(E) = Σ⁻¹ Vᵀ E V Σ
//
// exactly where the rows are independent, in the sense of least squares over the unit rows where they are not (the rule
// of impact/simultaneous.h). So K⁺ − K⁻ = ½ yᵀ(TᵀT − I)y: no velocity gains if and only if ‖T(E)‖ ≤ 1. T is linear in
// E, hence [I T; Tᵀ I] ⪰ 0 is (56) of [Aghili 2019] on the admissible velocities, and T(e I) = e I.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

struct StruckForm {
  Eigen::MatrixXd velocity;  // q̇ = velocity · y
  Eigen::MatrixXd unscaled;  // Vᵀ, r×k
  Eigen::VectorXd singular;  // Σ
  Eigen::MatrixXd columns;   // X

  Eigen::Index rank() const { return singular.size(); }
  double condition() const { return singular(0) / singular(rank() - 1); }
  // How far ‖T‖² may exceed one by rounding.
  double tolerance() const { return 1e-10 + 1e-14 * condition(); }

  Eigen::MatrixXd reflection(const Eigen::VectorXd& e) const;  // T(E)
  Eigen::MatrixXd reflection_of(Eigen::Index row) const;       // ∂T/∂e of one row
  bool consistent(const Eigen::VectorXd& e) const;             // ‖T(E)‖² ≤ 1 + tolerance
};

struct LargestGrowth {
  double norm = 0;    // ‖T‖
  Eigen::VectorXd y;  // of unit length, with ‖T y‖ = ‖T‖
};
LargestGrowth largest_growth(const Eigen::MatrixXd& reflection);

// `to_velocity` is L⁻ᵀ. Rank zero when no column is longer than 1e-10.
StruckForm struck_form(const Eigen::MatrixXd& columns, const Eigen::MatrixXd& to_velocity);

}  // namespace routh::internal
