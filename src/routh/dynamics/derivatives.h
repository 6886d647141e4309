// Exact derivatives of the equations of motion, along the tree.
//
// With respect to q: on its tangent space. Column j belongs to degree of freedom j: q moved by `integrate` along the
// unit velocity of j, numbers added, quaternions turned about an axis of the body. All matrices are n × n.
//
//   τ = M a + h          ∂τ/∂q, ∂τ/∂q̇, M
//   q̈ = M⁻¹(τ − h)       ∂q̈/∂q = −M⁻¹ ∂τ/∂q, ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇ (at a = q̈), ∂q̈/∂τ = M⁻¹
//
// and of the motion under all that acts: springs, dampers, drives, forces and loops, with the loops' multipliers.
#pragma once

#include <vector>

#include "routh/base/hidden.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/state.h"

namespace routh::internal {
class TreeDerivatives;
class MassFactor;
}  // namespace routh::internal

namespace routh {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Reusable: sized once for a model. None of its functions allocates, but for `compute_motion` of a machine with loops,
// springs between points or forces. Each leaves the kinematics of its state in `workspace`.
class DynamicsDerivatives {
 public:
  explicit DynamicsDerivatives(const Model& model);

  // Of inverse dynamics → force_by_position, force_by_velocity, mass_matrix
  void compute_inverse(const Model& model, const ConstVector& q, const ConstVector& v, const ConstVector& a,
                       Workspace& workspace);
  const RowMatrix& force_by_position() const;
  const RowMatrix& force_by_velocity() const;
  const RowMatrix& mass_matrix() const;

  // Of forward dynamics → acceleration_by_…; q̈ itself → Workspace::acceleration. Returns the degree of freedom at which
  // M is not positive definite, or −1.
  int compute_forward(const Model& model, const ConstVector& q, const ConstVector& v, const ConstVector& tau,
                      Workspace& workspace);
  // Of q̈ under all that acts on the machine, `force` besides (none: empty), its loops closed → acceleration_by_…,
  // multipliers_by_…. ∂q̈/∂τ is that under the loops, M_o⁺. Where rows of loops depend on one another λ is not unique:
  // what is given then is one derivative of the forces, of least norm, that goes with that of q̈.
  int compute_motion(const Model& model, const State& state, const ConstVector& force, Workspace& workspace);
  const ConstrainedMotion& motion() const { return *motion_; }  // after compute_motion

  auto acceleration_by_position() const { return columns_.leftCols(size_); }
  auto acceleration_by_velocity() const { return columns_.middleCols(size_, size_); }
  auto acceleration_by_force() const { return columns_.rightCols(size_); }
  auto multipliers_by_position() const { return multipliers_.leftCols(size_); }
  auto multipliers_by_velocity() const { return multipliers_.middleCols(size_, size_); }
  auto multipliers_by_force() const { return multipliers_.rightCols(size_); }

 private:
  void start_columns();
  void solve_under_loops(const Model& model);

  Eigen::Index size_;
  Hidden<internal::TreeDerivatives> tree_;
  Hidden<internal::MassFactor> factor_;
  ConstrainedDynamics constrained_;
  const ConstrainedMotion* motion_ = nullptr;
  RowMatrix columns_;      // n × 3n: by position, velocity, force
  RowMatrix multipliers_;  // loop rows × 3n
  RowMatrix rows_;         // loop rows × 2n: of A q̈ + Ȧ q̇ at fixed q̈, by position and velocity
  Eigen::VectorXd half_, closing_;
};

}  // namespace routh
