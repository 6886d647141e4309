#include "routh/contact/rim.h"

#include <cmath>

#include "routh/contact/posed_hull.h"
#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

RimPoints rim_points(const PosedShape& cylinder, int cap, const Vector3& face_normal) {
  const Vector3 down = -transpose_times(cylinder.pose.rotation, face_normal);
  const double tilt = elementary::hypot(down.x, down.y), r = cylinder.radius,
               z = (cap == 0 ? -1 : 1) * cylinder.length / 2;
  const Vector3 fixed[] = {{r, 0, z}, {0, r, z}, {-r, 0, z}, {0, -r, z}};
  RimPoints rim;
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    rim.point[k] = cylinder.pose * fixed[i];
    rim.feature[k] = {FeatureKind::vertex, 4 * cap + i};
  }
  if (!(tilt > tolerances::flat_angle)) return rim;
  const bool along_x = std::abs(down.x) > std::abs(down.y);
  const std::size_t next = along_x ? (down.x > 0 ? 0 : 2) : (down.y > 0 ? 1 : 3);
  rim.point[next] = cylinder.pose * Vector3{r * down.x / tilt, r * down.y / tilt, z};
  rim.feature[next] = {FeatureKind::rim, cap};
  return rim;
}

Vector3 Curve::at(double s) const {
  return is_circle() ? base + radius * (elementary::cos(s) * x + elementary::sin(s) * y) : base + s * x;
}

Vector3 Curve::tangent(double s) const { return is_circle() ? elementary::cos(s) * y - elementary::sin(s) * x : x; }

double Curve::parameter(const Vector3& near) const {
  const Vector3 d = near - base;
  return is_circle() ? elementary::atan2(dot(y, d), dot(x, d)) : dot(x, d);
}

Curve rim_curve(const PosedShape& cylinder, int cap) {
  const Matrix3& R = cylinder.pose.rotation;
  return {cylinder.pose.position + ((cap == 0 ? -0.5 : 0.5) * cylinder.length) * column_z(R), column_x(R), column_y(R),
          cylinder.radius};
}

// With d from b to a and tangents t: d·t_a = d·t_b = 0.
std::optional<Crossing> cross_curves(const Curve& a, const Curve& b, double start_a, double start_b,
                                     const Vector3& direction) {
  double s = start_a, t = start_b;
  const double speed_a = a.is_circle() ? a.radius : 1, speed_b = b.is_circle() ? b.radius : 1;
  for (int round = 0; round < tolerances::curve_newton_steps_max; ++round) {
    const Vector3 p = a.at(s), q = b.at(t), d = p - q, u = a.tangent(s), v = b.tangent(t);
    const double k = dot(u, v);
    // A circle's tangent turns inward.
    const double f1 = speed_a - (a.is_circle() ? dot(d, p - a.base) / a.radius : 0);
    const double f2 = -speed_b - (b.is_circle() ? dot(d, q - b.base) / b.radius : 0);
    const double g1 = dot(d, u), g2 = dot(d, v), det = f1 * f2 + k * k * speed_a * speed_b;
    if (!(std::abs(det) > tolerances::curve_determinant_min * speed_a * speed_b)) return std::nullopt;
    const double ds = -(f2 * g1 + speed_b * k * g2) / det, dt = -(f1 * g2 - speed_a * k * g1) / det;
    s += ds, t += dt;
    if (!(std::abs(s - start_a) * speed_a + std::abs(t - start_b) * speed_b < tolerances::curve_way_max))
      return std::nullopt;
    if (std::abs(ds) * speed_a + std::abs(dt) * speed_b > tolerances::curve_step_settled * (1 + std::abs(t) * speed_b))
      continue;
    const Vector3 across = cross(a.tangent(s), b.tangent(t));
    const double sine = norm(across);
    if (!(sine > tolerances::crossing_curves_sine)) return std::nullopt;
    return Crossing{s, t, a.at(s), b.at(t), (dot(across, direction) < 0 ? -1 / sine : 1 / sine) * across};
  }
  return std::nullopt;
}

int crossing_end(const Curve& circle, const Curve& other, const Vector3& point) {
  const Vector3 axis = cross(circle.x, circle.y),
                along = other.is_circle() ? cross(axis, other.base - circle.base) : other.x;
  const double sine = norm(cross(circle.tangent(circle.parameter(point)), other.tangent(other.parameter(point))));
  if (!(sine > tolerances::crossing_curves_sine)) return -1;
  return dot(along, point - circle.base) < 0 ? 0 : 1;
}

Crossings cross_circle(const Curve& circle, const Curve& other, const Vector3& direction) {
  Crossings found;
  const Vector3 axis = cross(circle.x, circle.y);
  const auto seen = [&](const Vector3& v) { return v - dot(axis, v) * axis; };
  const Vector3 p = seen(other.base - circle.base), e = seen(other.x);
  std::array<Vector3, 2> start;
  const double R = circle.radius;
  if (other.is_circle()) {
    const double apart = norm(p);
    if (!(apart > tolerances::concentric_relative * R)) return found;
    const double along = (apart * apart + R * R - other.radius * other.radius) / (2 * apart);
    if (!(std::abs(along) < R)) return found;
    const double half = std::sqrt(R * R - along * along);
    const Vector3 u = (1 / apart) * p, w = cross(axis, u);
    start = {circle.base + along * u - half * w, circle.base + along * u + half * w};
  } else {
    const double square = dot(e, e), along = dot(p, e) / square;
    const double under = along * along - (dot(p, p) - R * R) / square;
    if (!(square > 0.25) || !(under > 0)) return found;
    const double half = std::sqrt(under);
    start = {other.at(-along - half), other.at(-along + half)};
  }
  for (const Vector3& each : start)
    if (const auto crossing = cross_curves(circle, other, circle.parameter(each), other.parameter(each), direction))
      found.crossing[static_cast<std::size_t>(found.count++)] = *crossing;
  return found;
}

Feature crossed_rim(int cap, int end) { return {FeatureKind::rim, 2 + 2 * cap + end}; }

RimContacts rim_contacts(const PosedShape& a, int cap, const Crossed& b, const Vector3& n, double slack) {
  RimContacts out;
  const Curve rim = rim_curve(a, cap);
  const Crossings found = cross_circle(rim, b.curve, n);
  for (int i = 0; i < found.count; ++i) {
    const Crossing& at = found.crossing[static_cast<std::size_t>(i)];
    const int end = crossing_end(rim, b.curve, at.on_a);
    if (end < 0 || std::abs(dot(at.normal, n)) < tolerances::manifold_cosine || std::abs(at.b) > b.half * (1 + slack))
      continue;
    const Vector3 on_b = at.on_b + b.radius * at.normal;
    out.contact[static_cast<std::size_t>(out.count++)] = {
        at.on_a,
        on_b,
        at.normal,
        dot(at.normal, at.on_a - on_b),
        crossed_rim(cap, end),
        b.curve.is_circle() ? crossed_rim(b.feature.index, end) : b.feature};
  }
  return out;
}

namespace {

// The face that looks along a direction; index −1 when none does.
Feature face_along(const PosedShape& shape, const Vector3& direction) {
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const double along[] = {d.x, d.y, d.z};
  Feature face = {FeatureKind::face, -1};
  switch (shape.kind) {
    case ShapeKind::box:
      for (int k = 0; k < 3; ++k)
        if (elementary::hypot(along[(k + 1) % 3], along[(k + 2) % 3]) <= tolerances::flat_angle)
          face.index = 2 * k + (along[k] > 0 ? 1 : 0);
      break;
    case ShapeKind::cylinder:
      if (elementary::hypot(d.x, d.y) <= tolerances::flat_angle) face.index = d.z < 0 ? 0 : 1;
      break;
    case ShapeKind::mesh: {
      const PosedHull hull = posed_hull(shape);
      for (const int e : hull.shape->edges_at(hull.farthest(direction)))
        for (const int f : {hull.edge(e).left, hull.edge(e).right})
          if (dot(hull.normal(f), direction) > 0 && norm(cross(hull.normal(f), direction)) <= tolerances::flat_angle)
            face.index = f;
      break;
    }
    case ShapeKind::point:
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::ellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::strip:
    case ShapeKind::pin:
    case ShapeKind::hole:
      break;
  }
  return face;
}

struct NamedEdge {
  Feature feature = {FeatureKind::edge, -1};
  Vector3 direction;
};

// The edge that lies across a direction and reaches farthest along it; index −1 when a face or a corner does.
NamedEdge edge_along(const PosedShape& shape, const Vector3& direction) {
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const double along[] = {d.x, d.y, d.z};
  const Vector3 axes[] = {column_x(shape.pose.rotation), column_y(shape.pose.rotation), column_z(shape.pose.rotation)};
  NamedEdge edge;
  int across = 0;
  switch (traits_of(shape.kind).polytope) {
    case Polytope::segment:
      across = std::abs(d.z) <= tolerances::flat_angle;
      edge = {{FeatureKind::edge, 0}, axes[2]};
      break;
    case Polytope::box:
      for (int k = 0; k < 3; ++k) {
        if (std::abs(along[k]) > tolerances::flat_angle) continue;
        ++across;
        const int signs = (along[(k + 1) % 3] > 0 ? 1 : 0) + (along[(k + 2) % 3] > 0 ? 2 : 0);
        edge = {{FeatureKind::edge, 4 * k + signs}, axes[k]};
      }
      break;
    case Polytope::hull: {
      const PosedHull hull = posed_hull(shape);
      for (const int e : hull.shape->edges_at(hull.farthest(direction)))
        if (std::abs(dot(hull.direction(e), direction)) <= tolerances::flat_angle) {
          ++across;
          edge = {{FeatureKind::edge, e}, hull.direction(e)};
        }
      break;
    }
    case Polytope::none:
    case Polytope::point:
      break;
  }
  return across == 1 ? edge : NamedEdge{};
}

// The rim of a cylinder that reaches farthest along a direction; index −1 when its side or a cap does.
Feature rim_along(const PosedShape& shape, const Vector3& direction) {
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const bool rim = shape.kind == ShapeKind::cylinder && elementary::hypot(d.x, d.y) > tolerances::flat_angle &&
                   std::abs(d.z) > tolerances::flat_angle;
  return {FeatureKind::rim, !rim ? -1 : d.z < 0 ? 0 : 1};
}

}  // namespace

void name_rim(const PosedShape& a, const PosedShape& b, PairContact& contact) {
  const Vector3& n = contact.normal;
  const Feature rim_a = rim_along(a, -n), rim_b = rim_along(b, n);
  if (rim_a.index < 0 && rim_b.index < 0) return;
  if (rim_a.index >= 0 && rim_b.index >= 0) {
    const Curve of_a = rim_curve(a, rim_a.index), of_b = rim_curve(b, rim_b.index);
    const int end = crossing_end(of_a, of_b, contact.point_a);
    if (end >= 0) contact.feature_a = crossed_rim(rim_a.index, end), contact.feature_b = crossed_rim(rim_b.index, end);
    return;
  }
  const bool of_a = rim_a.index >= 0;
  const PosedShape &cylinder = of_a ? a : b, &other = of_a ? b : a;
  const Vector3 towards = of_a ? n : -n;  // from the other to the cylinder
  Feature &rim = of_a ? contact.feature_a : contact.feature_b, &its = of_a ? contact.feature_b : contact.feature_a;
  const int cap = (of_a ? rim_a : rim_b).index;
  if (const Feature face = face_along(other, towards); face.index >= 0) {
    rim = {FeatureKind::rim, cap}, its = face;
  } else if (const NamedEdge edge = edge_along(other, towards); edge.feature.index >= 0) {
    const int end = crossing_end(rim_curve(cylinder, cap), {contact.point_a, edge.direction, {}, -1}, contact.point_a);
    if (end >= 0) rim = crossed_rim(cap, end), its = edge.feature;
  }
}

}  // namespace routh::internal
