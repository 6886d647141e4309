// Routh's increment in space, as a walk from event to event: what spatial.cpp (straight stretches) and
// swerving_slip.cpp share. Internal.
#pragma once

#include <algorithm>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/normal_motion.h"
#include "routh/impact/principal_axes.h"
#include "routh/impact/recorder.h"
#include "routh/impact/slip_curve.h"
#include "routh/impact/slip_tail.h"
#include "routh/math/panel_crossing.h"

namespace routh::internal {

class SpatialIncrement {
 public:
  SpatialIncrement(const StrikeInput& in, ImpactResult& out, Path* path);

  void run();

 private:
  using Event = NormalMotion::Event;
  static constexpr double never = std::numeric_limits<double>::infinity();

  // Straight stretches.
  void slip();
  void slip_without_friction();
  void straight(Direction direction, double growth, PhaseKind kind);
  void after_halt();
  void stick(Direction hold);
  void finish();
  double normal_slope(Direction s) const {
    const double slope = slip_slope(in_.inertia.a, mu_, axes_.c1 * s.x, axes_.c2 * s.y);
    return begins_jammed() ? std::min(slope, 0.0) : slope;
  }
  // An impact without approach, at its first instant: dv_n/dI ≤ 0, or it would be none, and < 0 from there on if it
  // changes at all. Rounding in other axes must not tell otherwise.
  bool begins_jammed() const { return in_.velocity.n == 0 && normal_.impulse() == 0; }

  // Swerving slip.
  struct Walk;
  void follow(const SlipCurve& curve);
  double width_to_end(const SlipCurve& curve, const Walk& walk) const;
  bool step_by_panel(const SlipCurve& curve, Walk& walk, double width, double to_end);
  void scan_panel(const SlipCurve& curve, const SlipPanel& panel, PhaseKind kind);
  PanelCrossing find_stage_end(const SlipPanel& panel, const NormalMotion& start, double from) const;
  void draw_nodes(const SlipCurve& curve, const SlipPanel& panel, const NormalMotion& start, double from, double to);
  bool step_on_tail(const SlipCurve& curve, Walk& walk);
  SlipTail::Point find_stage_end(const SlipCurve& curve, const SlipTail& tail, const SlipState& state) const;
  SlipScale scale() const;
  void add_friction(const SlipCurve& curve, const SlipIncrement& d);
  void halt(PhaseKind kind);

  // Bookkeeping.
  void set_slip(Direction direction, double speed) {
    speed_ = speed;
    slip_ = {direction.x * speed, direction.y * speed};
  }
  void note_halt(Stage stage) {
    halted_ = true;
    halt_stage_ = stage;
  }
  void pass_on_slip(Event event, PhaseKind kind, Direction direction);
  void close_phase(PhaseKind kind, Stage stage, Direction began);
  void give_up(ImpactStatus reason);

  const StrikeInput& in_;
  ImpactResult& out_;
  Path* path_;
  PrincipalAxes axes_;
  double mu_;
  SlipField field_;
  NormalMotion normal_;
  Direction slip_;              // v_t in principal axes
  double first_speed_, speed_;  // |v_t| at the start, now
  Direction impulse_;           // i_t in principal axes
  double tangential_work_ = 0;
  Direction phase_began_;  // slip direction at the start of the open phase
  bool ended_ = false;
  bool halted_ = false;
  Stage halt_stage_ = Stage::compression;
};

}  // namespace routh::internal
