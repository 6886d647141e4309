// M = Lᵀ L along the tree, L = √δ U with the unit matrix U: L keeps the tree's zeros, so that branches cost nothing to
// one another. [Featherstone 2005, Efficient factorization of the joint-space inertia matrix for branched kinematic
// trees]
//
// Square roots and divisions stay out of the elimination, where each would wait for the one before: there is one
// division for each degree of freedom, and none in the solves.
#pragma once

#include <span>

#include "routh/dynamics/dof_paths.h"
#include "routh/dynamics/state.h"

namespace routh::internal {

// Whether M is the same in every posture: bodies that slide along axes that do not turn, and turn at most about one
// through their centre of mass.
bool has_constant_mass(const Model& model);

class MassFactor {
 public:
  explicit MassFactor(const Model& model);
  // Of M and elements that couple branches of the tree (add_product): `parents` of the elimination, by degree of
  // freedom (coupled_parents, or those of the model), along whose paths M is then kept.
  MassFactor(const Model& model, std::span<const int> parents);

  // M at q and its factor, which for a constant M are computed once. Returns as `decompose` does.
  int factorise(const ConstVector& q, Workspace& workspace);
  // The same in two steps, between which M may be changed: M at q; its factor. The second returns a degree of freedom
  // whose inertia is not positive, or −1 when all are.
  void load(const ConstVector& q, Workspace& workspace);
  void add_to_diagonal(int dof, double inertia);
  // M += weight · x xᵀ, where x vanishes but on some degrees of freedom, ascending, that lie on one path.
  void add_product(std::span<const int> dofs, std::span<const double> x, double weight);
  int decompose();
  // A degree of freedom whose entries of M are not all finite, or −1.
  int non_finite() const;

  // In place: x ← L⁻ᵀ x, so that ‖x‖² = fᵀ M⁻¹ f for a force f.
  void half_solve(VectorView x) const;
  void half_solve_all(Eigen::MatrixXd& x) const;  // every column
  // The same where x is known to vanish but on some degrees of freedom: `dofs`, ascending, with all their ancestors. x
  // has `columns` (2 or 3) numbers for each of them, one after the other. `place`, by degree of freedom, is scratch.
  void half_solve_path(std::span<const int> dofs, std::vector<int>& place, int columns, double* x) const;
  // x ← L⁻¹ x: from half coordinates to velocities.
  void finish_solve(VectorView x) const;
  // x ← M⁻¹ x
  void solve(VectorView x) const;
  // The same for many at once: `columns` numbers of each degree of freedom, one after the other, row after row.
  void solve_rows(double* x, std::size_t columns) const;

  // The degrees of freedom that one acts on: itself, last, and its ancestors in the elimination.
  std::span<const int> path(int dof) const {
    return {paths_.path(static_cast<std::size_t>(dof)), paths_.size(static_cast<std::size_t>(dof))};
  }

  // yᵀ M x, with the matrix that was decomposed last.
  double product(const Eigen::VectorXd& y, const Eigen::VectorXd& x) const;

 private:
  // Columns that stand one behind the other; together, since each alone would wait for its own last result.
  template <int columns>
  void half_solve_columns(double* x) const;
  template <int columns>
  void half_solve_entries(std::span<const int> dofs, const std::vector<int>& place, double* x) const;
  int eliminate();

  DofPaths paths_;
  // Where paths are longer than those of the tree: M along the tree's, and where its entries stand along ours.
  std::vector<std::size_t> tree_begin_, tree_place_;
  std::vector<double> tree_mass_;
  // Row by row along the paths, each row filled up to whole registers.
  std::vector<std::size_t> begin_;
  std::vector<double> mass_, left_, unit_;  // M; what is left of it, with the pivots δ; U without its diagonal
  std::vector<double> root_, inverse_root_;
  Eigen::VectorXd posture_;  // in which a constant M is computed; else empty
  bool known_ = false;       // the factor of a constant M
};

// The parents, by degree of freedom, in the elimination of a tree whose branches are coupled: all that stand in one
// group (each ascending) then lie on one path. [Liu 1990, The role of elimination trees in sparse factorization]
std::vector<int> coupled_parents(const Model& model, std::span<const std::vector<int>> groups);

}  // namespace routh::internal
