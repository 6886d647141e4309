// How fast, at most, links and the gaps between their shapes move on a step: from the twists at its ends and the
// accelerations that its stages have seen. Private to the module.
//
// A link k that hangs from link p, its origin at most d from that of p, with joint rates ≤ u and accelerations ≤ u̇:
//
//   turn, ball    α_k ≤ α_p + u̇ + ω_p u        a_k ≤ a_p + (α_p + ω_p²) d
//   slide         α_k ≤ α_p                     a_k ≤ a_p + (α_p + ω_p²) d + u̇ + 2 ω_p u
//   floating      α_k ≤ u̇ of its rotation       a_k ≤ u̇ of its origin
//   ω_k ≤ max of both ends + ½ h α_k            v_k ≤ max of both ends + ½ h a_k
//
// A point of the core of shape A (geometry.h: a round shape's radius moves with it, and does not turn) at most r from
// its link's origin, over a plane fixed to link B at most D from that origin:
//
//   |ġ| ≤ v_A + ω_A r + v_B + ω_B D
//   |g̈| ≤ a_A + (α_A + ω_A²) r + a_B + (α_B + ω_B²) D + 2 ω_B (v_A + ω_A r + v_B)
#pragma once

#include "routh/contact/contact.h"

namespace routh::internal {

class MotionBound {
 public:
  explicit MotionBound(const Model& model);

  // After compute_twists at the state where the step begins.
  void begin(const Workspace& workspace, const Eigen::VectorXd& v);
  // The same where it ends, after a time h; `acceleration` bounds |q̈| between the two.
  void end(const Workspace& workspace, const Eigen::VectorXd& v, const Eigen::Ref<const Eigen::VectorXd>& acceleration,
           double h);

  // No gap of shapes nor of a joint limit changes faster [m/s or rad/s]; infinite where a plane moves.
  double speed() const;
  // Of all links [rad/s].
  double turning() const;

  struct Pair {
    double speed = 0;         // no point of one shape approaches the other faster [m/s]
    double acceleration = 0;  // |g̈| of a point of one shape over a plane that is fixed to the other [m/s²]
  };
  struct Turn {
    double speed = 0, acceleration = 0;  // [rad/s], [rad/s²]
  };
  // Of the two shapes of a pair that come no further apart than a step lets them: `first` over planes fixed to
  // `second`.
  Pair pair(int first, int second) const;
  // Of the shape's link.
  Turn turn(int shape) const;
  // Of any point of the shape's core [m/s²]; infinite for planes that turn.
  double point_acceleration(int shape) const;
  // Of the gap of a joint limit.
  double limit_acceleration(int dof) const { return acceleration_[dof]; }

 private:
  struct LinkBound {
    double speed = 0, acceleration = 0;            // of its origin
    double turning = 0, angular_acceleration = 0;  // [rad/s], [rad/s²]
  };
  LinkBound of_shape(int shape) const;
  double distance(int shape_a, int shape_b) const;

  const Model& model_;
  std::vector<double>
      arms_;  // of shapes: no point of one's core is farther from its link's origin; infinite for planes
  double h_ = 0;
  std::vector<Vector3> start_position_, end_position_;  // of links
  std::vector<Twist> start_twists_;
  std::vector<LinkBound> links_;
  Eigen::VectorXd start_v_, rates_, acceleration_;  // of degrees of freedom: bounds of |q̇| and |q̈|
};

}  // namespace routh::internal
