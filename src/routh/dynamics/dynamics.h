// The equations of motion M(q) q̈ + h(q, q̇) = τ of the tree, without its loops.
//
// Every function computes the kinematics it needs from q and v; none depends on an earlier call. Results go into the
// workspace, in the fields it names. No allocation.
#pragma once

#include "routh/dynamics/state.h"

namespace routh {

// M, by the composite-rigid-body recursion → mass_matrix
void compute_mass_matrix(const Model& model, const ConstVector& q, Workspace& workspace);

// τ = M a + h, by the recursive Newton–Euler algorithm → force
void compute_inverse_dynamics(const Model& model, const ConstVector& q, const ConstVector& v, const ConstVector& a,
                              Workspace& workspace);

// h(q, q̇): centrifugal, gyroscopic and Coriolis forces less gravity's → force
void compute_bias(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);
// h(q, 0) → force
void compute_gravity_force(const Model& model, const ConstVector& q, Workspace& workspace);

// q̈ = M⁻¹(τ − h), by the articulated-body recursion → acceleration
void compute_forward_dynamics(const Model& model, const ConstVector& q, const ConstVector& v, const ConstVector& tau,
                              Workspace& workspace);

// τ of springs, dampers, drives and forces at a state → applied
void compute_applied_force(const Model& model, const State& state, Workspace& workspace);

// q̈ of the tree under all that acts on it: gravity and the applied forces → acceleration
void compute_acceleration(const Model& model, const State& state, Workspace& workspace);

struct Energy {
  double kinetic = 0;    // [J]
  double potential = 0;  // of gravity on all that moves (zero at the world's origin), springs and the springs of drives
                         // at their present targets [J]
};
Energy compute_energy(const Model& model, const State& state, Workspace& workspace);

struct Momentum {
  Vector3 linear;   // [kg m/s], world axes
  Vector3 angular;  // about the world's origin [kg m²/s]
};
Momentum compute_momentum(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);

}  // namespace routh
