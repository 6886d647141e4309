// Hulls of meshes against half-spaces and strips: heights of vertices.
//
// A hull of few vertices touches with any of them, as a box does. Of many, those that can matter are taken: the lowest,
// and the corners of faces that lie flat within the angle of a manifold, reduced to those that span the same polygon.
#include <algorithm>

#include "routh/contact/brick.h"
#include "routh/contact/hull_patch.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

constexpr Feature plane_face = {FeatureKind::face, 0};

void add_vertex(const PosedHull& hull, int v, const PosedShape& plane, ContactPool& pool) {
  const Vector3 normal = up_axis(plane), point = hull.vertex(v);
  if (!lies_over(plane, point)) return;
  const double height = dot(normal, point - plane.pose.position);
  pool.add({point, point - height * normal, normal, height, {FeatureKind::vertex, v}, plane_face}, 0);
}

// Where edges of flat faces pass over the border of a strip, and corners of the strip below such faces.
void add_strip_border(const HullPatch& patch, const PosedShape& strip, ContactPool& pool) {
  const double size = patch.hull->size();
  const Vector3 local = transpose_times(strip.pose.rotation, patch.hull->pose.position - strip.pose.position);
  // What lies beyond the reach of the hull is cut off: a strip may be endless.
  const double x = std::min(strip.half_extents.x, std::abs(local.x) + 2 * size);
  const double y = std::min(strip.half_extents.y, std::abs(local.y) + 2 * size);
  const Vector3 normal = up_axis(strip);
  const Vector3 corner[4] = {strip.pose * Vector3{-x, -y, 0}, strip.pose * Vector3{x, -y, 0},
                             strip.pose * Vector3{x, y, 0}, strip.pose * Vector3{-x, y, 0}};
  pool.exchange();
  for (int i = 0; i < 4; ++i) add_corner_on_faces(corner[i], {FeatureKind::vertex, i}, patch, size, pool);
  pool.exchange();
  for (int i = 0; i < 4; ++i) {
    const Vector3 from = corner[i], to = corner[(i + 1) % 4];
    const double length = norm(to - from);
    const Edge border = {0.5 * (from + to), (1 / length) * (to - from), length / 2, {FeatureKind::edge, i}};
    add_patch_on_edge(patch, border, normal, size, pool);
  }
}

}  // namespace

void hull_on_plane(const PosedShape& shape, const PosedShape& plane, Manifold& manifold) {
  const PosedHull hull = posed_hull(shape);
  const Vector3 normal = up_axis(plane);
  ContactPool pool;
  const bool one = manifold.wants_one() && manifold.wanted_b() == plane_face;
  if (one && manifold.wanted_a().kind == FeatureKind::vertex) {
    if (manifold.wanted_a().index < hull.vertex_count()) add_vertex(hull, manifold.wanted_a().index, plane, pool);
    return pool.give(hull.pose.rotation, normal, manifold);
  }
  const HullPatch patch = patch_towards(hull, -normal);
  if (hull.vertex_count() <= tolerances::plane_vertices_all) {
    for (int v = 0; v < hull.vertex_count(); ++v) add_vertex(hull, v, plane, pool);
    for (const PairContact& contact : pool.contacts()) manifold.add(contact);
    pool = {};
  } else {
    for (int i = 0; i < patch.vertices; ++i) add_vertex(hull, patch.vertex[static_cast<std::size_t>(i)], plane, pool);
  }
  if (plane.kind == ShapeKind::strip) add_strip_border(patch, plane, pool);
  pool.give(hull.pose.rotation, normal, manifold);
}

}  // namespace routh::internal
