// The bridge: model + state + contact → ImpactProblem, and the solved impact back into the machine.
//
//   D = J M_o⁺ Jᵀ      Δq̇ = M_o⁺ Jᵀ i      M_o⁺: inverse mass under the loops (M⁻¹ without loops)
//
// M is factorised along the tree once per state; each contact costs a few passes through its own branch.
#pragma once

#include <optional>
#include <span>

#include "routh/base/hidden.h"
#include "routh/contact/contact.h"
#include "routh/dynamics/loops.h"
#include "routh/impact/result.h"

namespace routh::internal {
class ColumnSpace;
class ContactProjection;
class MassFactor;
}  // namespace routh::internal

namespace routh {

class StrikeSolver {
 public:
  explicit StrikeSolver(const Model& model);

  // Takes up a state: M and its factor, the loops. Keeps copies of what it needs. Returns the degree of freedom at
  // which M is not positive definite, or −1. Leaves the kinematics of the state in `workspace`.
  int prepare(const Model& model, const State& state, Workspace& workspace);

  // The contact's own problem: inertia, velocity, surface velocity, friction and restitution.
  ImpactProblem reduce(const Model& model, const Workspace& workspace, const Contact& contact);

  // After solving the problem of the last `reduce`: q̇⁺, loop impulses; completes the energy ledger in q̇.
  void expand(ImpactResult& result);
  const Eigen::VectorXd& velocity_after() const { return velocity_after_; }
  const Eigen::VectorXd& loop_multipliers() const { return multipliers_; }  // λ of least norm, by loop rows
  const Eigen::VectorXd& loop_impulse() const { return loop_impulse_; }     // Aᵀλ

  // Impulse at every joint of the model, in the order of Model::joints, for the last `expand`: see reactions.h.
  void joint_impulses(const Model& model, Workspace& workspace, const Contact& contact, const ImpactResult& result,
                      std::span<Wrench> impulses);

  // M_o⁺Jᵀ of the last `reduce`, n × rows: how q̇ changes per unit of contact impulse, q̈ per unit of force.
  void response(Eigen::Ref<Eigen::MatrixXd> out) const;

  // D and J q̇ of several contacts together, contact after contact, `contact_rows` each.
  void stack(const Model& model, const Workspace& workspace, std::span<const Contact> contacts, Eigen::MatrixXd& D,
             Eigen::VectorXd& velocity);

  double loop_velocity() const { return loop_velocity_; }  // ‖A q̇⁻‖∞ relative to ‖A‖‖q̇⁻‖
  int loop_rank() const;

 private:
  Hidden<internal::MassFactor> factor_;
  Hidden<internal::ColumnSpace> loops_;          // L⁻ᵀAᵀ
  Hidden<internal::ContactProjection> contact_;  // L⁻ᵀJᵀ
  Eigen::MatrixXd loop_rows_, jacobian_;
  Eigen::VectorXd position_, velocity_before_, velocity_after_, multipliers_, loop_impulse_, scratch_;
  std::vector<PointLoad> loads_;
  double time_ = 0;
  double loop_velocity_ = 0;
};

struct TouchOptions {
  double tolerance = 1e-6;  // [m] or [rad]: a gap of at most this touches; an overlap beyond it is refused
};

enum class TouchKind { approaching, resting, separating };
const char* name(TouchKind kind);

// A contact that touches, and its normal velocity relative to the surfaces. Resting: |v_n| within rounding of zero.
struct Touch {
  Contact contact;
  TouchKind kind = TouchKind::resting;
  double normal_velocity = 0;
};

struct TouchReport {
  std::vector<Touch> touches;      // ordered by id
  std::vector<Contact> overlaps;   // deeper than the tolerance
  std::optional<Contact> nearest;  // when nothing touches: the smallest gap of all within 10 m, if any
};

// What touches at a state. Computes velocities.
TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace);

}  // namespace routh
