// Derivatives of Routh's increment in space, along the phases of its result.
//
// As in the plane (planar_variation.cpp), with slip_variation.h for what a stretch of slip adds to friction's impulse
// and work. W_n follows from W_n + W_t = ½ i·(u + v).
#include "routh/impact/inertia.h"
#include "routh/impact/principal_axes.h"
#include "routh/impact/slip_variation.h"
#include "routh/impact/tolerances.h"
#include "routh/impact/variation.h"

namespace routh::internal {

namespace {

constexpr std::size_t inputs = 12;  // the core inputs on a path, and one to fill the registers
static_assert(core_inputs_on_path <= inputs);
using Lane = Variation<inputs>;

class SpatialVariation {
 public:
  SpatialVariation(const VariationInput& input, const ImpactResult& result, CoreVariation& out)
      : in_(input.strike),
        d_(in_.inertia),
        mu_(in_.friction.kinetic_coefficient),
        result_(result),
        out_(out),
        normal_(in_.law, in_.velocity.n, input.e, core_n, core_e),
        margin_(sizes(input)),
        plastic_(input.e.coefficient == 0),
        velocity_(in_.velocity) {}

  void run();

 private:
  static Lane sizes(const VariationInput& input) {
    Lane m;
    for (std::size_t k = 0; k < core_inputs_on_path; ++k) m[k] = input.size[k];
    return m;
  }

  // δv at fixed I.
  Lane normal_velocity() const {
    Lane v = d_.c1 * it1_ + d_.c2 * it2_;
    v[core_n] += 1;
    v[core_a] += impulse_.n, v[core_c1] += impulse_.t1, v[core_c2] += impulse_.t2;
    return v;
  }
  Lane slip1() const {
    Lane v = d_.b11 * it1_ + d_.b12 * it2_;
    v[core_t1] += 1;
    v[core_c1] += impulse_.n, v[core_b11] += impulse_.t1, v[core_b12] += impulse_.t2;
    return v;
  }
  Lane slip2() const {
    Lane v = d_.b12 * it1_ + d_.b22 * it2_;
    v[core_t2] += 1;
    v[core_c2] += impulse_.n, v[core_b12] += impulse_.t1, v[core_b22] += impulse_.t2;
    return v;
  }
  // δW_n at fixed I.
  Lane normal_work() const {
    const ContactVector& u = in_.velocity;
    Lane w = (0.5 * impulse_.n) * normal_velocity() + (0.5 * (u.t1 + velocity_.t1)) * it1_ +
             (0.5 * (u.t2 + velocity_.t2)) * it2_ - by_friction_work_;
    if (kind_ != PhaseKind::stick) w += (0.5 * impulse_.t1) * slip1() + (0.5 * impulse_.t2) * slip2();
    w[core_n] += 0.5 * impulse_.n, w[core_t1] += 0.5 * impulse_.t1, w[core_t2] += 0.5 * impulse_.t2;
    return w;
  }
  double work() const {
    const ContactVector& u = in_.velocity;
    return 0.5 * (impulse_.n * (u.n + velocity_.n) + impulse_.t1 * (u.t1 + velocity_.t1) +
                  impulse_.t2 * (u.t2 + velocity_.t2)) -
           friction_work_;
  }

  void prepare();
  void hold();
  void set_rates(Direction sigma);
  void stick_to(const Phase& phase);
  void slip_to(const Phase& phase);
  SlipVariation vary_slip(const SlipStretch& stretch, PhaseKind kind);
  void add(const SlipVariation& v, const Lane& v1, const Lane& v2);
  void pass_halt(const Phase& next);
  void note_critical_friction();
  void note_slip(const Lane& shift);
  Lane end_of_impact(Stage stage);
  void finish(const Lane& end);

  const StrikeInput& in_;
  const ContactInertia& d_;
  double mu_;
  const ImpactResult& result_;
  CoreVariation& out_;
  NormalVariation<inputs> normal_;
  Margin<inputs> margin_;
  bool plastic_;
  PrincipalAxes axes_;
  SlipField field_;
  Tangent inverse1_, inverse2_, hold_;  // columns of b⁻¹, and b⁻¹c
  bool invertible_ = false;
  // The point reached, and the variations there at fixed I.
  ContactVector impulse_, velocity_;
  double friction_work_ = 0;
  Lane it1_, it2_, by_friction_work_;
  Lane shift_;  // of a halt just reached: `it` and the work are then at the halt
  // Of the present phase, at its end.
  PhaseKind kind_ = PhaseKind::slip;
  Direction sigma_;                      // zero in a stick
  Direction friction_rate_, slip_rate_;  // dI_t/dI, dv_t/dI
  double normal_rate_ = 0;               // dv_n/dI
};

void SpatialVariation::prepare() {
  axes_ = principal_axes(d_);
  field_ = {mu_ * axes_.b1, mu_ * axes_.b2, axes_.c1, axes_.c2};
  inverse1_ = solve_tangential(d_, {1, 0});
  inverse2_ = solve_tangential(d_, {0, 1});
  hold_ = solve_tangential(d_, coupling(d_));
  const Tangent one = apply_tangential(d_, inverse1_), other = apply_tangential(d_, inverse2_);
  invertible_ = std::abs(one.t1 - 1) < tolerances::lost_variation_relative &&
                std::abs(other.t2 - 1) < tolerances::lost_variation_relative;
}

// δi_t of a stick at fixed I: b δi_t = −(δu_t + δc I + δb i_t).
void SpatialVariation::hold() {
  Lane r1, r2;
  r1[core_t1] = -1, r1[core_c1] = -impulse_.n, r1[core_b11] = -impulse_.t1, r1[core_b12] = -impulse_.t2;
  r2[core_t2] = -1, r2[core_c2] = -impulse_.n, r2[core_b12] = -impulse_.t1, r2[core_b22] = -impulse_.t2;
  it1_ = inverse1_.t1 * r1 + inverse2_.t1 * r2;
  it2_ = inverse1_.t2 * r1 + inverse2_.t2 * r2;
}

void SpatialVariation::set_rates(Direction sigma) {
  sigma_ = sigma;
  if (kind_ == PhaseKind::stick) {
    friction_rate_ = {-hold_.t1, -hold_.t2};
    slip_rate_ = {};
    normal_rate_ = d_.stick_slope;
    return;
  }
  friction_rate_ = {-mu_ * sigma.x, -mu_ * sigma.y};
  slip_rate_ = {d_.c1 + d_.b11 * friction_rate_.x + d_.b12 * friction_rate_.y,
                d_.c2 + d_.b12 * friction_rate_.x + d_.b22 * friction_rate_.y};
  normal_rate_ = d_.a + d_.c1 * friction_rate_.x + d_.c2 * friction_rate_.y;
}

void SpatialVariation::stick_to(const Phase& phase) {
  const double step = phase.normal_impulse - impulse_.n;
  set_rates({});
  impulse_ = {phase.normal_impulse, impulse_.t1 + friction_rate_.x * step, impulse_.t2 + friction_rate_.y * step};
  velocity_ = phase.velocity;
  hold();
}

SlipVariation SpatialVariation::vary_slip(const SlipStretch& stretch, PhaseKind kind) {
  const SlipTensors tensors{d_.c1, d_.c2, mu_ * d_.b11, mu_ * d_.b12, mu_ * d_.b22};
  if (mu_ == 0) return vary_frictionless(tensors, stretch);
  const double speed = elementary::hypot(stretch.start.x, stretch.start.y);
  const Direction local = axes_.to_local(stretch.start.x, stretch.start.y);
  const Direction s = speed > 0 ? Direction{local.x / speed, local.y / speed} : principal_direction(field_);
  const double rates = std::abs(field_.c1) + std::abs(field_.c2) + field_.m1;
  const bool straight =
      kind == PhaseKind::reversal || std::abs(field_.turning(s)) <= tolerances::invariant_direction_angle * rates;
  if (straight) return vary_straight(tensors, axes_.to_world(s), stretch);
  const SlipCurve curve(field_, d_.a, mu_, enclosing_directions(field_, s), s);
  const SlipStretch inside{local, axes_.to_local(stretch.end.x, stretch.end.y), stretch.impulse};
  const SlipVariation v = vary_swerve(curve, inside, std::max(speed, std::abs(in_.velocity.n)));
  return turned_back(v, axes_.e1, axes_.e2);
}

// Friction's impulse −μ S and work −μ Q of a stretch, whose start varies by (v1, v2).
void SpatialVariation::add(const SlipVariation& v, const Lane& v1, const Lane& v2) {
  const auto lanes = [&](const SlipVariation::Row& by) {
    Lane r = by[slip_v1] * v1 + by[slip_v2] * v2;
    r[core_c1] += by[slip_c1], r[core_c2] += by[slip_c2];
    r[core_b11] += mu_ * by[slip_m11], r[core_b12] += mu_ * by[slip_m12], r[core_b22] += mu_ * by[slip_m22];
    r[core_mu] += d_.b11 * by[slip_m11] + d_.b12 * by[slip_m12] + d_.b22 * by[slip_m22];
    return r;
  };
  it1_ -= mu_ * lanes(v.by_s1);
  it2_ -= mu_ * lanes(v.by_s2);
  by_friction_work_ -= mu_ * lanes(v.by_q);
  it1_[core_mu] -= v.s1, it2_[core_mu] -= v.s2;
  by_friction_work_[core_mu] -= v.q;
  shift_ = lanes(v.by_impulse);
}

void SpatialVariation::slip_to(const Phase& phase) {
  const SlipStretch stretch{
      {velocity_.t1, velocity_.t2}, {phase.velocity.t1, phase.velocity.t2}, phase.normal_impulse - impulse_.n};
  const SlipVariation v = vary_slip(stretch, phase.kind);
  if (!v.trusted) return out_.give_up(DerivativeBorder::unstable_slip);
  add(v, slip1(), slip2());
  impulse_ = {phase.normal_impulse, impulse_.t1 - mu_ * v.s1, impulse_.t2 - mu_ * v.s2};
  friction_work_ -= mu_ * v.q;
  velocity_ = phase.velocity;
  const double speed = elementary::hypot(velocity_.t1, velocity_.t2);
  if (speed > 0) set_rates({velocity_.t1 / speed, velocity_.t2 / speed});
}

// How far b⁻¹c is from the cone of static friction.
void SpatialVariation::note_critical_friction() {
  const double mu = in_.friction.static_coefficient, size = norm(hold_);
  if (!std::isfinite(mu) || !invertible_) return;
  Lane by;
  by[core_mu] = mu_ > 0 ? mu / mu_ : 1;  // μ_s counts with μ_k
  if (size > 0) {
    const Tangent e{hold_.t1 / size, hold_.t2 / size};
    const Tangent g{e.t1 * inverse1_.t1 + e.t2 * inverse1_.t2, e.t1 * inverse2_.t1 + e.t2 * inverse2_.t2};  // b⁻¹e
    by[core_c1] = -g.t1, by[core_c2] = -g.t2;
    by[core_b11] = g.t1 * hold_.t1, by[core_b22] = g.t2 * hold_.t2;
    by[core_b12] = g.t1 * hold_.t2 + g.t2 * hold_.t1;
  }
  margin_.note(mu - size, by);
  if (mu == size) out_.one_sided(DerivativeBorder::critical_friction);
}

// From a halt into the phase after: `it` and the work stand at the halt.
void SpatialVariation::pass_halt(const Phase& next) {
  Lane velocity = normal_velocity() + d_.a * shift_;
  if (next.stage == Stage::compression) {
    margin_.note(velocity_.n, velocity);
    normal_.note_approach(velocity_.n, velocity);
  } else {
    const Lane by_work = normal_work() + (0.5 * (in_.velocity.n + velocity_.n)) * shift_ +
                         (0.5 * impulse_.n * d_.a) * shift_ + (0.5 * impulse_.t1 * d_.c1) * shift_ +
                         (0.5 * impulse_.t2 * d_.c2) * shift_;
    const auto rest = normal_.rest(impulse_.n, velocity_.n, work(), shift_, velocity, by_work);
    margin_.note(rest.value, rest.by);
  }
  note_critical_friction();
  kind_ = next.kind;
  set_rates({next.direction_t1, next.direction_t2});
  it1_ -= friction_rate_.x * shift_;  // a stick forgets both
  it2_ -= friction_rate_.y * shift_;
  if (kind_ == PhaseKind::stick) hold();
}

// Slip that slows down could have halted before the event that it moved by `shift`.
void SpatialVariation::note_slip(const Lane& shift) {
  if (kind_ == PhaseKind::stick) return;
  const double rate = sigma_.x * slip_rate_.x + sigma_.y * slip_rate_.y;
  if (rate < 0)
    margin_.note(elementary::hypot(velocity_.t1, velocity_.t2), sigma_.x * slip1() + sigma_.y * slip2() + rate * shift);
}

Lane SpatialVariation::end_of_impact(Stage stage) {
  if (stage == Stage::restitution)
    return normal_.end_impact(velocity_.n, normal_rate_, normal_velocity(), normal_work());
  const Lane end = normal_.end_compression(impulse_.n, work(), normal_rate_, normal_velocity(), normal_work());
  return plastic_ ? normal_.end_plastic(normal_rate_, end) : end;
}

void SpatialVariation::run() {
  prepare();
  const Phase* phases = result_.begin();
  kind_ = phases[0].kind;
  if (kind_ == PhaseKind::reversal) out_.one_sided(DerivativeBorder::slip_from_rest);
  for (int k = 0;; ++k) {
    const Phase& phase = phases[k];
    const bool last = k + 1 == result_.phase_count;
    const bool slips = phase.kind != PhaseKind::stick;
    kind_ = phase.kind;
    if (!slips && !invertible_) return out_.give_up(DerivativeBorder::singular_inertia);
    if (slips)
      slip_to(phase);
    else
      stick_to(phase);
    if (out_.status == DerivativeStatus::none) return;
    const bool halted = slips && velocity_.t1 == 0 && velocity_.t2 == 0 && mu_ > 0;
    if (halted && (last || phase.stage != phases[k + 1].stage)) {
      // Two events at once: which comes first decides how the rest follows.
      return out_.give_up(DerivativeBorder::coincident_events);
    }
    if (last) {
      const Lane end = end_of_impact(phase.stage);
      note_slip(end);
      return finish(end);
    }
    if (halted) {
      pass_halt(phases[k + 1]);
    } else if (phase.stage != phases[k + 1].stage) {
      const Lane velocity = normal_velocity(), by_work = normal_work();
      note_slip(phase.stage == Stage::compression
                    ? normal_.end_compression(impulse_.n, work(), normal_rate_, velocity, by_work)
                    : normal_.recompress(impulse_.n, work(), normal_rate_, velocity, by_work));
    } else {  // dv_n/dI changes sign: v_n could have reached zero there
      const Lane velocity = normal_velocity();
      margin_.note(velocity_.n, velocity);
      normal_.note_approach(velocity_.n, velocity);
    }
  }
}

void SpatialVariation::finish(const Lane& end) {
  const bool sticks = kind_ == PhaseKind::stick;
  const Lane n = normal_velocity() + normal_rate_ * end;
  const Lane t1 = sticks ? Lane{} : slip1() + slip_rate_.x * end;
  const Lane t2 = sticks ? Lane{} : slip2() + slip_rate_.y * end;
  const Lane work = normal_work() + velocity_.n * end;
  const Lane i1 = it1_ + friction_rate_.x * end, i2 = it2_ + friction_rate_.y * end;
  const Lane friction = by_friction_work_ + (friction_rate_.x * velocity_.t1 + friction_rate_.y * velocity_.t2) * end;
  for (std::size_t k = 0; k < core_inputs_on_path; ++k) {
    out_.velocity[0][k] = n[k], out_.velocity[1][k] = t1[k], out_.velocity[2][k] = t2[k];
    out_.impulse[0][k] = end[k], out_.impulse[1][k] = i1[k], out_.impulse[2][k] = i2[k];
    out_.normal_work[k] = work[k];
    out_.tangential_work[k] = friction[k];
    out_.speed[k] = normal_.by_fastest()[k];
  }
  if (out_.status == DerivativeStatus::exact) out_.validity = margin_.least();
}

}  // namespace

void vary_spatial(const VariationInput& in, const ImpactResult& result, CoreVariation& out) {
  SpatialVariation(in, result, out).run();
}

}  // namespace routh::internal
