// M = Lᵀ L along the tree, L = √δ U with the unit matrix U: L keeps the tree's zeros, so that branches cost nothing to
// one another. [Featherstone 2005, Efficient factorization of the joint-space inertia matrix for branched kinematic
// trees]
//
// Square roots and divisions stay out of the elimination, where each would wait for the one before: there is one
// division for each degree of freedom, and none in the solves.
#pragma once

#include "routh/dynamics/dof_paths.h"
#include "routh/dynamics/workspace.h"

namespace routh {

class MassFactor {
 public:
  explicit MassFactor(const Model& model);

  // From workspace.mass_matrix. Returns a degree of freedom whose pivot is not positive, or −1 when all are.
  int compute(const Workspace& workspace);

  // In place: x ← L⁻ᵀ x, so that ‖x‖² = fᵀ M⁻¹ f for a force f.
  void half_solve(VectorView x) const;
  // x ← L⁻¹ x: from half coordinates to velocities.
  void finish_solve(VectorView x) const;
  // x ← M⁻¹ x
  void solve(VectorView x) const;
  // x ← Lᵀ x: from half coordinates to forces.
  void half_multiply(VectorView x) const;

  // yᵀ M x, with the matrix as it was given to `compute`.
  double product(const Eigen::VectorXd& y, const Eigen::VectorXd& x) const;

 private:
  int eliminate();

  DofPaths paths_;
  // Row by row along the paths, each row filled up to whole registers.
  std::vector<std::size_t> begin_;
  std::vector<double> mass_, left_, unit_;  // M; what is left of it, with the pivots δ; U without its diagonal
  std::vector<double> root_, inverse_root_;
};

}  // namespace routh
