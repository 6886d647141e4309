// Kane's double pendulum, of two papers: two identical uniform rods in a vertical plane, from Lagrange's equations.
#pragma once

#include <Eigen/Core>

#include "routh/math/elementary.h"

namespace routh {

// Absolute angles from the vertical [rad] as coordinates; the rows of J are the normal and the tangential velocity of
// the free end.
struct TwoRods {
  Eigen::Matrix2d M, J;

  TwoRods(double mass, double length, double angle1, double angle2) {
    const double ml2 = mass * length * length, coupling = ml2 / 2 * elementary::cos(angle2 - angle1);
    M << ml2 * 4 / 3, coupling, coupling, ml2 / 3;
    J << length * elementary::sin(angle1), length * elementary::sin(angle2), length * elementary::cos(angle1),
        length * elementary::cos(angle2);
  }
};

}  // namespace routh
