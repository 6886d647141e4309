// Motion under loops and further rows, such as contacts that are held, by oblique projection [Aghili 2019].
//
//   M q̈ + h = u + f,  f = Aᵀλ      A q̈ + Ȧ q̇ = 0
//   q̈ = M_o⁺ (u − h) + S Ω q̇  (13)      f = Sᵀ(h − u) + Sᵀ M Ω q̇  (14)      λ of least norm
//
// Rows may depend on one another, and may lose rank on the way: the answer is the same as far as it is determined.
#pragma once

#include "routh/dynamics/workspace.h"
#include "routh/math/oblique_projection.h"

namespace routh::internal {

// Rows beside the loops: A_h q̈ + drift = 0.
struct HeldRows {
  Eigen::MatrixXd rows;   // k×n
  Eigen::VectorXd drift;  // Ȧ_h q̇, k
};

struct ProjectedMotion {
  Eigen::VectorXd acceleration;      // q̈
  Eigen::VectorXd constraint_force;  // f, generalised; unique whatever the rank
  Eigen::VectorXd multipliers;       // λ of least norm: loops first, then the held rows
  std::vector<bool> unique;          // of each multiplier: the same in every solution
  ProjectionReport report;
};

// Reusable: sized for a model and a number of held rows at most.
class ProjectedDynamics {
 public:
  ProjectedDynamics(const Model& model, int most_held_rows);

  // Under all that acts on the machine. Leaves kinematics, velocities and mass matrix of the state in `workspace`.
  // Without inertia along some degree of freedom `report.usable()` is false and nothing else is set.
  const ProjectedMotion& compute(const Model& model, const State& state, const HeldRows& held, Workspace& workspace);

 private:
  std::vector<ObliqueProjection> projections_;  // by the number of held rows
  ProjectedMotion motion_;
  Eigen::MatrixXd rows_;
  Eigen::VectorXd rate_, force_;
};

}  // namespace routh::internal
