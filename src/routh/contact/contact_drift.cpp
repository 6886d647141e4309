// The drift of a contact: the second derivative of the gap, and the change of the slip velocity, when q̈ = 0.
//
// Normal. With d from a point y of b's core to a point x of a's, both fixed to their bodies, d = g n at this instant
// and g the distance of the cores (of a pin in a hole minus the distance of its centre from the axis):
//   corner over corner   g = |d|                     g̈ = n·d̈ + (|ḋ|² − (n·ḋ)²)/g
//   corner over edge e   g² = |d|² − (e·d)²          g̈ = n·d̈ + (|ḋ|² − (n·ḋ)² − ((e·d)˙)²)/g
//   corner over face     g = n·d, n fixed to a body  g̈ = n·d̈ + 2 ṅ·ḋ + n̈·d
//   edge across edge     g = m·d/|m|, m = e_a × e_b  g̈ = ((m·d)¨ − 2 ġ |m|˙ − g |m|¨)/|m|
//   rim over face        g = n·d − R √(1 − w²), d to the middle of the cap of axis z, w = z·n
//   corner over rim      g² = (ρ − R)² + w², d from the middle of the cap, w = z·d, ρ² = |d|² − w²
// A rounded core only shifts g. Where two sharp corners meet (g = 0) the distance has a kink, and n·d̈ is taken.
//
// Tangential. The contact point p moves along both surfaces with ṗ (rolling.cpp); a(p) and v(p) are of points fixed to
// the bodies, and
//   (v_a(p) − v_b(p))˙ = a_a(p) + ω_a × (ṗ − v_a(p)) − a_b(p) − ω_b × (ṗ − v_b(p))
//
// Contacts that move over curved surfaces are differentiated numerically, by central differences of fourth order: the
// gap's rate n·(v_a − v_b) and the contact point, along the motion that has the present velocities and accelerations of
// the two bodies, between the parts of the shapes that face each other now (smooth_pair.h). Their steps turn the bodies
// by 0.002 rad: a contact point right to 1e-13 gives ṗ to 1e-10.
#include <algorithm>

#include "routh/contact/rolling.h"
#include "routh/contact/smooth_pair.h"
#include "routh/contact/strip.h"
#include "routh/contact/tolerances.h"

namespace routh {

namespace {

using namespace rolling;

// Corner over corner, or over an edge fixed to `body`.
double drift_of_distance(const Between& m, const Vector3* edge, const Motion& body) {
  const Vector3 rate = m.rate();
  const double straight = dot(m.normal, m.acceleration()), along = dot(m.normal, rate);
  if (m.meet()) return straight;
  double across = dot(rate, rate) - along * along;
  if (edge) {
    const double slide = dot(first(body, *edge), m.d()) + dot(*edge, rate);
    across -= slide * slide;
  }
  return straight + across / m.distance;
}

double drift_over_face(const Between& m, const Motion& body) {
  return dot(m.normal, m.acceleration()) + 2 * dot(first(body, m.normal), m.rate()) +
         dot(second(body, m.normal), m.d());
}

double drift_across_edges(const Between& b, const Vector3& ea, const Vector3& eb) {
  const Vector3 ea1 = first(b.a, ea), eb1 = first(b.b, eb);
  Vector3 m = cross(ea, eb), m1 = cross(ea1, eb) + cross(ea, eb1);
  Vector3 m2 = cross(second(b.a, ea), eb) + 2.0 * cross(ea1, eb1) + cross(ea, second(b.b, eb));
  if (dot(m, b.normal) < 0) m = -m, m1 = -m1, m2 = -m2;
  const double size = norm(m);
  const double size1 = dot(b.normal, m1), size2 = dot(b.normal, m2) + (dot(m1, m1) - size1 * size1) / size;
  const double product1 = dot(m1, b.d()) + dot(m, b.rate());
  const double product2 = dot(m2, b.d()) + 2 * dot(m1, b.rate()) + dot(m, b.acceleration());
  const double rate = (product1 - b.distance * size1) / size;
  return (product2 - 2 * rate * size1 - b.distance * size2) / size;
}

// The lowest point of the rim of the cylinder that `turning` carries, over a face fixed to `body`: n outward. `m` is
// between the middle of the cap and the face, with n as its normal.
double drift_of_rim(const Between& m, const Motion& turning, const Motion& body, const Vector3& z, double radius) {
  const Vector3& n = m.normal;
  const double w = dot(z, n), w1 = dot(first(turning, z), n) + dot(z, first(body, n));
  const double w2 = dot(second(turning, z), n) + 2 * dot(first(turning, z), first(body, n)) + dot(z, second(body, n));
  const Vector3 across = cross(z, n);
  const double rho = norm(across);
  const double rho2 = -(w1 * w1 + w * w2) / rho - w * w * w1 * w1 / (rho * rho * rho);
  return drift_over_face(m, body) - radius * rho2;
}

// The closed forms, by what touches what; nothing for pairs without one.
std::optional<double> closed_drift(const Between& m, const Part& a, const Part& b) {
  if (a.flat == Flat::point && b.flat == Flat::point) return drift_of_distance(m, nullptr, m.a);
  if (a.flat == Flat::point && b.flat == Flat::line) return drift_of_distance(m, &b.direction, m.b);
  if (a.flat == Flat::line && b.flat == Flat::point) return drift_of_distance(m, &a.direction, m.a);
  if (a.flat == Flat::point && b.flat == Flat::plane) return drift_over_face(m, m.b);
  if (a.flat == Flat::plane && b.flat == Flat::point) return drift_over_face(m, m.a);
  if (cross_each_other(a, b)) return drift_across_edges(m, a.direction, b.direction);
  return std::nullopt;
}

// The motion after the time h, to second order.
Motion moved(const Motion& m, double h) {
  return {m.position + h * m.velocity + (h * h / 2) * m.acceleration, m.velocity + h * m.acceleration, m.acceleration,
          m.turning + h * m.turning_rate, m.turning_rate};
}

PosedShape moved(const PosedShape& shape, const Motion& origin, double h) {
  PosedShape out = shape;
  const Vector3 turn = h * origin.turning + (h * h / 2) * origin.turning_rate;
  out.pose.rotation = rotation_matrix(quaternion_from_rotation_vector(turn)) * shape.pose.rotation;
  out.pose.position = moved(origin, h).position;
  return out;
}

struct Posed {
  PosedShape shape;
  Motion origin;
};

// What is differentiated, or its derivatives.
struct Sample {
  double gap_rate = 0;
  Vector3 point;
};

Sample combined(double p, const Sample& x, double q, const Sample& y) {
  return {p * x.gap_rate + q * y.gap_rate, p * x.point + q * y.point};
}

// Of the parts that face each other now, after the time h.
std::optional<Sample> sample(const SmoothPair& pair, const Posed& a, const Posed& b, const Vector3& normal, double h) {
  const auto place = pair.place(moved(a.shape, a.origin, h).pose, moved(b.shape, b.origin, h).pose, normal);
  if (!place) return std::nullopt;
  const Motion at_a = moved(a.origin, h), at_b = moved(b.origin, h);
  const Vector3 va = at_a.velocity + cross(at_a.turning, place->point_a - at_a.position);
  const Vector3 vb = at_b.velocity + cross(at_b.turning, place->point_b - at_b.position);
  return Sample{dot(place->normal, va - vb), 0.5 * (place->point_a + place->point_b)};
}

std::optional<Sample> numerical_derivatives(const Posed& a, const Posed& b, const Contact& contact) {
  const auto [feature_a, feature_b] = features_of(contact.id.feature);
  const auto pair = SmoothPair::of(
      a.shape, b.shape, {contact.point_a, contact.point_b, contact.normal, contact.gap, feature_a, feature_b});
  if (!pair) return std::nullopt;
  const double ra = bounding_radius(a.shape), rb = bounding_radius(b.shape);
  const double size = std::isinf(ra) ? rb : std::isinf(rb) ? ra : std::max(ra, rb);
  const double rate =
      norm(a.origin.turning) + norm(b.origin.turning) + norm(a.origin.velocity - b.origin.velocity) / size;
  // Drift is of the order rate²: nothing, where the step would overflow.
  if (!(rate > tolerances::drift_rate_min)) return std::nullopt;
  const auto slope = [&](double step) -> std::optional<Sample> {
    const auto after = sample(*pair, a, b, contact.normal, step), before = sample(*pair, a, b, contact.normal, -step);
    if (!after || !before) return std::nullopt;
    return combined(1 / (2 * step), *after, -1 / (2 * step), *before);
  };
  // Shorter where parts do not go on for so long, as a rim towards the middle of its cap.
  for (double h = tolerances::drift_step_first / rate; h > tolerances::drift_step_last / rate; h /= 8) {
    const auto coarse = slope(h), fine = slope(h / 2);
    if (coarse && fine) return combined(4.0 / 3, *fine, -1.0 / 3, *coarse);
  }
  return std::nullopt;
}

// A cylinder's rim, of a or of b, over a face of the other.
double rim_drift(const Model& model, const Workspace& workspace, const Contact& contact, const PosedShape& a,
                 const PosedShape& b) {
  const auto [feature_a, feature_b] = features_of(contact.id.feature);
  const bool rim_of_a = feature_a.kind == FeatureKind::rim;
  const PosedShape& cylinder = rim_of_a ? a : b;
  const Vector3 z = axis_of(cylinder, 2);
  const double up = (rim_of_a ? feature_a : feature_b).index == 0 ? -1 : 1;
  const Vector3 cap = cylinder.pose.position + (up * cylinder.length / 2) * z;
  const Between m = {motion_of(model, workspace, contact.body_a, rim_of_a ? cap : contact.point_a),
                     motion_of(model, workspace, contact.body_b, rim_of_a ? contact.point_b : cap), contact.normal, 0};
  return rim_of_a ? drift_of_rim(m, m.a, m.b, z, cylinder.radius) : drift_of_rim(m, m.b, m.a, z, cylinder.radius);
}

// Of the points fixed to the bodies, as if the surfaces were flat.
double material_drift(const Model& model, const Workspace& workspace, const Contact& contact) {
  return dot(contact.normal, point_drift(model, workspace, contact.body_a, contact.point_a).linear -
                                 point_drift(model, workspace, contact.body_b, contact.point_b).linear);
}

bool rim_over_face(Feature a, Feature b) {
  return (a.kind == FeatureKind::rim && b.kind == FeatureKind::face) ||
         (a.kind == FeatureKind::face && b.kind == FeatureKind::rim);
}

struct Derivatives {
  std::optional<double> normal;  // g̈
  std::optional<Vector3> point;  // ṗ
};

// A point with a radius over the rim of a cylinder, either of them a.
Derivatives point_over_rim(const Model& model, const Workspace& workspace, const Contact& contact, const PosedShape& a,
                           const PosedShape& b) {
  const auto [feature_a, feature_b] = features_of(contact.id.feature);
  const bool point_is_a = feature_b.kind == FeatureKind::rim;  // a is the point
  const PosedShape &cylinder = point_is_a ? b : a, &round = point_is_a ? a : b;
  const double radius = core_radius(round), g = contact.gap + radius, R = cylinder.radius;
  const Vector3 n = point_is_a ? contact.normal : -contact.normal, z = axis_of(cylinder, 2);
  const double up = (point_is_a ? feature_b : feature_a).index == 0 ? -1 : 1;
  const Vector3 point = (point_is_a ? contact.point_a : contact.point_b) + radius * n;
  const Vector3 cap = cylinder.pose.position + (up * cylinder.length / 2) * z;
  const Between m = {motion_of(model, workspace, point_is_a ? contact.body_a : contact.body_b, point),
                     motion_of(model, workspace, point_is_a ? contact.body_b : contact.body_a, cap), n, g};
  if (m.meet()) return {};
  const Vector3 d = m.d(), d1 = m.rate(), d2 = m.acceleration(), z1 = rolling::first(m.b, z), z2 = second(m.b, z);
  const double w = dot(z, d), w1 = dot(z1, d) + dot(z, d1), w2 = dot(z2, d) + 2 * dot(z1, d1) + dot(z, d2);
  const Vector3 f = d - w * z, f1 = d1 - w1 * z - w * z1;
  const double rho = norm(f);
  if (!(rho > 0)) return {};
  const double rho1 = (dot(d, d1) - w * w1) / rho;
  const double rho2 = (dot(d1, d1) + dot(d, d2) - w1 * w1 - w * w2 - rho1 * rho1) / rho;
  const double g1 = ((rho - R) * rho1 + w * w1) / g;
  const double g2 = (rho1 * rho1 + (rho - R) * rho2 + w1 * w1 + w * w2 - g1 * g1) / g;
  const Vector3 e = (1 / rho) * f;
  const Vector3 on_rim = m.b.velocity + (R / rho) * (f1 - dot(e, f1) * e), apart = m.a.velocity - on_rim;
  const Vector3 turn = (1 / g) * (apart - dot(n, apart) * n);
  return {g2, 0.5 * (m.a.velocity + on_rim) - (radius / 2) * turn};
}

Derivatives closed_derivatives(const Model& model, const Workspace& workspace, const Contact& contact,
                               const PosedShape& a, const PosedShape& b) {
  const auto [feature_a, feature_b] = features_of(contact.id.feature);
  const auto meets = [](Feature x, Feature y) { return x.kind == FeatureKind::vertex && y.kind == FeatureKind::rim; };
  if (meets(feature_a, feature_b) || meets(feature_b, feature_a))
    return point_over_rim(model, workspace, contact, a, b);
  const auto part_a = part_of(a, feature_a), part_b = part_of(b, feature_b);
  if (!part_a || !part_b) return {};
  const Vector3 on_a = contact.point_a + part_a->radius * contact.normal;
  const Vector3 on_b = contact.point_b - part_b->radius * contact.normal;
  const Between between = {motion_of(model, workspace, contact.body_a, on_a),
                           motion_of(model, workspace, contact.body_b, on_b), contact.normal,
                           contact.gap + part_a->radius + part_b->radius};
  return {rim_over_face(feature_a, feature_b) ? rim_drift(model, workspace, contact, a, b)
                                              : closed_drift(between, *part_a, *part_b),
          point_rate(between, *part_a, *part_b)};
}

// What has no derivative is left empty.
Derivatives derivatives_of(const Model& model, const Workspace& workspace, const Contact& contact) {
  if (contact.shape_a < 0 || contact.shape_b < 0) return {};
  PosedShape a = posed_shape(model, workspace, contact.shape_a), b = posed_shape(model, workspace, contact.shape_b);
  // At its border a strip is a box.
  Contact it = contact;
  auto [feature_a, feature_b] = features_of(contact.id.feature);
  const auto put_box = [](PosedShape& strip, const PosedShape& other, Feature& feature) {
    if (strip.kind != ShapeKind::strip || !(border_clearance(strip, other) < 0)) return;
    strip = box_of_strip(strip, other);
    feature = box_feature(feature, strip.dimension);
  };
  put_box(a, b, feature_a);
  put_box(b, a, feature_b);
  it.id.feature = feature_code(feature_a, feature_b);
  Derivatives out = closed_derivatives(model, workspace, it, a, b);
  if (out.normal) return out;
  const Posed posed_a = {a, motion_of(model, workspace, it.body_a, a.pose.position)};
  const Posed posed_b = {b, motion_of(model, workspace, it.body_b, b.pose.position)};
  const auto numerical = numerical_derivatives(posed_a, posed_b, it);
  if (!numerical) return out;
  out.normal = numerical->gap_rate;
  if (!out.point) out.point = numerical->point;
  return out;
}

// (v(p))˙ of the body where the contact point passes; of a point fixed to the body when ṗ is not known.
Vector3 change_of_velocity(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                           const std::optional<Vector3>& rate) {
  const Motion m = motion_of(model, workspace, body, point);
  return rate ? m.acceleration + cross(m.turning, *rate - m.velocity) : m.acceleration;
}

}  // namespace

ContactVector contact_drift(const Model& model, const Workspace& workspace, const ConstVector&,
                            const Contact& contact) {
  if (contact.kind == ContactKind::limit) return {};
  const Derivatives of = derivatives_of(model, workspace, contact);
  const Vector3 change = change_of_velocity(model, workspace, contact.body_a, contact.point, of.point) -
                         change_of_velocity(model, workspace, contact.body_b, contact.point, of.point);
  return {of.normal ? *of.normal : material_drift(model, workspace, contact), dot(contact.tangent1, change),
          model.dimension == Dimension::planar ? 0 : dot(contact.tangent2, change)};
}

}  // namespace routh
