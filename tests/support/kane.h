// Kane's double pendulum [Elkaranshawy 2025, section 3] at full precision: two uniform rods of 3 kg and 2 m at 20° and
// 30° from the vertical, free end striking the ground at −0.1 and −0.2 rad/s, μ_s = 0.51, μ_k = 0.5.
#pragma once

#include "routh/impact/problem.h"

namespace testing_support {

struct Kane {
  long double mass[2][2];
  long double jacobian[2][2];  // normal row first
  long double rates[2];
  long double inertia[2][2];  // D
  long double contact_velocity[2];
  Kane();

  routh::ImpactProblem problem(double restitution) const;
};

}  // namespace testing_support
