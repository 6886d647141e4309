#include "routh/contact/nearest_point.h"

#include <algorithm>

namespace routh::internal {

namespace {

using Triple = std::array<double, 3>;

Triple triple(const Vector3& v) { return {v.x, v.y, v.z}; }
Vector3 vector(const Triple& t) { return {t[0], t[1], t[2]}; }

int axis_count(Dimension dimension) { return dimension == Dimension::planar ? 2 : 3; }

// The feature of a box whose coordinates `side` are clamped: −1, 0 (free) or +1 along each axis.
Feature box_feature(const int* side, int axes) {
  int clamped = 0, vertex = 0, free = 0, fixed = 0;
  for (int k = 0; k < axes; ++k) {
    if (side[k] == 0) {
      free = k;
      continue;
    }
    ++clamped, fixed = k;
    if (side[k] > 0) vertex |= 1 << k;
  }
  if (clamped == axes) return {FeatureKind::vertex, vertex};
  if (clamped == 1) return {FeatureKind::face, 2 * fixed + (side[fixed] > 0)};
  return {FeatureKind::edge, 4 * free + (side[(free + 1) % 3] > 0) + 2 * (side[(free + 2) % 3] > 0)};
}

NearestPoint inside_box(const Triple& h, int axes, const Triple& p) {
  int nearest = 0;
  for (int k = 1; k < axes; ++k)
    if (h[k] - std::abs(p[k]) < h[nearest] - std::abs(p[nearest])) nearest = k;
  const double sign = p[nearest] < 0 ? -1 : 1;
  Triple point = p, normal{};
  point[nearest] = sign * h[nearest];
  normal[nearest] = sign;
  return {
      vector(point), vector(normal), std::abs(p[nearest]) - h[nearest], {FeatureKind::face, 2 * nearest + (sign > 0)}};
}

}  // namespace

NearestPoint nearest_on_box(const Vector3& half_extents, Dimension dimension, const Vector3& from) {
  const int axes = axis_count(dimension);
  const Triple h = triple(half_extents), p = triple(from);
  Triple point = p;
  int side[3] = {};
  bool outside = false;
  for (int k = 0; k < axes; ++k) {
    if (std::abs(p[k]) <= h[k]) continue;
    outside = true;
    side[k] = p[k] < 0 ? -1 : 1;
    point[k] = side[k] * h[k];
  }
  if (!outside) return inside_box(h, axes, p);
  const Vector3 apart = from - vector(point);
  const double distance = norm(apart);
  return {vector(point), (1 / distance) * apart, distance, box_feature(side, axes)};
}

NearestPoint nearest_on_cylinder(double radius, double length, const Vector3& from) {
  const double half = length / 2;
  const double rho = std::hypot(from.x, from.y);
  // On the axis every direction is as near: x is taken.
  const Vector3 outward = rho > 0 ? Vector3{from.x / rho, from.y / rho, 0} : Vector3{1, 0, 0};
  const double up = from.z < 0 ? -1 : 1;
  const int cap = from.z < 0 ? 0 : 1;
  const double beyond_side = rho - radius, beyond_cap = std::abs(from.z) - half;
  if (beyond_side > 0 && beyond_cap > 0) {
    const double distance = std::hypot(beyond_side, beyond_cap);
    const Vector3 normal = (beyond_side / distance) * outward + Vector3{0, 0, up * beyond_cap / distance};
    return {radius * outward + Vector3{0, 0, up * half}, normal, distance, {FeatureKind::rim, cap}};
  }
  if (beyond_cap >= beyond_side) return {{from.x, from.y, up * half}, {0, 0, up}, beyond_cap, {FeatureKind::face, cap}};
  return {radius * outward + Vector3{0, 0, from.z}, outward, beyond_side, {FeatureKind::side, 0}};
}

// With x the nearest point and t along the gradient, (y − x) = t x/e²: x_i = e_i² y_i/(t + e_i²). On the ellipsoid
//   w(t) = ( e_i y_i/(t + e_i²) ),   ‖w(t)‖ = 1
// and the nearest of all is the root with t > −e_min², of which there is one. 1/‖w‖ is nearly straight in t, so
// Newton's method on it converges in a few steps; a bracket keeps it safe.
NearestPoint nearest_on_ellipsoid(const Vector3& half_extents, Dimension dimension, const Vector3& from) {
  const int axes = axis_count(dimension);
  const Triple e = triple(half_extents), p = triple(from);
  int least = 0;
  double low = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int k = 0; k < axes; ++k) {
    if (e[k] < e[least]) least = k;
    low = std::max(low, e[k] * (std::abs(p[k]) - e[k]));
    sum = std::hypot(sum, e[k] * p[k]);
  }
  const double pole = -e[least] * e[least];
  low = std::max(low, pole);
  double high = pole + sum;

  const auto reaches = [&](double t, double& slope) {
    double square = 0;
    slope = 0;
    for (int k = 0; k < axes; ++k) {
      const double d = t + e[k] * e[k];
      if (p[k] == 0) continue;
      const double w = e[k] * p[k] / d;
      square += w * w;
      slope -= w * w / d;
    }
    return square;
  };

  double t = low;
  for (int iteration = 0; iteration < 200 && high > low; ++iteration) {
    double slope = 0;
    const double square = reaches(t, slope);
    if (!(square >= 1))
      high = t;
    else
      low = t;
    if (square == 0 || t == pole) {
      t = low + (high - low) / 2;
      if (t == low || t == high) break;
      continue;
    }
    // d(1/‖w‖)/dt = −(½ d‖w‖²/dt)/‖w‖³, and `slope` is half that derivative.
    const double size = std::sqrt(square);
    double next = t + (1 - 1 / size) / (-slope / (size * square));
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == t || next == low || next == high) break;
    t = next;
  }

  Triple x{}, normal{};
  double on = 0;
  for (int k = 0; k < axes; ++k) {
    const double d = t + e[k] * e[k];
    x[k] = p[k] == 0 || d <= 0 ? 0 : e[k] * e[k] * p[k] / d;
    on += (x[k] / e[k]) * (x[k] / e[k]);
  }
  // Near the middle of the plane of symmetry the root runs into the pole: the nearest point leaves the plane along the
  // shortest axis.
  if (t - pole < 1e-6 * -pole) {
    const double others = on - (x[least] / e[least]) * (x[least] / e[least]);
    x[least] = (p[least] < 0 ? -1 : 1) * e[least] * std::sqrt(std::max(0.0, 1 - others));
  }
  for (int k = 0; k < axes; ++k) normal[k] = x[k] / (e[k] * e[k]);
  const Vector3 n = (1 / norm(vector(normal))) * vector(normal);
  Vector3 apart = from - vector(x);
  if (dimension == Dimension::planar) apart.z = 0;
  const double distance = dot(n, apart);
  return {from - distance * n, n, distance, {FeatureKind::nearest, 0}};
}

}  // namespace routh::internal
