#include "routh/contact/hull_round.h"

#include <algorithm>

#include "routh/contact/nearest_point.h"
#include "routh/contact/separation_search.h"
#include "routh/contact/tolerances.h"
#include "routh/math/bracket.h"
#include "routh/math/elementary.h"

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
    const double across = elementary::hypot(d.x, d.y), half = round.length / 2;
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

class RoundSearch : public SupportDifference {
 public:
  RoundSearch(const PosedHull& a, const PosedShape& round)
      : a_(a), round_(round), size_(a.size() + bounding_radius(round)) {}

  Corner least(const Vector3& n) const override {
    const int i = a_.farthest(-n);
    return {i, 0, a_.vertex(i) - farthest_point(round_, n), 1};
  }

  // The search finds where the greatest separation is; what it is to the last digits its faces, edges and vertices
  // tell.
  RoundAxis run() {
    const Vector3 between = a_.pose.position - round_.pose.position;
    const double distance = norm(between);
    const BoundedSeparation found =
        search_separation(*this, Dimension::spatial, size_, distance > 0 ? (1 / distance) * between : Vector3{0, 0, 1});
    near_ = found.normal;
    for (std::size_t i = 0; i < static_cast<std::size_t>(found.corners.count); ++i)
      try_vertex(found.corners.corner[i].a);
    try_vertex(a_.farthest(-near_));
    consider(near_);
    for (int round = 0; round < tolerances::corner_rounds_max; ++round) {
      const double before = best_.separation;
      near_ = best_.normal;
      try_vertex(a_.farthest(-near_));
      if (!(best_.separation > before)) break;
    }
    return best_;
  }

 private:
  double separation(const Vector3& n) const { return dot(n, least(n).w); }

  // Among equals but for rounding the first counts: faces are tried before edges, edges before vertices.
  void consider(const Vector3& n) {
    const double s = separation(n);
    if (s > best_.separation + tolerances::better_direction_relative * (size_ + std::abs(s))) best_ = {n, s};
  }

  // With the faces and edges about it.
  void try_vertex(int vertex) {
    if (vertex == tried_) return;
    tried_ = vertex;
    for (const int e : a_.shape->edges_at(vertex)) {
      consider(-a_.normal(a_.edge(e).left));
      consider(-a_.normal(a_.edge(e).right));
    }
    for (const int e : a_.shape->edges_at(vertex)) try_edge(e);
    consider(round_.pose.rotation * nearest_on(round_, a_.vertex(vertex)).normal);
  }

  // The maximum of s on the arc between the normals of the two faces uphill from what is known. Its slope along n' is
  // n'·(p − q), p on the edge and q where b reaches farthest; a kink of s is a jump of that, and found as well.
  void try_edge(int e) {
    const Vector3 from = -a_.normal(a_.edge(e).left), to = -a_.normal(a_.edge(e).right), p = a_.vertex(a_.edge(e).from);
    const Vector3 axis = a_.direction(e);
    const double angle = elementary::atan2(norm(cross(from, to)), dot(from, to));
    const Vector3 turn = cross(axis, from), side = dot(turn, to) < 0 ? -turn : turn;
    const auto normal = [&](double t) { return elementary::cos(t) * from + elementary::sin(t) * side; };
    const auto slope = [&](double t) {
      return dot(elementary::cos(t) * side - elementary::sin(t) * from, p - farthest_point(round_, normal(t)));
    };
    const double start = std::clamp(elementary::atan2(dot(side, near_), dot(from, near_)), 0.0, angle);
    const bool up = slope(start) > 0;
    Bracket piece = {start, start};
    double step = tolerances::arc_step_first;
    for (bool rising = true; rising; step *= 2) {
      const double last = up ? piece.high : piece.low;
      const double next = std::clamp(up ? last + step : last - step, 0.0, angle);
      if (next == last) return;  // the maximum is that of a face
      rising = (slope(next) > 0) == up;
      piece = up ? Bracket{last, next} : Bracket{next, last};
    }
    const auto enough = [](const Bracket& b) {
      return !(b.high - b.low > tolerances::arc_width_min) || b.middle() == b.low || b.middle() == b.high;
    };
    const Vector3 n = normal(bisect(
                                 piece, tolerances::arc_bisections_max, [&](double t) { return slope(t) > 0; }, enough)
                                 .middle());
    consider((1 / norm(n)) * n);
  }

  const PosedHull& a_;
  const PosedShape& round_;
  double size_;
  Vector3 near_;
  int tried_ = -1;
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
      if (dot(a.normal(f), -n) < 1 - 0.5 * tolerances::flat_angle * tolerances::flat_angle) continue;
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
    if (std::abs(dot(a.direction(e), n)) > tolerances::flat_angle) continue;
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
  if (std::abs(along) <= tolerances::flat_angle) {
    const Vector3 middle = far - dot(z, far - round.pose.position) * z;
    return middle + std::clamp(dot(z, point - middle), -half, half) * z;
  }
  const Vector3 centre = round.pose.position + (along < 0 ? -half : half) * z;
  Vector3 across = point - centre;
  across -= dot(z, across) * z;
  if (norm(cross(z, n)) > tolerances::flat_angle) return far;
  const double reach = norm(across);
  return centre + (reach > round.radius ? round.radius / reach : 1.0) * across;
}

}  // namespace

RoundAxis greatest_separation(const PosedHull& a, const PosedShape& round) { return RoundSearch(a, round).run(); }

// Flat against flat leaves a choice: projections onto the one and the other in turn end at a point of both.
PairContact contact_along(const PosedHull& a, const PosedShape& round, const RoundAxis& axis) {
  const Vector3& n = axis.normal;
  Vector3 on_b = nearest_on_round(round, n, round.pose.position);
  for (int step = 0; step < tolerances::projections_max; ++step) {
    const Vector3 next = nearest_on_round(round, n, nearest_on_feature(a, n, on_b));
    const bool settled = norm(next - on_b) <= tolerances::projection_settled_relative * bounding_radius(round);
    on_b = next;
    if (settled) break;
  }
  return {on_b + axis.separation * n, on_b, n, axis.separation, {FeatureKind::nearest, 0}, {FeatureKind::nearest, 0}};
}

}  // namespace routh::internal
