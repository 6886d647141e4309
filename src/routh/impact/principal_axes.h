// The tangential frame in which b is diagonal and the coupling c points into the first quadrant. Internal.
#pragma once

#include "routh/impact/invariant_directions.h"
#include "routh/impact/problem.h"

namespace routh::internal {

// Principal axes of b, turned so that c1, c2 ≥ 0 and b1 ≥ b2.
struct PrincipalAxes {
  Direction e1, e2;
  double b1 = 0, b2 = 0;
  double c1 = 0, c2 = 0;

  Direction to_local(double t1, double t2) const { return {e1.x * t1 + e1.y * t2, e2.x * t1 + e2.y * t2}; }
  Direction to_world(Direction d) const { return {e1.x * d.x + e2.x * d.y, e1.y * d.x + e2.y * d.y}; }
};

PrincipalAxes principal_axes(const ContactInertia& inertia);

}  // namespace routh::internal
