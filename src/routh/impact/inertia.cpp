#include "routh/impact/inertia.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/tolerances.h"
#include "routh/math/double_double.h"
#include "routh/math/elementary.h"

namespace routh {

using internal::DoubleDouble;

namespace {

// x − p q / r with r of order one: in twice the digits, and where that cancels to the last digit.
DoubleDouble less_quotient(double x, double p, double q, double r) {
  const DoubleDouble direct = x - p * (DoubleDouble(q) / r);
  if (std::abs(direct.high) > static_cast<double>(tolerances::extended_cancellation) * std::abs(x)) return direct;
  return DoubleDouble(difference_of_products(x, r, p, q)) / r;
}

// One step of elimination of b, with the larger diagonal entry first and of order one: exact in powers of two.
struct Elimination {
  bool swap;            // the second tangent comes first
  double unit;          // the power of two that the following are in
  double pivot, other;  // diagonal entries
  double mixed;
  DoubleDouble left;  // other − mixed²/pivot
  bool full_rank;
};

// `left` is significant when it exceeds the rounding of its own terms, whatever the pivot: the two axes may differ in
// scale by any factor. A row that is small all over, as rounding leaves of a tangent that cannot move, is none.
Elimination eliminate(const ContactInertia& d) {
  Elimination e{};
  e.swap = d.b22 > d.b11;
  const double largest = e.swap ? d.b22 : d.b11;
  if (!(largest > 0)) return e;
  e.unit = std::ldexp(1.0, std::ilogb(largest));
  e.pivot = largest / e.unit;
  e.other = (e.swap ? d.b11 : d.b22) / e.unit;
  e.mixed = d.b12 / e.unit;
  e.left = less_quotient(e.other, e.mixed, e.mixed, e.pivot);
  const double coupled = (e.swap ? d.c1 : d.c2) / e.unit;
  const bool dust =
      e.other <= tolerances::tangential_rank_relative * e.pivot &&
      std::abs(e.mixed) <= tolerances::tangential_rank_relative * e.pivot &&
      std::abs(coupled) <= tolerances::tangential_rank_relative * std::sqrt(d.a / e.unit) * std::sqrt(e.pivot);
  e.full_rank = !dust && e.left.high > tolerances::tangential_rank_relative * e.other;
  return e;
}

}  // namespace

bool internal::jams_when_pressed(const ContactInertia& d, double mu, Tangent slip) {
  const double speed = norm(slip);
  if (speed == 0) return false;
  const Tangent sigma{slip.t1 / speed, slip.t2 / speed};
  if (const double slope = slip_slope(d, mu, sigma); slope != 0) return slope < 0;
  if (d.dimension == Dimension::planar) return true;
  // σ turns by dφ/dτ = σ⊥ᵀ(c − μ b σ), and A with it: dA/dτ = −μ cᵀσ⊥ dφ/dτ.
  const Tangent across{-sigma.t2, sigma.t1};
  const Tangent b_sigma = apply_tangential(d, sigma);
  const double turning = dot(across, {d.c1 - mu * b_sigma.t1, d.c2 - mu * b_sigma.t2});
  const double rates = std::abs(d.c1) + std::abs(d.c2) + mu * (d.b11 + d.b22);
  if (std::abs(turning) <= tolerances::straight_slip_relative * rates) return true;
  return dot(coupling(d), across) * turning > 0;
}

Tangent internal::solve_tangential(const ContactInertia& d, Tangent x) {
  if (d.dimension == Dimension::planar) return {d.b11 > 0 ? x.t1 / d.b11 : 0, 0};
  const Elimination e = eliminate(d);
  const double largest = std::max(std::abs(x.t1), std::abs(x.t2));
  if (!(e.pivot > 0) || largest == 0) return {};
  // x in a power of two of its own, too.
  const int power = std::isfinite(largest) ? std::ilogb(largest) : 0;  // what is out of range stays so
  const double x1 = std::ldexp(e.swap ? x.t2 : x.t1, -power), x2 = std::ldexp(e.swap ? x.t1 : x.t2, -power);
  const auto in_order = [&](double y1, double y2) {
    const double z1 = std::ldexp(y1, power - std::ilogb(e.unit)), z2 = std::ldexp(y2, power - std::ilogb(e.unit));
    return e.swap ? Tangent{z2, z1} : Tangent{z1, z2};
  };
  if (e.full_rank) {
    const DoubleDouble y2 = less_quotient(x2, x1, e.mixed, e.pivot) / e.left;
    const DoubleDouble y1 = (x1 - e.mixed * y2) / e.pivot;
    return in_order(y1.high, y2.high);
  }
  const double ratio = e.mixed / e.pivot;
  // Rank one: b = pivot r rᵀ with r = (1, ratio), so b⁺x = r (rᵀx) / (pivot |r|⁴).
  const double square = 1 + ratio * ratio;
  const double amount = (x1 + ratio * x2) / (e.pivot * square * square);
  return in_order(amount, amount * ratio);
}

double internal::sticking_slope_rounding(const ContactInertia& d) {
  const Tangent h = solve_tangential(d, coupling(d));
  const double h1 = std::abs(h.t1), h2 = std::abs(h.t2);
  const double linear = 2 * (h1 * std::abs(d.c1) + h2 * std::abs(d.c2));
  const double square = h1 * h1 * d.b11 + 2 * h1 * h2 * std::abs(d.b12) + h2 * h2 * d.b22;
  return 0.5 * std::numeric_limits<double>::epsilon() * (d.a + linear + square);
}

ImpulseForChange internal::impulse_for_change(const ContactInertia& d, const ContactVector& change) {
  const Tangent c = coupling(d);
  const Tangent t = tangent(change);
  const Tangent hold = solve_tangential(d, t);  // b⁺ Δv_t
  const double left = change.n - dot(c, hold);
  const double size = std::abs(change.n) + std::abs(change.t1) + std::abs(change.t2);
  ImpulseForChange answer;
  double in = 0;
  if (d.stick_slope > tolerances::locked_slope_relative * d.a)
    in = left / d.stick_slope;
  else if (std::abs(left) > tolerances::locked_change_relative * size)
    return answer;
  const Tangent it = solve_tangential(d, {t.t1 - c.t1 * in, t.t2 - c.t2 * in});
  answer.impulse = {in, it.t1, it.t2};
  const Tangent made = apply_tangential(d, it);
  const double miss = std::abs(made.t1 + c.t1 * in - t.t1) + std::abs(made.t2 + c.t2 * in - t.t2);
  const double scale = size + std::abs(in) * (std::abs(c.t1) + std::abs(c.t2));
  answer.reachable = miss <= tolerances::unreached_change_relative * scale;
  return answer;
}

namespace {

// unit c²/b
DoubleDouble quotient(double unit, const DoubleDouble& c, const DoubleDouble& b) {
  const DoubleDouble ratio = c * (c / b);
  return {unit * ratio.high, unit * ratio.low};
}

// The sticking slope suffers most when D is nearly singular, so it is formed in twice the digits.
double sticking_slope(const ContactInertia& d) {
  if (d.dimension == Dimension::planar && d.b11 > 0) {
    const double unit = std::ldexp(1.0, std::ilogb(d.b11));
    return (d.a - quotient(unit, d.c1 / unit, d.b11 / unit)).high;
  }
  const Elimination e = eliminate(d);
  if (!(e.pivot > 0)) return d.a;
  const double first = (e.swap ? d.c2 : d.c1) / e.unit, second = (e.swap ? d.c1 : d.c2) / e.unit;
  DoubleDouble slope = d.a - quotient(e.unit, first, e.pivot);
  if (e.full_rank) slope = slope - quotient(e.unit, less_quotient(second, first, e.mixed, e.pivot), e.left);
  return slope.high;
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

double internal::condition_number(const ContactInertia& d) {
  if (!(d.stick_slope > tolerances::locked_slope_relative * d.a)) return std::numeric_limits<double>::infinity();
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
  const double size_g = elementary::hypot(elementary::hypot(1 / p, norm(beta) / p * std::sqrt(2.0)),
                                          elementary::hypot(g11, g22, g12 * std::sqrt(2.0)));
  const double size_d = elementary::hypot(elementary::hypot(d.a, norm(coupling(d)) * std::sqrt(2.0)),
                                          elementary::hypot(d.b11, d.b22, d.b12 * std::sqrt(2.0)));
  return size_d * size_g;
}

}  // namespace routh
