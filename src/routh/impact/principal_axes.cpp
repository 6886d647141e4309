#include "routh/impact/principal_axes.h"

#include <algorithm>
#include <cmath>

namespace routh {

PrincipalAxes principal_axes(const ContactInertia& d) {
  PrincipalAxes axes;
  const double half = 0.5 * (d.b11 - d.b22);
  const double radius = std::sqrt(half * half + d.b12 * d.b12);
  const double mean = 0.5 * (d.b11 + d.b22);
  axes.b1 = mean + radius;
  axes.b2 = mean - radius;
  if (axes.b2 < 1e-2 * axes.b1) {  // it cancels; the determinant does not, in extended precision
    using Extended = long double;
    const auto mixed = static_cast<Extended>(d.b12);
    const Extended determinant = static_cast<Extended>(d.b11) * static_cast<Extended>(d.b22) - mixed * mixed;
    axes.b2 = axes.b1 > 0 ? std::max(0.0, static_cast<double>(determinant / static_cast<Extended>(axes.b1))) : 0;
  }
  axes.e1 = {1, 0};
  if (radius > 0) {
    const double major = std::sqrt(0.5 * (1 + std::abs(half) / radius));
    const double minor = d.b12 / (2 * radius * major);
    axes.e1 = half >= 0 ? Direction{major, minor} : Direction{minor, major};
  }
  axes.e2 = {-axes.e1.y, axes.e1.x};
  const Direction c = axes.to_local(d.c1, d.c2);
  // A coupling far below rounding is none: it would only send the search for invariant directions into denormals.
  const double negligible = 1e-40 * std::max({axes.b1, std::abs(c.x), std::abs(c.y)});
  axes.c1 = std::abs(c.x) > negligible ? std::abs(c.x) : 0;
  axes.c2 = std::abs(c.y) > negligible ? std::abs(c.y) : 0;
  if (c.x < 0) axes.e1 = {-axes.e1.x, -axes.e1.y};
  if (c.y < 0) axes.e2 = {-axes.e2.x, -axes.e2.y};
  return axes;
}

}  // namespace routh
