// Swerving slip: panel by panel along the curve of slip_curve.h, and in closed form on its tail.
#include <limits>

#include "routh/impact/rough_log.h"
#include "routh/impact/spatial_increment.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

// ln(1 + x) with the digits of x that 1 + x loses.
double log_of_one_plus(double x) {
  const double sum = 1 + x;
  return elementary::log(sum) + (std::isfinite(sum) ? (x - (sum - 1)) / sum : 0);
}

// x to the power 1/order, for x ≥ 0.
double rough_root(double x, int order) {
  if (!(x >= std::numeric_limits<double>::min())) return 0;
  return rough_exp(rough_log(x) / order);
}

}  // namespace

// Where a swerving slip has got to.
struct SpatialIncrement::Walk {
  SlipState state;
  double trust = 1;                  // how much wider than suggested panels have proved they may be
  double narrow = never;             // width of the next panel at most, after one that overshot
  double boundary = never;           // ζ where dv_n/dI changes sign next
  PhaseKind kind = PhaseKind::slip;  // up to there
  SlipPanel panel;

  Walk(const SlipCurve& curve, const SlipState& start) : state(start) { look_ahead(curve); }
  void look_ahead(const SlipCurve& curve) {
    boundary = curve.next_jam_boundary(state.zeta);
    const double inside = boundary < never ? std::sqrt(state.zeta * boundary) : 2 * state.zeta;
    kind = curve.normal_slope(inside) < 0 ? PhaseKind::jam : PhaseKind::slip;
  }
  // From where dv_n/dI = 0 into the jam: a boundary that rounding puts ahead lies behind.
  void enter_jam(const SlipCurve& curve) {
    if (kind == PhaseKind::jam || boundary == never) return;
    boundary = curve.next_jam_boundary(boundary);
    kind = PhaseKind::jam;
  }
};

// Magnitudes of the impact so far.
SlipScale SpatialIncrement::scale() const {
  const double approach = in_.velocity.n;
  return {std::max(first_speed_, std::abs(approach)),
          0.5 * approach * approach / in_.inertia.a + std::abs(normal_.work()) + std::abs(tangential_work_)};
}

// Width in z that would take the impact a little past its end if nothing changed on the way. Longer panels would spend
// their accuracy on a stretch that is never reached.
double SpatialIncrement::width_to_end(const SlipCurve& curve, const Walk& walk) const {
  const double slope = curve.normal_slope(walk.state.zeta);
  if (slope <= 0 || walk.kind == PhaseKind::jam) return never;
  double impulse = normal_.next_event(slope).impulse;
  if (normal_.stage() == Stage::compression) impulse *= 1 + normal_.restitution().coefficient;
  return 1.3 * impulse / curve.impulse_rate(walk.state);
}

void SpatialIncrement::add_friction(const SlipCurve& curve, const SlipIncrement& d) {
  const Direction turned = curve.turn_back(d.direction_x, d.direction_y);
  impulse_.x -= mu_ * turned.x;
  impulse_.y -= mu_ * turned.y;
  tangential_work_ += d.tangential_work;
}

void SpatialIncrement::halt(PhaseKind kind) {
  set_slip({}, 0);
  close_phase(kind, normal_.stage(), phase_began_);
  note_halt(normal_.stage());
}

// Books a normal event in the middle of a slip whose velocity is set.
void SpatialIncrement::pass_on_slip(Event event, PhaseKind kind, Direction direction) {
  const Stage stage = normal_.stage();
  normal_.pass(event);
  if (event == Event::recompression) out_.warn(Warning::recompression);
  close_phase(kind, stage, phase_began_);
  phase_began_ = direction;
  ended_ = event == Event::impact_ends || (event == Event::compression_ends && normal_.satisfied());
}

// Along a swerving slip, until it halts, becomes straight, or the impact ends.
void SpatialIncrement::follow(const SlipCurve& curve) {
  Walk walk(curve, curve.start(speed_));
  if (begins_jammed()) walk.enter_jam(curve);
  phase_began_ = curve.direction(walk.state.zeta);
  for (int steps = 0; steps < tolerances::panels_max; ++steps) {
    const double zeta = walk.state.zeta;
    const double to_end = width_to_end(curve, walk);
    const bool arrived = zeta > 1 / tolerances::invariant_direction_angle;
    if (to_end < tolerances::width_to_end_min || arrived) {  // the direction cannot change any more
      // The exact end: an impact a thousand million times as long as the swerve would feel the difference.
      const Direction direction = arrived ? curve.attracting() : curve.direction(zeta);
      straight(direction, field_.growth(direction), walk.kind);
      return;
    }
    const double width = walk.trust * curve.suggested_width(zeta);
    const bool tail_pays = to_end > width && walk.boundary == never && curve.in_tail(zeta);
    const bool stepped = (tail_pays && step_on_tail(curve, walk)) || step_by_panel(curve, walk, width, to_end);
    if (ended_ || halted_) return;
    if (!stepped) break;
    speed_ = curve.speed(walk.state);
    const bool certain = speed_ < tolerances::halted_slip_relative * first_speed_;
    if (certain || (speed_ < tolerances::dipping_slip_relative * first_speed_ && !curve.decays_from(walk.state.zeta))) {
      if (!curve.decays_from(walk.state.zeta)) out_.warn(Warning::ill_conditioned);
      halt(walk.kind);
      return;
    }
  }
  set_slip(curve.direction(walk.state.zeta), speed_);
  give_up(ImpactStatus::not_converged);
}

// One panel, or a lesson in how wide it may be. False when it cannot be made accurate.
bool SpatialIncrement::step_by_panel(const SlipCurve& curve, Walk& walk, double width, double to_end) {
  const double to_boundary = walk.boundary < never ? elementary::log(walk.boundary / walk.state.zeta) : never;
  const double step = std::min({width, to_end, to_boundary, walk.narrow});
  const double error = walk.panel.compute(curve, walk.state, normal_.velocity(), step, scale());
  const bool refused = !(error <= tolerances::panel_error) && step > tolerances::panel_refused_width;
  // The error goes like the 15th power of the width.
  if (refused || step == width)
    walk.trust *=
        std::clamp(step / width * tolerances::panel_safety *
                       rough_root(tolerances::panel_error / std::max(error, tolerances::panel_error_floor), 15),
                   tolerances::panel_shrink_max, tolerances::panel_growth_max);
  if (refused) return true;
  if (!(error <= tolerances::panel_failed_error)) return false;
  // A faint approach, as after a jam that hardly was one, would be lost in the velocities of a panel far beyond its
  // end.
  const bool overshot =
      normal_.stage() == Stage::compression && walk.kind == PhaseKind::slip &&
      walk.panel.increment().normal_velocity > tolerances::panel_approach_growth * std::abs(normal_.velocity());
  if (overshot && step > tolerances::panel_width_min) {
    walk.narrow = 0.25 * step;
    return true;
  }
  walk.narrow = never;
  scan_panel(curve, walk.panel, walk.kind);
  if (ended_) return true;
  walk.state = walk.panel.end();
  if (step == to_boundary) {
    const Direction direction = curve.direction(walk.state.zeta);
    set_slip(direction, curve.speed(walk.state));
    close_phase(walk.kind, normal_.stage(), phase_began_);
    phase_began_ = direction;
    walk.look_ahead(curve);
  }
  return true;
}

// Points of the path at the nodes of a panel between two of its abscissae.
void SpatialIncrement::draw_nodes(const SlipCurve& curve, const SlipPanel& panel, const NormalMotion& start,
                                  double from, double to) {
  if (!path_) return;
  const PanelArray impulse = panel.compute_impulse();
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    if (panel_node[j] <= from || panel_node[j] >= to) continue;
    const SlipState state = panel.state_at_node(j);
    const Direction d = axes_.to_world(curve.direction(state.zeta));
    const double speed = curve.speed(state);
    record_point(path_, start.impulse() + impulse[j],
                 {start.velocity() + panel.normal_velocity()[j], speed * d.x, speed * d.y}, normal_.stage());
  }
}

// Where the present stage ends on a panel that began with the normal motion `start`.
PanelCrossing SpatialIncrement::find_stage_end(const SlipPanel& panel, const NormalMotion& start, double from) const {
  const auto velocity_reaches = [&](double target) {
    return find_crossing(panel.normal_velocity(), panel.normal_velocity_rate(), target - start.velocity(),
                         Passing::upwards, from);
  };
  if (normal_.stage() == Stage::compression) return velocity_reaches(0);
  switch (in_.law) {
    case Law::newton:
      return velocity_reaches(normal_.target_velocity());
    case Law::poisson:
      return find_crossing(panel.compute_impulse(), panel.impulse_rate(), normal_.target_impulse() - start.impulse(),
                           Passing::upwards, from);
    case Law::energetic:
    case Law::unified:
    case Law::classical:
      break;
  }
  return find_crossing(panel.compute_normal_work(), panel.normal_work_rate(), normal_.target_work() - start.work(),
                       Passing::upwards, from);
}

// Takes a panel, and books the normal events inside it, up to the end of the impact.
void SpatialIncrement::scan_panel(const SlipCurve& curve, const SlipPanel& panel, PhaseKind kind) {
  const NormalMotion start = normal_;
  const NormalMotion::Values end = start.plus(panel.increment());
  double from = -1;
  while (!normal_.lasts_until(end)) {
    Event event = normal_.stage() == Stage::compression ? Event::compression_ends : Event::impact_ends;
    PanelCrossing crossing = find_stage_end(panel, start, from);
    if (event == Event::impact_ends && kind == PhaseKind::jam) {
      const PanelCrossing back = find_crossing(panel.normal_velocity(), panel.normal_velocity_rate(), -start.velocity(),
                                               Passing::downwards, from);
      if (back.x < crossing.x) {
        crossing = back;
        event = Event::recompression;
      }
    }
    if (crossing.x > 1) break;
    draw_nodes(curve, panel, start, from, crossing.x);
    const SlipState at = panel.state_at(crossing.x, crossing.weights);
    const SlipIncrement d = panel.increment_to(crossing.weights);
    const Direction direction = curve.direction(at.zeta);
    set_slip(direction, curve.speed(at));
    normal_.move_to(start.plus(d));
    pass_on_slip(event, kind, direction);
    if (ended_) {
      add_friction(curve, d);
      return;
    }
    from = crossing.x;
  }
  draw_nodes(curve, panel, start, from, 2);
  normal_.move_to(end);
  add_friction(curve, panel.increment());
}

// The end of the present stage on a tail where dv_n/dI > 0, or the point where slip counts as straight if that comes
// first. Newton's method, in the form "as if slip grew at its final rate and dv_n/dI stayed as it is".
SlipTail::Point SpatialIncrement::find_stage_end(const SlipCurve& curve, const SlipTail& tail,
                                                 const SlipState& state) const {
  const double longest =
      elementary::log(tolerances::stage_search_reach / (tolerances::invariant_direction_angle * state.zeta));
  SlipTail::Point point{state, {}, never};
  NormalMotion motion = normal_;
  double distance = 0;
  for (int i = 0; i < tolerances::tail_newton_steps_max; ++i) {
    const double impulse = motion.impulse_to_stage_end(curve.normal_slope(point.state.zeta));
    const double growth = tail.kappa() * impulse / curve.impulse_rate(point.state);
    const double before = distance;
    distance = std::clamp(distance + log_of_one_plus(std::max(-0.9, growth)) / tail.kappa(), 0.0, longest);
    point = tail.at(distance, normal_.velocity());
    motion.move_to(normal_.plus(point.increment));
    if (std::abs(distance - before) < tolerances::tail_newton_settled) return point;
  }
  return {state, {}, never};
}

// Near the attracting direction: to the halt, to the next normal event or to where slip is straight, in one step.
// False, with nothing changed, where panels must do.
bool SpatialIncrement::step_on_tail(const SlipCurve& curve, Walk& walk) {
  if (path_ && speed_ > tolerances::tail_path_speed_relative * first_speed_)
    return false;  // a picture wants the points in between
  const SlipTail tail(curve, walk.state);
  if (!tail.usable()) return false;
  if (tail.kappa() < 0) {
    const SlipIncrement rest = tail.to_halt(normal_.velocity());
    const NormalMotion::Values end = normal_.plus(rest);
    if (normal_.lasts_until(end)) {
      normal_.move_to(end);
      add_friction(curve, rest);
      halt(walk.kind);
      return true;
    }
  }
  if (walk.kind == PhaseKind::jam) return false;
  const SlipTail::Point point = find_stage_end(curve, tail, walk.state);
  const SlipIncrement& d = point.increment;
  const double speed = curve.speed(point.state);
  if (!(point.mismatch <= tolerances::panel_error * std::max(scale().speed, speed))) return false;
  // The tail knows W_n as a difference, which is no good where friction does nearly all of the work.
  if (std::abs(d.tangential_work) >
      tolerances::tail_work_ratio_max * (std::abs(normal_.work()) + std::abs(d.normal_work)))
    return false;
  walk.state = point.state;
  normal_.move_to(normal_.plus(d));
  add_friction(curve, d);
  if (walk.state.zeta > 1 / tolerances::invariant_direction_angle) return true;  // no event before slip is straight
  const Direction direction = curve.direction(walk.state.zeta);
  set_slip(direction, speed);
  pass_on_slip(normal_.stage() == Stage::compression ? Event::compression_ends : Event::impact_ends, walk.kind,
               direction);
  return true;
}

}  // namespace routh::internal
