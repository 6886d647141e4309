// Hulls of meshes against points, segments, boxes and each other, exactly: the distance of hulls apart, the least depth
// of hulls that overlap, and all contacts between the parts of their surfaces that look at each other.
#include <algorithm>

#include "routh/contact/hull_patch.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

// The point of an edge of a next to where it crosses an edge of b, or would.
Vector3 near_crossing(const PosedHull& a, int edge_a, const PosedHull& b, int edge_b) {
  const Edge of_a = edge_of(a, edge_a);
  const LineCrossing crossing = cross_lines(of_a, edge_of(b, edge_b));
  return of_a.middle + std::clamp(crossing.along_a, -of_a.half, of_a.half) * of_a.direction;
}

// The contact of an axis of least depth between real points of the two, for features that all but switch.
PairContact contact_along(const PosedHull& a, const PosedHull& b, const HullAxis& axis) {
  const Vector3 shift = axis.separation * axis.normal;
  if (axis.feature_b.kind == FeatureKind::vertex) {
    const Vector3 p = b.vertex(axis.feature_b.index);
    return {p + shift, p, axis.normal, axis.separation, axis.feature_a, axis.feature_b};
  }
  const Vector3 p = axis.feature_a.kind == FeatureKind::vertex
                        ? a.vertex(axis.feature_a.index)
                        : near_crossing(a, axis.feature_a.index, b, axis.feature_b.index);
  return {p, p - shift, axis.normal, axis.separation, axis.feature_a, axis.feature_b};
}

void add_between_patches(const PosedHull& a, const PosedHull& b, const Vector3& n, ContactPool& pool) {
  add_patch_contacts(patch_towards(a, -n), patch_towards(b, n), n, a.size() + b.size(), pool);
}

}  // namespace

void hull_on_hull(const PosedShape& shape_a, const PosedShape& shape_b, Manifold& manifold) {
  const PosedHull a = posed_hull(shape_a), b = posed_hull(shape_b);
  const double size = a.size() + b.size();
  PairMemory* const memory = manifold.memory();
  const NearestHulls nearest = nearest_hulls(a, b, manifold.core_horizon(), memory);
  if (nearest.apart && manifold.exceeds_margin(nearest.gap)) return;
  ContactPool pool;
  Vector3 n = nearest.normal;
  if (nearest.apart) {
    add_between_patches(a, b, n, pool);
    if (pool.least_gap() > nearest.gap + tolerances::gap_attained_relative * size)
      pool.add({nearest.point_a, nearest.point_b, n, nearest.gap, nearest.feature_a, nearest.feature_b},
               tolerances::same_contact_relative * size);
  } else {
    HullOverlap overlap{nearest.inside, std::nullopt};
    if (memory && dot(memory->axis, memory->axis) > 0) overlap.axis = (1 / norm(memory->axis)) * memory->axis;
    const HullAxis axis = greatest_separation(a, b, overlap);
    n = axis.normal;
    if (memory) memory->axis = n;
    add_between_patches(a, b, n, pool);
    if (pool.least_gap() > axis.separation + tolerances::gap_missed_relative * size)
      pool.add(contact_along(a, b, axis), 0);
  }
  pool.give(a.pose.rotation, n, manifold);
}

}  // namespace routh::internal
