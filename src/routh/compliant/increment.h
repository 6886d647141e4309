// An impact through springs, as a walk from event to event: what increment.cpp (stick, straight slip) and
// swerve.cpp share. Internal.
#pragma once

#include <optional>

#include "routh/compliant/stick.h"
#include "routh/impact/laws.h"
#include "routh/impact/normal_motion.h"
#include "routh/impact/recorder.h"

namespace routh::internal {

class CompliantIncrement {
 public:
  CompliantIncrement(const StrikeInput& in, double tangential_compliance, ImpactResult& out, Path* path);

  void run();

 private:
  using Event = NormalMotion::Event;
  enum class Contact { stick, slip };

  void stick();
  // Of a slip along σ that does not turn; whether it does.
  void slip_straight(Tangent direction);
  bool turns(Tangent direction) const;
  // Of a slip that does; in space.
  void slip_swerving(Tangent direction);
  struct Swerve;
  void begin_swerve(Swerve& swerve);
  bool step_swerve(Swerve& swerve);
  void take(Swerve& swerve, const Eigen::VectorXd& after, double impulse);
  bool end_swerve(const Swerve& swerve, double impulse);
  struct Ahead;
  Ahead ahead(const Swerve& swerve, const Eigen::VectorXd& y, double impulse) const;
  bool find_step(Swerve& swerve, double& step, Ahead& after) const;

  // Rate of the normal spring, ẋ = −g v_n.
  double normal_rate() const;
  // ½x²: what compression put in, less what restitution gave back over e².
  double stored_energy() const { return stored_ - (normal_.work() - stored_since_) * normal_rate(); }
  double deflection() const { return std::sqrt(std::max(0.0, 2 * stored_energy())); }
  // ‖slip velocity‖ = σᵀv_t − ‖u‖˙: what of v_t the spring does not take.
  double slip_speed(Tangent direction) const {
    return dot(direction, slip_velocity_) + mu_ * normal_rate() / ratio_ * normal_.velocity();
  }
  Tangent slip_rate(Tangent direction) const {
    const Tangent friction = apply_tangential(in_.inertia, direction);
    return {in_.inertia.c1 - mu_ * friction.t1, in_.inertia.c2 - mu_ * friction.t2};
  }
  double normal_slope(Tangent direction) const { return slip_slope(in_.inertia, mu_, direction); }
  ContactVector velocity() const { return {normal_.velocity(), slip_velocity_.t1, slip_velocity_.t2}; }
  void begin_slip(Tangent direction);
  void advance_slip(Tangent direction, double impulse);
  void halt(Tangent direction, Stage stage);
  void pass(Event event);
  void close_phase(PhaseKind kind, Stage stage, Tangent direction);
  PhaseKind kind_of_slip(double normal_slope) const;
  void finish();

  const StrikeInput& in_;
  double compliance_;
  ImpactResult& out_;
  Path* path_;
  double mu_, ratio_;
  NormalMotion normal_;
  Tangent slip_velocity_;  // v_t
  Tangent stretch_;        // u, while it sticks
  Tangent impulse_;        // i_t
  double tangential_work_ = 0;
  double stored_ = 0, stored_since_ = 0;  // ½x² when the stage began, and W_n there
  Contact contact_ = Contact::stick;
  ConePlace place_ = ConePlace::on_cone;
  Tangent direction_;  // σ of the present slip, or of the last
  std::optional<Stage> halt_stage_;
  bool slipped_at_start_ = false, reversed_ = false;
  bool ended_ = false;
  std::optional<StickModes> modes_;  // of the present stage
};

}  // namespace routh::internal
