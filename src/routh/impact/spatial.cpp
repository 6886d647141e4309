// Routh's increment in space: slip swerves, halts, sticks or starts again along the diverging invariant direction.
//
//   slip    dv_t/dI = c − μ b σ,  dv_n/dI = a − μ cᵀσ       [Elkaranshawy 2025, eqs. 17, 18]
//   stick   dI_t/dI = −b⁺c,       dv_n/dI = a − cᵀb⁺c       [eqs. 20, 25]
//   after a halt: stick if μ_s ≥ μ_c, else slip along σ with (c − μ b σ) ∥ σ growing [eqs. 23, 27]
//
// Slip along an invariant direction, sticking and frictionless slip are straight: closed form. Swerving slip goes by
// panels and the jump to the halt of slip_curve.h. docs/impact.md has the flowchart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/normal_motion.h"
#include "routh/impact/principal_axes.h"
#include "routh/impact/recorder.h"
#include "routh/impact/slip_curve.h"
#include "routh/math/panel_crossing.h"

namespace routh {

namespace {

using Event = NormalMotion::Event;

// Magnitudes are kept in a safe range by `solve_impact`: no need for the care, and cost, of std::hypot.
double length(double x, double y) { return std::sqrt(x * x + y * y); }

constexpr double never = std::numeric_limits<double>::infinity();

// Slip slower than the first fraction of its first speed is taken as halted. Where it could grow again on its way, the
// second is enough, and it is reported as ill-conditioned: whether it truly halts hangs on digits the input does not
// have.
constexpr double halt_threshold = 1e-15;
constexpr double dip_threshold = 1e-12;
// A direction closer to an invariant one than this is taken as lying on it.
constexpr double on_direction = 1e-14;
constexpr double panel_tolerance = 5e-12;
constexpr int max_panels = 400;
constexpr int max_stretches = 8;  // straight stretches between two changes of contact; three are possible

class Increment {
 public:
  Increment(const StrikeInput& in, ImpactResult& out, Path* path)
      : in_(in),
        out_(out),
        path_(path),
        axes_(principal_axes(in.inertia)),
        mu_(in.friction.kinetic_coefficient),
        field_{mu_ * axes_.b1, mu_ * axes_.b2, axes_.c1, axes_.c2},
        normal_(in.law, in.velocity.n, in.restitution),
        slip_(axes_.to_local(in.velocity.t1, in.velocity.t2)),
        first_speed_(length(slip_.x, slip_.y)),
        speed_(first_speed_) {
    record_point(path, 0, in.velocity, Stage::compression);
  }

  void run() {
    if (speed_ > 0) slip();
    if (!ended_) after_halt();
    finish();
  }

 private:
  void slip();
  void slip_without_friction();
  void follow(const SlipCurve& curve);
  SlipScale scale() const {
    const double approach = in_.velocity.n;
    return {std::max(first_speed_, std::abs(approach)),
            0.5 * approach * approach / in_.inertia.a + std::abs(normal_.work()) + std::abs(tangential_work_)};
  }
  double width_to_end(const SlipCurve& curve, const SlipState& state) const;
  struct PanelStart {
    double velocity;  // v_n
    double impulse;
  };
  void draw_nodes(const SlipCurve& curve, const SlipPanel& panel, double from, double to, PanelStart start);
  Event scan_panel(const SlipCurve& curve, const SlipPanel& panel, PhaseKind kind);
  bool jump_to_halt(const SlipCurve& curve, const SlipState& state, PhaseKind kind);
  void straight(Direction direction, double growth, PhaseKind kind);
  void after_halt();
  // For the reason given, unless magnitudes have left the range of double.
  void give_up(Status reason) {
    const bool in_range = std::isfinite(normal_.impulse() + normal_.velocity() + normal_.work() + speed_);
    out_.status = in_range ? reason : Status::overflow;
    ended_ = true;
  }
  void stick(Direction hold);
  void finish();

  void take(const SlipCurve& curve, const SlipIncrement& d);
  void add_friction(const SlipCurve& curve, const SlipIncrement& d);
  void set_slip(Direction direction, double speed) {
    speed_ = speed;
    slip_ = {direction.x * speed, direction.y * speed};
  }
  void note_halt(Stage stage) {
    halted_ = true;
    halt_stage_ = stage;
  }
  void close_phase(PhaseKind kind, Stage stage, Direction began);
  double normal_slope(Direction s) const { return in_.inertia.a - mu_ * (axes_.c1 * s.x + axes_.c2 * s.y); }

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

void Increment::close_phase(PhaseKind kind, Stage stage, Direction began) {
  const Direction v = axes_.to_world(slip_);
  const Direction d = axes_.to_world(began);
  const ContactVector velocity{normal_.velocity(), v.x, v.y};
  const double before =
      out_.phase_count ? out_.phase_storage[static_cast<unsigned>(out_.phase_count - 1)].normal_impulse : 0;
  if (normal_.impulse() > before) record_phase(out_, {kind, stage, normal_.impulse(), d.x, d.y, velocity});
  record_point(path_, normal_.impulse(), velocity, stage);
}

// Straight slip: v_t = (s + growth I) σ.
void Increment::straight(Direction direction, double growth, PhaseKind kind) {
  const double slope = normal_slope(direction);
  if (kind == PhaseKind::slip && slope < 0) kind = PhaseKind::jam;
  for (int i = 0; !ended_; ++i) {
    NormalMotion::Next next = normal_.next_event(slope);
    const double to_halt = growth < 0 ? -speed_ / growth : never;
    const double step = std::min(to_halt, next.impulse);
    if (!(step < never) || i == max_stretches) {
      give_up(Status::no_solution);  // no event in sight: nothing can end the impact
      return;
    }
    const bool halts = to_halt <= next.impulse * (1 + coincident);
    if (to_halt < next.impulse * (1 - coincident)) next.event = Event::none;
    normal_.advance(step, slope);
    impulse_.x -= mu_ * direction.x * step;
    impulse_.y -= mu_ * direction.y * step;
    tangential_work_ -= mu_ * step * (speed_ + 0.5 * growth * step);
    set_slip(direction, halts ? 0 : speed_ + growth * step);
    const Stage stage = normal_.stage();
    normal_.pass(next.event);
    if (next.event == Event::recompression) out_.warn(Warning::recompression);
    close_phase(kind, stage, direction);
    ended_ = next.event == Event::impact_ends;
    if (halts) {
      note_halt(stage);
      return;
    }
  }
}

// μ = 0: v_t = v_t⁻ + c I, which does not pass through rest.
void Increment::slip_without_friction() {
  for (int i = 0; !ended_; ++i) {
    const NormalMotion::Next next = normal_.next_event(in_.inertia.a);
    if (!(next.impulse < never) || i == max_stretches) {
      give_up(Status::no_solution);  // no event in sight: nothing can end the impact
      return;
    }
    const Direction began = speed_ > 0 ? Direction{slip_.x / speed_, slip_.y / speed_} : Direction{};
    normal_.advance(next.impulse, in_.inertia.a);
    slip_ = {slip_.x + axes_.c1 * next.impulse, slip_.y + axes_.c2 * next.impulse};
    speed_ = length(slip_.x, slip_.y);
    const Stage stage = normal_.stage();
    normal_.pass(next.event);
    close_phase(PhaseKind::slip, stage, began);
    ended_ = next.event == Event::impact_ends;
  }
}

void Increment::slip() {
  const Direction s{slip_.x / speed_, slip_.y / speed_};
  const double scale = std::abs(field_.c1) + std::abs(field_.c2) + field_.m1;
  if (std::abs(field_.turning(s)) <= on_direction * scale) {
    straight(s, field_.growth(s), PhaseKind::slip);
    return;
  }
  if (mu_ == 0) {
    slip_without_friction();
    return;
  }
  const SlipCurve curve(field_, in_.inertia.a, mu_, enclosing_directions(field_, s), s);
  follow(curve);
}

// Width in z that would take the impact a little past its end if nothing changed on the way. Longer panels would spend
// their accuracy on a stretch that is never reached.
double Increment::width_to_end(const SlipCurve& curve, const SlipState& state) const {
  const double slope = curve.normal_slope(state.zeta);
  if (slope <= 0) return never;
  double impulse = normal_.next_event(slope).impulse;
  if (normal_.stage() == Stage::compression) impulse *= 1 + in_.restitution;
  return 1.3 * impulse / curve.impulse_rate(state);
}

void Increment::add_friction(const SlipCurve& curve, const SlipIncrement& d) {
  const Direction turned = curve.turn_back(d.direction_x, d.direction_y);
  impulse_.x -= mu_ * turned.x;
  impulse_.y -= mu_ * turned.y;
  tangential_work_ += d.tangential_work;
}

void Increment::take(const SlipCurve& curve, const SlipIncrement& d) {
  add_friction(curve, d);
  normal_.move_to(normal_.impulse() + d.impulse, normal_.velocity() + d.normal_velocity,
                  normal_.work() + d.normal_work);
}

// Panel after panel along a swerving slip, until it halts, becomes straight, or the impact ends.
void Increment::follow(const SlipCurve& curve) {
  SlipState state = curve.start(speed_);
  SlipPanel panel;
  double trust = 1;  // how much wider than suggested panels have proved they may be
  phase_began_ = curve.direction(state.zeta);
  for (int panels = 0; panels < max_panels; ++panels) {
    const double boundary = curve.next_jam_boundary(state.zeta);
    const PhaseKind kind = curve.normal_slope(boundary < never ? std::sqrt(state.zeta * boundary) : 2 * state.zeta) < 0
                               ? PhaseKind::jam
                               : PhaseKind::slip;
    if (boundary == never && curve.near_halt(state.zeta) && jump_to_halt(curve, state, kind)) return;
    const double width = trust * curve.suggested_width(state.zeta);
    const double to_end = width_to_end(curve, state);
    if (to_end < 1e-12) {  // so little impulse that the direction cannot change
      const Direction direction = curve.direction(state.zeta);
      straight(direction, field_.growth(direction), kind);
      return;
    }
    double step = std::min(width, to_end);
    const bool to_boundary = state.zeta * std::exp(step) >= boundary;
    if (to_boundary) step = std::log(boundary / state.zeta);
    const double error = panel.compute(curve, state, normal_.velocity(), step, scale());
    const bool refused = !(error <= panel_tolerance) && step > 1e-3;
    // The error goes like the 15th power of the width.
    if (refused || step == width)
      trust *= std::clamp(step / width * 0.85 * std::pow(panel_tolerance / std::max(error, 1e-20), 1.0 / 15), 0.2, 2.0);
    if (refused) continue;
    if (!(error <= 1e-6)) break;
    if (scan_panel(curve, panel, kind) == Event::impact_ends) {
      ended_ = true;
      return;
    }
    state = panel.end();
    set_slip(curve.direction(state.zeta), curve.speed(state));
    if (to_boundary) {
      close_phase(kind, normal_.stage(), phase_began_);
      phase_began_ = curve.direction(state.zeta);
    }
    if (state.zeta > 1 / on_direction) {  // straight from here on
      straight({slip_.x / speed_, slip_.y / speed_}, curve.final_growth(), kind);
      return;
    }
    const bool certain = speed_ < halt_threshold * first_speed_;
    if (certain || (speed_ < dip_threshold * first_speed_ && !curve.decays_from(state.zeta))) {
      if (!curve.decays_from(state.zeta)) out_.warn(Warning::ill_conditioned);
      set_slip({}, 0);
      close_phase(kind, normal_.stage(), phase_began_);
      note_halt(normal_.stage());
      return;
    }
  }
  give_up(Status::not_converged);
}

// Points of the path at the nodes of a panel between two of its abscissae.
void Increment::draw_nodes(const SlipCurve& curve, const SlipPanel& panel, double from, double to, PanelStart start) {
  const PanelArray impulse = panel.compute_impulse();
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    if (panel_node[j] <= from || panel_node[j] >= to) continue;
    const SlipState state = panel.state_at_node(j);
    const Direction d = axes_.to_world(curve.direction(state.zeta));
    const double speed = curve.speed(state);
    record_point(path_, start.impulse + impulse[j],
                 {start.velocity + panel.normal_velocity()[j], speed * d.x, speed * d.y}, normal_.stage());
  }
}

// Books the normal events inside a panel. Returns impact_ends, or none when the panel was passed whole.
Event Increment::scan_panel(const SlipCurve& curve, const SlipPanel& panel, PhaseKind kind) {
  const double impulse0 = normal_.impulse(), velocity0 = normal_.velocity(), work0 = normal_.work();
  double from = -1;
  for (;;) {
    Event event = normal_.stage() == Stage::compression ? Event::compression_ends : Event::impact_ends;
    Crossing crossing;
    if (event == Event::compression_ends)
      crossing =
          find_crossing(panel.normal_velocity(), panel.normal_velocity_rate(), -velocity0, Passing::upwards, from);
    else if (in_.law == Law::newton)
      crossing = find_crossing(panel.normal_velocity(), panel.normal_velocity_rate(),
                               normal_.target_velocity() - velocity0, Passing::upwards, from);
    else if (in_.law == Law::poisson)
      crossing = find_crossing(panel.compute_impulse(), panel.impulse_rate(), normal_.target_impulse() - impulse0,
                               Passing::upwards, from);
    else
      crossing = find_crossing(panel.compute_normal_work(), panel.normal_work_rate(), normal_.target_work() - work0,
                               Passing::upwards, from);
    if (event == Event::impact_ends && kind == PhaseKind::jam) {
      const Crossing back =
          find_crossing(panel.normal_velocity(), panel.normal_velocity_rate(), -velocity0, Passing::downwards, from);
      if (back.x < crossing.x) {
        crossing = back;
        event = Event::recompression;
        out_.warn(Warning::recompression);
      }
    }
    if (path_) draw_nodes(curve, panel, from, crossing.x, {velocity0, impulse0});
    if (crossing.x > 1) break;
    const PanelArray& l = crossing.weights;
    const SlipState at = panel.state_at(crossing.x, l);
    const Stage stage = normal_.stage();
    const SlipIncrement d = panel.increment_to(l);
    normal_.move_to(impulse0 + d.impulse, velocity0 + d.normal_velocity, work0 + d.normal_work);
    normal_.pass(event);
    const Direction direction = curve.direction(at.zeta);
    set_slip(direction, curve.speed(at));
    close_phase(kind, stage, phase_began_);
    phase_began_ = direction;
    const bool ends = event == Event::impact_ends || (event == Event::compression_ends && in_.restitution == 0);
    if (ends) {
      add_friction(curve, d);
      return Event::impact_ends;
    }
    from = crossing.x;
  }
  normal_.move_to(impulse0, velocity0, work0);
  take(curve, panel.increment());
  return Event::none;
}

// Near the attracting direction: the rest of the way to the halt in one step, unless something happens before.
bool Increment::jump_to_halt(const SlipCurve& curve, const SlipState& state, PhaseKind kind) {
  if (path_ && speed_ > 1e-4 * first_speed_) return false;  // a picture wants the points in between
  SlipIncrement rest;
  if (!curve.rest_to_halt(state, normal_.velocity(), rest)) return false;
  const double velocity = normal_.velocity() + rest.normal_velocity;
  if (normal_.stage() == Stage::compression) {
    if (velocity > 0) return false;
  } else {
    const bool before_end = in_.law == Law::newton    ? velocity < normal_.target_velocity()
                            : in_.law == Law::poisson ? normal_.impulse() + rest.impulse < normal_.target_impulse()
                                                      : normal_.work() + rest.normal_work < normal_.target_work();
    if (!before_end || velocity < 0) return false;
  }
  take(curve, rest);
  set_slip({}, 0);
  close_phase(kind, normal_.stage(), phase_began_);
  note_halt(normal_.stage());
  return true;
}

void Increment::after_halt() {
  const Tangent hold = solve_tangential(in_.inertia, coupling(in_.inertia));  // b⁺c, of size μ_c
  if (in_.friction.static_coefficient < norm(hold)) {
    const Direction s = principal_direction(field_);
    const double growth = field_.growth(s);
    if (growth > 0) {
      out_.mode = halted_ ? mode_of_reversal(halt_stage_) : Mode::sliding;
      straight(s, growth, PhaseKind::reversal);
      return;
    }
  }
  out_.mode = halted_ ? mode_of_stick(halt_stage_) : Mode::stick;
  stick({hold.t1, hold.t2});
}

void Increment::stick(Direction hold) {
  const double slope = in_.inertia.stick_slope;
  const Direction ratio = axes_.to_local(hold.x, hold.y);
  for (int i = 0; !ended_; ++i) {
    if (slope <= locked_slope * in_.inertia.a) {
      out_.status = normal_.lock(std::abs(in_.velocity.n) + first_speed_);
      ended_ = true;
      return;
    }
    const NormalMotion::Next next = normal_.next_event(slope);
    if (!(next.impulse < never) || i == max_stretches) {
      give_up(Status::no_solution);  // no event in sight: nothing can end the impact
      return;
    }
    normal_.advance(next.impulse, slope);
    impulse_.x -= ratio.x * next.impulse;
    impulse_.y -= ratio.y * next.impulse;
    const Stage stage = normal_.stage();
    normal_.pass(next.event);
    close_phase(PhaseKind::stick, stage, {});
    ended_ = next.event == Event::impact_ends;
  }
}

void Increment::finish() {
  if (out_.mode == Mode::none) out_.mode = Mode::sliding;
  const Direction v = axes_.to_world(slip_);
  const Direction i = axes_.to_world(impulse_);
  out_.relative_velocity = {normal_.velocity(), v.x, v.y};
  out_.impulse = {normal_.impulse(), i.x, i.y};
  out_.energy.normal_work = normal_.work();
  out_.energy.tangential_work = tangential_work_;
}

}  // namespace

void solve_spatial(const StrikeInput& in, ImpactResult& out, Path* path) { Increment(in, out, path).run(); }

}  // namespace routh
