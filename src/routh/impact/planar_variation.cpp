// Derivatives of Routh's increment in the plane, along the phases of its result.
//
// Slip keeps σ = ±1, so everything is known at fixed I:
//   slip    δi_t grows by −δμ σ ΔI        halt: v_t = 0 moves by δI = −δv_t / (c − μ b σ)
//   stick   v_t = 0 stays: δi_t = −(δu_t + δc I + δb i_t)/b
//   always  δv_n = δu_n + δa I + δc i_t + c δi_t, linear in I along a phase, and δW_n = ∫δv_n dI
#include "routh/impact/variation.h"

namespace routh::internal {

namespace {

constexpr std::size_t inputs = 8;
using Planar = Variation<inputs>;
enum PlanarInput : std::size_t { in_a, in_c, in_b, in_n, in_t, in_mu, in_e };
constexpr CoreInput core_of[] = {core_a, core_c1, core_b11, core_n, core_t1, core_mu, core_e};

class PlanarVariation {
 public:
  PlanarVariation(const VariationInput& input, const ImpactResult& result, CoreVariation& out)
      : a_(input.strike.inertia.a),
        c_(input.strike.inertia.c1),
        b_(input.strike.inertia.b11),
        mu_(input.strike.friction.kinetic_coefficient),
        in_(input.strike),
        e_(input.e),
        result_(result),
        out_(out),
        normal_(in_.law, in_.velocity.n, e_, in_n, in_e),
        margin_(sizes(input)),
        v_n_(in_.velocity.n),
        v_t_(in_.velocity.t1) {}

  void run();

 private:
  static Planar sizes(const VariationInput& input) {
    Planar m;
    for (std::size_t k = 0; k < std::size(core_of); ++k) m[k] = input.size[core_of[k]];
    return m;
  }

  Planar normal_velocity() const {  // δv_n at fixed I
    Planar v = c_ * it_;
    v[in_a] += impulse_;
    v[in_c] += i_t_;
    v[in_n] += 1;
    return v;
  }
  Planar slip() const {  // δv_t at fixed I
    Planar v = b_ * it_;
    v[in_c] += impulse_;
    v[in_b] += i_t_;
    v[in_t] += 1;
    return v;
  }
  void hold() {  // δi_t of a stick, at fixed I
    it_ = {};
    it_[in_t] = -1 / b_, it_[in_c] = -impulse_ / b_, it_[in_b] = -i_t_ / b_;
  }
  void enter(const Phase& phase);
  void follow(const Phase& phase);
  void halt(const Phase& next);
  void finish(const Planar& end);
  Planar end_of_impact(const Phase& last);
  bool ends_stage(int k) const {
    return k + 1 == result_.phase_count || result_.begin()[k].stage != result_.begin()[k + 1].stage;
  }

  double a_, c_, b_, mu_;
  const StrikeInput& in_;
  const RestitutionSlope& e_;
  const ImpactResult& result_;
  CoreVariation& out_;
  NormalVariation<inputs> normal_;
  Margin<inputs> margin_;
  // The point reached, and the variations there at fixed I.
  double impulse_ = 0, i_t_ = 0, work_ = 0, v_n_, v_t_;
  Planar it_, by_work_;
  // Of the present phase.
  PhaseKind kind_ = PhaseKind::slip;
  double sigma_ = 0, ratio_ = 0, slope_ = 0;  // dI_t/dI, dv_n/dI
  Planar shift_;                              // δI of the last event
};

void PlanarVariation::enter(const Phase& phase) {
  kind_ = phase.kind;
  sigma_ = phase.direction_t1;
  ratio_ = kind_ == PhaseKind::stick ? (b_ > 0 ? -c_ / b_ : 0) : -mu_ * sigma_;
  slope_ = kind_ == PhaseKind::stick ? in_.inertia.stick_slope : a_ + c_ * ratio_;
}

// To the end of a phase.
void PlanarVariation::follow(const Phase& phase) {
  const double step = phase.normal_impulse - impulse_;
  if (kind_ == PhaseKind::stick) hold();
  const Planar before = normal_velocity();
  work_ += 0.5 * step * (v_n_ + phase.velocity.n);
  impulse_ = phase.normal_impulse;
  i_t_ += ratio_ * step;
  v_n_ = phase.velocity.n;
  v_t_ = phase.velocity.t1;
  if (kind_ == PhaseKind::stick)
    hold();
  else
    it_[in_mu] -= sigma_ * step;
  by_work_ += (0.5 * step) * (before + normal_velocity());
}

// Slip has come to rest; `next` is the phase after.
void PlanarVariation::halt(const Phase& next) {
  const double rate = c_ - mu_ * b_ * sigma_;
  const double before = ratio_;
  const Planar shift = (-1 / rate) * slip();
  const Planar velocity = normal_velocity() + slope_ * shift;  // at the halt
  if (next.stage == Stage::compression) {
    margin_.note(v_n_, velocity);
    normal_.note_approach(v_n_, velocity);
  } else {
    const auto rest = normal_.rest(impulse_, v_n_, work_, shift, velocity, by_work_ + v_n_ * shift);
    margin_.note(rest.value, rest.by);
  }
  const double surplus = in_.friction.static_coefficient * b_ - std::abs(c_);
  if (std::isfinite(surplus)) {
    Planar by;
    by[in_b] = in_.friction.static_coefficient, by[in_c] = std::copysign(1.0, c_);
    by[in_mu] = b_ * (mu_ > 0 ? in_.friction.static_coefficient / mu_ : 1);  // μ_s counts with μ_k
    margin_.note(surplus, by);
    if (surplus == 0) out_.one_sided(DerivativeBorder::critical_friction);
  }
  enter(next);
  it_ += (before - ratio_) * shift;  // a stick forgets it
}

Planar PlanarVariation::end_of_impact(const Phase& last) {
  const Planar velocity = normal_velocity();
  if (last.stage == Stage::restitution) return normal_.end_impact(v_n_, slope_, velocity, by_work_);
  const Planar shift = normal_.end_compression(impulse_, work_, slope_, velocity, by_work_);
  return normal_.end_plastic(slope_, shift);
}

void PlanarVariation::run() {
  const Phase* phases = result_.begin();
  enter(phases[0]);
  if (kind_ == PhaseKind::reversal) out_.one_sided(DerivativeBorder::slip_from_rest);
  for (int k = 0;; ++k) {
    const bool last = k + 1 == result_.phase_count;
    follow(phases[k]);
    if (kind_ == PhaseKind::stick && !(b_ > 0)) return out_.give_up(DerivativeBorder::singular_inertia);
    const bool slips = kind_ == PhaseKind::slip || kind_ == PhaseKind::jam;
    const bool halted = slips && v_t_ == 0;
    const bool slows = slips && sigma_ * (c_ - mu_ * b_ * sigma_) < 0;
    if (halted && ends_stage(k)) out_.one_sided(DerivativeBorder::coincident_events);
    if (last) {
      const Planar end = end_of_impact(phases[k]);
      if (slows && !halted) margin_.note(v_t_, slip() + (c_ - mu_ * b_ * sigma_) * end);
      return finish(end);
    }
    if (phases[k].stage != phases[k + 1].stage) {
      const Planar shift = phases[k].stage == Stage::compression
                               ? normal_.end_compression(impulse_, work_, slope_, normal_velocity(), by_work_)
                               : normal_.recompress(impulse_, work_, slope_, normal_velocity(), by_work_);
      if (slows && !halted) margin_.note(v_t_, slip() + (c_ - mu_ * b_ * sigma_) * shift);
    }
    if (halted)
      halt(phases[k + 1]);
    else
      enter(phases[k + 1]);
  }
}

// From variations at fixed I to those where the impact ends, and to the core inputs.
void PlanarVariation::finish(const Planar& end) {
  const bool sticks = kind_ == PhaseKind::stick;
  const Planar n = normal_velocity() + slope_ * end;
  const Planar t = sticks ? Planar{} : slip() + (c_ + b_ * ratio_) * end;
  const Planar i_t = it_ + ratio_ * end;
  const Planar work = by_work_ + v_n_ * end;
  // W_n + W_t = ½ i·(u + v)
  Planar gain = (0.5 * (in_.velocity.n + v_n_)) * end + (0.5 * impulse_) * n + (0.5 * (in_.velocity.t1 + v_t_)) * i_t +
                (0.5 * i_t_) * t;
  gain[in_n] += 0.5 * impulse_;
  gain[in_t] += 0.5 * i_t_;
  if (e_.depends && kind_ != PhaseKind::stick) {
    // A speed of compression that a jam raised begins to count where dv_n/dI = 0.
    Planar by;
    by[in_a] = 1, by[in_c] = ratio_, by[in_mu] = -c_ * sigma_;
    margin_.note(slope_, by);
  }
  for (std::size_t k = 0; k < std::size(core_of); ++k) {
    const CoreInput to = core_of[k];
    out_.velocity[0][to] = n[k];
    out_.velocity[1][to] = t[k];
    out_.impulse[0][to] = end[k];
    out_.impulse[1][to] = i_t[k];
    out_.normal_work[to] = work[k];
    out_.tangential_work[to] = gain[k] - work[k];
    out_.speed[to] = normal_.by_fastest()[k];
  }
  if (out_.status == DerivativeStatus::exact) out_.validity = margin_.least();
}

}  // namespace

void vary_planar(const VariationInput& in, const ImpactResult& result, CoreVariation& out) {
  PlanarVariation(in, result, out).run();
}

}  // namespace routh::internal
