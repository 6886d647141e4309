// Routh's increment in space: slip swerves, halts, sticks or starts again along the diverging invariant direction.
//
//   slip    dv_t/dI = c − μ b σ,  dv_n/dI = a − μ cᵀσ       [Elkaranshawy 2025, eqs. 17, 18]
//   stick   dI_t/dI = −b⁺c,       dv_n/dI = a − cᵀb⁺c       [eqs. 20, 25]
//   after a halt: stick if μ_s ≥ μ_c, else slip along σ with (c − μ b σ) ∥ σ growing [eqs. 23, 27]
//
// Slip along an invariant direction, sticking and frictionless slip are straight: closed form, here. Swerving slip is
// in swerving_slip.cpp. docs/impact.md has the flowchart.
#include "routh/impact/inertia.h"
#include "routh/impact/spatial_increment.h"

namespace routh::internal {

namespace {

constexpr int max_stretches = 8;  // straight stretches between two changes of contact; three are possible

// Magnitudes are kept in a safe range by `solve_impact`: no need for the care, and cost, of std::hypot.
double length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace

SpatialIncrement::SpatialIncrement(const StrikeInput& in, ImpactResult& out, Path* path)
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

void SpatialIncrement::run() {
  if (speed_ > 0) slip();
  if (!ended_) after_halt();
  finish();
}

// For the reason given, unless magnitudes have left the range of double.
void SpatialIncrement::give_up(Status reason) {
  const bool in_range = std::isfinite(normal_.impulse() + normal_.velocity() + normal_.work() + speed_);
  out_.status = in_range ? reason : Status::overflow;
  ended_ = true;
}

void SpatialIncrement::close_phase(PhaseKind kind, Stage stage, Direction began) {
  const Direction v = axes_.to_world(slip_);
  const Direction d = axes_.to_world(began);
  const ContactVector velocity{normal_.velocity(), v.x, v.y};
  const double before =
      out_.phase_count ? out_.phase_storage[static_cast<unsigned>(out_.phase_count - 1)].normal_impulse : 0;
  if (normal_.impulse() > before) record_phase(out_, {kind, stage, normal_.impulse(), d.x, d.y, velocity});
  record_point(path_, normal_.impulse(), velocity, stage);
}

// Straight slip: v_t = (s + growth I) σ.
void SpatialIncrement::straight(Direction direction, double growth, PhaseKind kind) {
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
    close_phase(kind, stage, phase_began_);
    phase_began_ = direction;
    ended_ = next.event == Event::impact_ends;
    if (halts) {
      note_halt(stage);
      return;
    }
  }
}

// μ = 0: v_t = v_t⁻ + c I, which does not pass through rest.
void SpatialIncrement::slip_without_friction() {
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

void SpatialIncrement::slip() {
  const Direction s{slip_.x / speed_, slip_.y / speed_};
  const double scale = std::abs(field_.c1) + std::abs(field_.c2) + field_.m1;
  if (std::abs(field_.turning(s)) <= on_direction * scale) {
    phase_began_ = s;
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

void SpatialIncrement::after_halt() {
  const Tangent hold = solve_tangential(in_.inertia, coupling(in_.inertia));  // b⁺c, of size μ_c
  if (in_.friction.static_coefficient < norm(hold)) {
    const Direction s = principal_direction(field_);
    const double growth = field_.growth(s);
    if (growth > 0) {
      out_.mode = halted_ ? mode_of_reversal(halt_stage_) : Mode::sliding;
      phase_began_ = s;
      straight(s, growth, PhaseKind::reversal);
      return;
    }
  }
  out_.mode = halted_ ? mode_of_stick(halt_stage_) : Mode::stick;
  stick({hold.t1, hold.t2});
}

void SpatialIncrement::stick(Direction hold) {
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

void SpatialIncrement::finish() {
  if (out_.mode == Mode::none) out_.mode = Mode::sliding;
  record_restitution(out_, normal_.restitution());
  const Direction v = axes_.to_world(slip_);
  const Direction i = axes_.to_world(impulse_);
  out_.relative_velocity = {normal_.velocity(), v.x, v.y};
  out_.impulse = {normal_.impulse(), i.x, i.y};
  out_.energy.normal_work = normal_.work();
  out_.energy.tangential_work = tangential_work_;
}

void solve_spatial(const StrikeInput& in, ImpactResult& out, Path* path) { SpatialIncrement(in, out, path).run(); }

}  // namespace routh::internal
