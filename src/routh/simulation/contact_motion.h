// The motion of a machine some of whose contacts are closed, each slipping or sticking: a linear system.
//
//   q̈ = q̈_free + M_o⁺ Jᵀ λ        H (J q̈ + J̇ q̇ − v̇_s) = 0        H: every normal, and the tangents that stick
//   slip: λ_t = −μ_k λ_n σ         stick: λ_t free
//
// Rows may depend on one another (a box on four corners): accelerations are those of every solution, forces of least
// norm among them. Between events nothing here looks at inequalities; recorded_force.h does for the forces shown.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/power.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

struct HeldContact {
  ContactId id;
  ContactMode mode = ContactMode::stick;
  SlipDirection direction;  // of slip: in the plane its sign; in space a direction at most 90° from the present one
  Friction friction;
  // In space: slip that began from rest and is still so slow that its direction would follow the forces within a tiny
  // fraction of any step. It is taken from them (v̇_t = κ σ) step by step, in `direction`, instead of from the velocity.
  bool beginning = false;
};

enum class MotionFault { none, singular, lost_contact, jammed, non_finite };

class ContactMotion {
 public:
  explicit ContactMotion(const Model& model);
  ~ContactMotion();
  ContactMotion(ContactMotion&&) noexcept;

  // Whose modes are kept until the next call.
  void hold(std::vector<HeldContact> contacts);
  const std::vector<HeldContact>& held() const { return held_; }
  // The same as another motion of this model, found at the same places.
  void hold_like(const ContactMotion& other) {
    hold(other.held_);
    contacts_ = other.contacts_;
  }
  // For their directions alone.
  HeldContact& change(std::size_t index) {
    computed_ = false;
    return held_[index];
  }
  // Its direction of slip in the tangents of this contact, which is the same one at another place.
  void follow_tangents(std::size_t index, const Contact& now);
  // As it was at a state that is gone back to.
  void restore(std::size_t index, const HeldContact& contact) {
    change(index) = contact;
    contacts_[index] = {};
  }

  // Everything below, at a state, with a generalised force besides the machine's own. Asked again at once, it is there
  // already.
  MotionFault compute(const Model& model, const State& state, const Eigen::VectorXd& force, Workspace& workspace);
  // Only the first half: contacts, D, velocities and free accelerations of the held contacts, whatever their modes.
  MotionFault prepare(const Model& model, const State& state, const Eigen::VectorXd& force, Workspace& workspace);

  // Contacts that are there no more, but go on between other features at the same place: held by their new ids from now
  // on. True when there were any.
  bool follow_features(const Model& model, const State& state, Workspace& workspace);

  const Eigen::VectorXd& acceleration() const { return acceleration_; }                   // q̈
  const std::vector<Contact>& contacts() const { return contacts_; }                      // in the order held
  const Eigen::MatrixXd& inertia() const { return system_.inertia; }                      // D of all of them
  const Eigen::VectorXd& velocity() const { return velocity_; }                           // relative to the surfaces
  const Eigen::VectorXd& free_acceleration() const { return system_.free_acceleration; }  // f
  const Eigen::VectorXd& surface_velocity() const { return system_.surface_velocity; }    // v_s
  const Eigen::VectorXd& force() const { return force_; }                                 // λ
  SlipDirection slip_direction(std::size_t index) const;                                  // σ of one that slips
  double jam() const { return jam_; }  // determinant of the scaled system, positive unless friction wedges
  // Contacts, by their places in `held`, that act on one another, also by way of others.
  std::vector<std::vector<std::size_t>> coupled_groups() const;
  // Those among them whose forces are not unique: rows depend on one another. After compute.
  std::vector<std::vector<std::size_t>> redundant_groups();
  // D and f of a group, for the search of its modes; at rest, and without friction so far.
  ModesProblem modes_problem(Dimension dimension, const std::vector<std::size_t>& group) const;
  double slip_power() const { return slip_power_; }        // dissipated by friction [W]
  double surface_power() const { return surface_power_; }  // supplied by belts [W]
  int singular_dof() const { return singular_dof_; }
  ContactId lost() const { return lost_; }  // after MotionFault::lost_contact
  // v̇ of the held contacts under the present forces.
  Eigen::VectorXd contact_accelerations() const { return system_.inertia * force_ + system_.free_acceleration; }

  // The energy it takes to halt a slip, over what it takes with all that is closed. Next to nothing at a dead centre,
  // where the machine goes on while the slip passes through zero. After compute.
  double slip_mobility(std::size_t index);

  // The impulse, with friction in proportion to the load where they slip, that closes the velocities of the held
  // contacts: H (v + D p) = 0. False where friction wedges. After prepare.
  bool close(Eigen::VectorXd& impulse);
  // q̇ changed by an impulse at the held contacts: M_o⁺ Jᵀ i. After prepare.
  void respond(const Eigen::VectorXd& impulse, Eigen::VectorXd& jump);

 private:
  struct Solver;

  const Contact* find_held(const Model& model, const Eigen::VectorXd& q, const Workspace& workspace, std::size_t index);
  void forget_immovable();
  // A row that nothing moves: a force there does nothing, and is none.
  bool immovable(Eigen::Index row) const { return system_.inertia(row, row) == 0; }
  double scale_of(Eigen::Index row) const { return immovable(row) ? 1 : 1 / std::sqrt(system_.inertia(row, row)); }
  bool must_depend() const;
  // force_ ← λ with H (D λ + rate) = 0, λ of the form above. `rate`: f for forces, v for impulses.
  bool solve_modes(const Eigen::VectorXd& rate);
  bool solve_independent(const Eigen::VectorXd& rate);
  bool solve_dependent(const Eigen::VectorXd& rate);
  bool solve_symmetric(const Eigen::VectorXd& rate);
  bool solve_with_friction(const Eigen::VectorXd& rate);

  MotionFault solve(const Model& model, const State& state, const Eigen::VectorXd& force, Workspace& workspace);

  ConstrainedDynamics dynamics_;
  std::vector<HeldContact> held_;
  bool computed_ = false;  // everything, at this state and force
  State at_;
  Eigen::VectorXd at_force_;
  std::vector<Contact> contacts_;
  ContactFinder finder_;
  Eigen::Index rows_ = 2;
  ContactRows system_;  // of the held contacts
  Eigen::VectorXd acceleration_, velocity_, force_;
  double jam_ = 1, slip_power_ = 0, surface_power_ = 0;
  bool redundant_ = false;
  int singular_dof_ = -1;
  ContactId lost_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace routh::internal
