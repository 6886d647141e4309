// Half-spaces and strips against everything: heights over a plane.
//
// A strip is the part of such a plane within its half extents, with all that lies below it. It has no rim to catch on:
// a shape touches it with the plane's normal or not at all. Where an edge of a box or the side of a capsule passes over
// the border of the strip it touches there, as long as it lies as flat as the faces of a manifold do.
#include <algorithm>

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
  if (manifold.exceeds_margin(height) || !lies_over(plane, point)) return;
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

// The strip as a face of which what lies beyond the reach of the other shape is cut off.
Facet strip_facet(const PosedShape& strip, const Vector3& about, double reach) {
  const Vector3 local = transpose_times(strip.pose.rotation, about - strip.pose.position);
  const double x = std::min(strip.half_extents.x, std::abs(local.x) + 2 * reach);
  const double y = std::min(strip.half_extents.y, std::abs(local.y) + 2 * reach);
  Facet facet;
  facet.has_face = true;
  facet.normal = up_axis(strip);
  facet.face_feature = plane_face;
  const auto place = [&](std::size_t i, double px, double py) {
    facet.corner[i] = strip.pose * Vector3{px, py, 0};
    facet.corner_feature[i] = {FeatureKind::vertex, static_cast<int>(i)};
    facet.edge_feature[i] = {FeatureKind::edge, static_cast<int>(i)};
  };
  if (strip.dimension == Dimension::planar) {
    facet.corners = 2;
    place(0, -x, 0), place(1, x, 0);
    return facet;
  }
  facet.corners = facet.edges = 4;
  place(0, -x, -y), place(1, x, -y), place(2, x, y), place(3, -x, y);
  return facet;
}

}  // namespace

bool lies_over(const PosedShape& plane, const Vector3& point) {
  if (plane.kind != ShapeKind::strip) return true;
  const Vector3 local = transpose_times(plane.pose.rotation, point - plane.pose.position);
  const Vector3& h = plane.half_extents;
  if (std::abs(local.x) > h.x * (1 + tolerances::border_relative)) return false;
  return plane.dimension == Dimension::planar || std::abs(local.y) <= h.y * (1 + tolerances::border_relative);
}

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
  if (b.kind != ShapeKind::strip) return;
  add_facet_contacts(facet_towards(brick, -normal), strip_facet(b, brick.centre, brick.size()), normal, brick.size(),
                     manifold);
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
