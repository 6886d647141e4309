// Half-spaces, and strips far from their borders (strip.h), against everything: heights over a plane.
#include "routh/contact/brick.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/rim.h"
#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr Feature plane_face = {FeatureKind::face, 0};

// A point of a's core against the plane of this normal.
void add_point(const Vector3& point, Feature feature, const PosedShape& plane, const Vector3& normal,
               Manifold& manifold) {
  const double height = dot(normal, point - plane.pose.position);
  // Most corners of what stands on a plane are high above it.
  if (manifold.exceeds_margin(height)) return;
  manifold.add({point, point - height * normal, normal, height, feature, plane_face});
}

void add_point(const Vector3& point, Feature feature, const PosedShape& plane, Manifold& manifold) {
  add_point(point, feature, plane, up_axis(plane), manifold);
}

// The eight corners of a box, in the order of their names.
void add_box_corners(const Brick& box, const PosedShape& plane, const Vector3& normal, Manifold& manifold) {
  const Vector3 x = box.half[0] * box.axes[0], y = box.half[1] * box.axes[1], z = box.half[2] * box.axes[2];
  const Vector3 low = box.centre - x, high = box.centre + x;
  const Vector3 round[4] = {low - y, high - y, low + y, high + y};
  for (int i = 0; i < 4; ++i) add_point(round[i] - z, {FeatureKind::vertex, i}, plane, normal, manifold);
  for (int i = 0; i < 4; ++i) add_point(round[i] + z, {FeatureKind::vertex, i + 4}, plane, normal, manifold);
}

}  // namespace

void point_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  add_point(a.pose.position, {FeatureKind::vertex, 0}, b, manifold);
}

void brick_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Brick brick = brick_of(a);
  const Vector3 normal = up_axis(b);
  if (!brick.segment && brick.dimension == Dimension::spatial)
    add_box_corners(brick, b, normal, manifold);
  else
    for (int i = 0; i < corner_count(brick); ++i) add_point(corner(brick, i), {FeatureKind::vertex, i}, b, manifold);
}

// Of each rim the lowest point; of caps that lie all but flat also four fixed points of the rim, but for the one next
// to the lowest, which would be there twice. Flat caps have the fixed points alone: no point of the rim is the lowest.
void cylinder_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Vector3 down = -transpose_times(a.pose.rotation, up_axis(b));
  const double tilt = elementary::hypot(down.x, down.y);
  for (int cap = 0; cap < 2; ++cap) {
    const RimPoints rim = rim_points(a, cap, up_axis(b));
    for (std::size_t i = 0; i < 4; ++i)
      if (tilt <= tolerances::manifold_angle || rim.feature[i].kind == FeatureKind::rim)
        add_point(rim.point[i], rim.feature[i], b, manifold);
  }
}

// The point where the plane of this normal touches the ellipsoid: −E² n/‖E n‖.
void ellipsoid_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Vector3 n = transpose_times(a.pose.rotation, up_axis(b));
  const Vector3& e = a.half_extents;
  const Vector3 en = {e.x * n.x, e.y * n.y, a.dimension == Dimension::planar ? 0 : e.z * n.z};
  const double size = norm(en);
  const Vector3 lowest = {-e.x * en.x / size, -e.y * en.y / size,
                          a.dimension == Dimension::planar ? 0 : -e.z * en.z / size};
  add_point(a.pose * lowest, {FeatureKind::nearest, 0}, b, manifold);
}

}  // namespace routh::internal
