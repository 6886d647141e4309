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

// Where links and bodies are, how fast their points move, and the Jacobians of both.

// → link_poses
void compute_kinematics(const Model& model, const ConstVector& q, Workspace& workspace);
// → link_poses, link_twists
void compute_twists(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);
// → link_poses, link_twists, link_drifts
void compute_velocities(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);

// After compute_kinematics.
Pose body_pose(const Model& model, const Workspace& workspace, int body);
// After compute_twists: velocity of a point fixed to the body, given in world coordinates; world axes.
Vector3 point_velocity(const Model& model, const Workspace& workspace, int body, const Vector3& point);
Vector3 angular_velocity(const Model& model, const Workspace& workspace, int body);

using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Jacobian3View = Eigen::Ref<Jacobian3>;

// Of the velocity of a point fixed to the body, in world axes; 3×n, zero columns included. Looks only at the links
// between the body and the world and leaves the poses of the workspace as they are; `point` is in the body's frame.
void compute_point_jacobian(const Model& model, const ConstVector& q, int body, const Vector3& point,
                            Workspace& workspace, Jacobian3View J);

// The same, after compute_kinematics, from the poses of the workspace, `point` in world coordinates.
void point_jacobian(const Model& model, const Workspace& workspace, int body, const Vector3& point, Jacobian3View J);
void angular_jacobian(const Model& model, const Workspace& workspace, int body, Jacobian3View J);

// J̇ q̇: the acceleration of a point fixed to the body (and the angular acceleration of the body) when q̈ = 0; world
// coordinates; after compute_velocities.
Drift point_drift(const Model& model, const Workspace& workspace, int body, const Vector3& point);

// Adds the generalised force of a wrench that acts on the body at `point`; world coordinates; after compute_kinematics.
void add_point_force(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                     const Wrench& wrench, VectorView tau);

}  // namespace routh
