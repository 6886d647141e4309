#include "support/kane.h"

#include <cmath>

namespace testing_support {

Kane::Kane() : rates{-0.1L, -0.2L} {
  const long double degree = std::acos(-1.0L) / 180;
  mass[0][0] = 16, mass[1][1] = 4;
  mass[0][1] = mass[1][0] = 6 * std::cos(10 * degree);
  jacobian[0][0] = 2 * std::sin(20 * degree), jacobian[0][1] = 2 * std::sin(30 * degree);
  jacobian[1][0] = 2 * std::cos(20 * degree), jacobian[1][1] = 2 * std::cos(30 * degree);
  const long double det = mass[0][0] * mass[1][1] - mass[0][1] * mass[0][1];
  const long double inverse[2][2] = {{mass[1][1] / det, -mass[0][1] / det}, {-mass[0][1] / det, mass[0][0] / det}};
  for (int r = 0; r < 2; ++r) {
    contact_velocity[r] = jacobian[r][0] * rates[0] + jacobian[r][1] * rates[1];
    for (int s = 0; s < 2; ++s) {
      inertia[r][s] = 0;
      for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) inertia[r][s] += jacobian[r][p] * inverse[p][q] * jacobian[s][q];
      }
    }
  }
}

routh::ImpactProblem Kane::problem(double restitution) const {
  routh::ImpactProblem p;
  p.inertia = routh::planar_inertia(static_cast<double>(inertia[0][0]), static_cast<double>(inertia[0][1]),
                                    static_cast<double>(inertia[1][1]));
  p.velocity = {static_cast<double>(contact_velocity[0]), static_cast<double>(contact_velocity[1]), 0};
  p.friction = {0.51, 0.5};
  p.restitution.normal = restitution;
  return p;
}

}  // namespace testing_support
