// Hulls of meshes against cylinders and ellipsoids: the nearest contact, and where a cylinder lies with a cap or its
// side along a face, the contacts that keep it there.

#include "routh/contact/hull_patch.h"
#include "routh/contact/hull_round.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/rim.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

// Four points of the rim over faces of the hull, and corners of the hull over the cap; n from b to a.
void add_cap(const HullPatch& a, const PosedShape& b, const Vector3& n, double size, ContactPool& pool) {
  const int cap = dot(column_z(b.pose.rotation), n) < 0 ? 0 : 1;
  const Vector3 normal = (cap == 0 ? -1.0 : 1.0) * column_z(b.pose.rotation);
  const Vector3 centre = b.pose.position + (b.length / 2) * normal;
  pool.exchange();
  HullPatch one = a;
  one.faces = 1;
  for (int k = 0; k < a.faces; ++k) {
    one.face[0] = a.face[static_cast<std::size_t>(k)];
    const RimPoints rim = rim_points(b, cap, a.hull->normal(one.face[0]));
    for (std::size_t i = 0; i < 4; ++i) add_corner_on_faces(rim.point[i], rim.feature[i], one, size, pool);
  }
  pool.exchange();
  for (int i = 0; i < a.vertices; ++i) {
    const int v = a.vertex[static_cast<std::size_t>(i)];
    const Vector3 p = a.hull->vertex(v);
    const double height = dot(normal, p - centre);
    const Vector3 foot = p - height * normal;
    if (norm(foot - centre) > b.radius * (1 + tolerances::border_relative)) continue;
    pool.add({p, foot, normal, height, {FeatureKind::vertex, v}, {FeatureKind::face, cap}},
             tolerances::same_contact_relative * size);
  }
  pool.exchange();
  for (int i = 0; i < a.edges; ++i) {
    const Edge edge = edge_of(*a.hull, a.edge[static_cast<std::size_t>(i)]);
    const Crossed line = {{edge.middle, edge.direction, {}, -1}, edge.half, edge.feature};
    const RimContacts found = rim_contacts(b, cap, line, -n, tolerances::border_relative);
    for (int k = 0; k < found.count; ++k)
      pool.add(found.contact[static_cast<std::size_t>(k)], tolerances::same_contact_relative * size);
  }
  pool.exchange();
}

// The point of each rim that reaches farthest towards a face of the hull, and the side across the hull's edges.
void add_side(const HullPatch& a, const PosedShape& b, const Vector3& n, double size, ContactPool& pool) {
  const Vector3 z = column_z(b.pose.rotation);
  pool.exchange();
  HullPatch one = a;
  one.faces = 1;  // over other faces other points of the rim have the same name
  for (int k = 0; k < a.faces; ++k) {
    one.face[0] = a.face[static_cast<std::size_t>(k)];
    const Vector3 up = -a.hull->normal(one.face[0]);
    const Vector3 across = up - dot(z, up) * z;
    for (const int cap : {0, 1}) {
      const Vector3 end = b.pose.position + ((cap == 0 ? -0.5 : 0.5) * b.length) * z;
      add_corner_on_faces(end + (b.radius / norm(across)) * across, {FeatureKind::rim, cap}, one, size, pool);
    }
  }
  pool.exchange();
  // As for a segment with a radius.
  ContactPool of_axis;
  const Edge axis = {b.pose.position, z, b.length / 2, {FeatureKind::side, 0}};
  add_patch_on_edge(a, axis, n, size, of_axis);
  for (PairContact contact : of_axis.contacts()) {
    contact.gap -= b.radius;
    contact.point_b += b.radius * contact.normal;
    pool.add(contact, tolerances::same_contact_relative * size);
  }
}

}  // namespace

void hull_on_round(const PosedShape& shape, const PosedShape& round, Manifold& manifold) {
  const PosedHull a = posed_hull(shape);
  const RoundAxis axis = greatest_separation(a, round);
  if (manifold.exceeds_margin(axis.separation)) return;
  const Vector3& n = axis.normal;
  const double size = a.size() + bounding_radius(round);
  ContactPool pool;
  if (round.kind == ShapeKind::cylinder) {
    const double along = dot(column_z(round.pose.rotation), n);
    if (std::abs(along) >= tolerances::manifold_cosine) add_cap(patch_towards(a, -n), round, n, size, pool);
    if (std::abs(along) <= tolerances::manifold_angle) add_side(patch_towards(a, -n), round, n, size, pool);
  }
  // Flat contacts that reach as deep stand for the nearest: it would lie anywhere between them.
  if (pool.least_gap() > axis.separation + tolerances::gap_missed_relative * size) {
    PairContact nearest = contact_along(a, round, axis);
    name_rim(shape, round, nearest);
    pool.add(nearest, 0);
  }
  pool.give(a.pose.rotation, n, manifold);
}

}  // namespace routh::internal
