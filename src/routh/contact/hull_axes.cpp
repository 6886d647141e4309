// The least depth of two hulls that overlap.
//
// The difference a − b of two hulls is a polyhedron whose faces come from faces of a, from faces of b, and from pairs
// of edges whose arcs of normals cross on the sphere [Gregorius, GDC 2013]. The origin lies within it; the nearest of
// those faces is the least depth.
#include <algorithm>

#include "routh/contact/brick.h"
#include "routh/contact/posed_hull.h"

namespace routh::internal {

namespace {

class AxisSearch {
 public:
  AxisSearch(const PosedHull& a, const PosedHull& b) : a_(a), b_(b), slack_(1e-14 * (a.size() + b.size())) {}

  HullAxis run() {
    for (int f = 0; f < b_.face_count(); ++f) {
      const Vector3 n = b_.normal(f);
      const int vertex = a_.farthest(-n);
      keep({n, dot(n, a_.vertex(vertex)) - b_.offset(f), {FeatureKind::vertex, vertex}, {FeatureKind::face, f}});
    }
    for (int f = 0; f < a_.face_count(); ++f) {
      const Vector3 n = -a_.normal(f);
      const int vertex = b_.farthest(n);
      keep({n, -a_.offset(f) - dot(n, b_.vertex(vertex)), {FeatureKind::face, f}, {FeatureKind::vertex, vertex}});
    }
    for (int i = 0; i < a_.edge_count(); ++i) try_edge(i);
    return best_;
  }

 private:
  // A face is preferred to edges that separate no better than rounding.
  void keep(const HullAxis& axis) {
    if (axis.separation > best_.separation + slack_) best_ = axis;
  }

  struct Arc {
    bool full = false;  // of a segment: the whole circle across it
    Vector3 from, to;   // normals of the faces beside the edge
    Vector3 pole;       // the edge's direction
  };

  static Arc arc_of(const PosedHull& hull, int edge) {
    const PolyhedronEdge& it = hull.edge(edge);
    if (it.left < 0) return {true, {}, {}, hull.direction(edge)};
    return {false, hull.normal(it.left), hull.normal(it.right), hull.direction(edge)};
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

  void try_edge(int i) {
    const Vector3 from = a_.vertex(a_.edge(i).from), to = a_.vertex(a_.edge(i).to);
    // Edges that beat the best axis come nearer to each other than its depth.
    const double reach = -best_.separation;
    const Vector3 middle = 0.5 * (from + to);
    const double half = 0.5 * norm(to - from);
    if (norm(middle - b_.pose.position) > half + reach + b_.size()) return;
    const Arc of_a = arc_of(a_, i);
    for (int j = 0; j < b_.edge_count(); ++j) {
      const Vector3 other = b_.vertex(b_.edge(j).from);
      const Vector3 end = b_.vertex(b_.edge(j).to), along = end - other;
      const double distance = norm(0.5 * (other + end) - middle);
      if (distance > half + reach + 0.5 * norm(along)) continue;
      const Arc of_b = arc_of(b_, j);
      if (!cross_on_sphere(of_a, of_b)) continue;
      const Vector3 m = cross(of_a.pole, of_b.pole);
      const double sine = norm(m);
      if (!(sine >= parallel_sine)) continue;
      keep(oriented(of_a, of_b, (1 / sine) * m, {from, other, i, j}));
    }
  }

  struct Pair {
    Vector3 on_a, on_b;
    int edge_a = 0, edge_b = 0;
  };

  // n from b to a: against the outward normals of a, along those of b.
  HullAxis oriented(const Arc& of_a, const Arc& of_b, Vector3 n, const Pair& pair) const {
    const double along = of_a.full ? dot(n, of_b.from + of_b.to) : -dot(n, of_a.from + of_a.to);
    const Vector3 apart = pair.on_a - pair.on_b;
    // Two segments have no inside: the normal points to a's side.
    if (of_a.full && of_b.full ? dot(n, apart) < 0 : along < 0) n = -n;
    return {n, dot(n, apart), {FeatureKind::edge, pair.edge_a}, {FeatureKind::edge, pair.edge_b}};
  }

  const PosedHull &a_, &b_;
  double slack_;
  HullAxis best_;
};

}  // namespace

HullAxis greatest_separation(const PosedHull& a, const PosedHull& b) { return AxisSearch(a, b).run(); }

}  // namespace routh::internal
