#include "routh/impact/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/restitution.h"
#include "routh/impact/tolerances.h"
#include "routh/math/bracket.h"

namespace routh {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// ratio of a sticking impulse, infinite when it would pull.
double cone_ratio(const ContactVector& i) { return i.n > 0 ? std::hypot(i.t1, i.t2) / i.n : infinite; }

// e*(v): the largest e with vᵀ(G − E G E)v ≥ 0, E = diag(e, e_t, e_t) [Aghili 2020, eq. 30]. With the sticking slope p,
// β = b⁺c and γ = v_tᵀb⁺v_t everything times p is free of division:
//   p G_nn = 1,  p G_nt = −β,  p G_tt = p b⁺ + β βᵀ.
double bound_for_velocity(const ContactInertia& d, const ContactVector& v, double et) {
  if (v.n == 0) return infinite;
  const double p = std::max(d.stick_slope, 0.0);
  const double cross = dot(coupling(d), solve_tangential(d, tangent(v)));  // βᵀ v_t
  const double tangential = p * dot(tangent(v), solve_tangential(d, tangent(v))) + cross * cross;
  const double whole = (v.n - cross) * (v.n - cross) + tangential - cross * cross;
  // v_n² e² − 2 e_t v_n (βᵀv_t) e + e_t² tangential − whole = 0
  const double half = et * cross / v.n;
  const double constant = (et * et * tangential - whole) / (v.n * v.n);
  const double square = half * half - constant;
  if (square < 0) return 0;
  return std::max(0.0, half + std::sqrt(square));
}

// Whether p (G − E G E) ⪰ 0, by elimination.
bool gains_nothing(const ContactInertia& d, double e, double et) {
  const double p = std::max(d.stick_slope, 0.0);
  const Tangent beta = solve_tangential(d, coupling(d));
  const Tangent first = solve_tangential(d, {1, 0});
  const Tangent second = d.dimension == Dimension::planar ? Tangent{} : solve_tangential(d, {0, 1});
  const double nn = 1 - e * e;
  const double mixed = 1 - e * et;
  const double n1 = -beta.t1 * mixed, n2 = -beta.t2 * mixed;
  const double factor = 1 - et * et;
  const double t11 = factor * (p * first.t1 + beta.t1 * beta.t1);
  const double t12 = factor * (p * first.t2 + beta.t1 * beta.t2);
  const double t22 = factor * (p * second.t2 + beta.t2 * beta.t2);
  const double scale = 1 + t11 + t22 + std::abs(n1) + std::abs(n2);
  const double slack = -tolerances::gain_minor_relative * scale;
  const double minor1 = nn * t11 - n1 * n1, minor2 = nn * t22 - n2 * n2, minor3 = t11 * t22 - t12 * t12;
  const double determinant = nn * minor3 - n1 * (n1 * t22 - t12 * n2) + n2 * (n1 * t12 - t11 * n2);
  const double s2 = slack * scale, s3 = s2 * scale;
  return nn >= slack && t11 >= slack && t22 >= slack && minor1 >= s2 && minor2 >= s2 && minor3 >= s2 &&
         determinant >= s3;
}

// e* for every velocity [Aghili 2020, eq. 32]: 1/√(a G_nn) for e_t = 0. For other e_t the admissible e form an interval
// that contains e_t, because {E : G − E G E ⪰ 0} is a ball in an operator norm.
double bound_for_any(const ContactInertia& d, double et) {
  if (et == 0) return std::sqrt(std::clamp(d.stick_slope / d.a, 0.0, 1.0));
  if (gains_nothing(d, 1, et)) return 1;
  return std::max(bisect({et, 1}, tolerances::bound_bisections, [&](double e) { return gains_nothing(d, e, et); }).low,
                  0.0);
}

}  // namespace

ImpactBounds compute_bounds(const ImpactProblem& problem) {
  const ContactInertia& d = problem.inertia;
  // The bounds do not depend on the magnitude of the velocity; halved until it is safe to square.
  const double size = std::max(largest(problem.velocity), largest(problem.surface_velocity));
  const double unit = size > 0 ? std::ldexp(1.0, std::min(-std::ilogb(size), 1000)) : 1.0;
  const ContactVector v = minus(times(problem.velocity, unit), times(problem.surface_velocity, unit));
  const double approach = problem.surface_velocity.n - problem.velocity.n;
  const double e = restitution_at(problem.restitution, std::max(0.0, approach)).coefficient;
  const double et = problem.restitution.tangential;

  ImpactBounds bounds;
  bounds.stick_friction = norm(solve_tangential(d, coupling(d)));
  const ContactVector p = times(problem.push, unit);
  const ImpulseForChange stick =
      impulse_for_change(d, {-(1 + e) * v.n - p.n, -(1 + et) * v.t1 - p.t1, -(1 + et) * v.t2 - p.t2});
  bounds.impact_friction = stick.reachable ? cone_ratio(stick.impulse) : infinite;
  const ImpulseForChange xi = impulse_for_change(d, v);
  bounds.impact_friction_printed = xi.reachable && xi.impulse.n != 0
                                       ? std::hypot(xi.impulse.t1, xi.impulse.t2) / (std::abs(xi.impulse.n) * (1 + e))
                                       : infinite;
  const double c = norm(coupling(d));
  bounds.jamming_friction = c > 0 ? d.a / c : infinite;
  bounds.restitution_bound = bound_for_velocity(d, v, et);
  bounds.restitution_bound_any = bound_for_any(d, et);
  bounds.condition = condition_number(d);
  bounds.slip_unavoidable = bounds.impact_friction >= 1;
  return bounds;
}

}  // namespace routh
