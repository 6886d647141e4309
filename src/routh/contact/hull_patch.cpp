#include "routh/contact/hull_patch.h"

#include <algorithm>

namespace routh::internal {

Edge edge_of(const PosedHull& hull, int e) {
  const Vector3 from = hull.vertex(hull.edge(e).from), to = hull.vertex(hull.edge(e).to);
  const double length = norm(to - from);
  return {0.5 * (from + to), (1 / length) * (to - from), length / 2, {FeatureKind::edge, e}};
}

namespace {

// Appends unless it is there or there is no room.
template <std::size_t N>
void add_once(std::array<int, N>& list, int& count, int entry) {
  if (count == static_cast<int>(N) || std::find(list.begin(), list.begin() + count, entry) != list.begin() + count)
    return;
  list[static_cast<std::size_t>(count++)] = entry;
}

void add_faces(HullPatch& patch, int start, const Vector3& direction) {
  const PosedHull& hull = *patch.hull;
  const auto consider = [&](int f) {
    if (f >= 0 && dot(hull.normal(f), direction) >= manifold_cosine) add_once(patch.face, patch.faces, f);
  };
  for (const int e : hull.shape->edges_at(start)) consider(hull.edge(e).left), consider(hull.edge(e).right);
  for (int k = 0; k < patch.faces; ++k)
    for (const int e : hull.shape->face_edges(patch.face[static_cast<std::size_t>(k)]))
      consider(hull.edge(e).left), consider(hull.edge(e).right);
}

// Whether the arc of normals of an edge, from face to face, passes within the angle of the direction.
bool looks_towards(const PosedHull& hull, int e, const Vector3& direction) {
  const Vector3 along = hull.direction(e);
  if (std::abs(dot(along, direction)) > manifold_angle) return false;
  const PolyhedronEdge& edge = hull.edge(e);
  if (edge.left < 0) return true;
  const Vector3 across = direction - dot(along, direction) * along;
  const Vector3 bisector = hull.normal(edge.left) + hull.normal(edge.right);
  return dot(across, bisector) >= 0.5 * dot(bisector, bisector) * norm(across);
}

// From vertex to vertex along edges that look towards the direction.
void add_edges(HullPatch& patch, const Vector3& direction) {
  const PosedHull& hull = *patch.hull;
  for (int i = 0; i < patch.vertices; ++i)
    for (const int e : hull.shape->edges_at(patch.vertex[static_cast<std::size_t>(i)])) {
      if (!looks_towards(hull, e, direction)) continue;
      add_once(patch.edge, patch.edges, e);
      add_once(patch.vertex, patch.vertices, hull.edge(e).from);
      add_once(patch.vertex, patch.vertices, hull.edge(e).to);
    }
}

}  // namespace

HullPatch patch_towards(const PosedHull& hull, const Vector3& direction) {
  HullPatch patch;
  patch.hull = &hull;
  const int start = hull.farthest(direction);
  add_faces(patch, start, direction);
  add_once(patch.vertex, patch.vertices, start);
  for (int k = 0; k < patch.faces; ++k) {
    const int f = patch.face[static_cast<std::size_t>(k)];
    for (const int v : hull.shape->face_corners(f)) add_once(patch.vertex, patch.vertices, v);
    for (const int e : hull.shape->face_edges(f)) add_once(patch.edge, patch.edges, e);
  }
  add_edges(patch, direction);
  return patch;
}

bool covers(const PosedHull& hull, int face, const Vector3& foot, double slack) {
  const auto corners = hull.shape->face_corners(face);
  const Vector3 n = hull.normal(face);
  Vector3 from = hull.vertex(corners.back());
  for (const int v : corners) {
    const Vector3 to = hull.vertex(v), side = to - from;
    if (dot(cross(n, side), foot - from) < -slack * norm(side)) return false;
    from = to;
  }
  return true;
}

void ContactPool::add(const PairContact& contact, double distance) {
  least_ = std::min(least_, contact.gap);
  const Vector3 middle = 0.5 * (contact.point_a + contact.point_b);
  for (const PairContact& other : contacts())
    if (norm(0.5 * (other.point_a + other.point_b) - middle) <= distance) return;
  if (count_ < capacity) contacts_[static_cast<std::size_t>(count_++)] = contact;
}

void ContactPool::exchange() {
  for (int i = 0; i < count_; ++i) {
    PairContact& contact = contacts_[static_cast<std::size_t>(i)];
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.feature_a, contact.feature_b);
    contact.normal = -contact.normal;
  }
}

void ContactPool::give(const Matrix3& frame, const Vector3& n, Manifold& manifold) const {
  if (manifold.wants_one()) {
    for (const PairContact& contact : contacts())
      if (manifold.accepts(contact.feature_a, contact.feature_b)) manifold.add(contact);
    return;
  }
  if (count_ <= chosen) {
    for (const PairContact& contact : contacts()) manifold.add(contact);
    return;
  }
  std::array<bool, capacity> taken{};
  const auto take_best = [&](const auto& measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(count_); ++i) {
      const double here = measure(contacts_[i]), there = measure(contacts_[best]);
      const double slack = 1e-9 * (std::abs(here) + std::abs(there));
      const auto code = [&](std::size_t k) { return feature_code(contacts_[k].feature_a, contacts_[k].feature_b); };
      // Among equals but for rounding the first by name, so that the choice stays.
      if (here > there + slack || (here >= there - slack && code(i) < code(best))) best = i;
    }
    taken[best] = true;
  };
  take_best([](const PairContact& contact) { return -contact.gap; });
  // The axis of the frame most across n, and the other one.
  const Vector3 x = column_x(frame), y = column_y(frame);
  const Vector3 axis = std::abs(dot(x, n)) <= std::abs(dot(y, n)) ? x : y;
  const Vector3 t1 = axis - dot(axis, n) * n, t2 = cross(n, t1);
  const Vector3 origin = contacts_[0].point_a;
  for (int k = 0; k < 8; ++k) {
    // Not along the axes, where corners of boxes are as far as each other.
    const double angle = 0.2 + k * 0.7853981633974483;
    const Vector3 d = std::cos(angle) * t1 + std::sin(angle) * t2;
    take_best([&](const PairContact& contact) { return dot(d, contact.point_a - origin); });
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i)
    if (taken[i]) manifold.add(contacts_[i]);
}

void add_corner_on_faces(const Vector3& corner, Feature feature, const HullPatch& b, double size, ContactPool& pool) {
  for (int k = 0; k < b.faces; ++k) {
    const int f = b.face[static_cast<std::size_t>(k)];
    const Vector3 n = b.hull->normal(f);
    const double height = dot(n, corner) - b.hull->offset(f);
    const Vector3 foot = corner - height * n;
    if (!covers(*b.hull, f, foot, 1e-12 * size)) continue;
    pool.add({corner, foot, n, height, feature, {FeatureKind::face, f}}, 1e-9 * size);
  }
}

namespace {

void add_corners_on_faces(const HullPatch& a, const HullPatch& b, double size, ContactPool& pool) {
  for (int i = 0; i < a.vertices; ++i) {
    const int v = a.vertex[static_cast<std::size_t>(i)];
    add_corner_on_faces(a.hull->vertex(v), {FeatureKind::vertex, v}, b, size, pool);
  }
}

void add_crossing(const Edge& of_a, const Edge& of_b, const Vector3& n, double size, ContactPool& pool) {
  const LineCrossing crossing = cross_lines(of_a, of_b);
  if (crossing.sine == 0 || std::abs(crossing.along_a) > of_a.half || std::abs(crossing.along_b) > of_b.half) return;
  const double cosine = dot(crossing.normal, n);
  if (std::abs(cosine) < manifold_cosine) return;
  const Vector3 normal = cosine < 0 ? -crossing.normal : crossing.normal;
  const Vector3 on_a = of_a.middle + crossing.along_a * of_a.direction;
  const double gap = dot(normal, of_a.middle - of_b.middle);
  pool.add({on_a, on_a - gap * normal, normal, gap, of_a.feature, of_b.feature}, 1e-9 * size);
}

// A corner of a beside an edge of b, apart: parallel edges touch at both ends of the stretch they share.
void add_beside(const Vector3& corner, Feature feature, const Edge& edge, const Vector3& n, double size,
                ContactPool& pool) {
  const double along = dot(corner - edge.middle, edge.direction);
  if (!(std::abs(along) < edge.half)) return;
  Vector3 apart = corner - (edge.middle + along * edge.direction);
  // Across the edge to the last digit, which a small gap would magnify.
  apart -= dot(apart, edge.direction) * edge.direction;
  const double gap = norm(apart);
  if (!(gap > 1e-10 * size) || dot(apart, n) < manifold_cosine * gap) return;
  pool.add({corner, corner - apart, (1 / gap) * apart, gap, feature, edge.feature}, 1e-9 * size);
}

bool stands_over_face(const Vector3& corner, const HullPatch& b, double size) {
  for (int k = 0; k < b.faces; ++k) {
    const int f = b.face[static_cast<std::size_t>(k)];
    const Vector3 n = b.hull->normal(f);
    if (covers(*b.hull, f, corner - (dot(n, corner) - b.hull->offset(f)) * n, 1e-12 * size)) return true;
  }
  return false;
}

void add_corners_beside(const HullPatch& a, const HullPatch& b, const Vector3& n, double size, ContactPool& pool) {
  for (int i = 0; i < a.vertices; ++i) {
    const int v = a.vertex[static_cast<std::size_t>(i)];
    const Vector3 corner = a.hull->vertex(v);
    if (stands_over_face(corner, b, size)) continue;
    for (int j = 0; j < b.edges; ++j)
      add_beside(corner, {FeatureKind::vertex, v}, edge_of(*b.hull, b.edge[static_cast<std::size_t>(j)]), n, size,
                 pool);
  }
}

}  // namespace

void add_patch_on_edge(const HullPatch& a, const Edge& edge, const Vector3& n, double size, ContactPool& pool) {
  for (int i = 0; i < a.edges; ++i)
    add_crossing(edge_of(*a.hull, a.edge[static_cast<std::size_t>(i)]), edge, n, size, pool);
}

void add_patch_contacts(const HullPatch& a, const HullPatch& b, const Vector3& n, double size, ContactPool& pool) {
  add_corners_on_faces(a, b, size, pool);
  pool.exchange();
  add_corners_on_faces(b, a, size, pool);
  pool.exchange();
  for (int j = 0; j < b.edges; ++j)
    add_patch_on_edge(a, edge_of(*b.hull, b.edge[static_cast<std::size_t>(j)]), n, size, pool);
  add_corners_beside(a, b, n, size, pool);
  pool.exchange();
  add_corners_beside(b, a, -n, size, pool);
  pool.exchange();
}

}  // namespace routh::internal
