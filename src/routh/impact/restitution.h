// The coefficient of restitution at a speed of compression.
#pragma once

#include "routh/impact/problem.h"

namespace routh {

struct RestitutionValue {
  double coefficient = 0;  // in [0, 1]
  bool in_range = true;    // whether the speed lies where the model is valid
};

// `speed` ≥ 0 [m/s]: the greatest approach speed |v_n| of the compression. It is |v_n⁻| of an ordinary strike; a jam
// raises it, also from zero.
RestitutionValue restitution_at(const Restitution& restitution, double speed);

// The same where speeds are counted in a unit of their own.
struct RestitutionRule {
  const Restitution* model = nullptr;
  double speed_unit = 1;  // [m/s]

  RestitutionValue at(double speed) const { return restitution_at(*model, speed * speed_unit); }
};

// α of the linear model from a spring–dashpot contact, α = 2c/(3k) [Aghili 2020, after eq. 9].
double restitution_alpha(double damping, double stiffness);

}  // namespace routh
