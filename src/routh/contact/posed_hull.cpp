// The distance of two hulls by the method of Gilbert, Johnson and Keerthi: the point of a − b nearest to the origin,
// from simplices of its vertices, each step with the vertex farthest towards the origin. Hulls have finitely many
// vertices, so it ends at the nearest point itself; what is left of rounding is taken out of the normal by the features
// found.
#include "routh/contact/posed_hull.h"

#include <algorithm>

#include "routh/contact/brick.h"
#include "routh/contact/simplex.h"
#include "routh/contact/tolerances.h"
#include "routh/mesh/polyhedron.h"

namespace routh::internal {

Vector3 PosedHull::direction(int e) const {
  const Vector3 along = vertex(edge(e).to) - vertex(edge(e).from);
  return (1 / norm(along)) * along;
}

double PosedHull::size() const {
  return shape->radius * std::max({std::abs(stretch.x), std::abs(stretch.y), std::abs(stretch.z)});
}

PosedHull posed_hull(const PosedShape& shape) {
  static const Polyhedron point = point_polyhedron(), segment = segment_polyhedron(), cube = cube_polyhedron();
  switch (traits_of(shape.kind).polytope) {
    case Polytope::segment:
      return {&segment, {1, 1, shape.length / 2}, shape.pose};
    case Polytope::box:
      return {&cube, shape.half_extents, shape.pose};
    case Polytope::hull:
      return {shape.hull, {1, 1, 1}, shape.pose};
    case Polytope::point:
    case Polytope::none:  // no pair asks for its hull
      break;
  }
  return {&point, {1, 1, 1}, shape.pose};
}

namespace {

// The feature with these vertices: a vertex, the edge between two, or the face that has all and looks most along
// `outward`.
Feature feature_with(const PosedHull& hull, const std::array<int, 4>& of_corners, int corners, const Vector3& outward) {
  std::array<int, 4> vertices{};
  int count = 0;
  for (int i = 0; i < corners; ++i) {
    bool known = false;
    for (int k = 0; k < count; ++k)
      known |= vertices[static_cast<std::size_t>(k)] == of_corners[static_cast<std::size_t>(i)];
    if (!known) vertices[static_cast<std::size_t>(count++)] = of_corners[static_cast<std::size_t>(i)];
  }
  if (count == 1) return {FeatureKind::vertex, vertices[0]};
  const Polyhedron& p = *hull.shape;
  if (count == 2)
    for (const int e : p.edges_at(vertices[0])) {
      const PolyhedronEdge& it = p.edges[static_cast<std::size_t>(e)];
      if (it.from == vertices[1] || it.to == vertices[1]) return {FeatureKind::edge, e};
    }
  int best = -1;
  double most = -2;
  for (const int e : p.edges_at(vertices[0]))
    for (const int f : {p.edges[static_cast<std::size_t>(e)].left, p.edges[static_cast<std::size_t>(e)].right}) {
      if (f < 0) continue;
      const double along = dot(hull.normal(f), outward);
      if (along > most) most = along, best = f;
    }
  return best < 0 ? Feature{FeatureKind::vertex, vertices[0]} : Feature{FeatureKind::face, best};
}

// What the features say of the normal is exact to rounding; the difference of two points near each other is not.
Vector3 straightened(const PosedHull& a, const PosedHull& b, const Feature& fa, const Feature& fb, const Vector3& n) {
  Vector3 m = n;
  if (fa.kind == FeatureKind::face) {
    m = -a.normal(fa.index);
  } else if (fb.kind == FeatureKind::face) {
    m = b.normal(fb.index);
  } else if (fa.kind == FeatureKind::edge && fb.kind == FeatureKind::edge) {
    const Vector3 ea = a.direction(fa.index), across = cross(ea, b.direction(fb.index));
    m = norm(across) >= tolerances::parallel_lines_sine ? across : n - dot(n, ea) * ea;
  } else if (fa.kind == FeatureKind::edge || fb.kind == FeatureKind::edge) {
    const Vector3 e = fa.kind == FeatureKind::edge ? a.direction(fa.index) : b.direction(fb.index);
    m = n - dot(n, e) * e;
  }
  if (dot(m, n) < 0) m = -m;
  return (1 / norm(m)) * m;
}

NearestHulls finished(const PosedHull& a, const PosedHull& b, const Simplex& s, const Vector3& v) {
  NearestHulls found;
  found.apart = true;
  std::array<int, 4> of_a{}, of_b{};
  for (int i = 0; i < s.count; ++i) {
    const Corner& corner = s.corner[static_cast<std::size_t>(i)];
    of_a[static_cast<std::size_t>(i)] = corner.a, of_b[static_cast<std::size_t>(i)] = corner.b;
    found.point_a += corner.weight * a.vertex(corner.a);
  }
  const double distance = norm(v);
  const Vector3 n = (1 / distance) * v;
  found.feature_a = feature_with(a, of_a, s.count, -n);
  found.feature_b = feature_with(b, of_b, s.count, n);
  found.normal = straightened(a, b, found.feature_a, found.feature_b, n);
  // Features that were named wrongly would show here.
  if (dot(found.normal, n) < 1 - tolerances::feature_normal_mismatch &&
      distance > tolerances::feature_distance_relative * (a.size() + b.size()))
    found.normal = n;
  found.gap = dot(found.normal, v);
  found.point_b = found.point_a - found.gap * found.normal;
  return found;
}

NearestHulls overlapping(const PosedHull& a, const Simplex& s) {
  NearestHulls found;
  for (int i = 0; i < s.count; ++i) {
    const Corner& corner = s.corner[static_cast<std::size_t>(i)];
    found.inside += corner.weight * a.vertex(corner.a);
  }
  return found;
}

}  // namespace

namespace {

class DistanceSearch {
 public:
  DistanceSearch(const PosedHull& a, const PosedHull& b) : a_(a), b_(b), size_(a.size() + b.size()) {}

  // From the centres, or from what is known of a moment ago.
  void begin(const PairMemory* memory) {
    if (memory && recall(*memory)) return;
    const Vector3 apart = a_.pose.position - b_.pose.position;
    const Vector3 guess = memory && dot(memory->axis, memory->axis) > 0 ? memory->axis : apart;
    const Vector3 towards = dot(guess, guess) > 0 ? guess : Vector3{0, 0, 1};
    const int i = a_.farthest(-towards), j = b_.farthest(towards);
    s_.corner[0] = {i, j, a_.vertex(i) - b_.vertex(j), 1};
    s_.count = 1;
  }

  NearestHulls run(double margin) {
    const double touching = tolerances::direction_distance_relative * size_;
    // Of small gaps the distance does not tell good simplices apart, since it is the same to second order; the bound
    // does.
    Vector3 v = s_.nearest();
    best_ = s_, best_v_ = v;
    double best_bound = -std::numeric_limits<double>::infinity(), best_distance = -best_bound;
    int stalled = 0;
    for (int step = 0; step < tolerances::gjk_steps_max; ++step) {
      const double distance = norm(v);
      if (!(distance > touching)) return overlapping(a_, best_ = s_);
      const Corner next = corner(v);
      const double bound = dot(v, next.w) / distance;
      if (bound > margin) {
        best_ = s_, best_v_ = v;
        NearestHulls far;
        far.apart = true;
        far.gap = bound;
        return far;
      }
      const double same = tolerances::gjk_progress_relative * size_ + tolerances::gjk_equal_distance * distance;
      if (distance < best_distance - same || (distance < best_distance + same && bound > best_bound))
        best_bound = bound, best_distance = distance, best_ = s_, best_v_ = v, stalled = 0;
      else if (++stalled == tolerances::gjk_stalled_steps_max)
        break;
      const bool known = std::any_of(s_.corner.begin(), s_.corner.begin() + s_.count,
                                     [&](const Corner& it) { return it.a == next.a && it.b == next.b; });
      if (known || distance - bound <= tolerances::gjk_gap_relative * (distance + size_)) break;
      s_.corner[static_cast<std::size_t>(s_.count++)] = next;
      const Simplex smaller = reduced(s_);
      if (smaller.count == 0) break;
      if (smaller.count == 4) return overlapping(a_, best_ = smaller);
      const Vector3 nearer = smaller.nearest();
      if (!(norm(nearer) < distance + tolerances::gjk_progress_relative * size_)) break;
      s_ = smaller;
      v = nearer;
    }
    in_order();
    return finished(a_, b_, best_, best_v_);
  }

  void remember(const NearestHulls& found, PairMemory& memory) const {
    memory.count = std::min(best_.count, 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(memory.count); ++i)
      memory.of_a[i] = best_.corner[i].a, memory.of_b[i] = best_.corner[i].b;
    if (found.apart) memory.axis = best_v_;
  }

 private:
  // The vertices farthest towards each other, by a walk from those of the simplex.
  Corner corner(const Vector3& towards) const {
    const Corner& from = s_.corner[static_cast<std::size_t>(s_.count - 1)];
    const int i = a_.farthest(-towards, from.a), j = b_.farthest(towards, from.b);
    return {i, j, a_.vertex(i) - b_.vertex(j), 1};
  }

  // The simplex of a moment ago, if the origin is still over it.
  bool recall(const PairMemory& memory) {
    s_.count = memory.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(memory.count); ++i) {
      const int of_a = memory.of_a[i], of_b = memory.of_b[i];
      s_.corner[i] = {of_a, of_b, a_.vertex(of_a) - b_.vertex(of_b), 1};
    }
    return s_.count > 0 && weigh(s_);
  }

  // By the names of the corners, so that what follows does not depend on the order in which they were found.
  void in_order() {
    Simplex ordered = best_;
    std::sort(ordered.corner.begin(), ordered.corner.begin() + ordered.count,
              [](const Corner& x, const Corner& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    if (!weigh(ordered)) return;
    best_ = ordered;
    best_v_ = ordered.nearest();
  }

  const PosedHull &a_, &b_;
  double size_;
  Simplex s_, best_;
  Vector3 best_v_;
};

}  // namespace

NearestHulls nearest_hulls(const PosedHull& a, const PosedHull& b, double margin, PairMemory* memory) {
  DistanceSearch search(a, b);
  search.begin(memory);
  const NearestHulls found = search.run(margin);
  if (memory) search.remember(found, *memory);
  return found;
}

}  // namespace routh::internal
