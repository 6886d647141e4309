#include "routh/contact/smooth_pair.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/posed_hull.h"

namespace routh::internal {

namespace {

constexpr Vector3 unit_axis(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

void add_straight(SmoothPart& part, const Vector3& direction) {
  part.straight[static_cast<std::size_t>(part.straight_count++)] = direction;
}
void add_round(SmoothPart& part, const Vector3& half_axis) {
  part.round[static_cast<std::size_t>(part.round_count++)] = half_axis;
}

// A segment along an axis: its line when it lies across the direction, else the end that reaches farther.
void add_segment(SmoothPart& part, const Vector3& axis, double half, double along) {
  if (std::abs(along) <= flat_angle)
    add_straight(part, axis);
  else
    part.base += (along < 0 ? -half : half) * axis;
}

SmoothPart mesh_part(const PosedShape& shape, const Vector3& d) {
  PosedHull hull = posed_hull(shape);
  hull.pose = {};
  const int vertex = hull.farthest(d);
  SmoothPart part;
  part.base = hull.vertex(vertex);
  for (const int e : hull.shape->edges_at(vertex)) {
    const Vector3 along = hull.direction(e);
    if (part.straight_count < 2 && std::abs(dot(along, d)) <= flat_angle &&
        (part.straight_count == 0 || norm(cross(along, part.straight[0])) > 1e-6))
      add_straight(part, along);
  }
  return part;
}

SmoothPart rim_part(const PosedShape& cylinder, int cap) {
  SmoothPart part;
  part.base = {0, 0, (cap == 0 ? -0.5 : 0.5) * cylinder.length};
  part.rim = true;
  for (const int k : {0, 1}) add_round(part, cylinder.radius * unit_axis(k));
  return part;
}

// Of a capsule or the side of a cylinder.
SmoothPart side_part(const PosedShape& shape) {
  SmoothPart part;
  add_straight(part, unit_axis(shape.dimension == Dimension::planar ? 1 : 2));
  part.radius = shape.radius;
  return part;
}

SmoothPart cylinder_part(const PosedShape& shape, const Vector3& d) {
  if (std::abs(d.z) <= flat_angle) return side_part(shape);
  const int cap = d.z < 0 ? 0 : 1;
  if (std::hypot(d.x, d.y) > flat_angle) return rim_part(shape, cap);
  SmoothPart part;
  part.base = {0, 0, (cap == 0 ? -0.5 : 0.5) * shape.length};
  for (const int k : {0, 1}) add_straight(part, unit_axis(k));
  return part;
}

// Lines and circles that a contact names need not be those that reach farthest.
std::optional<SmoothPart> named_part(const PosedShape& shape, Feature feature) {
  if (feature.kind == FeatureKind::rim)
    return rim_part(shape, feature.index < 2 ? feature.index : feature.index / 2 - 1);
  if (feature.kind == FeatureKind::side && feature.index == 0) return side_part(shape);
  if (feature.kind != FeatureKind::edge) return std::nullopt;
  if (shape.kind == ShapeKind::capsule) return side_part(shape);
  SmoothPart part;
  if (shape.kind == ShapeKind::mesh) {
    PosedHull hull = posed_hull(shape);
    hull.pose = {};
    part.base = hull.vertex(hull.edge(feature.index).from);
    add_straight(part, hull.direction(feature.index));
    return part;
  }
  if (shape.kind != ShapeKind::box) return std::nullopt;
  const double half[] = {shape.half_extents.x, shape.half_extents.y, shape.half_extents.z};
  const int axis = feature.index / 4, next = (axis + 1) % 3, last = (axis + 2) % 3;
  add_straight(part, unit_axis(axis));
  part.base = (feature.index & 1 ? half[next] : -half[next]) * unit_axis(next) +
              (feature.index & 2 ? half[last] : -half[last]) * unit_axis(last);
  return part;
}

}  // namespace

void SmoothPart::hold(int direction, const Vector3& at) {
  const auto i = static_cast<std::size_t>(direction);
  base += dot(straight[i], at - base) * straight[i];
  if (direction == 0) straight[0] = straight[1];
  --straight_count;
}

double SmoothPart::rim_sine(const Matrix3& rotation, const Vector3& direction) const {
  if (!rim) return 1;
  const Vector3 d = transpose_times(rotation, direction);
  return std::hypot(dot(round[0], d) / norm(round[0]), dot(round[1], d) / norm(round[1]));
}

std::optional<SmoothPart> smooth_part(const PosedShape& shape, Feature feature, const Vector3& d) {
  if (const auto named = named_part(shape, feature)) return named;
  SmoothPart part;
  const bool planar = shape.dimension == Dimension::planar;
  const double half[] = {shape.half_extents.x, shape.half_extents.y, shape.half_extents.z};
  const double along[] = {d.x, d.y, d.z};
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      break;
    case ShapeKind::capsule:
      add_segment(part, unit_axis(planar ? 1 : 2), shape.length / 2, along[planar ? 1 : 2]);
      break;
    case ShapeKind::box:
      for (int k = 0; k < (planar ? 2 : 3); ++k) add_segment(part, unit_axis(k), half[k], along[k]);
      break;
    case ShapeKind::cylinder:
      return cylinder_part(shape, d);
    case ShapeKind::ellipsoid:
      for (int k = 0; k < (planar ? 2 : 3); ++k) add_round(part, half[k] * unit_axis(k));
      break;
    case ShapeKind::mesh:
      return mesh_part(shape, d);
    case ShapeKind::half_space:
    case ShapeKind::strip:
      add_straight(part, unit_axis(0));
      if (!planar) add_straight(part, unit_axis(1));
      break;
    case ShapeKind::pin:
    case ShapeKind::hole:
      return std::nullopt;
  }
  part.radius = core_radius(shape);
  return part;
}

std::optional<SmoothPair> SmoothPair::of(const PosedShape& a, const PosedShape& b, const PairContact& contact) {
  const auto part = [&](const PosedShape& shape, Feature feature, const Vector3& direction) {
    return smooth_part(shape, feature, transpose_times(shape.pose.rotation, direction));
  };
  const auto part_a = part(a, contact.feature_a, -contact.normal), part_b = part(b, contact.feature_b, contact.normal);
  if (!part_a || !part_b) return std::nullopt;
  SmoothPair pair;
  pair.a_ = *part_a;
  pair.b_ = *part_b;
  // What is straight along something straight of the other, as the side of a cylinder that lies on a face, is a point
  // there: which of its points is the nearest would change with the least tilt.
  constexpr double along = 1e-6;  // sine
  const bool first_is_a = pair.a_.straight_count >= pair.b_.straight_count;
  const SmoothPart& kept = first_is_a ? pair.a_ : pair.b_;
  SmoothPart& other = first_is_a ? pair.b_ : pair.a_;
  const PosedShape &of_kept = first_is_a ? a : b, &of_other = first_is_a ? b : a;
  const Vector3 point = first_is_a ? contact.point_b : contact.point_a;
  const Vector3 at = transpose_times(of_other.pose.rotation, point - of_other.pose.position);
  for (int i = other.straight_count; i-- > 0;) {
    Vector3 e =
        transpose_times(of_kept.pose.rotation, of_other.pose.rotation * other.straight[static_cast<std::size_t>(i)]);
    Vector3 before;
    for (int k = 0; k < kept.straight_count; ++k) {
      Vector3 f = kept.straight[static_cast<std::size_t>(k)];
      if (k == 1) f -= dot(before, f) * before;
      before = (1 / norm(f)) * f;
      e -= dot(before, e) * before;
    }
    if (norm(e) < along) other.hold(i, at);
  }
  if (kept.straight_count + other.straight_count > 2) return std::nullopt;
  const auto curve_a = curve_of(pair.a_, a.pose), curve_b = curve_of(pair.b_, b.pose);
  if (!curve_a || !curve_b || !(curve_a->is_circle() || curve_b->is_circle())) return pair;
  pair.start_a_ = curve_a->parameter(contact.point_a);
  pair.start_b_ = curve_b->parameter(contact.point_b);
  // Where they run along each other they do not cross, and where they cross may be elsewhere.
  const auto crossing = cross_curves(*curve_a, *curve_b, pair.start_a_, pair.start_b_, contact.normal);
  pair.curves_ = crossing && norm(crossing->normal - contact.normal) < 1e-6 &&
                 norm(crossing->on_a - pair.a_.radius * crossing->normal - contact.point_a) < 1e-6 * bounding_radius(a);
  return pair;
}

std::optional<Curve> SmoothPair::curve_of(const SmoothPart& part, const Pose& pose) {
  const Vector3 base = pose * part.base;
  if (part.straight_count == 1 && part.round_count == 0) return Curve{base, pose.rotation * part.straight[0], {}, -1};
  if (!part.rim) return std::nullopt;
  const double radius = norm(part.round[0]);
  const auto axis = [&](int k) { return (1 / radius) * (pose.rotation * part.round[static_cast<std::size_t>(k)]); };
  return Curve{base, axis(0), axis(1), radius};
}

namespace {

// Straight directions of both, in the world, and what to shift along them.
struct Straight {
  Vector3 direction;
  double side = 1;  // +1 of a, −1 of b
};

// −∂s/∂n of what is round about a part: where it reaches farthest along n. Adds to the Hessian of s.
struct Reach {
  Vector3 point;
  double length = 0;
};
Reach reach_of(const SmoothPart& part, const Matrix3& R, const Vector3& n, Symmetric3& hessian) {
  Reach reach;
  if (part.round_count == 0) return reach;
  Vector3 sum;
  double square = 0;
  for (int k = 0; k < part.round_count; ++k) {
    const Vector3 h = R * part.round[static_cast<std::size_t>(k)];
    const double along = dot(h, n);
    sum += along * h;
    square += along * along;
  }
  reach.length = std::sqrt(square);
  if (!(reach.length > 0)) return reach;
  reach.point = (1 / reach.length) * sum;
  for (int k = 0; k < part.round_count; ++k) {
    const Vector3 h = R * part.round[static_cast<std::size_t>(k)];
    hessian = minus_outer(hessian, h, (1 / reach.length) * h);
  }
  hessian = minus_outer(hessian, reach.point, (-1 / reach.length) * reach.point);
  return reach;
}

// Weights w with Σ w_i e_i = r, of at most two directions.
std::array<double, 2> weights(const std::array<Straight, 2>& e, int count, const Vector3& r) {
  if (count == 0) return {};
  const double p = dot(e[0].direction, r);
  if (count == 1) return {p, 0};
  const double q = dot(e[1].direction, r), k = dot(e[0].direction, e[1].direction), det = 1 - k * k;
  return {(p - k * q) / det, (q - k * p) / det};
}

}  // namespace

std::optional<SmoothPair::Place> SmoothPair::place(const Pose& pose_a, const Pose& pose_b,
                                                   const Vector3& normal) const {
  if (curves_) {
    const auto at = cross_curves(*curve_of(a_, pose_a), *curve_of(b_, pose_b), start_a_, start_b_, normal);
    if (!at) return std::nullopt;
    const Vector3 &n = at->normal, a = at->on_a - a_.radius * n, b = at->on_b + b_.radius * n;
    return Place{a, b, n, dot(n, a - b)};
  }
  std::array<Straight, 2> straight;
  int count = 0;
  for (int i = 0; i < a_.straight_count; ++i)
    straight[static_cast<std::size_t>(count++)] = {pose_a.rotation * a_.straight[static_cast<std::size_t>(i)], 1};
  for (int i = 0; i < b_.straight_count; ++i)
    straight[static_cast<std::size_t>(count++)] = {pose_b.rotation * b_.straight[static_cast<std::size_t>(i)], -1};
  Vector3 n = normal;
  const Vector3 e = straight[0].direction;
  if (count == 2) {
    n = cross(e, straight[1].direction);
    if (dot(n, normal) < 0) n = -n;
  } else if (count == 1) {
    n -= dot(e, n) * e;
  }
  if (!(norm(n) > 0)) return std::nullopt;
  n = (1 / norm(n)) * n;
  // Not across the axis of a rim, where its nearest point jumps to the other side.
  const double range =
      0.5 * std::min({1.0, a_.rim_sine(pose_a.rotation, normal), b_.rim_sine(pose_b.rotation, normal)});
  const Vector3 base_a = pose_a * a_.base, base_b = pose_b * b_.base, c = base_a - base_b;
  Reach of_a, of_b;
  // Newton's steps on the sphere, on the great circle across a line, or none.
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round) {
    Symmetric3 hessian;
    of_a = reach_of(a_, pose_a.rotation, n, hessian);
    of_b = reach_of(b_, pose_b.rotation, n, hessian);
    if (count == 2) break;
    const Vector3 gradient = c - of_a.point - of_b.point;
    const double radial = dot(n, gradient);
    const Vector3 beside = std::abs(n.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    Vector3 t = count == 1 ? cross(e, n) : cross(n, beside);
    t = (1 / norm(t)) * t;
    const Vector3 u = cross(n, t);
    const double g1 = dot(t, gradient), h11 = dot(t, hessian * t) - radial;
    Vector3 move;
    if (count == 1) {
      if (h11 == 0) return std::nullopt;
      move = (-g1 / h11) * t;
    } else {
      const double g2 = dot(u, gradient), h12 = dot(t, hessian * u), h22 = dot(u, hessian * u) - radial;
      const double det = h11 * h22 - h12 * h12;
      if (det == 0) return std::nullopt;
      move = ((h12 * g2 - h22 * g1) / det) * t + ((h12 * g1 - h11 * g2) / det) * u;
    }
    const double length = norm(move);
    n = (1 / norm(n + move)) * (n + move);
    if (!(length < 0.5 && norm(n - normal) < range)) return std::nullopt;  // no longer the same place
    if (length < 1e-9) {                                                   // its square is rounding
      Symmetric3 unused;
      of_a = reach_of(a_, pose_a.rotation, n, unused);
      of_b = reach_of(b_, pose_b.rotation, n, unused);
      break;
    }
  }
  const double s = dot(c, n) - of_a.length - of_b.length;
  Vector3 a = base_a - of_a.point, b = base_b + of_b.point;
  const std::array<double, 2> w = weights(straight, count, a - b - s * n);
  for (int i = 0; i < count; ++i) {
    const Straight& it = straight[static_cast<std::size_t>(i)];
    (it.side > 0 ? a : b) -= it.side * w[static_cast<std::size_t>(i)] * it.direction;
  }
  return Place{a - a_.radius * n, b + b_.radius * n, n, s - a_.radius - b_.radius};
}

}  // namespace routh::internal
