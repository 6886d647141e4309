// Points and spheres against solids, and pins in holes: closed forms.
#include <algorithm>

#include "routh/contact/nearest_point.h"
#include "routh/contact/pair_functions.h"

namespace routh::internal {

namespace {

constexpr Feature centre = {FeatureKind::vertex, 0};

// The nearest point found in b's frame as a contact of the point a.
void add_nearest(const PosedShape& a, const PosedShape& b, const NearestPoint& nearest, Manifold& manifold) {
  const Vector3 normal = b.pose.rotation * nearest.normal;
  const Vector3& point = a.pose.position;
  manifold.add({point, point - nearest.distance * normal, normal, nearest.distance, centre, nearest.feature});
}

Vector3 in_frame_of(const PosedShape& b, const PosedShape& a) {
  return transpose_times(b.pose.rotation, a.pose.position - b.pose.position);
}

}  // namespace

// Centres that coincide have no direction of their own: b's up axis is taken.
void point_on_point(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Vector3 apart = a.pose.position - b.pose.position;
  const double distance = norm(apart);
  const Vector3 normal = distance > 0 ? (1 / distance) * apart : up_axis(b);
  manifold.add({a.pose.position, b.pose.position, normal, distance, centre, centre});
}

// On the segment itself b's x axis is taken.
void point_on_segment(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Vector3 axis = up_axis(b);
  const double half = b.length / 2;
  const double along = dot(axis, a.pose.position - b.pose.position);
  const Vector3 foot = b.pose.position + std::clamp(along, -half, half) * axis;
  const Vector3 apart = a.pose.position - foot;
  const double distance = norm(apart);
  const Vector3 normal = distance > 0 ? (1 / distance) * apart : column_x(b.pose.rotation);
  const Feature feature =
      std::abs(along) < half ? Feature{FeatureKind::edge, 0} : Feature{FeatureKind::vertex, along < 0 ? 0 : 1};
  manifold.add({a.pose.position, foot, normal, distance, centre, feature});
}

void point_on_box(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  add_nearest(a, b, nearest_on_box(b.half_extents, b.dimension, in_frame_of(b, a)), manifold);
}

void point_on_cylinder(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  add_nearest(a, b, nearest_on_cylinder(b.radius, b.length, in_frame_of(b, a)), manifold);
}

void point_on_ellipsoid(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  add_nearest(a, b, nearest_on_ellipsoid(b.half_extents, b.dimension, in_frame_of(b, a)), manifold);
}

// gap = R − r − |d|, d the offset of the pin's centre from the axis of the hole. A centred pin may touch anywhere: the
// hole's x axis is taken for the direction of d.
void pin_in_hole(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Vector3 axis = column_z(b.pose.rotation);
  Vector3 d = a.pose.position - b.pose.position;
  d -= dot(axis, d) * axis;
  const double offset = norm(d);
  const Vector3 outward = offset > 0 ? (1 / offset) * d : column_x(b.pose.rotation);
  const Vector3 middle = a.pose.position - d;
  manifold.add({a.pose.position + a.radius * outward,
                middle + b.radius * outward,
                -outward,
                b.radius - a.radius - offset,
                centre,
                {FeatureKind::bore, 0}});
}

}  // namespace routh::internal
