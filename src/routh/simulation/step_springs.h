// Springs and dampers between bodies in a step, taken at its end or middle like those of joints. Private to the module.
//
// A spring of length ℓ between the points r_a and r_b has rows J = ∂(a·(r_a − r_b))/∂q along its axis and across it,
// and along each of them the force
//
//   f = −K (e + c h J w) − D J w          e + c h J w: elongation at q + c h w;  w = v + c (v⁺ − v) is the path
//
// With c = ½ the work of K along the path is just what its energy loses; with c = 1 it is more. Across the axis a
// stretched spring pulls back with K (1 − ℓ₀/ℓ), without which one of no rest length would be stiff along the line in
// which it lies and explicit beside it; what pushes outwards there is left explicit. So M̂ = M + (c h D + c² h² K) JᵀJ
// joins the trees on which a spring acts: its degrees of freedom lie on one path of the elimination (coupled_parents).
#pragma once

#include <span>
#include <vector>

#include "routh/dynamics/mass_factor.h"

namespace routh::internal {

class StepSprings {
 public:
  explicit StepSprings(const Model& model);

  const std::vector<int>& parents() const { return parents_; }  // of the elimination of M̂, by degree of freedom
  bool empty() const { return springs_.empty(); }

  // Rows at `middle`, of a part of the length h from q along the path w. `share`: c, by degree of freedom. Leaves the
  // kinematics of `middle` in the workspace.
  void find(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& w, double h,
            const Eigen::VectorXd& middle, std::span<const double> share, Workspace& workspace);
  // f at v⁺ = v, less what compute_applied_force gives at `middle` and v.
  void add_force(const Eigen::VectorXd& v, double h, Eigen::VectorXd& load) const;
  void add_inertia(double h, MassFactor& factor) const;
  // What springs store at q⁺ beyond what their rows know at the end of the path w, because lines between points that
  // turn are longer than along one axis [J].
  double excess(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& w, double h, Workspace& workspace);
  // visit(dof, (h D + h² K) J M⁻¹ Jᵀ): the squares of h ω, by a degree of freedom of each spring. `factor` is that of
  // M.
  template <class Visit>
  void visit_stiffness(double h, const MassFactor& factor, const Visit& visit) {
    for (const Rows& it : springs_)
      if (const double sum = stiffness(it, h, factor); sum > 0) visit(it.dofs.front(), sum);
  }

 private:
  struct Rows {
    std::size_t spring = 0;
    std::vector<int> dofs;         // ascending, with all ancestors in the elimination
    std::vector<double> jacobian;  // of each row, one behind the other; the first is along the axis
    double stiffness[3] = {};      // K of each row [N/m]
    double damping = 0;            // D of the first [N s/m]
    double stretch[3] = {};        // e, less what it is for compute_applied_force [m]
    double share = 0.5;            // c
    double rest = 0, end = 0;      // length without force, and at the end if w were none [m]
    Vector3 axis;
  };
  void find_spans(const Model& model, const Eigen::VectorXd& q, Workspace& workspace, std::vector<Vector3>& to) const;
  double stiffness(const Rows& rows, double h, const MassFactor& factor);
  double rate(const Rows& rows, std::size_t row, const Eigen::VectorXd& v) const;
  std::span<const double> row(const Rows& rows, std::size_t r) const {
    return {rows.jacobian.data() + r * rows.dofs.size(), rows.dofs.size()};
  }

  std::size_t rows_;  // of a spring: 2 in the plane, 3 in space
  std::vector<int> parents_;
  std::vector<Rows> springs_;  // that move something
  std::vector<Vector3> before_, after_;
  std::vector<int> place_;  // by degree of freedom
  std::vector<double> columns_;
  Eigen::VectorXd end_;
};

}  // namespace routh::internal
