#include "routh/contact/hull_round.h"

#include <algorithm>

#include "routh/contact/nearest_point.h"
#include "routh/contact/simplex.h"

namespace routh::internal {

Vector3 farthest_point(const PosedShape& round, const Vector3& n) {
  const Vector3 d = transpose_times(round.pose.rotation, n);
  Vector3 p;
  if (round.kind == ShapeKind::ellipsoid) {
    const Vector3& e = round.half_extents;
    const Vector3 en = {e.x * d.x, e.y * d.y, e.z * d.z};
    const double size = norm(en);
    p = {e.x * en.x / size, e.y * en.y / size, e.z * en.z / size};
  } else {
    const double across = std::hypot(d.x, d.y), half = round.length / 2;
    p.z = d.z < 0 ? -half : half;
    if (across > 0) p.x = round.radius * d.x / across, p.y = round.radius * d.y / across;
  }
  return round.pose * p;
}

namespace {

NearestPoint nearest_on(const PosedShape& round, const Vector3& point) {
  const Vector3 local = transpose_times(round.pose.rotation, point - round.pose.position);
  return round.kind == ShapeKind::ellipsoid ? nearest_on_ellipsoid(round.half_extents, Dimension::spatial, local)
                                            : nearest_on_cylinder(round.radius, round.length, local);
}

class RoundSearch {
 public:
  RoundSearch(const PosedHull& a, const PosedShape& round)
      : a_(a), round_(round), size_(a.size() + bounding_radius(round)) {}

  RoundAxis run() {
    const bool apart = approach();
    constexpr int few_faces = 200;
    if (!apart || a_.face_count() <= few_faces) try_faces();
    return best_;
  }

 private:
  double separation(const Vector3& n) const {
    return dot(n, a_.vertex(a_.farthest(-n))) - dot(n, farthest_point(round_, n));
  }

  // Among equals but for rounding the first counts: faces are tried before edges, edges before vertices.
  void consider(const Vector3& n) {
    const double s = separation(n);
    if (s > best_.separation + 1e-15 * (size_ + std::abs(s))) best_ = {n, s};
  }

  // Shapes clearly apart: the vertices of the hull about the nearest point, to a few digits.
  bool approach() {
    constexpr int max_steps = 60;
    Simplex s;
    const auto corner = [&](const Vector3& towards) {
      const int i = a_.farthest(-towards);
      return Corner{i, 0, a_.vertex(i) - farthest_point(round_, towards), 1};
    };
    const Vector3 between = a_.pose.position - round_.pose.position;
    s.corner[0] = corner(dot(between, between) > 0 ? between : Vector3{0, 0, 1});
    s.count = 1;
    for (int step = 0; step < max_steps; ++step) {
      const Vector3 v = s.nearest();
      const double distance = norm(v);
      if (!(distance > 1e-3 * size_)) return false;
      const Corner next = corner(v);
      if (distance - dot(v, next.w) / distance <= 1e-9 * size_) break;
      Simplex grown = s;
      grown.corner[static_cast<std::size_t>(grown.count++)] = next;
      const Simplex smaller = reduced(grown);
      if (smaller.count == 0) break;
      if (smaller.count == 4) return false;
      const Vector3 nearer = smaller.nearest();
      if (!(dot(nearer, nearer) < distance * distance)) break;
      s = smaller;
    }
    for (int i = 0; i < s.count; ++i) try_faces_at(s.corner[static_cast<std::size_t>(i)].a);
    for (int i = 0; i < s.count; ++i) try_vertex(s.corner[static_cast<std::size_t>(i)].a);
    return true;
  }

  void try_faces_at(int vertex) {
    for (const int e : a_.shape->edges_at(vertex)) consider(-a_.normal(a_.edge(e).left));
    for (const int e : a_.shape->edges_at(vertex)) consider(-a_.normal(a_.edge(e).right));
  }

  // With the edges that end there.
  void try_vertex(int vertex) {
    for (const int e : a_.shape->edges_at(vertex)) try_edge(e);
    consider(round_.pose.rotation * nearest_on(round_, a_.vertex(vertex)).normal);
  }

  // s on the arc between the normals of the two faces, from every rise between samples. Its slope along n' is
  // n'·(p − q), p on the edge and q where b reaches farthest; a kink of s is a jump of that, and found as well.
  void try_edge(int e) {
    const Vector3 from = -a_.normal(a_.edge(e).left), to = -a_.normal(a_.edge(e).right), p = a_.vertex(a_.edge(e).from);
    const Vector3 axis = a_.direction(e);
    const double angle = std::atan2(norm(cross(from, to)), dot(from, to));
    const Vector3 turn = cross(axis, from), side = dot(turn, to) < 0 ? -turn : turn;
    const auto normal = [&](double t) { return std::cos(t) * from + std::sin(t) * side; };
    const auto slope = [&](double t) {
      return dot(std::cos(t) * side - std::sin(t) * from, p - farthest_point(round_, normal(t)));
    };
    constexpr int pieces = 4;
    for (int k = 0; k < pieces; ++k) {
      double low = k * angle / pieces, high = (k + 1) * angle / pieces;
      if (!(slope(low) > 0 && slope(high) < 0)) continue;
      for (int step = 0; step < 60 && high - low > 1e-17; ++step) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        (slope(middle) > 0 ? low : high) = middle;
      }
      const Vector3 n = normal(0.5 * (low + high));
      consider((1 / norm(n)) * n);
    }
  }

  // The few faces that separate best, then what lies around them.
  void try_faces() {
    constexpr int kept = 3;
    std::array<int, kept> best{};
    std::array<double, kept> reach;
    reach.fill(-std::numeric_limits<double>::infinity());
    for (int f = 0; f < a_.face_count(); ++f) {
      const Vector3 n = -a_.normal(f);
      const double s = -a_.offset(f) - dot(n, farthest_point(round_, n));
      for (std::size_t k = 0; k < kept; ++k) {
        if (!(s > reach[k])) continue;
        for (std::size_t m = kept - 1; m > k; --m) reach[m] = reach[m - 1], best[m] = best[m - 1];
        reach[k] = s, best[k] = f;
        break;
      }
    }
    for (const int f : best) consider(-a_.normal(f));
    for (const int f : best)
      for (const int v : a_.shape->face_corners(f)) try_vertex(v);
  }

  const PosedHull& a_;
  const PosedShape& round_;
  double size_;
  RoundAxis best_;
};

Vector3 nearest_on_segment(const Vector3& from, const Vector3& to, const Vector3& point) {
  const Vector3 along = to - from;
  const double square = dot(along, along);
  return square > 0 ? from + std::clamp(dot(point - from, along) / square, 0.0, 1.0) * along : from;
}

// The point of the hull's feature that faces −n nearest to a point, all seen along n.
Vector3 nearest_on_feature(const PosedHull& a, const Vector3& n, Vector3 point) {
  const int vertex = a.farthest(-n);
  const Vector3 at = a.vertex(vertex);
  point -= dot(n, point - at) * n;
  for (const int e : a.shape->edges_at(vertex))
    for (const int f : {a.edge(e).left, a.edge(e).right}) {
      if (dot(a.normal(f), -n) < 1 - 0.5 * flat_angle * flat_angle) continue;
      const auto corners = a.shape->face_corners(f);
      bool inside = true;
      Vector3 best = at, from = a.vertex(corners.back());
      for (const int v : corners) {
        const Vector3 to = a.vertex(v), on = nearest_on_segment(from, to, point);
        if (dot(cross(a.normal(f), to - from), point - from) < 0) inside = false;
        if (norm(on - point) < norm(best - point)) best = on;
        from = to;
      }
      return inside ? point : best;
    }
  Vector3 best = at;
  for (const int e : a.shape->edges_at(vertex)) {
    if (std::abs(dot(a.direction(e), n)) > flat_angle) continue;
    const Vector3 on = nearest_on_segment(a.vertex(a.edge(e).from), a.vertex(a.edge(e).to), point);
    if (norm(on - point) < norm(best - point)) best = on;
  }
  return best;
}

// The point of the round shape's feature that faces n nearest to a point: of a cap, of a line of the side, or one
// alone.
Vector3 nearest_on_round(const PosedShape& round, const Vector3& n, const Vector3& point) {
  const Vector3 far = farthest_point(round, n);
  if (round.kind == ShapeKind::ellipsoid) return far;
  const Vector3 z = column_z(round.pose.rotation);
  const double along = dot(z, n), half = round.length / 2;
  if (std::abs(along) <= flat_angle) {
    const Vector3 middle = far - dot(z, far - round.pose.position) * z;
    return middle + std::clamp(dot(z, point - middle), -half, half) * z;
  }
  const Vector3 centre = round.pose.position + (along < 0 ? -half : half) * z;
  Vector3 across = point - centre;
  across -= dot(z, across) * z;
  if (norm(cross(z, n)) > flat_angle) return far;
  const double reach = norm(across);
  return centre + (reach > round.radius ? round.radius / reach : 1.0) * across;
}

}  // namespace

RoundAxis greatest_separation(const PosedHull& a, const PosedShape& round) { return RoundSearch(a, round).run(); }

// Flat against flat leaves a choice: projections onto the one and the other in turn end at a point of both.
PairContact contact_along(const PosedHull& a, const PosedShape& round, const RoundAxis& axis) {
  const Vector3& n = axis.normal;
  Vector3 on_b = nearest_on_round(round, n, round.pose.position);
  for (int step = 0; step < 50; ++step) {
    const Vector3 next = nearest_on_round(round, n, nearest_on_feature(a, n, on_b));
    const bool settled = norm(next - on_b) <= 1e-15 * bounding_radius(round);
    on_b = next;
    if (settled) break;
  }
  return {on_b + axis.separation * n, on_b, n, axis.separation, {FeatureKind::nearest, 0}, {FeatureKind::nearest, 0}};
}

}  // namespace routh::internal
