// Loop closures as constraints φ(q) = 0: their values, rows A = ∂φ̇/∂q̇ and drift Ȧ q̇.
//
//   point      φ = p_a − p_b                        hinge   besides: x_b·z_a = 0, y_b·z_a = 0
//   distance   φ = ‖p_a − p_b‖ − d                  weld    besides: x_b·y_a = 0
//   coupling   φ = Σ c q − constant
//
// In the plane a point has two rows and a weld has the one angle x_b·y_a besides.
#pragma once

#include "routh/dynamics/state.h"

namespace routh {

// φ(q), Model::loop_rows entries [m, or sine of an angle]; after compute_kinematics.
void loop_residual(const Model& model, const Workspace& workspace, const ConstVector& q, VectorView phi);
// A, loop_rows × n; after compute_kinematics.
void loop_jacobian(const Model& model, Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> A);
// Ȧ q̇; after compute_velocities.
void loop_drift(const Model& model, const Workspace& workspace, VectorView drift);

// Whether the axes of a hinge or weld point the same way, and not the opposite one, which its rows allow as well.
bool loop_aligned(const Model& model, const Workspace& workspace, const Loop& loop);

}  // namespace routh
