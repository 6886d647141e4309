// Linear algebra of one contact's D, written so that a singular D does no harm. Internal.
#pragma once

#include <algorithm>
#include <cmath>

#include "routh/impact/problem.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

struct Tangent {
  double t1 = 0;
  double t2 = 0;
};

inline double dot(Tangent p, Tangent q) { return p.t1 * q.t1 + p.t2 * q.t2; }
inline double norm(Tangent p) { return elementary::hypot(p.t1, p.t2); }

inline ContactVector times(const ContactVector& v, double f) { return {v.n * f, v.t1 * f, v.t2 * f}; }
inline ContactVector minus(const ContactVector& v, const ContactVector& w) {
  return {v.n - w.n, v.t1 - w.t1, v.t2 - w.t2};
}
inline ContactVector plus(const ContactVector& v, const ContactVector& w) {
  return {v.n + w.n, v.t1 + w.t1, v.t2 + w.t2};
}
inline double largest(const ContactVector& v) { return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)}); }

inline Tangent tangent(const ContactVector& v) { return {v.t1, v.t2}; }
inline Tangent coupling(const ContactInertia& d) { return {d.c1, d.c2}; }

// b x
inline Tangent apply_tangential(const ContactInertia& d, Tangent x) {
  return {d.b11 * x.t1 + d.b12 * x.t2, d.b12 * x.t1 + d.b22 * x.t2};
}

// p q − r s, good to a unit or two in the last digit however much it cancels [Kahan; Jeannerod, Louvet and Muller
// 2013].
inline double difference_of_products(double p, double q, double r, double s) {
  const double rs = r * s;
  const double error = std::fma(-r, s, rs);
  return std::fma(p, q, -rs) + error;
}

// A = a − μ cᵀσ = dv_n/dI_n of slip along σ, from a and the terms of cᵀσ: exactly zero where it lies within the
// rounding of what it is the difference of, as when μ was computed as a/cᵀσ.
inline double slip_slope(double a, double mu, double term1, double term2 = 0) {
  const double slope = a - mu * (term1 + term2);
  return std::abs(slope) <= tolerances::slip_slope_rounding * (a + mu * (std::abs(term1) + std::abs(term2))) ? 0
                                                                                                             : slope;
}
inline double slip_slope(const ContactInertia& d, double mu, Tangent sigma) {
  return slip_slope(d.a, mu, d.c1 * sigma.t1, d.c2 * sigma.t2);
}

// Whether slip of a pressed contact without approach (v_n = 0) jams: A < 0, or A = 0 and about to fall, or to stay.
bool jams_when_pressed(const ContactInertia& d, double mu, Tangent slip);

// b⁺ x: the pseudo-inverse. What is left of the smaller diagonal entry of b counts as zero below 1e-14 of that entry;
// so does an entry below 1e-14 of the larger one whose couplings are as small.
Tangent solve_tangential(const ContactInertia& d, Tangent x);

// How much the sticking slope a − cᵀh, h = b⁺c, moves when every entry of D does by half a unit in its last digit:
// ½ε(a + 2|h|ᵀ|c| + |h|ᵀ|b||h|).
double sticking_slope_rounding(const ContactInertia& d);

// D i
inline ContactVector apply(const ContactInertia& d, const ContactVector& i) {
  const Tangent bt = apply_tangential(d, tangent(i));
  return {d.a * i.n + d.c1 * i.t1 + d.c2 * i.t2, d.c1 * i.n + bt.t1, d.c2 * i.n + bt.t2};
}

// ‖D‖ ‖D⁻¹‖ in the Frobenius norm; infinite when D is singular.
double condition_number(const ContactInertia& d);

// The impulse i with D i = change, through the sticking slope. `reachable` is false when no impulse does it.
struct ImpulseForChange {
  ContactVector impulse;
  bool reachable = false;
};
ImpulseForChange impulse_for_change(const ContactInertia& d, const ContactVector& change);

}  // namespace routh::internal
