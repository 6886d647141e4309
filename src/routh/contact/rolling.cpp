// How the contact point moves along two surfaces that roll and slide over each other.
//
// The point c_a of a's core is nearest to the point c_b of b's core, d = c_a − c_b = g n. The contact point lies midway
// between the surfaces, which stand ρ_a and ρ_b before the cores:
//
//   p = (c_a + c_b)/2 + (ρ_b − ρ_a)/2 n        ṗ = (ċ_a + ċ_b)/2 + (ρ_b − ρ_a)/2 ṅ
//
// Points that move along their cores have, with v the velocity of the body there,
//   point            ċ = v
//   line e           ċ = v + ṡ e, where ṡ follows from (e·d)˙ = 0; of two lines, ṡ_a and ṡ_b from both
//   below a plane    ċ = v + u̇ of a curved part that reaches farthest: u = −E² N/|E N|, with N the plane's outward
//                    normal and E² the sum of h hᵀ over the half axes. In the frame of its body N changes by
//                    δ = Ṅ − ω × N, and u̇ = −(E² δ − E² N (N·E² δ)/|E N|²)/|E N|
//   on a plane       the foot of the other point: ċ_b = ċ_a − (g n)˙
// and the normal turns with a plane, with the common perpendicular m = e_a × e_b of two lines, or with d:
// ṅ = (ḋ − n (n·ḋ))/g.
#include "routh/contact/rolling.h"

#include "routh/contact/brick.h"
#include "routh/contact/posed_hull.h"

namespace routh::internal::rolling {

Motion motion_of(const Model& model, const Workspace& workspace, int body, const Vector3& point) {
  const Drift drift = point_drift(model, workspace, body, point);
  return {point, point_velocity(model, workspace, body, point), drift.linear, angular_velocity(model, workspace, body),
          drift.angular};
}

Vector3 first(const Motion& body, const Vector3& e) { return cross(body.turning, e); }
Vector3 second(const Motion& body, const Vector3& e) {
  return cross(body.turning_rate, e) + cross(body.turning, cross(body.turning, e));
}

Vector3 axis_of(const PosedShape& shape, int k) {
  const Matrix3& R = shape.pose.rotation;
  return k == 0 ? column_x(R) : k == 1 ? column_y(R) : column_z(R);
}

namespace {

Vector3 edge_direction(const PosedShape& shape, int index) {
  if (shape.kind == ShapeKind::box) return axis_of(shape, index / 4);
  if (shape.kind == ShapeKind::strip) return axis_of(shape, index % 2);
  if (shape.kind == ShapeKind::mesh) return posed_hull(shape).direction(index);
  return up_axis(shape);
}

Part point(double radius) { return {Flat::point, radius, {}, {}}; }
Part line(const Vector3& direction, double radius) { return {Flat::line, radius, direction, {}}; }

Part curved(const PosedShape& shape, const Vector3& half) {
  return {Flat::curved, 0, {}, {half.x * axis_of(shape, 0), half.y * axis_of(shape, 1), half.z * axis_of(shape, 2)}};
}

}  // namespace

// A hole is a line with the radius of its bore before it, to the inside: p_b = c_b − R n.
std::optional<Part> part_of(const PosedShape& shape, Feature feature) {
  const Vector3& h = shape.half_extents;
  switch (feature.kind) {
    case FeatureKind::vertex:
      return point(shape.kind == ShapeKind::pin ? shape.radius : core_radius(shape));
    case FeatureKind::edge:
      return line(edge_direction(shape, feature.index), core_radius(shape));
    case FeatureKind::face:
      return Part{Flat::plane, 0, {}, {}};
    case FeatureKind::side:
      return feature.index > 0 ? point(shape.radius) : line(axis_of(shape, 2), shape.radius);
    case FeatureKind::rim:
      return curved(shape, {shape.radius, shape.radius, 0});
    case FeatureKind::nearest:
      if (shape.kind != ShapeKind::ellipsoid) break;
      return curved(shape, {h.x, h.y, shape.dimension == Dimension::planar ? 0 : h.z});
    case FeatureKind::bore:
      return line(axis_of(shape, 2), -shape.radius);
  }
  return std::nullopt;
}

bool cross_each_other(const Part& a, const Part& b) {
  return a.flat == Flat::line && b.flat == Flat::line && norm(cross(a.direction, b.direction)) >= parallel_sine;
}

namespace {

struct CoreRates {
  Vector3 a, b, normal;  // ċ_a, ċ_b, ṅ
};

// (e·d)˙ of a line fixed to `body`, while the two points are fixed to theirs.
double slide(const Between& m, const Motion& body, const Vector3& e) {
  return dot(first(body, e), m.d()) + dot(e, m.rate());
}

Vector3 across(const Vector3& n, const Vector3& v) { return v - dot(n, v) * n; }

// Between points, or of a point over a line.
std::optional<CoreRates> between_points(const Between& m, const Part& a, const Part& b) {
  CoreRates rates = {m.a.velocity, m.b.velocity, {}};
  if (a.flat == Flat::line) rates.a -= slide(m, m.a, a.direction) * a.direction;
  if (b.flat == Flat::line) rates.b += slide(m, m.b, b.direction) * b.direction;
  // Midway between equal radii the direction is of no account: sharp corners and edges may meet.
  if (a.radius == b.radius) return rates;
  if (m.meet()) return std::nullopt;
  rates.normal = (1 / m.distance) * across(m.normal, rates.a - rates.b);
  return rates;
}

// ṡ_a − k ṡ_b = −r_a and k ṡ_a − ṡ_b = −r_b with k = e_a·e_b, 1 − k² = |m|².
CoreRates between_lines(const Between& between, const Vector3& ea, const Vector3& eb) {
  Vector3 m = cross(ea, eb), m1 = cross(first(between.a, ea), eb) + cross(ea, first(between.b, eb));
  if (dot(m, between.normal) < 0) m = -m, m1 = -m1;
  const double k = dot(ea, eb), ra = slide(between, between.a, ea), rb = slide(between, between.b, eb);
  const double along_a = (k * rb - ra) / dot(m, m), along_b = (rb - k * ra) / dot(m, m);
  return {between.a.velocity + along_a * ea, between.b.velocity + along_b * eb,
          (1 / norm(m)) * across(between.normal, m1)};
}

// u̇ of a part carried by `body` that faces a plane of the outward normal N.
Vector3 wandering(const Part& part, const Motion& body, const Vector3& N, const Vector3& N1) {
  if (part.flat != Flat::curved) return {};
  const auto squared = [&](const Vector3& v) {
    Vector3 sum;
    for (const Vector3& h : part.half_axes) sum += dot(h, v) * h;
    return sum;
  };
  const Vector3 EEN = squared(N), EEd = squared(N1 - first(body, N));
  const double square = dot(N, EEN);
  if (!(square > 0)) return {};
  return (-1 / std::sqrt(square)) * (EEd - (dot(N, EEd) / square) * EEN);
}

CoreRates over_plane_of_b(const Between& m, const Part& a) {
  const Vector3 n1 = first(m.b, m.normal);
  const Vector3 lowest = m.a.velocity + wandering(a, m.a, m.normal, n1);
  return {lowest, lowest - dot(m.normal, m.rate()) * m.normal - m.distance * n1, n1};
}

CoreRates over_plane_of_a(const Between& m, const Part& b) {
  const Vector3 n1 = first(m.a, m.normal);
  const Vector3 lowest = m.b.velocity + wandering(b, m.b, -m.normal, -n1);
  return {lowest + dot(m.normal, m.rate()) * m.normal + m.distance * n1, lowest, n1};
}

std::optional<CoreRates> core_rates(const Between& m, const Part& a, const Part& b) {
  const auto ends_in_a_point = [](const Part& part) { return part.flat == Flat::point || part.flat == Flat::curved; };
  if (ends_in_a_point(a) && b.flat == Flat::plane) return over_plane_of_b(m, a);
  if (a.flat == Flat::plane && ends_in_a_point(b)) return over_plane_of_a(m, b);
  if ((a.flat == Flat::point && (b.flat == Flat::point || b.flat == Flat::line)) ||
      (a.flat == Flat::line && b.flat == Flat::point))
    return between_points(m, a, b);
  if (cross_each_other(a, b)) return between_lines(m, a.direction, b.direction);
  return std::nullopt;
}

}  // namespace

std::optional<Vector3> point_rate(const Between& m, const Part& a, const Part& b) {
  const auto rates = core_rates(m, a, b);
  if (!rates) return std::nullopt;
  return 0.5 * (rates->a + rates->b) + ((b.radius - a.radius) / 2) * rates->normal;
}

}  // namespace routh::internal::rolling
