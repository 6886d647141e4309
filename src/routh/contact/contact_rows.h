// The equations of motion in the directions of a set of contacts: the one place that assembles J, D, v and f.
//
//   v = J q̇      v̇ − v̇_s = D λ + f      D = J M_o⁺ Jᵀ = YᵀY      f = J q̈_free + J̇ q̇ − v̇_s
//   Y = (1 − QQᵀ) L⁻ᵀJᵀ      M = LᵀL      Q: an orthonormal basis of the loops' L⁻ᵀAᵀ
//
// M_o⁺ is the inverse mass under the loops (M⁻¹ without loops). Impacts, forces and constraint projection take from it
// as much as they need; each step below says what must have been computed before it.
#pragma once

#include <span>

#include "routh/contact/contact.h"
#include "routh/dynamics/constrained.h"

namespace routh::internal {

// Rows contact after contact, `contact_rows` each.
struct ContactRows {
  Eigen::MatrixXd jacobian;           // J, rows × n
  Eigen::VectorXd velocity;           // v = J q̇
  Eigen::VectorXd surface_velocity;   // v_s of belts: the slip is that of v − v_s
  Eigen::MatrixXd half;               // Jᵀ, then L⁻ᵀJᵀ, then Y; n × rows
  Eigen::MatrixXd inertia;            // D
  Eigen::VectorXd free_acceleration;  // f

  // Everything below at once, with M = LᵀL and the loops of `dynamics`. After compute_velocities of the machine.
  void assemble(const Model& model, const Workspace& workspace, const State& state, std::span<const Contact> contacts,
                const ConstrainedDynamics& dynamics, const ConstVector& free_motion);
  // Sets vectors to zero. Allocates when a size changes.
  void resize(Eigen::Index velocities, Eigen::Index rows);
  // J alone. After compute_kinematics.
  void compute_jacobian(const Model& model, const Workspace& workspace, std::span<const Contact> contacts);
  // v and v_s; leaves Jᵀ in `half`. After compute_jacobian.
  void compute_velocities(const Model& model, const Workspace& workspace, const State& state,
                          std::span<const Contact> contacts);
  // `half` ← L⁻ᵀJᵀ. After compute_velocities.
  void half_solve(const MassFactor& factor);
  // Y and D. After half_solve.
  void compute_inertia(const ColumnSpace& loops);
  // f, for the motion q̈_free under everything but the contacts. After compute_jacobian and the machine's velocities.
  void compute_free_acceleration(const Model& model, const Workspace& workspace, const State& state,
                                 std::span<const Contact> contacts, const ConstVector& free_motion);
};

// v̇ = J q̈ + J̇ q̇ − v̇_s of a contact with the Jacobian J. After compute_velocities of the machine.
ContactVector contact_acceleration(const Model& model, const Workspace& workspace, const Contact& contact,
                                   const Eigen::Ref<const Eigen::MatrixXd>& J, const State& state,
                                   const ConstVector& acceleration);

}  // namespace routh::internal
