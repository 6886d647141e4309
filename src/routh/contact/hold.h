// The bridge at the level of forces: model + state + contact → AccelerationProblem.
//
//   v̇ = D λ + f      D = J M_o⁺ Jᵀ      f = J q̈_free + J̇ q̇ − v̇_s
//
// q̈_free: the motion under everything that acts on the machine, its loops included, but no contact force.
#pragma once

#include <span>

#include "routh/contact/strike.h"
#include "routh/dynamics/constrained.h"

namespace routh {

// v̇ = J q̈ + J̇ q̇ − v̇_s of a contact with the Jacobian J. After compute_velocities.
ContactVector contact_acceleration(const Model& model, const Workspace& workspace, const Contact& contact,
                                   const Eigen::MatrixXd& J, const State& state, const ConstVector& acceleration);

class HoldSolver {
 public:
  explicit HoldSolver(const Model& model);

  // Takes up a state. Returns the degree of freedom at which M is not positive definite, or −1.
  int prepare(const Model& model, const State& state, Workspace& workspace);

  // One contact as if it were alone.
  AccelerationProblem reduce(const Model& model, const Workspace& workspace, const Contact& contact);

  // All contacts together, contact after contact: D, velocity relative to the surfaces, and f.
  void stack(const Model& model, const Workspace& workspace, std::span<const Contact> contacts, Eigen::MatrixXd& D,
             Eigen::VectorXd& velocity, Eigen::VectorXd& free_acceleration);

  const Eigen::VectorXd& free_motion() const { return acceleration_; }  // q̈_free
  int loop_rank() const { return strike_.loop_rank(); }
  // M_o⁺Jᵀ of the last `reduce`.
  void response(Eigen::Ref<Eigen::MatrixXd> out) const { strike_.response(out); }

 private:
  ContactVector free_acceleration(const Model& model, const Workspace& workspace, const Contact& contact);

  StrikeSolver strike_;
  ConstrainedDynamics motion_;
  State state_;
  Eigen::VectorXd acceleration_;
  Eigen::MatrixXd jacobian_;
};

}  // namespace routh
