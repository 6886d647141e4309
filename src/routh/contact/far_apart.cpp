#include "routh/contact/far_apart.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace routh::internal {

namespace {

constexpr double rounding = 1e-12;  // of the sizes that cancel

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

// Whether a plane stands between the two, as far from both as the margin asks for: across an axis of either, or across
// one of each [Gottschalk, Lin and Manocha 1996].
bool boxes_apart(const Hold& a, const Hold& b, double margin) {
  const Vector3 between = a.middle - b.middle;
  const auto parts = [&](const Vector3& direction, double length) {
    const double reach = reach_of(a, direction) + reach_of(b, direction), way = std::abs(dot(between, direction));
    return way - reach > margin * length + rounding * (way + reach);
  };
  for (const Vector3& axis : a.axes)
    if (parts(axis, 1)) return true;
  for (const Vector3& axis : b.axes)
    if (parts(axis, 1)) return true;
  for (const Vector3& one : a.axes)
    for (const Vector3& other : b.axes) {
      const Vector3 across = cross(one, other);
      const double length = norm(across);
      if (length > 1e-3 && parts(across, length)) return true;
    }
  return false;
}

}  // namespace

bool is_plane(const PosedShape& shape) { return shape.kind == ShapeKind::half_space || shape.kind == ShapeKind::strip; }

bool far_apart(const PosedShape& a, const PosedShape& b, double margin) {
  if (is_plane(a)) return !is_plane(b) && far_apart(b, a, margin);
  const double radius = bounding_radius(a);
  const Vector3 apart = a.pose.position - b.pose.position;
  if (is_plane(b)) return dot(up_axis(b), apart) - radius > margin;
  const double reach = radius + bounding_radius(b) + margin;
  if (!std::isfinite(reach) || !(margin >= 0)) return false;
  return dot(apart, apart) > reach * reach || boxes_apart(hold_of(a), hold_of(b), margin);
}

}  // namespace routh::internal
