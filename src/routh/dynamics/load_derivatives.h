// How the forces that act on a machine, and the conditions of its loops, change with q and q̇. Private to the module.
//
// A point or axis fixed to a link, x, with its rates ẋ, ẍ. Turning what hangs from a degree of freedom j by its screw
// (with λ: what carries j), and pushing it:
//
//   q_j:  δv = s × (v − v_λ), δa = ψ̇ × (v − v_λ) + s × (a − a_λ)        q̇_j:  δv = s, δa = ψ̇ + ṡ + s × v
#pragma once

#include "routh/dynamics/derivatives.h"
#include "routh/dynamics/tree_derivatives.h"

namespace routh::internal {

// Adds ∂τ/∂q and ∂τ/∂q̇ of springs, dampers, drives, efforts and forces. After TreeDerivatives::set_motion and
// compute_velocities of the state.
void add_applied_derivatives(const Model& model, const State& state, const Workspace& workspace,
                             const TreeDerivatives& tree, Eigen::Ref<RowMatrix> by_position,
                             Eigen::Ref<RowMatrix> by_velocity);

// Adds ∂(Aᵀλ)/∂q to `force`, and sets rows to the derivatives of A q̈ + Ȧ q̇ by q (left half) and q̇ (right half) at
// fixed q̈. After TreeDerivatives::set_motion with that q̈.
void add_loop_derivatives(const Model& model, const Workspace& workspace, const TreeDerivatives& tree,
                          const ConstVector& multipliers, Eigen::Ref<RowMatrix> force, Eigen::Ref<RowMatrix> rows);

// Adds ∂(Jᵀ w)/∂q of a wrench that keeps its components in the world while its point moves with the body.
void add_load_stiffness(const Model& model, const TreeDerivatives& tree, int body, const Vector3& point,
                        const Wrench& wrench, Eigen::Ref<RowMatrix> K);

}  // namespace routh::internal
