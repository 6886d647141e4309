#include "routh/impact/principal_axes.h"

#include "routh/impact/inertia.h"
#include "routh/impact/tolerances.h"
#include "routh/math/double_double.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace routh::internal {

namespace {

double rounded(double x) { return x; }
double rounded(const DoubleDouble& x) { return x.high; }
double root(double x) { return std::sqrt(x); }
DoubleDouble root(const DoubleDouble& x) { return square_root(x); }

// b and c in the principal axes, entries of order one. With Real = DoubleDouble for a b all but singular: its lesser
// eigenvalue cancels, unless taken from the determinant, and so does c along that axis, of which more than b1/b2 digits
// may lie along the other.
template <class Real>
PrincipalAxes axes_in(const ContactInertia& d) {
  PrincipalAxes axes;
  const Real b11 = d.b11, b12 = d.b12, b22 = d.b22;
  const Real half = Real(0.5) * (b11 - b22);
  const Real radius = root(half * half + b12 * b12);
  const Real mean = Real(0.5) * (b11 + b22);
  const Real high = mean + radius;
  Real low = mean - radius;
  if constexpr (std::is_same_v<Real, DoubleDouble>) {
    const double determinant = difference_of_products(d.b11, d.b22, d.b12, d.b12);
    low = rounded(high) > 0 ? std::max(0.0, determinant / rounded(high)) : 0.0;
  }
  Real x = 1, y = 0;
  if (rounded(radius) > 0) {
    const bool first = rounded(half) >= 0;
    const Real major = root(Real(0.5) * (Real(1) + (first ? half : -half) / radius));
    const Real minor = b12 / (Real(2) * radius * major);
    x = first ? major : minor;
    y = first ? minor : major;
  }
  const Real c1 = d.c1, c2 = d.c2;
  axes.b1 = rounded(high);
  axes.b2 = rounded(low);
  axes.e1 = {rounded(x), rounded(y)};
  axes.e2 = {-axes.e1.y, axes.e1.x};
  axes.c1 = rounded(x * c1 + y * c2);
  axes.c2 = rounded(x * c2 - y * c1);
  return axes;
}

// In units of a power of two, so that nothing leaves the range of numbers.
template <class Real>
PrincipalAxes scaled_axes_in(ContactInertia d) {
  const double largest = std::max(d.b11, d.b22);
  const double unit = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  for (double* entry : {&d.b11, &d.b12, &d.b22, &d.c1, &d.c2}) *entry /= unit;
  PrincipalAxes axes = axes_in<Real>(d);
  for (double* entry : {&axes.b1, &axes.b2, &axes.c1, &axes.c2}) *entry *= unit;
  return axes;
}

}  // namespace

PrincipalAxes principal_axes(const ContactInertia& d) {
  PrincipalAxes axes = scaled_axes_in<double>(d);
  if (axes.b2 < tolerances::extended_axes_ratio * axes.b1) axes = scaled_axes_in<DoubleDouble>(d);
  const Direction c{axes.c1, axes.c2};
  // A coupling far below rounding is none: it would only send the search for invariant directions into denormals.
  const double negligible = tolerances::coupling_relative * std::max({axes.b1, std::abs(c.x), std::abs(c.y)});
  axes.c1 = std::abs(c.x) > negligible ? std::abs(c.x) : 0;
  axes.c2 = std::abs(c.y) > negligible ? std::abs(c.y) : 0;
  if (c.x < 0) axes.e1 = {-axes.e1.x, -axes.e1.y};
  if (c.y < 0) axes.e2 = {-axes.e2.x, -axes.e2.y};
  return axes;
}

}  // namespace routh::internal
