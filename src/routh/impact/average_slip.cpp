// The laws that answer in one shot, without following the impulse.
//
//   stick      i = −G (I + E) v, accepted when i_n > 0 and ‖i_t‖ ≤ μ_s i_n                         [Aghili 2020, eqs.
//   11, 12] slip       i_t = −μ û i_n,  i_n = −(1+e) v_n/(a − μ cᵀû),  û along v_t + λ i_n (c − μ b û)      [eqs.
//   15–18]
//
// λ = ½: û is the direction of the mean slip velocity, Aghili's unified law. λ = 1: that of the final slip velocity,
// the textbook's. Deviations, all closing gaps of the published law: the exact discriminator is used (eq. 14 commutes G
// with I + E); a stick needs i_n > 0; û is found as a root on the circle, not by iteration; when several slips exist
// the one that dissipates most by friction is taken and flagged; when neither stick nor slip exists the unified law
// takes a mean slip of zero (v_t⁺ = −v_t⁻) if the static cone allows it; otherwise there is no solution.
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/recorder.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"
#include "routh/math/small_roots.h"

namespace routh::internal {

namespace {

struct SlipAnswer {
  ContactVector impulse;
  double dissipation = -1;  // μ i_n ‖v̄_t‖; negative: none found
  int count = 0;
};

double slip_weight(Law law) { return law == Law::classical ? 1.0 : 0.5; }

// These laws follow no path: the speed of compression is the approach speed.
double restitution_of(const StrikeInput& in) { return in.restitution.at(-in.velocity.n).coefficient; }

// Tries one direction; keeps it if it is a slip and dissipates more than the one kept so far.
void consider(const StrikeInput& in, Tangent u, SlipAnswer& best) {
  const ContactInertia& d = in.inertia;
  const double mu = in.friction.kinetic_coefficient;
  const double resistance = d.a - mu * dot(coupling(d), u);
  if (!(resistance > 0)) return;
  const double i_n = -(1 + restitution_of(in)) * in.velocity.n / resistance;
  const Tangent bu = apply_tangential(d, u);
  const Tangent change{i_n * (d.c1 - mu * bu.t1), i_n * (d.c2 - mu * bu.t2)};
  const double weight = slip_weight(in.law);
  const Tangent slip{in.velocity.t1 + weight * change.t1, in.velocity.t2 + weight * change.t2};
  const double along = dot(slip, u);
  const double scale = std::abs(in.velocity.t1) + std::abs(in.velocity.t2) + norm(change);
  if (!(along > tolerances::mean_slip_relative * scale)) return;
  ++best.count;
  const Tangent mean{in.velocity.t1 + 0.5 * change.t1, in.velocity.t2 + 0.5 * change.t2};
  const double dissipation = mu * i_n * dot(mean, u);
  if (best.count > 1 && dissipation <= best.dissipation) return;
  best.dissipation = dissipation;
  best.impulse = {i_n, -mu * i_n * u.t1, -mu * i_n * u.t2};
}

// The directions û parallel to v_t + λ i_n (c − μ b û) are zeros of a trigonometric polynomial of degree two,
//   F = α x² + β x y + γ y² + δ x + ε y,   (x, y) = û,
// solved as a quartic in tan(θ/2) in a frame turned so that its leading coefficient, F at θ = π, is large.
struct DirectionPolynomial {
  double alpha, beta, gamma, delta, epsilon;

  double at(double x, double y) const { return x * (alpha * x + beta * y + delta) + y * (gamma * y + epsilon); }
};

DirectionPolynomial direction_polynomial(const StrikeInput& in) {
  const ContactInertia& d = in.inertia;
  const double mu = in.friction.kinetic_coefficient;
  const double k = -slip_weight(in.law) * (1 + restitution_of(in)) * in.velocity.n;
  const double v1 = in.velocity.t1, v2 = in.velocity.t2;
  return {-mu * (d.c1 * v2 + k * d.b12), mu * (d.c1 * v1 - d.c2 * v2 + k * (d.b11 - d.b22)),
          mu * (d.c2 * v1 + k * d.b12), d.a * v2 + k * d.c2, -d.a * v1 - k * d.c1};
}

// The polynomial in a frame whose first axis points along (x, y).
DirectionPolynomial turned(const DirectionPolynomial& f, double x, double y) {
  return {f.alpha * x * x + f.beta * x * y + f.gamma * y * y,
          2 * x * y * (f.gamma - f.alpha) + f.beta * (x * x - y * y),
          f.alpha * y * y - f.beta * x * y + f.gamma * x * x, f.delta * x + f.epsilon * y, f.epsilon * x - f.delta * y};
}

SlipAnswer spatial_slips(const StrikeInput& in) {
  const DirectionPolynomial f = direction_polynomial(in);
  double x = 1, y = 0, largest = -1;
  for (int i = 0; i < 5; ++i) {  // five directions: at least one is far from the four zeros
    const double angle = 0.3 + 1.2566370614359172 * i;
    const double cx = elementary::cos(angle), cy = elementary::sin(angle);
    const double size = std::abs(f.at(-cx, -cy));
    if (size > largest) {
      largest = size;
      x = cx;
      y = cy;
    }
  }
  const DirectionPolynomial g = turned(f, x, y);
  const double quartic[5] = {g.alpha + g.delta, 2 * (g.beta + g.epsilon), 4 * g.gamma - 2 * g.alpha,
                             2 * (g.epsilon - g.beta), g.alpha - g.delta};
  SlipAnswer best;
  for (const double t : real_roots(quartic)) {
    const double w = 1 + t * t;
    const double px = (1 - t * t) / w, py = 2 * t / w;
    consider(in, {x * px - y * py, y * px + x * py}, best);
  }
  return best;
}

SlipAnswer planar_slips(const StrikeInput& in) {
  SlipAnswer best;
  consider(in, {1, 0}, best);
  consider(in, {-1, 0}, best);
  return best;
}

// Where neither stick nor slip is possible, slip may turn round, with a mean of zero [Aghili 2020].
bool allows_mean_slip_zero(Law law) {
  switch (law) {
    case Law::unified:
      return true;
    case Law::classical:
    case Law::newton:
    case Law::poisson:
    case Law::energetic:
      break;
  }
  return false;
}

bool in_static_cone(const StrikeInput& in, const ContactVector& i) {
  return i.n > 0 && !(elementary::hypot(i.t1, i.t2) > in.friction.static_coefficient * i.n);
}

ContactVector after(const StrikeInput& in, const ContactVector& i) {
  const ContactVector change = apply(in.inertia, i);
  return {in.velocity.n + change.n, in.velocity.t1 + change.t1, in.velocity.t2 + change.t2};
}

void accept(const StrikeInput& in, const ContactVector& i, const ContactVector& final, ImpactMode mode,
            ImpactResult& out) {
  const ContactVector& v = in.velocity;
  out.mode = mode;
  out.impulse = i;
  out.relative_velocity = final;
  // W = v̄·i [Aghili 2020, eqs. 26, 28, 36].
  out.energy.normal_work = 0.5 * i.n * (v.n + final.n);
  out.energy.tangential_work = 0.5 * (i.t1 * (v.t1 + final.t1) + i.t2 * (v.t2 + final.t2));
}

}  // namespace

void solve_average_slip(const StrikeInput& in, ImpactResult& out) {
  record_restitution(out, in.restitution.at(-in.velocity.n));
  const double e = restitution_of(in);
  const ContactVector& v = in.velocity;
  const ImpulseForChange stick =
      impulse_for_change(in.inertia, {-(1 + e) * v.n, in.stuck_t1 - v.t1, in.stuck_t2 - v.t2});
  if (stick.reachable && in_static_cone(in, stick.impulse)) {
    accept(in, stick.impulse, {-e * v.n, in.stuck_t1, in.stuck_t2}, ImpactMode::stick, out);
    return;
  }
  const SlipAnswer slip = in.inertia.dimension == Dimension::planar ? planar_slips(in) : spatial_slips(in);
  if (slip.count > 0) {
    if (slip.count > 1) out.warn(Warning::non_unique);
    ContactVector final = after(in, slip.impulse);
    final.n = -e * v.n;
    accept(in, slip.impulse, final, ImpactMode::sliding, out);
    return;
  }
  if (allows_mean_slip_zero(in.law)) {
    const ImpulseForChange still = impulse_for_change(in.inertia, {-(1 + e) * v.n, -2 * v.t1, -2 * v.t2});
    if (still.reachable && in_static_cone(in, still.impulse)) {
      accept(in, still.impulse, {-e * v.n, -v.t1, -v.t2}, ImpactMode::mean_slip_zero, out);
      return;
    }
  }
  out.status = ImpactStatus::no_solution;
}

}  // namespace routh::internal
