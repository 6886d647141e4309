// Hulls of meshes against half-spaces, and strips far from their borders (strip.h): heights of vertices.
//
// A hull of few vertices touches with any of them, as a box does. Of many, those that can matter are taken: the lowest,
// and the corners of faces that lie flat within the angle of a manifold, reduced to those that span the same polygon.
#include "routh/contact/brick.h"
#include "routh/contact/hull_patch.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

constexpr Feature plane_face = {FeatureKind::face, 0};

void add_vertex(const PosedHull& hull, int v, const PosedShape& plane, ContactPool& pool) {
  const Vector3 normal = up_axis(plane), point = hull.vertex(v);
  const double height = dot(normal, point - plane.pose.position);
  pool.add({point, point - height * normal, normal, height, {FeatureKind::vertex, v}, plane_face}, 0);
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
  pool.give(hull.pose.rotation, normal, manifold);
}

}  // namespace routh::internal
