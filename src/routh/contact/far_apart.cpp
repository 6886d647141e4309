#include "routh/contact/far_apart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

// A box that holds a shape, in the world.
struct Hold {
  Vector3 middle;
  std::array<Vector3, 3> axes;
  std::array<double, 3> half;
};

Hold hold_of(const PosedShape& shape) {
  const Matrix3& R = shape.pose.rotation;
  Hold box{shape.pose.position, {column_x(R), column_y(R), column_z(R)}, {}};
  const Vector3& h = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::capsule:
      box.half = {shape.radius, shape.radius, shape.radius};
      box.half[shape.dimension == Dimension::planar ? 1 : 2] += shape.length / 2;
      break;
    case ShapeKind::cylinder:
      box.half = {shape.radius, shape.radius, shape.length / 2};
      break;
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      box.half = {h.x, h.y, shape.dimension == Dimension::planar ? 0 : h.z};
      break;
    case ShapeKind::mesh: {
      const Vector3 size = 0.5 * (shape.hull->highest - shape.hull->lowest);
      box.middle = shape.pose * (0.5 * (shape.hull->highest + shape.hull->lowest));
      box.half = {size.x, size.y, size.z};
      break;
    }
    default:
      box.half.fill(bounding_radius(shape));
  }
  return box;
}

// How far the box reaches along a direction.
double reach_of(const Hold& box, const Vector3& direction) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += box.half[i] * std::abs(dot(box.axes[i], direction));
  return sum;
}

// How far apart planes across an axis of either box, or across one of each, hold the two [Gottschalk, Lin and Manocha
// 1996]: the most that any of them does, or the first found that is more than `enough`.
double box_separation(const Hold& a, const Hold& b, double enough) {
  const Vector3 between = a.middle - b.middle;
  double most = -std::numeric_limits<double>::infinity();
  const auto parts = [&](const Vector3& direction, double length) {
    const double reach = reach_of(a, direction) + reach_of(b, direction), way = std::abs(dot(between, direction));
    most = std::max(most, (way - reach - tolerances::bounding_box_relative * (way + reach)) / length);
    return most > enough;
  };
  for (const Vector3& axis : a.axes)
    if (parts(axis, 1)) return most;
  for (const Vector3& axis : b.axes)
    if (parts(axis, 1)) return most;
  for (const Vector3& one : a.axes)
    for (const Vector3& other : b.axes) {
      const Vector3 across = cross(one, other);
      const double length = norm(across);
      if (length > tolerances::box_axes_sine && parts(across, length)) return most;
    }
  return most;
}

// Two spheres or points: their distance is known from the spheres.
bool is_round(const PosedShape& a, const PosedShape& b) {
  const auto round = [](ShapeKind kind) { return kind == ShapeKind::point || kind == ShapeKind::sphere; };
  return round(a.kind) && round(b.kind);
}

}  // namespace

bool far_apart(const PosedShape& a, const PosedShape& b, double margin) {
  if (is_plane(a.kind)) return !is_plane(b.kind) && far_apart(b, a, margin);
  const double radius = bounding_radius(a);
  const Vector3 apart = a.pose.position - b.pose.position;
  if (is_plane(b.kind)) return dot(up_axis(b), apart) - radius > margin;
  const double reach = radius + bounding_radius(b) + margin;
  if (!std::isfinite(reach) || !(margin >= 0)) return false;
  return dot(apart, apart) > reach * reach || box_separation(hold_of(a), hold_of(b), margin) > margin;
}

double gap_bound(const PosedShape& a, const PosedShape& b, double margin) {
  if (is_plane(a.kind)) return is_plane(b.kind) ? -std::numeric_limits<double>::infinity() : gap_bound(b, a, margin);
  const double radius = bounding_radius(a);
  const Vector3 apart = a.pose.position - b.pose.position;
  // Rounding of a height, which is a sum of products, and of a distance.
  const auto less = [](double way, double reach) {
    return way - reach - tolerances::bounding_box_relative * (std::abs(way) + reach);
  };
  if (is_plane(b.kind)) {
    const double height = dot(up_axis(b), apart);
    return height - radius - tolerances::bounding_box_relative * (norm(apart) + radius);
  }
  const double radii = radius + bounding_radius(b);
  if (!std::isfinite(radii)) return -std::numeric_limits<double>::infinity();
  const double of_spheres = less(norm(apart), radii);
  if (of_spheres > margin + tolerances::sphere_bound_share * radii || is_round(a, b)) return of_spheres;
  return std::max(of_spheres, box_separation(hold_of(a), hold_of(b), std::numeric_limits<double>::infinity()));
}

Box box_around(const PosedShape& shape) {
  if (shape.kind == ShapeKind::point || shape.kind == ShapeKind::sphere) {
    const Vector3 half = {shape.radius, shape.radius, shape.radius};
    return {shape.pose.position - half, shape.pose.position + half};
  }
  const Hold hold = hold_of(shape);
  const Vector3 half = {reach_of(hold, {1, 0, 0}), reach_of(hold, {0, 1, 0}), reach_of(hold, {0, 0, 1})};
  return {hold.middle - half, hold.middle + half};
}

}  // namespace routh::internal
