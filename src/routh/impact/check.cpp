// The rules a problem must keep, each with the name under which a user knows the quantity.
#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/impact/solve.h"
#include "routh/impact/surface_check.h"
#include "routh/impact/tolerances.h"

namespace routh {

namespace {

constexpr const char* must_be_finite = "must be a finite number";

Violation check_vector(const ContactVector& v, const char* name) {
  for (const double x : {v.n, v.t1, v.t2})
    if (!std::isfinite(x)) return {name, x, must_be_finite};
  return {};
}

Violation check_inertia(const ContactInertia& d) {
  for (const double x : {d.a, d.c1, d.c2, d.b11, d.b12, d.b22, d.stick_slope})
    if (!std::isfinite(x)) return {"delassus", x, must_be_finite};
  if (!(d.a > 0)) return {"delassus[0][0]", d.a, "must be positive: a normal impulse has to move the contact"};
  constexpr const char* definite = "must make the matrix positive semidefinite";
  if (d.b11 < 0) return {"delassus[1][1]", d.b11, definite};
  if (d.b22 < 0) return {"delassus[2][2]", d.b22, definite};
  // Minors, each within rounding of the entries it is made of.
  if (d.c1 * d.c1 > d.a * d.b11 * tolerances::minor_ratio_max) return {"delassus[0][1]", d.c1, definite};
  if (d.dimension == Dimension::spatial) {
    if (d.c2 * d.c2 > d.a * d.b22 * tolerances::minor_ratio_max) return {"delassus[0][2]", d.c2, definite};
    if (d.b12 * d.b12 > d.b11 * d.b22 * tolerances::minor_ratio_max) return {"delassus[1][2]", d.b12, definite};
  }
  if (d.stick_slope < -std::max(tolerances::negative_stick_slope_relative * d.a, 2 * sticking_slope_rounding(d)))
    return {"delassus", d.stick_slope, definite};
  return {};
}

Violation of_surface(const SurfaceViolation& v) { return {name(v.quantity), v.value, v.rule}; }

}  // namespace

Violation check(const ImpactProblem& p) {
  if (const Violation v = check_inertia(p.inertia); v.rule) return v;
  if (const Violation v = check_vector(p.velocity, "contact_velocity"); v.rule) return v;
  if (const Violation v = check_vector(p.surface_velocity, "surface_velocity"); v.rule) return v;
  if (const Violation v = check_vector(p.push, "external_impulse"); v.rule) return v;
  if (const SurfaceViolation v = check_friction(p.friction); v.rule) return of_surface(v);
  return of_surface(check_restitution(p.restitution));
}

}  // namespace routh
