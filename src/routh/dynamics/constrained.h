// The motion that loops allow, and a posture in which they close.
//
//   M q̈ + h = τ + Aᵀλ      A q̈ + Ȧ q̇ = 0
//
// Solved with M = Lᵀ L and X = L⁻ᵀAᵀ: the part of L⁻ᵀ(τ − h) outside the range of X is free, the part inside it follows
// from the constraints. Rows may depend on one another.
#pragma once

#include "routh/base/hidden.h"
#include "routh/dynamics/state.h"

namespace routh::internal {
class MassFactor;
class ColumnSpace;
}  // namespace routh::internal

namespace routh {

struct ConstrainedMotion {
  Eigen::VectorXd acceleration;  // q̈
  Eigen::VectorXd multipliers;   // λ of least norm
  int rank = 0;                  // of A
  int singular_dof = -1;         // ≥ 0: M is not positive definite at this degree of freedom; nothing else is set
};

// Reusable: sized once for a model.
class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Model& model);

  // What is asked for: the motion alone, or M = LᵀL with it, for the response to further forces.
  enum class Wanted { motion, response };

  // q̈ and λ under all that acts on the machine. Leaves kinematics and velocities of the state in `workspace`.
  const ConstrainedMotion& compute(const Model& model, const State& state, Workspace& workspace,
                                   Wanted wanted = Wanted::motion);
  // The same with a generalised force besides.
  const ConstrainedMotion& compute(const Model& model, const State& state, const ConstVector& force,
                                   Workspace& workspace, Wanted wanted = Wanted::motion);

  // M = LᵀL and the loops alone, after compute_kinematics. Returns the degree of freedom at which M is not positive
  // definite, or −1.
  int factorise(const Model& model, const ConstVector& q, Workspace& workspace);
  // Takes out of v, by the change of least kinetic energy, what the loops forbid. After `factorise`.
  void close_velocity(VectorView v);
  const internal::MassFactor& factor() const { return *factor_; }
  const internal::ColumnSpace& loops() const { return *loops_; }  // L⁻ᵀAᵀ
  const Eigen::MatrixXd& loop_rows() const { return rows_; }      // A

 private:
  const ConstrainedMotion& move(const Model& model, const State& state, Workspace& workspace, Wanted wanted);

  Hidden<internal::MassFactor> factor_;
  Hidden<internal::ColumnSpace> loops_;
  ConstrainedMotion motion_;
  Eigen::MatrixXd rows_;
  Eigen::VectorXd drift_, free_, column_;
};

struct AssemblyOptions {
  // By degree of freedom: whether the state was given there and should be kept if the loops can close without it.
  // Empty: all may move.
  std::vector<bool> given_position, given_velocity;
};

struct AssemblyReport {
  bool closed = true;
  double residual = 0;                 // largest |φ| that is left
  double moved = 0;                    // largest change of a coordinate
  std::vector<double> loop_residuals;  // largest |φ| of each loop; 2 when its axes point opposite ways
  int iterations = 0;
};

// Moves q, as little as possible, until every loop closes to rounding, and takes out of v what the loops forbid: first
// only where nothing was given, then everywhere. Quaternions are normalised. When the loops cannot close, `state` is
// left as it was.
AssemblyReport assemble(const Model& model, State& state, Workspace& workspace, const AssemblyOptions& options = {});

// Loop closures as constraints φ(q) = 0: their values, rows A = ∂φ̇/∂q̇ and drift Ȧ q̇.
//
//   point      φ = p_a − p_b                        hinge   besides: x_b·z_a = 0, y_b·z_a = 0
//   distance   φ = ‖p_a − p_b‖ − d                  weld    besides: x_b·y_a = 0
//   coupling   φ = Σ c q − constant
//
// In the plane a point has two rows and a weld has the one angle x_b·y_a besides.

// φ(q), Model::loop_rows entries [m, or sine of an angle]; after compute_kinematics.
void loop_residual(const Model& model, const Workspace& workspace, const ConstVector& q, VectorView phi);
// A, loop_rows × n; after compute_kinematics.
void loop_jacobian(const Model& model, Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> A);
// Ȧ q̇; after compute_velocities.
void loop_drift(const Model& model, const Workspace& workspace, VectorView drift);

// Whether the axes of a hinge or weld point the same way, and not the opposite one, which its rows allow as well.
bool loop_aligned(const Model& model, const Workspace& workspace, const Loop& loop);

}  // namespace routh
