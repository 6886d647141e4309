// From a machine to a contact and back: M, J and optional bilateral rows A_b to D, and the impulse to q̇⁺.
//
//   M_o⁺ = M⁻¹ − M⁻¹A_bᵀ(A_b M⁻¹ A_bᵀ)⁺A_b M⁻¹      D = J M_o⁺ Jᵀ      Δq̇ = M_o⁺ Jᵀ i
//
// Worked with M = L Lᵀ by a dense Cholesky factor; see contact_projection.h.
#pragma once

#include <Eigen/Core>

#include "routh/base/hidden.h"
#include "routh/impact/result.h"

namespace routh::internal {
class ContactProjection;
class ColumnSpace;
}  // namespace routh::internal

namespace routh {

// A machine at an instant, in its own coordinates. Views only: nothing is copied.
struct MachineState {
  Eigen::Ref<const Eigen::MatrixXd> mass_matrix;  // n×n, symmetric positive definite
  Eigen::Ref<const Eigen::MatrixXd> jacobian;     // 2×n or 3×n, normal row first
  Eigen::Ref<const Eigen::VectorXd> velocity;     // q̇⁻, n
  Eigen::Ref<const Eigen::MatrixXd> bilateral;    // A_b, m×n; m may be 0; rows may be dependent
  // i_u, n or empty; acts at the instant of the impact. Restitution refers to `velocity`, before it.
  Eigen::Ref<const Eigen::VectorXd> external_impulse;
};

enum class ReductionStatus { ok, bad_shape, non_finite, mass_matrix_indefinite };

// Reusable workspace; sized once for (n, m), then free of allocation.
class Reduction {
 public:
  Reduction(int coordinates, int bilateral_rows);

  // Computes D, J q̇⁻, J M_o⁺ i_u and the factors that `expand` needs.
  ReductionStatus compute(const MachineState& machine);

  const ContactInertia& inertia() const;
  const ContactVector& contact_velocity() const { return contact_velocity_; }
  const ContactVector& contact_push() const { return contact_push_; }  // ImpactProblem::push
  double bilateral_residual() const { return bilateral_residual_; }  // ‖A_b q̇⁻‖∞ relative to ‖A_b‖‖q̇⁻‖
  int bilateral_rank() const;

  // After `compute`: J M_o⁺ force, the acceleration of the contact under a generalised force, without J̇ q̇.
  ContactVector contact_acceleration(const Eigen::VectorXd& force) const;

  // After the contact was solved: q̇⁺, the loop impulse, and the energy change measured in q̇.
  void expand(const MachineState& machine, ImpactResult& result);
  // The same for a result of `problem`: where numbers of the machine leave the range in which those of the contact are,
  // the status is `overflow` and all is as before.
  void expand(const MachineState& machine, const ImpactProblem& problem, ImpactResult& result);
  const Eigen::VectorXd& velocity_after() const { return velocity_after_; }
  // Generalised impulse of the bilateral constraints, A_bᵀλ (unique), and λ of least norm.
  const Eigen::VectorXd& loop_impulse() const { return loop_impulse_; }
  const Eigen::VectorXd& multipliers() const { return multipliers_; }

 private:
  void take_loops(const MachineState& machine);

  int n_;
  int m_;
  double bilateral_residual_ = 0;
  ContactVector contact_velocity_, contact_push_;
  Eigen::MatrixXd factor_;                       // L, in the lower triangle
  Hidden<internal::ContactProjection> contact_;  // Y = L⁻¹Jᵀ
  Hidden<internal::ColumnSpace> loops_;          // X = L⁻¹A_bᵀ
  Eigen::VectorXd raw_external_;                 // L⁻¹i_u
  Eigen::VectorXd scratch_;
  Eigen::VectorXd velocity_pushed_;  // q̇⁻ + M_o⁺ i_u
  Eigen::VectorXd velocity_after_;
  Eigen::VectorXd loop_impulse_;
  Eigen::VectorXd multipliers_;
};

}  // namespace routh
