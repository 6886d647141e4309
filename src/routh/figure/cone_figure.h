// The friction cone of one contact, in the space of forces and in the space of velocity changes [Peiret, Fig. 1].
#pragma once

#include <string>

#include "routh/figure/picture.h"
#include "routh/impact/problem.h"

namespace routh::internal {

// What the picture shows. In the plane: the (t1, n) plane; in space: a view from above with generators and rim.
//   left   the cone of contact forces, ‖λ_t‖ ≤ μ λ_n
//   right  what these forces do to the contact velocity: its generators are D (1, μ cos φ, μ sin φ). The part below
//          the tangent plane δu_n = 0 is set off: there the contact pushes the bodies into one another (μ > μ_jam).
//          δu_0, what all other forces do, and the cone of all changes δu_0 + D λ.
// Cones have no size and δu_0 is taken by its direction; lengths mean nothing.
struct ConeFigure {
  std::string title;          // may come from a file: drawn without markup
  ContactInertia inertia;     // D
  double friction = 0;        // μ; more than 1000 is drawn as 1000
  ContactVector free_change;  // δu_0; zero: not drawn, nor the sum
};

Picture cone_picture(const ConeFigure& figure);

}  // namespace routh::internal
