// Impact through a normal spring and tangential ones [Stronge 2000, ch. 5; Jia 2013]: Routh's increment where the
// tangents yield. x and u are the deflections, the normal spring has stiffness one, the tangential ones κ = 1/η², and
// the tangential force −κu lies in the friction cone:
//
//   F = (x, −κu)     v̇ = D F     ẋ = −g v_n, g = 1 in compression, 1/e² in restitution
//   stick   u̇ = v_t                 while κ‖u‖ ≤ μ_s x
//   slip    u = (μ x/κ) σ           along σ with the speed s = σᵀv_t − ‖u‖˙ = σᵀv_t + (μ g/κ) v_n ≥ 0
//
// ½x² is −W_c − W_r/e², so the impact ends as the energetic law has it, W_r = −e² W_c. W_t is what friction takes and
// what is left in u: W_n + W_t ≤ 0 always. Units of stiffness and time drop out; κ → ∞ is Routh's law.
//
// Stick is a linear oscillation (stick.cpp). Slip in the plane is as straight in the impulse I = ∫x dt as
// Routh's, s too: ds/dI = σᵀ(c − μbσ) + (μ g/κ)(a − μcᵀσ). In space σ turns (swerve.cpp). Where the contact
// begins without approach and nothing presses it (a − μcᵀσ = 0), no spring is ever loaded before slip has halted: that
// is Routh's law.
//
// When slip sets in below μ_s > μ_k the spring relaxes at once; its energy is lost.
#include "routh/compliant/increment.h"

#include <limits>

#include "routh/compliant/tolerances.h"

namespace routh::internal {

CompliantIncrement::CompliantIncrement(const StrikeInput& in, double tangential_compliance, ImpactResult& out,
                                       Path* path)
    : in_(in),
      compliance_(tangential_compliance),
      out_(out),
      path_(path),
      mu_(in.friction.kinetic_coefficient),
      ratio_(1 / tangential_compliance),
      normal_(in.law, in.velocity.n, in.restitution),
      slip_velocity_(tangent(in.velocity)) {
  record_point(path, 0, in.velocity, Stage::compression);
}

double CompliantIncrement::normal_rate() const {
  if (normal_.stage() == Stage::compression) return 1;
  const double e = normal_.restitution().coefficient;
  return 1 / (e * e);
}

void CompliantIncrement::run() {
  const double speed = norm(slip_velocity_);
  if (ratio_ * speed > -in_.friction.static_coefficient * in_.velocity.n) {
    slipped_at_start_ = true;
    begin_slip({slip_velocity_.t1 / speed, slip_velocity_.t2 / speed});
  }
  for (int stretch = 0; !ended_; ++stretch) {
    if (stretch == tolerances::compliant_stretches_max) {
      out_.status = ImpactStatus::not_converged;
      break;
    }
    if (contact_ == Contact::stick)
      stick();
    else if (turns(direction_))
      slip_swerving(direction_);
    else
      slip_straight(direction_);
  }
  finish();
}

void CompliantIncrement::begin_slip(Tangent direction) {
  if (halt_stage_ && dot(direction, direction_) < 0) reversed_ = true;
  direction_ = direction;
  contact_ = Contact::slip;
}

void CompliantIncrement::halt(Tangent direction, Stage stage) {
  if (!halt_stage_) halt_stage_ = stage;
  direction_ = direction;
  contact_ = Contact::stick;
  const double size = mu_ * deflection() / ratio_;
  stretch_ = {size * direction.t1, size * direction.t2};
  const bool same = in_.friction.static_coefficient == mu_;
  place_ = same ? ConePlace::on_cone : ConePlace::inside;
}

// Books an event. With e = 0, or after a faster recompression whose e asks for less than was given back, the end of
// compression is the end.
void CompliantIncrement::pass(Event event) {
  const double energy = stored_energy();
  normal_.pass(event);
  ended_ = event == Event::impact_ends || (event == Event::compression_ends && normal_.satisfied());
  if (event == Event::none || ended_) return;
  modes_.reset();
  if (event == Event::recompression) out_.warn(Warning::recompression);
  // A second compression may change e, and with it what is left to give back.
  stored_since_ = normal_.work();
  stored_ = event == Event::compression_ends ? (normal_.target_work() - normal_.work()) * normal_rate() : energy;
}

void CompliantIncrement::close_phase(PhaseKind kind, Stage stage, Tangent direction) {
  const double before =
      out_.phase_count ? out_.phase_storage[static_cast<unsigned>(out_.phase_count - 1)].normal_impulse : 0;
  if (normal_.impulse() > before)
    record_phase(out_, {kind, stage, normal_.impulse(), direction.t1, direction.t2, velocity()});
  record_point(path_, normal_.impulse(), velocity(), stage);
}

PhaseKind CompliantIncrement::kind_of_slip(double normal_slope) const {
  if (halt_stage_) return PhaseKind::reversal;
  return normal_slope < 0 ? PhaseKind::jam : PhaseKind::slip;
}

void CompliantIncrement::stick() {
  if (!modes_) modes_.emplace(in_.inertia, ratio_, normal_rate());
  const Stage stage = normal_.stage();
  const SpringState start{deflection(), stretch_, velocity()};
  StickMotion motion(*modes_, start, in_.friction.static_coefficient);
  const StickEvent end = motion.find_end(stage, place_);
  if (end == StickEvent::none) {
    out_.status = ImpactStatus::no_solution;
    ended_ = true;
    return;
  }
  const double impulse = normal_.impulse();
  if (path_)
    for (int k = 1; k < tolerances::stick_points; ++k) {
      const double time = motion.end() * k / tolerances::stick_points;
      record_point(path_, impulse + motion.impulse(time).n, motion.at(time).velocity, stage);
    }
  const SpringState after = motion.at(motion.end());
  const ContactVector added = motion.impulse(motion.end());
  impulse_ = {impulse_.t1 + added.t1, impulse_.t2 + added.t2};
  slip_velocity_ = tangent(after.velocity);
  tangential_work_ -= 0.5 * ratio_ * (dot(after.stretch, after.stretch) - dot(stretch_, stretch_));
  stretch_ = after.stretch;
  const double x = end == StickEvent::impact_ends ? 0 : after.deflection;
  const double work = normal_.work() - 0.5 * (x - start.deflection) * (x + start.deflection) / modes_->normal_rate();
  normal_.move_to({impulse + added.n, after.velocity.n, work});
  place_ = ConePlace::inside;
  switch (end) {
    case StickEvent::none:
      break;
    case StickEvent::compression_ends:
      pass(Event::compression_ends);
      break;
    case StickEvent::recompression:
      pass(Event::recompression);
      break;
    case StickEvent::impact_ends:
      pass(Event::impact_ends);
      break;
    case StickEvent::slips: {
      const double size = norm(stretch_);
      if (size > 0) begin_slip({stretch_.t1 / size, stretch_.t2 / size});
      break;
    }
  }
  close_phase(PhaseKind::stick, stage, {});
}

// dσ/dt ∥ v_t − σ(σᵀv_t), and v_t changes along c − μbσ.
bool CompliantIncrement::turns(Tangent s) const {
  const auto across = [&](Tangent v) { return std::abs(s.t1 * v.t2 - s.t2 * v.t1); };
  const Tangent rate = slip_rate(s);
  return across(slip_velocity_) > tolerances::straight_slip_relative * norm(slip_velocity_) ||
         across(rate) > tolerances::straight_slip_relative * norm(rate);
}

void CompliantIncrement::advance_slip(Tangent s, double impulse) {
  const Tangent rate = slip_rate(s);
  tangential_work_ -= mu_ * impulse * (dot(s, slip_velocity_) + 0.5 * dot(s, rate) * impulse);
  impulse_ = {impulse_.t1 - mu_ * s.t1 * impulse, impulse_.t2 - mu_ * s.t2 * impulse};
  slip_velocity_ = {slip_velocity_.t1 + rate.t1 * impulse, slip_velocity_.t2 + rate.t2 * impulse};
  normal_.advance(impulse, normal_slope(s));
}

void CompliantIncrement::slip_straight(Tangent direction) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double slope = normal_slope(direction);
  const double along = dot(direction, slip_rate(direction));
  while (!ended_) {
    NormalMotion::Next next = normal_.next_event(slope);
    const double slip_slope = along + mu_ * normal_rate() / ratio_ * slope;
    const double to_halt = slip_slope < 0 ? std::max(0.0, slip_speed(direction)) / -slip_slope : never;
    const double step = std::min(to_halt, next.impulse);
    if (!(step < never)) {
      out_.status = ImpactStatus::no_solution;  // nothing can end the impact
      ended_ = true;
      return;
    }
    const bool halts = to_halt <= next.impulse * (1 + tolerances::coincident_events_relative);
    if (to_halt < next.impulse * (1 - tolerances::coincident_events_relative)) next.event = Event::none;
    const Stage stage = normal_.stage();
    advance_slip(direction, step);
    const PhaseKind kind = kind_of_slip(slope);
    pass(next.event);
    if (halts) halt(direction, stage);
    close_phase(kind, stage, direction);
    if (halts) return;
  }
}

void CompliantIncrement::finish() {
  if (halt_stage_)
    out_.mode = reversed_ ? mode_of_reversal(*halt_stage_) : mode_of_stick(*halt_stage_);
  else
    out_.mode = slipped_at_start_ ? ImpactMode::sliding : ImpactMode::stick;
  record_restitution(out_, normal_.restitution());
  out_.relative_velocity = velocity();
  out_.impulse = {normal_.impulse(), impulse_.t1, impulse_.t2};
  out_.energy.normal_work = normal_.work();
  out_.energy.tangential_work = tangential_work_;
}

}  // namespace routh::internal
