// Linear algebra of one contact's D, written so that a singular D does no harm. Internal.
#pragma once

#include <algorithm>
#include <cmath>

#include "routh/impact/problem.h"

namespace routh {

struct Tangent {
  double t1 = 0;
  double t2 = 0;
};

inline double dot(Tangent p, Tangent q) { return p.t1 * q.t1 + p.t2 * q.t2; }
inline double norm(Tangent p) { return std::hypot(p.t1, p.t2); }

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

// b⁺ x: the pseudo-inverse, with eigenvalues below 1e-14 of the trace taken as zero.
Tangent solve_tangential(const ContactInertia& d, Tangent x);

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

}  // namespace routh
