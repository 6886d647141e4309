// The least depth of two hulls that overlap: the separating axis test.
//
// The difference a − b of two hulls is a polyhedron whose faces come from faces of a, from faces of b, and from pairs
// of edges whose arcs of normals cross on the sphere [Gregorius, GDC 2013]. The origin lies within it; the nearest of
// those faces is the least depth.
//
// Most of them need not be tried. Let x be a point of both hulls and n an axis whose depth d(n) is known. Along an axis
// m the depth is the height of x below the plane of b across m, plus that below the plane of a. Below a plane of a hull
// x lies no less deep than below the nearest of its faces; the normal of a plane through an edge is λ n₁ + μ n₂ of its
// two faces, with λ, μ ≥ 0 and λ + μ ≥ 1, so that x lies no less deep below it than below one of the two. Where the sum
// of such heights is more than d(n) there is nothing to be found. What is left is tried in the order of its names, so
// that the answer does not depend on x and n.
#include <algorithm>
#include <array>

#include "routh/contact/fixed_list.h"
#include "routh/contact/posed_hull.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

// How far a point lies below each face of a hull, and the edges beside faces that it lies below by little.
class FaceDepths {
 public:
  FaceDepths(const PosedHull& hull, const Vector3& point) : hull_(hull) {
    const Vector3 x = transpose_times(hull.pose.rotation, point - hull.pose.position), &s = hull.stretch;
    const bool stretched = s.x != 1 || s.y != 1 || s.z != 1;
    for (int f = 0; f < hull.face_count(); ++f) {
      const PolyhedronFace& face = hull.shape->faces[static_cast<std::size_t>(f)];
      double offset = face.offset;
      if (stretched) {
        const Vector3& v = hull.shape->vertices[static_cast<std::size_t>(hull.shape->face_corners(f)[0])];
        offset = dot(face.normal, {s.x * v.x, s.y * v.y, s.z * v.z});
      }
      const double depth = offset - dot(face.normal, x);
      depth_[static_cast<std::size_t>(f)] = depth;
      if (nearest_ < 0 || depth < of(nearest_)) nearest_ = f;
    }
  }

  double of(int face) const { return depth_[static_cast<std::size_t>(face)]; }
  int nearest() const { return nearest_; }

  // Below a plane through the edge the point lies at least so deep.
  double of_edge(int e) const {
    const PolyhedronEdge& edge = hull_.edge(e);
    return edge.left < 0 ? 0 : std::min(of(edge.left), of(edge.right));
  }

  // Faces less deep than this, and the edges beside them, in the order of their names. Of a segment its edge.
  void collect(double most) {
    faces_.clear(), edges_.clear();
    for (int f = 0; f < hull_.face_count(); ++f)
      if (of(f) < most) faces_.add(f);
    for (const int f : faces_)
      for (const int e : hull_.shape->face_edges(f)) {
        const PolyhedronEdge& edge = hull_.edge(e);
        const int beyond = edge.left == f ? edge.right : edge.left;
        if (beyond > f || !(of(beyond) < most)) edges_.add(e);  // once
      }
    std::sort(edges_.begin(), edges_.end());
    for (int e = 0; hull_.face_count() == 0 && e < hull_.edge_count(); ++e) edges_.add(e);
  }
  std::span<const int> faces() const { return faces_.span(); }
  std::span<const int> edges() const { return edges_.span(); }

 private:
  // As many as hulls of so many vertices have.
  static constexpr int most_faces = 2 * max_hull_vertices, most_edges = 3 * max_hull_vertices;

  const PosedHull& hull_;
  int nearest_ = -1;
  std::array<double, most_faces> depth_;
  FixedList<int, most_faces> faces_;
  FixedList<int, most_edges> edges_;
};

class AxisSearch {
 public:
  AxisSearch(const PosedHull& a, const PosedHull& b, const HullOverlap& overlap)
      : a_(a),
        b_(b),
        slack_(tolerances::better_axis_relative * (a.size() + b.size())),
        known_(tolerances::known_depth_relative * (a.size() + b.size())),
        depth_a_(a, overlap.inside),
        depth_b_(b, overlap.inside) {
    if (overlap.axis) reach_ = depth_along(*overlap.axis);
    if (const int f = depth_b_.nearest(); f >= 0)
      least_b_ = depth_b_.of(f), reach_ = std::min(reach_, -of_face_b(f).separation);
    if (const int f = depth_a_.nearest(); f >= 0)
      least_a_ = depth_a_.of(f), reach_ = std::min(reach_, -of_face_a(f).separation);
  }

  HullAxis run() {
    depth_a_.collect(reach_ + known_ - least_b_);
    depth_b_.collect(reach_ + known_ - least_a_);
    for (const int f : depth_b_.faces())
      if (may_beat(least_a_ + depth_b_.of(f))) keep(of_face_b(f));
    for (const int f : depth_a_.faces())
      if (may_beat(depth_a_.of(f) + least_b_)) keep(of_face_a(f));
    Arcs of_a, of_b;
    for (std::span<const int> left_a = depth_a_.edges(); !left_a.empty();) {
      gather(a_, depth_a_, least_b_, left_a, of_a);
      for (std::span<const int> left_b = depth_b_.edges(); !left_b.empty();) {
        gather(b_, depth_b_, least_a_, left_b, of_b);
        for (const Arc& each : of_a) try_edge(each, of_b);
      }
    }
    return best_;
  }

 private:
  HullAxis of_face_b(int f) const {
    const Vector3 n = b_.normal(f);
    const int vertex = a_.farthest(-n);
    return {n, dot(n, a_.vertex(vertex)) - b_.offset(f), {FeatureKind::vertex, vertex}, {FeatureKind::face, f}};
  }
  HullAxis of_face_a(int f) const {
    const Vector3 n = -a_.normal(f);
    const int vertex = b_.farthest(n);
    return {n, -a_.offset(f) - dot(n, b_.vertex(vertex)), {FeatureKind::face, f}, {FeatureKind::vertex, vertex}};
  }
  double depth_along(const Vector3& n) const {
    return dot(n, b_.vertex(b_.farthest(n))) - dot(n, a_.vertex(a_.farthest(-n)));
  }

  // Whether an axis of at least this depth may be the best.
  bool may_beat(double depth) const { return depth < reach_ + known_; }

  // A face is preferred to edges that separate no better than rounding.
  void keep(const HullAxis& axis) {
    reach_ = std::min(reach_, -axis.separation);
    if (axis.separation > best_.separation + slack_) best_ = axis;
  }

  // An edge and its arc of normals.
  struct Arc {
    bool full = false;  // of a segment: the whole circle across it
    Vector3 from, to;   // normals of the faces beside the edge
    Vector3 pole;       // the edge's direction
    Vector3 start, middle;
    double half = 0;
    double depth = 0;  // of the point within both, below any plane through the edge, at least
    int edge = 0;
  };
  using Arcs = FixedList<Arc, 128>;

  // The next of the edges left that can matter, as many as there is room for; `other` is the least depth within the
  // other hull.
  void gather(const PosedHull& hull, const FaceDepths& depths, double other, std::span<const int>& left,
              Arcs& arcs) const {
    arcs.clear();
    for (; !left.empty() && !arcs.full(); left = left.subspan(1)) {
      const int e = left.front();
      const double depth = depths.of_edge(e);
      if (!may_beat(depth + other)) continue;
      const PolyhedronEdge& it = hull.edge(e);
      const Vector3 start = hull.vertex(it.from), along = hull.vertex(it.to) - start;
      const double length = norm(along);
      Arc arc{it.left < 0, {}, {}, (1 / length) * along, start, start + 0.5 * along, 0.5 * length, depth, e};
      if (!arc.full) arc.from = hull.normal(it.left), arc.to = hull.normal(it.right);
      arcs.add(arc);
    }
  }

  // Whether the arc of a and the arc of b turned to its antipode cross.
  static bool cross_on_sphere(const Arc& a, const Arc& b) {
    const double b1 = b.full ? 0 : -dot(b.from, a.pole), b2 = b.full ? 0 : -dot(b.to, a.pole);
    if (!b.full && !(b1 * b2 < 0)) return false;
    const double a1 = a.full ? 0 : dot(a.from, b.pole), a2 = a.full ? 0 : dot(a.to, b.pole);
    if (!a.full && !(a1 * a2 < 0)) return false;
    if (a.full || b.full) return true;
    // On the same half of the sphere: where the circles cross, both arcs must be near.
    const Vector3 m = cross(a.pole, b.pole);
    const Vector3 at = dot(m, a.from + a.to) < 0 ? -m : m;
    return dot(at, b.from + b.to) < 0;
  }

  void try_edge(const Arc& of_a, const Arcs& arcs) {
    for (const Arc& of_b : arcs) {
      if (!may_beat(of_a.depth + of_b.depth)) continue;
      // Edges that beat the best axis come nearer to each other than its depth.
      const double far = of_a.half + of_b.half + std::max(0.0, reach_) + known_;
      const Vector3 apart = of_b.middle - of_a.middle;
      if (dot(apart, apart) > far * far || !cross_on_sphere(of_a, of_b)) continue;
      const Vector3 m = cross(of_a.pole, of_b.pole);
      const double sine = norm(m);
      if (!(sine >= tolerances::parallel_lines_sine)) continue;
      keep(oriented(of_a, of_b, (1 / sine) * m));
    }
  }

  // n from b to a: against the outward normals of a, along those of b.
  static HullAxis oriented(const Arc& of_a, const Arc& of_b, Vector3 n) {
    const double along = of_a.full ? dot(n, of_b.from + of_b.to) : -dot(n, of_a.from + of_a.to);
    const Vector3 apart = of_a.start - of_b.start;
    // Two segments have no inside: the normal points to a's side.
    if (of_a.full && of_b.full ? dot(n, apart) < 0 : along < 0) n = -n;
    return {n, dot(n, apart), {FeatureKind::edge, of_a.edge}, {FeatureKind::edge, of_b.edge}};
  }

  const PosedHull &a_, &b_;
  double slack_, known_;
  double reach_ = std::numeric_limits<double>::infinity();  // least depth known of any axis
  double least_a_ = 0, least_b_ = 0;                        // of the depths of the point within both
  FaceDepths depth_a_, depth_b_;
  HullAxis best_;
};

}  // namespace

HullAxis greatest_separation(const PosedHull& a, const PosedHull& b, const HullOverlap& overlap) {
  return AxisSearch(a, b, overlap).run();
}

}  // namespace routh::internal
