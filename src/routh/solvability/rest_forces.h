// Inside of hold_verdict: can contact forces within the cones hold a machine still? One convex problem for any number
// of contacts, planar and spatial.
//
//   D = Λ Λᵀ, f = Λ p       rest: λ in the cones with D λ + f = 0, that is Λᵀλ + p = 0
//   r = min ‖Λᵀλ + p‖ over the cones; u = Λᵀλ + p at the minimum
//
// r = 0 if and only if rest is possible. Otherwise u is a motion of the machine along which the other forces work
// (pᵀu = ‖u‖² > 0) and at which every contact moves out of its cone's reach, w = Λ u, w_n ≥ μ ‖w_t‖: the proof that no
// force holds it. In the plane this is least squares over non-negative multiples of the cone's two edges, in space the
// same with edges added where w breaks its inequality, until it does not.
//
// Lengths are in the scaled units of mode_system.h. Not for users.
#pragma once

#include <Eigen/Core>

#include "routh/solvability/mode_system.h"

namespace routh::internal {

class RestForces {
 public:
  // Velocities are not looked at: all contacts are taken to be without slip.
  explicit RestForces(const ModesProblem& problem);

  int rank() const { return static_cast<int>(factor_.cols()); }
  // Whether f is in the range of D. If not (surfaces that accelerate against one another), nothing holds.
  bool reachable() const { return reachable_; }

  // r for these coefficients (infinite: no bound on friction) with the other forces p + load.
  double shortfall(const Eigen::VectorXd& friction, const Eigen::VectorXd& load) const;
  double shortfall(const Eigen::VectorXd& friction) const { return shortfall(friction, Eigen::VectorXd::Zero(rank())); }
  bool holds(const Eigen::VectorXd& friction) const { return reachable_ && shortfall(friction) == 0; }
  // The multiple of `load` that leaves least to be held.
  double best_multiple(const Eigen::VectorXd& friction, const Eigen::VectorXd& load) const;
  // Whether the contacts hold against every load: friction and squeezing alone.
  bool holds_any_load(const Eigen::VectorXd& friction) const;
  // A change of f in the units of the problem as a load.
  Eigen::VectorXd load_of(const Eigen::VectorXd& acceleration) const;
  double size() const { return p_.norm(); }

  // The forces at the minimum, in scaled units, and u.
  struct Fit {
    double shortfall = 0;
    double multiple = 0;  // of the free column
    Eigen::VectorXd force;
    Eigen::VectorXd motion;
  };
  Fit nearest(const Eigen::VectorXd& friction, const Eigen::VectorXd& load) const {
    return fit(friction, load, nullptr);
  }
  const mode_search::ScaledProblem& scaled() const { return problem_; }
  const Eigen::MatrixXd& factor() const { return factor_; }  // Λ
  const Eigen::VectorXd& demand() const { return p_; }       // p

 private:
  Fit fit(const Eigen::VectorXd& friction, const Eigen::VectorXd& load, const Eigen::VectorXd* free) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& scaled) const;

  mode_search::ScaledProblem problem_;
  Eigen::MatrixXd factor_;  // Λ
  std::vector<Eigen::Index> pivots_;
  Eigen::VectorXd p_;
  bool reachable_ = true;
};

}  // namespace routh::internal
