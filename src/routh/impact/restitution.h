// The coefficient of restitution at an approach speed.
#pragma once

#include "routh/impact/problem.h"

namespace routh {

struct RestitutionValue {
  double coefficient = 0;  // in [0, 1]
  bool in_range = true;    // whether the speed lies where the model is valid
};

// `approach_speed` = |v_n⁻| ≥ 0 [m/s].
RestitutionValue restitution_at(const Restitution& restitution, double approach_speed);

// α of the linear model from a spring–dashpot contact, α = 2c/(3k) [Aghili 2020, after eq. 9].
double restitution_alpha(double damping, double stiffness);

}  // namespace routh
