// M = Lᵀ L along the tree: L keeps the tree's zeros, so that branches cost nothing to one another.
// [Featherstone 2005, Efficient factorization of the joint-space inertia matrix for branched kinematic trees]
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

 private:
  DofPaths paths_;
  std::vector<double> rows_;  // L, row by row along the paths: the diagonal entry stands last
};

}  // namespace routh
