#include "routh/impact/inertia.h"

#include <limits>

#include "routh/impact/laws.h"

namespace routh {

namespace {

constexpr double rank_tolerance = 1e-14;

}  // namespace

Tangent solve_tangential(const ContactInertia& d, Tangent x) {
  if (d.dimension == Dimension::planar) return {d.b11 > 0 ? x.t1 / d.b11 : 0, 0};
  // Elimination with the larger diagonal entry as pivot.
  const bool swap = d.b22 > d.b11;
  const double pivot = swap ? d.b22 : d.b11;
  if (!(pivot > 0)) return {};
  const double other = swap ? d.b11 : d.b22;
  const double ratio = d.b12 / pivot;
  const double left = other - ratio * d.b12;
  const double x1 = swap ? x.t2 : x.t1, x2 = swap ? x.t1 : x.t2;
  if (left > rank_tolerance * pivot) {
    const double y2 = (x2 - ratio * x1) / left;
    const double y1 = (x1 - d.b12 * y2) / pivot;
    return swap ? Tangent{y2, y1} : Tangent{y1, y2};
  }
  // Rank one: b = pivot r rᵀ with r = (1, ratio), so b⁺x = r (rᵀx) / (pivot |r|⁴).
  const double square = 1 + ratio * ratio;
  const double amount = (x1 + ratio * x2) / (pivot * square * square);
  return swap ? Tangent{amount * ratio, amount} : Tangent{amount, amount * ratio};
}

ImpulseForChange impulse_for_change(const ContactInertia& d, const ContactVector& change) {
  const Tangent c = coupling(d);
  const Tangent t = tangent(change);
  const Tangent hold = solve_tangential(d, t);  // b⁺ Δv_t
  const double left = change.n - dot(c, hold);
  const double size = std::abs(change.n) + std::abs(change.t1) + std::abs(change.t2);
  ImpulseForChange answer;
  double in = 0;
  if (d.stick_slope > locked_slope * d.a)
    in = left / d.stick_slope;
  else if (std::abs(left) > 1e-10 * size)
    return answer;
  const Tangent it = solve_tangential(d, {t.t1 - c.t1 * in, t.t2 - c.t2 * in});
  answer.impulse = {in, it.t1, it.t2};
  const Tangent made = apply_tangential(d, it);
  const double miss = std::abs(made.t1 + c.t1 * in - t.t1) + std::abs(made.t2 + c.t2 * in - t.t2);
  const double scale = size + std::abs(in) * (std::abs(c.t1) + std::abs(c.t2));
  answer.reachable = miss <= 1e-9 * scale;
  return answer;
}

namespace {

// The sticking slope suffers most when D is nearly singular, so it is formed in extended precision.
double sticking_slope(const ContactInertia& d) {
  using Extended = long double;
  const bool swap = d.b22 > d.b11;
  const auto pivot = static_cast<Extended>(swap ? d.b22 : d.b11);
  const auto other = static_cast<Extended>(swap ? d.b11 : d.b22);
  const auto first = static_cast<Extended>(swap ? d.c2 : d.c1);
  const auto second = static_cast<Extended>(swap ? d.c1 : d.c2);
  const auto mixed = static_cast<Extended>(d.b12);
  if (!(pivot > 0)) return d.a;
  Extended slope = static_cast<Extended>(d.a) - first * (first / pivot);
  const Extended left = other - mixed * (mixed / pivot);
  if (left > static_cast<Extended>(rank_tolerance) * pivot) {
    const Extended coupled = second - first * (mixed / pivot);
    slope -= coupled * (coupled / left);
  }
  return static_cast<double>(slope);
}

}  // namespace

ContactInertia planar_inertia(double a, double c, double b) {
  ContactInertia d{Dimension::planar, a, c, 0, b, 0, 0, 0};
  d.stick_slope = sticking_slope(d);
  return d;
}

ContactInertia spatial_inertia(double a, double c1, double c2, double b11, double b12, double b22) {
  ContactInertia d{Dimension::spatial, a, c1, c2, b11, b12, b22, 0};
  d.stick_slope = sticking_slope(d);
  return d;
}

double condition_number(const ContactInertia& d) {
  if (!(d.stick_slope > locked_slope * d.a)) return std::numeric_limits<double>::infinity();
  const bool planar = d.dimension == Dimension::planar;
  // G = D⁻¹ = [1/p, −βᵀ/p; −β/p, b⁻¹ + ββᵀ/p] with β = b⁻¹c and the sticking slope p.
  const Tangent beta = solve_tangential(d, coupling(d));
  const Tangent first = solve_tangential(d, {1, 0});
  const Tangent second = planar ? Tangent{} : solve_tangential(d, {0, 1});
  const Tangent unit = apply_tangential(d, first);
  const bool full_rank = std::abs(unit.t1 - 1) < 0.5 && (planar || first.t1 * second.t2 > first.t2 * second.t1);
  if (!full_rank) return std::numeric_limits<double>::infinity();
  const double p = d.stick_slope;
  const double g11 = first.t1 + beta.t1 * beta.t1 / p, g22 = second.t2 + beta.t2 * beta.t2 / p;
  const double g12 = first.t2 + beta.t1 * beta.t2 / p;
  const double size_g =
      std::hypot(std::hypot(1 / p, norm(beta) / p * std::sqrt(2.0)), std::hypot(g11, g22, g12 * std::sqrt(2.0)));
  const double size_d =
      std::hypot(std::hypot(d.a, norm(coupling(d)) * std::sqrt(2.0)), std::hypot(d.b11, d.b22, d.b12 * std::sqrt(2.0)));
  return size_d * size_g;
}

}  // namespace routh
