// The coefficient of restitution at a speed of compression.
#pragma once

#include <algorithm>

#include "routh/impact/problem.h"

namespace routh::internal {

struct RestitutionValue {
  double coefficient = 0;  // in [0, 1]
  bool in_range = true;    // whether the speed lies where the model is valid
  // That of the surface, where an external impulse makes `coefficient` another.
  double of_surface = coefficient;
};

// `speed` ≥ 0 [m/s]: the greatest approach speed |v_n| of the compression. It is |v_n⁻| of an ordinary strike; a jam
// raises it, also from zero.
RestitutionValue restitution_at(const Restitution& restitution, double speed);

// The same where speeds are counted in a unit of their own, and beside an external impulse (external_push.h): e belongs
// to the approach before it, to which a jam adds as without it; e' = (e (−v_n⁻) − p_after)/(−u_n).
struct RestitutionRule {
  const Restitution* model = nullptr;
  double approach = 0;    // −v_n⁻ [m/s]
  double start = 0;       // −u_n, with which the impulse begins [m/s]; equal without an external impulse
  double after = 0;       // p_after [m/s]
  double speed_unit = 1;  // of the argument of `at` [m/s]

  RestitutionValue at(double speed) const {
    const double reached = speed * speed_unit;
    RestitutionValue e = restitution_at(*model, approach == start ? reached : approach + (reached - start));
    if (approach != start || after != 0) e.coefficient = std::max(0.0, e.coefficient * approach - after) / start;
    return e;
  }
};

// α of the linear model from a spring–dashpot contact, α = 2c/(3k) [Aghili 2020, after eq. 9].
double restitution_alpha(double damping, double stiffness);

}  // namespace routh::internal
