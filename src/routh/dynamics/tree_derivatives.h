// Derivatives of the recursion of Newton and Euler, in closed form. Private to the module.
//
// [Singh, Russo, Wensing 2022, Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra],
// in a frame with the world's axes at the origin of the first link of each tree. s_j: screw of a degree of freedom, v,
// a (less gravity): motion of a link, λ(j): what carries j.
//
//   ψ̇_j = v_λ × s_j      ψ̈_j = a_λ × s_j + v_λ × ψ̇_j      ṡ_j = v_j × s_j
//   ∂τ_i/∂q_j = s_iᵀ (B_i ψ̇_j + I_i ψ̈_j)                       j carries i, or is of the same link
//   ∂τ_j/∂q_i = s_jᵀ (B_i ψ̇_i + I_i ψ̈_i + s_i ×* f_i)          j carries i
//   ∂τ_i/∂q̇_j = s_iᵀ (B_i s_j + I_i (ψ̇_j + ṡ_j)), ∂τ_j/∂q̇_i = s_jᵀ (B_i s_i + I_i (ψ̇_i + ṡ_i))
//
// I_i, B_i, f_i: sums over all that hangs from i. B of masses m at r that move with V(r) is, written out, a map of the
// turning y alone: B (y, z) = (K y, 2 y × P) with P = Σ m V and K = 2 Σ m ((r·V) 1 − V rᵀ). A floating link counts as
// three slides along the world's axes that carry a ball.
#pragma once

#include <span>
#include <vector>

#include "routh/dynamics/dof_paths.h"
#include "routh/dynamics/state.h"

namespace routh::internal {

// A motion in the frame of a tree: turning, and velocity of what is at its origin.
struct Screw {
  Vector3 w, v;
};
constexpr Screw operator+(const Screw& a, const Screw& b) { return {a.w + b.w, a.v + b.v}; }
constexpr Screw operator-(const Screw& a, const Screw& b) { return {a.w - b.w, a.v - b.v}; }
constexpr Screw operator*(double s, const Screw& a) { return {s * a.w, s * a.v}; }
constexpr Screw cross(const Screw& a, const Screw& b) {
  return {routh::cross(a.w, b.w), routh::cross(a.w, b.v) + routh::cross(a.v, b.w)};
}

class TreeDerivatives {
 public:
  explicit TreeDerivatives(const Model& model);

  struct Dof {
    Screw s, rate, rate2;  // s, ψ̇, ψ̈
    Screw both;            // ψ̇ + ṡ
  };
  struct Motion {
    Screw v, a;  // a: without gravity's −g
    Vector3 origin;
  };

  // After compute_kinematics. `a` is the acceleration of the degrees of freedom.
  void set_motion(const Model& model, const ConstVector& v, const ConstVector& a, const Workspace& workspace);
  // After set_motion → by_position, by_velocity, mass
  void compute(const Model& model, const Workspace& workspace);

  const Dof& dof(int index) const { return dofs_[static_cast<std::size_t>(index)]; }
  // Of what carries the degree of freedom.
  const Motion& carrier(int index) const { return carriers_[static_cast<std::size_t>(index)]; }
  const Motion& motion(int link) const { return motions_[static_cast<std::size_t>(link)]; }
  // The degrees of freedom of a link and of what carries it, from the world on.
  std::span<const int> path(const Model& model, int link) const {
    const Link& it = model.links[static_cast<std::size_t>(link)];
    const auto last = static_cast<std::size_t>(it.v + velocity_count(it.kind) - 1);
    return {paths_.path(last), paths_.size(last)};
  }
  // Whether both turn with the same ball, so that each is carried by what the other is carried by.
  bool same_group(int i, int j) const {
    return groups_[static_cast<std::size_t>(i)] == groups_[static_cast<std::size_t>(j)];
  }

  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Square by_position, by_velocity, mass;

 private:
  // Sums over all that hangs from a link, about the origin of its tree.
  struct Composite {
    double m;
    Vector3 h;
    Symmetric3 I;
    Matrix3 K;
    Vector3 P;  // twice the momentum
    Vector3 n, f;
  };
  void set_dofs(int first, int count, const Motion& from, const Screw& velocity);
  void start(const Model& model, std::size_t i, const Workspace& workspace);
  void fill(std::size_t dof, const Composite& all);

  DofPaths paths_;
  std::vector<int> groups_;
  std::vector<double> armature_;
  std::vector<Dof> dofs_;
  std::vector<Motion> carriers_, motions_;
  std::vector<Composite> composites_;
};

}  // namespace routh::internal
