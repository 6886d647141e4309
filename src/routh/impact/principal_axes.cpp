#include "routh/impact/principal_axes.h"

#include "routh/impact/inertia.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace routh::internal {

namespace {

using Extended = long double;

// det b / high
Extended determinant_over(const ContactInertia& d, Extended high) {
  if (!(high > 0)) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(std::max(d.b11, d.b22)));
  const double mixed = d.b12 / unit;
  const double determinant = difference_of_products(d.b11 / unit, d.b22 / unit, mixed, mixed);
  return static_cast<Extended>(determinant) * static_cast<Extended>(unit) / (high / static_cast<Extended>(unit));
}

// b and c in the principal axes. With Real = Extended for a b all but singular: its lesser eigenvalue cancels, unless
// taken from the determinant, and so does c along that axis, of which more than b1/b2 digits may lie along the other.
template <class Real>
PrincipalAxes axes_in(const ContactInertia& d) {
  PrincipalAxes axes;
  const Real b11 = static_cast<Real>(d.b11), b12 = static_cast<Real>(d.b12), b22 = static_cast<Real>(d.b22);
  const Real half = Real(0.5) * (b11 - b22);
  const Real radius = std::sqrt(half * half + b12 * b12);
  const Real mean = Real(0.5) * (b11 + b22);
  const Real high = mean + radius;
  Real low = mean - radius;
  if constexpr (std::is_same_v<Real, Extended>) low = std::max(Real(0), static_cast<Real>(determinant_over(d, high)));
  Real x = 1, y = 0;
  if (radius > 0) {
    const Real major = std::sqrt(Real(0.5) * (1 + std::abs(half) / radius));
    const Real minor = b12 / (2 * radius * major);
    x = half >= 0 ? major : minor;
    y = half >= 0 ? minor : major;
  }
  const Real c1 = static_cast<Real>(d.c1), c2 = static_cast<Real>(d.c2);
  axes.b1 = static_cast<double>(high);
  axes.b2 = static_cast<double>(low);
  axes.e1 = {static_cast<double>(x), static_cast<double>(y)};
  axes.e2 = {-axes.e1.y, axes.e1.x};
  axes.c1 = static_cast<double>(x * c1 + y * c2);
  axes.c2 = static_cast<double>(x * c2 - y * c1);
  return axes;
}

}  // namespace

PrincipalAxes principal_axes(const ContactInertia& d) {
  PrincipalAxes axes = axes_in<double>(d);
  if (axes.b2 < 1e-2 * axes.b1) axes = axes_in<Extended>(d);
  const Direction c{axes.c1, axes.c2};
  // A coupling far below rounding is none: it would only send the search for invariant directions into denormals.
  const double negligible = 1e-40 * std::max({axes.b1, std::abs(c.x), std::abs(c.y)});
  axes.c1 = std::abs(c.x) > negligible ? std::abs(c.x) : 0;
  axes.c2 = std::abs(c.y) > negligible ? std::abs(c.y) : 0;
  if (c.x < 0) axes.e1 = {-axes.e1.x, -axes.e1.y};
  if (c.y < 0) axes.e2 = {-axes.e2.x, -axes.e2.y};
  return axes;
}

}  // namespace routh::internal
