#include "routh/contact/hull_patch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

Edge edge_of(const PosedHull& hull, int e) {
  const Vector3 from = hull.vertex(hull.edge(e).from), to = hull.vertex(hull.edge(e).to);
  const double length = norm(to - from);
  return {0.5 * (from + to), (1 / length) * (to - from), length / 2, {FeatureKind::edge, e}};
}

namespace {

// Which of so many things are in a list, as bits.
template <int N>
class Marks {
 public:
  explicit Marks(int count) { std::fill_n(bits_.begin(), count / 64 + 1, std::uint64_t{0}); }

  // Whether it was not marked before.
  bool mark(int i) {
    std::uint64_t& word = bits_[static_cast<std::size_t>(i / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  std::array<std::uint64_t, N / 64 + 1> bits_;  // only what is needed is cleared
};

// Appends unless it is there or there is no room.
template <std::size_t N, int M>
void add_once(std::array<int, N>& list, int& count, int entry, Marks<M>& marks) {
  if (count < static_cast<int>(N) && marks.mark(entry)) list[static_cast<std::size_t>(count++)] = entry;
}

// Works in the hull's own frame, in which its vertices and normals are given.
class PatchSearch {
 public:
  PatchSearch(const PosedHull& hull, const Vector3& direction)
      : hull_(hull),
        direction_(transpose_times(hull.pose.rotation, direction)),
        has_face_(hull.face_count()),
        has_edge_(hull.edge_count()),
        has_vertex_(hull.vertex_count()) {
    patch_.hull = &hull;
  }

  HullPatch run(int start) {
    add_faces(start);
    add_once(patch_.vertex, patch_.vertices, start, has_vertex_);
    for (int k = 0; k < patch_.faces; ++k) {
      const int f = patch_.face[static_cast<std::size_t>(k)];
      for (const int v : hull_.shape->face_corners(f)) add_once(patch_.vertex, patch_.vertices, v, has_vertex_);
      for (const int e : hull_.shape->face_edges(f)) add_once(patch_.edge, patch_.edges, e, has_edge_);
    }
    add_edges();
    // In the order of the names: where the search began is not to be seen.
    std::sort(patch_.face.begin(), patch_.face.begin() + patch_.faces);
    std::sort(patch_.edge.begin(), patch_.edge.begin() + patch_.edges);
    std::sort(patch_.vertex.begin(), patch_.vertex.begin() + patch_.vertices);
    return patch_;
  }

 private:
  const Vector3& normal(int f) const { return hull_.shape->faces[static_cast<std::size_t>(f)].normal; }

  void consider(int f) {
    if (f >= 0 && dot(normal(f), direction_) >= tolerances::manifold_cosine)
      add_once(patch_.face, patch_.faces, f, has_face_);
  }

  void add_faces(int start) {
    for (const int e : hull_.shape->edges_at(start)) consider(hull_.edge(e).left), consider(hull_.edge(e).right);
    for (int k = 0; k < patch_.faces; ++k)
      for (const int e : hull_.shape->face_edges(patch_.face[static_cast<std::size_t>(k)]))
        consider(hull_.edge(e).left), consider(hull_.edge(e).right);
  }

  // Whether the arc of normals of an edge, from face to face, passes within the angle of the direction.
  bool looks_towards(int e) const {
    const PolyhedronEdge& edge = hull_.edge(e);
    const auto vertex = [&](int v) { return hull_.shape->vertices[static_cast<std::size_t>(v)]; };
    const Vector3 d = vertex(edge.to) - vertex(edge.from), &s = hull_.stretch;
    const Vector3 along = {s.x * d.x, s.y * d.y, s.z * d.z};
    const double rise = dot(along, direction_), square = dot(along, along);
    constexpr double angle = tolerances::manifold_angle;
    if (rise * rise > angle * angle * square) return false;
    if (edge.left < 0) return true;
    const Vector3 across = direction_ - (rise / square) * along;
    const Vector3 bisector = normal(edge.left) + normal(edge.right);
    const double least = 0.5 * dot(bisector, bisector), towards = dot(across, bisector);
    return towards >= 0 && towards * towards >= least * least * dot(across, across);
  }

  // From vertex to vertex along edges that look towards the direction.
  void add_edges() {
    for (int i = 0; i < patch_.vertices; ++i)
      for (const int e : hull_.shape->edges_at(patch_.vertex[static_cast<std::size_t>(i)])) {
        if (!looks_towards(e)) continue;
        add_once(patch_.edge, patch_.edges, e, has_edge_);
        add_once(patch_.vertex, patch_.vertices, hull_.edge(e).from, has_vertex_);
        add_once(patch_.vertex, patch_.vertices, hull_.edge(e).to, has_vertex_);
      }
  }

  const PosedHull& hull_;
  Vector3 direction_;
  HullPatch patch_;
  Marks<2 * max_hull_vertices> has_face_;
  Marks<3 * max_hull_vertices> has_edge_;
  Marks<max_hull_vertices> has_vertex_;
};

}  // namespace

HullPatch patch_towards(const PosedHull& hull, const Vector3& direction) {
  return PatchSearch(hull, direction).run(hull.farthest(direction));
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
  for (const PairContact& other : contacts_) {
    const Vector3 apart = 0.5 * (other.point_a + other.point_b) - middle;
    if (dot(apart, apart) <= distance * distance) return;
  }
  contacts_.add(contact);
}

void ContactPool::exchange() {
  for (PairContact& contact : contacts_) {
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.feature_a, contact.feature_b);
    contact.normal = -contact.normal;
  }
}

namespace {

// Cosines and sines of eight directions all round; not along the axes, where corners of boxes are as far as each other.
const std::array<std::pair<double, double>, 8>& chosen_directions() {
  static const auto directions = [] {
    std::array<std::pair<double, double>, 8> list;
    for (std::size_t k = 0; k < 8; ++k) {
      const double angle = 0.2 + static_cast<double>(k) * 0.7853981633974483;
      list[k] = {elementary::cos(angle), elementary::sin(angle)};
    }
    return list;
  }();
  return directions;
}

}  // namespace

void ContactPool::give(const Matrix3& frame, const Vector3& n, Manifold& manifold) const {
  if (manifold.wants_one()) {
    for (const PairContact& contact : contacts())
      if (manifold.accepts(contact.feature_a, contact.feature_b)) manifold.add(contact);
    return;
  }
  if (contacts_.size() <= chosen) {
    for (const PairContact& contact : contacts_) manifold.add(contact);
    return;
  }
  std::array<bool, capacity> taken{};
  const auto code = [](const PairContact& contact) { return feature_code(contact.feature_a, contact.feature_b); };
  const auto take_best = [&](const auto& measure) {
    int best = 0;
    double most = measure(contacts_[0]);
    for (int i = 1; i < contacts_.size(); ++i) {
      const double here = measure(contacts_[i]);
      const double slack = tolerances::equal_measure_relative * (std::abs(here) + std::abs(most));
      // Among equals but for rounding the first by name, so that the choice stays.
      if (here > most + slack || (here >= most - slack && code(contacts_[i]) < code(contacts_[best])))
        best = i, most = here;
    }
    taken[static_cast<std::size_t>(best)] = true;
  };
  take_best([](const PairContact& contact) { return -contact.gap; });
  // The axis of the frame most across n, and the other one.
  const Vector3 x = column_x(frame), y = column_y(frame);
  const Vector3 axis = std::abs(dot(x, n)) <= std::abs(dot(y, n)) ? x : y;
  const Vector3 t1 = axis - dot(axis, n) * n, t2 = cross(n, t1);
  const Vector3 origin = contacts_[0].point_a;
  for (const auto& [cosine, sine] : chosen_directions()) {
    const Vector3 d = cosine * t1 + sine * t2;
    take_best([&](const PairContact& contact) { return dot(d, contact.point_a - origin); });
  }
  for (int i = 0; i < contacts_.size(); ++i)
    if (taken[static_cast<std::size_t>(i)]) manifold.add(contacts_[i]);
}

void add_corner_on_faces(const Vector3& corner, Feature feature, const HullPatch& b, double size, ContactPool& pool) {
  for (int k = 0; k < b.faces; ++k) {
    const int f = b.face[static_cast<std::size_t>(k)];
    const Vector3 n = b.hull->normal(f);
    const double height = dot(n, corner) - b.hull->offset(f);
    const Vector3 foot = corner - height * n;
    if (!covers(*b.hull, f, foot, tolerances::border_relative * size)) continue;
    pool.add({corner, foot, n, height, feature, {FeatureKind::face, f}}, tolerances::same_contact_relative * size);
  }
}

namespace {

// What a patch looks like along n: its vertices, edges and faces where they stand, computed once.
class PosedPatch {
 public:
  // Extent of something along two directions across n, and along n.
  struct Extent {
    Vector3 middle, half;
  };
  struct Side {  // of a face: the line along an edge of it
    Vector3 from, inward;
    double slack = 0;  // what may lie outside
  };
  struct Face {
    int index = 0;
    Vector3 normal;
    double offset = 0;
    int sides = 0, last = 0;  // from and to
  };
  struct Border {
    Edge edge;
    Extent extent;
  };

  PosedPatch(const HullPatch& patch, const Matrix3& across, double size) : hull_(*patch.hull) {
    for (int i = 0; i < patch.vertices; ++i) vertices_.add(hull_.vertex(patch.vertex[static_cast<std::size_t>(i)]));
    for (int i = 0; i < patch.edges; ++i) {
      const Edge edge = edge_of(hull_, patch.edge[static_cast<std::size_t>(i)]);
      const Vector3 along = across * edge.direction;
      const Vector3 half = {edge.half * std::abs(along.x), edge.half * std::abs(along.y),
                            edge.half * std::abs(along.z)};
      borders_.add({edge, {across * edge.middle, half}});
    }
    for (int k = 0; k < patch.faces; ++k) add_face(patch.face[static_cast<std::size_t>(k)], size);
  }

  const FixedList<Vector3, HullPatch::max_vertices>& vertices() const { return vertices_; }
  const FixedList<Border, HullPatch::max_edges>& borders() const { return borders_; }
  const FixedList<Face, HullPatch::max_faces>& faces() const { return faces_; }

  bool covers(const Face& face, const Vector3& foot, double slack) const {
    if (face.last == face.sides) return internal::covers(hull_, face.index, foot, slack);
    for (int k = face.sides; k < face.last; ++k)
      if (dot(sides_[k].inward, foot - sides_[k].from) < -sides_[k].slack) return false;
    return true;
  }

 private:
  void add_face(int f, double size) {
    const auto corners = hull_.shape->face_corners(f);
    const Vector3 n = hull_.normal(f);
    Face face{f, n, hull_.offset(f), sides_.size(), sides_.size()};
    if (sides_.size() + static_cast<int>(corners.size()) <= sides_.capacity) {
      Vector3 from = hull_.vertex(corners.back());
      for (const int v : corners) {
        const Vector3 to = hull_.vertex(v), side = to - from;
        sides_.add({from, cross(n, side), tolerances::border_relative * size * std::sqrt(dot(side, side))});
        from = to;
      }
      face.last = sides_.size();
    }
    faces_.add(face);
  }

  const PosedHull& hull_;
  FixedList<Vector3, HullPatch::max_vertices> vertices_;
  FixedList<Border, HullPatch::max_edges> borders_;
  FixedList<Face, HullPatch::max_faces> faces_;
  FixedList<Side, 256> sides_;
};

// Points of the two that face each other along a direction within the angle of a manifold of n: across n they are no
// farther from each other than that angle's share of their distance along n.
bool may_face(const PosedPatch::Extent& a, const PosedPatch::Extent& b) {
  const Vector3 apart = a.middle - b.middle, half = a.half + b.half;
  const double slant = tolerances::facing_slant * (std::abs(apart.z) + half.z);
  return std::abs(apart.x) <= half.x + slant && std::abs(apart.y) <= half.y + slant;
}

// Corners of a over faces of b; `over` tells which are.
void add_corners_on_faces(const HullPatch& of_a, const PosedPatch& a, const PosedPatch& b, double size,
                          std::array<bool, HullPatch::max_vertices>& over, ContactPool& pool) {
  for (int i = 0; i < a.vertices().size(); ++i) {
    const Vector3& corner = a.vertices()[i];
    bool& stands_over = over[static_cast<std::size_t>(i)];
    stands_over = false;
    for (const PosedPatch::Face& face : b.faces()) {
      const double height = dot(face.normal, corner) - face.offset;
      const Vector3 foot = corner - height * face.normal;
      if (!b.covers(face, foot, tolerances::border_relative * size)) continue;
      stands_over = true;
      const Feature vertex = {FeatureKind::vertex, of_a.vertex[static_cast<std::size_t>(i)]};
      pool.add({corner, foot, face.normal, height, vertex, {FeatureKind::face, face.index}},
               tolerances::same_contact_relative * size);
    }
  }
}

void add_crossing(const Edge& of_a, const Edge& of_b, const Vector3& n, double size, ContactPool& pool) {
  const LineCrossing crossing = cross_lines(of_a, of_b);
  if (crossing.sine == 0 || std::abs(crossing.along_a) > of_a.half || std::abs(crossing.along_b) > of_b.half) return;
  const double cosine = dot(crossing.normal, n);
  if (std::abs(cosine) < tolerances::manifold_cosine) return;
  const Vector3 normal = cosine < 0 ? -crossing.normal : crossing.normal;
  const Vector3 on_a = of_a.middle + crossing.along_a * of_a.direction;
  const double gap = dot(normal, of_a.middle - of_b.middle);
  pool.add({on_a, on_a - gap * normal, normal, gap, of_a.feature, of_b.feature},
           tolerances::same_contact_relative * size);
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
  if (!(gap > tolerances::direction_distance_relative * size) || dot(apart, n) < tolerances::manifold_cosine * gap)
    return;
  pool.add({corner, corner - apart, (1 / gap) * apart, gap, feature, edge.feature},
           tolerances::same_contact_relative * size);
}

// `across` takes the world to two directions across n, and n.
struct Beside {
  const Matrix3& across;
  Vector3 n;
  double size = 0;
};

void add_corners_beside(const HullPatch& of_a, const PosedPatch& a, const PosedPatch& b,
                        const std::array<bool, HullPatch::max_vertices>& over, const Beside& beside,
                        ContactPool& pool) {
  for (int i = 0; i < a.vertices().size(); ++i) {
    if (over[static_cast<std::size_t>(i)]) continue;
    const Vector3& corner = a.vertices()[i];
    const PosedPatch::Extent place = {beside.across * corner, {}};
    const Feature vertex = {FeatureKind::vertex, of_a.vertex[static_cast<std::size_t>(i)]};
    for (const PosedPatch::Border& border : b.borders())
      if (may_face(place, border.extent)) add_beside(corner, vertex, border.edge, beside.n, beside.size, pool);
  }
}

}  // namespace

void add_patch_on_edge(const HullPatch& a, const Edge& edge, const Vector3& n, double size, ContactPool& pool) {
  for (int i = 0; i < a.edges; ++i)
    add_crossing(edge_of(*a.hull, a.edge[static_cast<std::size_t>(i)]), edge, n, size, pool);
}

void add_patch_contacts(const HullPatch& of_a, const HullPatch& of_b, const Vector3& n, double size,
                        ContactPool& pool) {
  const Matrix3 across = transposed(rotation_from_z(n));
  const PosedPatch a(of_a, across, size), b(of_b, across, size);
  std::array<bool, HullPatch::max_vertices> over_a, over_b;
  add_corners_on_faces(of_a, a, b, size, over_a, pool);
  pool.exchange();
  add_corners_on_faces(of_b, b, a, size, over_b, pool);
  pool.exchange();
  for (const PosedPatch::Border& border : b.borders())
    for (const PosedPatch::Border& other : a.borders())
      if (may_face(other.extent, border.extent)) add_crossing(other.edge, border.edge, n, size, pool);
  add_corners_beside(of_a, a, b, over_a, {across, n, size}, pool);
  pool.exchange();
  add_corners_beside(of_b, b, a, over_b, {across, -n, size}, pool);
  pool.exchange();
}

}  // namespace routh::internal
