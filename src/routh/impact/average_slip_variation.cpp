// Derivatives of the laws that answer in one shot (average_slip.cpp).
//
//   stick   D i = Δ                  D δi = δΔ − δD i
//   slip    û = (cos θ, sin θ) with  F(θ) = û⊥·(u_t + λ i_n (c − μ b û)) = 0,  i_n = −(1+e) u_n/(a − μ cᵀû)
//           so that                  δθ = −δF/F_θ
#include "routh/impact/inertia.h"
#include "routh/impact/variation.h"

namespace routh::internal {

namespace {

using Core = Variation<core_inputs>;

struct Vector {
  Core n, t1, t2;
};

// δD i
Vector inertia_times(const ContactVector& i) {
  Vector v;
  v.n[core_a] = i.n, v.n[core_c1] = i.t1, v.n[core_c2] = i.t2;
  v.t1[core_c1] = i.n, v.t1[core_b11] = i.t1, v.t1[core_b12] = i.t2;
  v.t2[core_c2] = i.n, v.t2[core_b12] = i.t1, v.t2[core_b22] = i.t2;
  return v;
}

class AverageSlipVariation {
 public:
  AverageSlipVariation(const VariationInput& input, const ImpactResult& result, CoreVariation& out)
      : in_(input.strike),
        d_(in_.inertia),
        out_(out),
        i_(result.impulse),
        final_(result.relative_velocity),
        margin_(input.size),
        e_(input.e.coefficient),
        by_speed_(input.e.by_speed) {
    final_.n = -e_ * in_.velocity.n;  // before what an external impulse does afterwards
  }

  // v_t⁺ = k₁ u_t + k₂ × the stuck target.
  struct Held {
    double by_before, by_target;
  };
  void stick(const Held& held);
  void slip();
  void note_refused_stick();

 private:
  Core normal_after() const {  // δv_n⁺ = −δ(e u_n)
    Core n;
    n[core_n] = -e_ + by_speed_ * in_.velocity.n, n[core_e] = -in_.velocity.n;  // w = −u_n
    return n;
  }
  bool vary_stick(const Held& held, const ContactVector& i, Core (&impulse)[3], Core (&velocity)[3]) const;
  void note_cone(const ContactVector& i, const Core (&impulse)[3]);
  void accept(const Core (&impulse)[3], const Core (&velocity)[3]);

  const StrikeInput& in_;
  const ContactInertia& d_;
  CoreVariation& out_;
  ContactVector i_, final_;
  Margin<core_inputs> margin_;
  double e_, by_speed_;
};

void AverageSlipVariation::accept(const Core (&impulse)[3], const Core (&velocity)[3]) {
  const ContactVector& u = in_.velocity;
  for (int k = 0; k < 3; ++k) {
    out_.impulse[k] = impulse[k];
    out_.velocity[k] = velocity[k];
  }
  // W = ½ i·(u + v)
  Core n = (0.5 * (u.n + final_.n)) * impulse[0] + (0.5 * i_.n) * velocity[0];
  n[core_n] += 0.5 * i_.n;
  Core t = (0.5 * (u.t1 + final_.t1)) * impulse[1] + (0.5 * i_.t1) * velocity[1] +
           (0.5 * (u.t2 + final_.t2)) * impulse[2] + (0.5 * i_.t2) * velocity[2];
  t[core_t1] += 0.5 * i_.t1;
  t[core_t2] += 0.5 * i_.t2;
  out_.normal_work = n;
  out_.tangential_work = t;
  if (out_.status == DerivativeStatus::exact) out_.validity = margin_.least();
}

// δi of D i = Δ, Δ_t = k₁ u_t + k₂ × the stuck target − u_t; false where D is singular.
bool AverageSlipVariation::vary_stick(const Held& held, const ContactVector& i, Core (&impulse)[3],
                                      Core (&velocity)[3]) const {
  const int size = d_.dimension == Dimension::planar ? 2 : 3;
  if (!(d_.stick_slope > tolerances::locked_slope_relative * d_.a)) return false;
  velocity[0] = normal_after();
  velocity[1][core_t1] = held.by_before, velocity[1][core_stuck1] = held.by_target;
  velocity[2][core_t2] = held.by_before, velocity[2][core_stuck2] = held.by_target;
  if (size == 2) velocity[2] = {};
  // D δi = δv⁺ − δu − δD i
  const Vector dd = inertia_times(i);
  Core change[3] = {velocity[0] - dd.n, velocity[1] - dd.t1, velocity[2] - dd.t2};
  change[0][core_n] -= 1, change[1][core_t1] -= 1, change[2][core_t2] -= 1;
  for (int k = 0; k < size; ++k) {  // D⁻¹ column by column
    const ImpulseForChange g = impulse_for_change(d_, {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
    if (!g.reachable) return false;
    impulse[0] += g.impulse.n * change[k];
    impulse[1] += g.impulse.t1 * change[k];
    impulse[2] += g.impulse.t2 * change[k];
  }
  return true;
}

// ‖i_t‖ ≤ μ_s i_n decides between stick and slip.
void AverageSlipVariation::note_cone(const ContactVector& i, const Core (&impulse)[3]) {
  const double size = norm(tangent(i)), mu = in_.friction.static_coefficient,
               kinetic = in_.friction.kinetic_coefficient;
  if (!std::isfinite(mu)) return;
  Core by = mu * impulse[0];
  if (size > 0) by -= (i.t1 / size) * impulse[1] + (i.t2 / size) * impulse[2];
  by[core_mu] += i.n * (kinetic > 0 ? mu / kinetic : 1);  // μ_s counts with μ_k
  margin_.note(mu * i.n - size, by);
  if (mu * i.n == size) out_.one_sided(DerivativeBorder::critical_friction);
}

void AverageSlipVariation::stick(const Held& held) {
  Core impulse[3], velocity[3];
  if (!vary_stick(held, i_, impulse, velocity)) return out_.give_up(DerivativeBorder::singular_inertia);
  note_cone(i_, impulse);
  margin_.note(i_.n, impulse[0]);
  accept(impulse, velocity);
}

// The stick that the law tried before it took a slip.
void AverageSlipVariation::note_refused_stick() {
  const ContactVector& u = in_.velocity;
  const ImpulseForChange stick = impulse_for_change(d_, {-(1 + e_) * u.n, in_.stuck_t1 - u.t1, in_.stuck_t2 - u.t2});
  Core impulse[3], velocity[3];
  if (stick.reachable && vary_stick({0, 1}, stick.impulse, impulse, velocity)) note_cone(stick.impulse, impulse);
}

void AverageSlipVariation::slip() {
  note_refused_stick();
  const bool planar = d_.dimension == Dimension::planar;
  const double mu = in_.friction.kinetic_coefficient;
  const double weight = in_.law == Law::classical ? 1.0 : 0.5;
  const ContactVector& u = in_.velocity;
  // û from the impulse; without friction from the slip itself.
  Tangent s{-i_.t1, -i_.t2};
  if (mu == 0) s = {u.t1 + weight * i_.n * d_.c1, u.t2 + weight * i_.n * d_.c2};
  const double size = norm(s);
  if (!(size > 0)) return out_.give_up(DerivativeBorder::unstable_slip);
  s = {s.t1 / size, s.t2 / size};
  const Tangent across{-s.t2, s.t1};
  const Tangent bs = apply_tangential(d_, s), bw = apply_tangential(d_, across);
  const double resistance = d_.a - mu * dot(coupling(d_), s);

  // i_n at fixed û, and by θ.
  Core in_fixed;
  in_fixed[core_n] = (-(1 + e_) + by_speed_ * u.n) / resistance;
  in_fixed[core_e] = -u.n / resistance;
  const double by_resistance = -i_.n / resistance;
  in_fixed[core_a] = by_resistance;
  in_fixed[core_c1] = -mu * s.t1 * by_resistance;
  in_fixed[core_c2] = -mu * s.t2 * by_resistance;
  in_fixed[core_mu] = -dot(coupling(d_), s) * by_resistance;
  const double in_theta = -mu * dot(coupling(d_), across) * by_resistance;

  // r = u_t + λ i_n g, g = c − μ b û
  const Tangent g{d_.c1 - mu * bs.t1, d_.c2 - mu * bs.t2};
  const Tangent r{u.t1 + weight * i_.n * g.t1, u.t2 + weight * i_.n * g.t2};
  const auto along = [&](Tangent w) {  // w·δr at fixed û
    Core v = (weight * dot(w, g)) * in_fixed;
    v[core_t1] += w.t1, v[core_t2] += w.t2;
    v[core_c1] += weight * i_.n * w.t1, v[core_c2] += weight * i_.n * w.t2;
    v[core_mu] -= weight * i_.n * dot(w, bs);
    const double f = -weight * i_.n * mu;
    v[core_b11] += f * w.t1 * s.t1, v[core_b22] += f * w.t2 * s.t2;
    v[core_b12] += f * (w.t1 * s.t2 + w.t2 * s.t1);
    return v;
  };
  Core theta;
  if (!planar) {
    const double f_theta = -dot(s, r) + weight * (in_theta * dot(across, g) - i_.n * mu * dot(across, bw));
    const double scale = std::abs(u.t1) + std::abs(u.t2) + weight * i_.n * (norm(g) + mu * norm(bw));
    if (!(std::abs(f_theta) > tolerances::lost_variation_relative * scale))
      return out_.give_up(DerivativeBorder::unstable_slip);
    theta = (-1 / f_theta) * along(across);
  }
  const Core in = in_fixed + in_theta * theta;
  Core impulse[3] = {in, (-mu * s.t1) * in - (mu * i_.n * across.t1) * theta,
                     (-mu * s.t2) * in - (mu * i_.n * across.t2) * theta};
  impulse[1][core_mu] -= i_.n * s.t1;
  impulse[2][core_mu] -= i_.n * s.t2;
  const Vector dd = inertia_times(i_);
  Core velocity[3] = {normal_after(), dd.t1 + d_.c1 * in + d_.b11 * impulse[1] + d_.b12 * impulse[2],
                      dd.t2 + d_.c2 * in + d_.b12 * impulse[1] + d_.b22 * impulse[2]};
  velocity[1][core_t1] += 1;
  velocity[2][core_t2] += 1;
  if (planar) {
    impulse[2] = {};
    velocity[2] = {};
  }
  const double mean = dot(s, r);
  // u_t + λ i_n g lies along û and must not vanish.
  margin_.note(mean, along(s) + (weight * (in_theta * dot(s, g) - i_.n * mu * dot(s, bw)) + dot(across, r)) * theta);
  margin_.note(resistance, [&] {
    Core by;
    by[core_a] = 1, by[core_c1] = -mu * s.t1, by[core_c2] = -mu * s.t2, by[core_mu] = -dot(coupling(d_), s);
    return by - (mu * dot(coupling(d_), across)) * theta;
  }());
  accept(impulse, velocity);
}

}  // namespace

void vary_average_slip(const VariationInput& in, const ImpactResult& result, CoreVariation& out) {
  AverageSlipVariation variation(in, result, out);
  out.speed[core_n] = -1;
  switch (result.mode) {
    case ImpactMode::stick:
      return variation.stick({0, 1});
    case ImpactMode::mean_slip_zero:
      variation.note_refused_stick();
      return variation.stick({-1, 0});
    case ImpactMode::none:
    case ImpactMode::sliding:
    case ImpactMode::stick_in_compression:
    case ImpactMode::stick_in_restitution:
    case ImpactMode::reverse_in_compression:
    case ImpactMode::reverse_in_restitution:
      break;
  }
  variation.slip();
}

}  // namespace routh::internal
