// The memory of the dynamics: made once for a model, then no function allocates, but for the first
// compute_mass_matrix: M as a whole is n×n, and most never need it so. One for each thread.
#pragma once

#include <memory>

#include "routh/dynamics/state.h"

namespace routh::internal {
struct TreeMemory;  // of the recursions
}

namespace routh {

// Accelerations that remain when q̈ = 0.
struct Drift {
  Vector3 linear;   // [m/s²], world axes
  Vector3 angular;  // [rad/s²]
};

inline constexpr int largest_mass_matrix = 10'000;  // rows of M as a whole: 800 MB

struct Workspace {
  explicit Workspace(const Model& model);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  Eigen::MatrixXd mass_matrix;     // n×n, by compute_mass_matrix, empty before; both triangles
  Eigen::VectorXd force;           // n, by compute_inverse_dynamics, compute_bias, compute_gravity_force
  Eigen::VectorXd acceleration;    // n, by compute_forward_dynamics, compute_acceleration
  Eigen::VectorXd applied;         // n, by compute_applied_force
  std::vector<Pose> link_poses;    // in the world, by compute_kinematics
  std::vector<Twist> link_twists;  // of the link's origin, in world axes, by compute_velocities
  std::vector<Drift> link_drifts;  // of the link's origin, by compute_velocities
  std::vector<Twist> link_steps;  // what q̈, or a jump of q̇, adds to the link's origin; by the functions of reactions.h

  Eigen::VectorXd row;  // n, scratch
  std::unique_ptr<internal::TreeMemory> tree;
};

}  // namespace routh
