// The bridge: model + state + contacts → the contact impact problem and the contact force problem, and the solved
// impact back into the machine.
//
//   impact: v⁺ = v + D i, Δq̇ = M_o⁺Jᵀ i        force: v̇ = D λ + f        J, D, v and f: contact_rows.h
//
// M is factorised along the tree once per state; each contact costs a few passes through its own branch.
#pragma once

#include <span>
#include <vector>

#include "routh/base/hidden.h"
#include "routh/contact/contact.h"
#include "routh/dynamics/constrained.h"
#include "routh/impact/result.h"
#include "routh/impact/simultaneous.h"

namespace routh::internal {
struct ContactProblemMemory;
struct ContactRows;  // contact_rows.h
}  // namespace routh::internal

namespace routh {

class ContactProblemBuilder {
 public:
  explicit ContactProblemBuilder(const Model& model);

  // Takes up a state: M and its factor, the loops. Keeps copies of what it needs. Returns the degree of freedom at
  // which M is not positive definite, or −1. Leaves the kinematics of the state in `workspace`.
  int prepare(const Model& model, const State& state, Workspace& workspace);
  // The same for forces: q̈_free, the motion under everything that acts on the machine, its loops included, but no
  // contact force. Leaves the velocities of the state in `workspace` as well.
  int prepare_forces(const Model& model, const State& state, Workspace& workspace);

  // One contact as if it were alone: inertia, velocity, surface velocity, friction and restitution.
  ImpactProblem impact_problem(const Model& model, const Workspace& workspace, const Contact& contact);
  // The same with f. After prepare_forces.
  AccelerationProblem force_problem(const Model& model, const Workspace& workspace, const Contact& contact);
  // All contacts together: J, v, D and f, for the library itself. After prepare_forces.
  const internal::ContactRows& force_rows(const Model& model, const Workspace& workspace,
                                          std::span<const Contact> contacts);

  // After solving the problem of the last `impact_problem`: q̇⁺, loop impulses; completes the energy ledger in q̇.
  void apply(ImpactResult& result);
  const Eigen::VectorXd& velocity_after() const { return velocity_after_; }
  const Eigen::VectorXd& loop_multipliers() const { return multipliers_; }  // λ of least norm, by loop rows
  const Eigen::VectorXd& loop_impulse() const { return loop_impulse_; }     // Aᵀλ

  // Impulse at every joint of the model, in the order of Model::joints, for the last `apply`: the wrench
  // that its parent exerts on its child through the joint, at the joint's origin in the child, in world axes.
  void joint_impulses(const Model& model, Workspace& workspace, const Contact& contact, const ImpactResult& result,
                      std::span<Wrench> impulses);

  // M_o⁺Jᵀ of the last problem of one contact, n × rows: how q̇ changes per unit of impulse, q̈ per unit of force.
  void response(Eigen::Ref<Eigen::MatrixXd> out) const;

  const Eigen::VectorXd& free_motion() const { return free_motion_; }  // q̈_free
  int loop_rank() const;

 private:
  void take_up(const Model& model, const State& state);

  ConstrainedDynamics dynamics_;
  Hidden<internal::ContactProblemMemory> memory_;
  State state_;
  Eigen::VectorXd free_motion_, velocity_after_, multipliers_, loop_impulse_, scratch_;
  double loop_velocity_ = 0;  // ‖A q̇⁻‖∞ relative to ‖A‖‖q̇⁻‖
};

enum class TangentialRows {
  none,      // smooth contacts
  sticking,  // contacts that do not slip; joint limits have no tangents and get rows of zeros
};

// Several contacts that strike at once: M, the loops as bilateral rows, a normal row for each contact. Leaves
// kinematics and mass matrix in `workspace`.
SimultaneousProblem simultaneous_problem(const Model& model, const State& state, std::span<const Contact> contacts,
                                         TangentialRows tangential, Workspace& workspace);

}  // namespace routh
