// Where a machine is and how it moves, motion along a velocity, and the memory in which its dynamics is computed.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "routh/model/model.h"

namespace routh::internal {
struct TreeMemory;  // of the recursions
}

namespace routh {

// Views of coordinates, velocities and forces: an Eigen vector, a map of one, a column.
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;
using VectorView = Eigen::Ref<Eigen::VectorXd>;

struct State {
  Eigen::VectorXd q;  // Model::coordinates entries
  Eigen::VectorXd v;  // q̇, Model::velocities entries
  double time = 0;    // [s]
};

// All coordinates zero, quaternions one, at rest.
State rest_state(const Model& model);

// q moved along the constant velocity v for the time h: numbers add, quaternions turn on the sphere. `q` may be `out`.
void integrate(const Model& model, const ConstVector& q, const ConstVector& v, double h, VectorView out);

// The velocity that leads from `from` to `to` in unit time; inverse of `integrate`.
void difference(const Model& model, const ConstVector& from, const ConstVector& to, VectorView v);

// dq/dt: v itself for numbers, ½ q ω for a quaternion.
void coordinate_rates(const Model& model, const ConstVector& q, const ConstVector& v, VectorView rates);

// Divides every quaternion by its length.
void normalise(const Model& model, VectorView q);

// Accelerations that remain when q̈ = 0.
struct Drift {
  Vector3 linear;   // [m/s²], world axes
  Vector3 angular;  // [rad/s²]
};

inline constexpr int largest_mass_matrix = 10'000;  // rows of M as a whole: 800 MB

// The memory of the dynamics: made once for a model, then no function allocates, but for the first
// compute_mass_matrix: M as a whole is n×n, and most never need it so. One for each thread.
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
  std::vector<Twist> link_steps;   // what q̈, or a jump of q̇, adds to the link's origin; for reactions of joints

  Eigen::VectorXd row;  // n, scratch
  std::unique_ptr<internal::TreeMemory> tree;
};

}  // namespace routh
