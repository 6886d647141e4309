// Cylinders and ellipsoids against each other and against segments and boxes: the nearest contact by the greatest
// separation (support_sum.h), and where a cylinder lies with a cap or its side along something flat, the contacts that
// keep it there.
#include <algorithm>

#include "routh/contact/brick.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/rim.h"
#include "routh/contact/support_sum.h"
#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

bool is_cylinder(const PosedShape& shape) { return shape.kind == ShapeKind::cylinder; }
bool is_brick(const PosedShape& shape) { return shape.kind == ShapeKind::box || shape.kind == ShapeKind::capsule; }

// The cap that looks in a direction, if it does within the angle of a manifold.
struct Cap {
  bool faces = false;
  int index = 0;
  Vector3 centre, normal;
};

Cap cap_towards(const PosedShape& cylinder, const Vector3& direction) {
  const Vector3 axis = column_z(cylinder.pose.rotation);
  const double cosine = dot(axis, direction);
  Cap cap;
  cap.faces = std::abs(cosine) >= tolerances::manifold_cosine;
  cap.index = cosine < 0 ? 0 : 1;
  cap.normal = cosine < 0 ? -axis : axis;
  cap.centre = cylinder.pose.position + (cylinder.length / 2) * cap.normal;
  return cap;
}

// The axis of a cylinder or the core of a capsule.
Edge axis_of(const PosedShape& shape) {
  return {shape.pose.position, column_z(shape.pose.rotation), shape.length / 2,
          is_cylinder(shape) ? Feature{FeatureKind::side, 0} : Feature{FeatureKind::edge, 0}};
}

// Corners of a over the cap of the cylinder b.
void add_corners_on_cap(const Facet& a, const PosedShape& b, const Cap& cap, Manifold& manifold) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.corners); ++i) {
    const double height = dot(cap.normal, a.corner[i] - cap.centre);
    const Vector3 foot = a.corner[i] - height * cap.normal;
    if (norm(foot - cap.centre) > b.radius * (1 + manifold.border_slack())) continue;
    manifold.add_if_new({a.corner[i], foot, cap.normal, height, a.corner_feature[i], {FeatureKind::face, cap.index}},
                        tolerances::same_contact_relative * b.radius);
  }
}

// Four points of a cap's rim as the corners of a facet.
Facet cap_facet(const PosedShape& cylinder, const Cap& cap, const Vector3& face_normal) {
  const RimPoints rim = rim_points(cylinder, cap.index, face_normal);
  Facet facet;
  facet.corners = 4;
  facet.corner = rim.point;
  facet.corner_feature = rim.feature;
  return facet;
}

void add_rim_across(const PosedShape& a, int cap, const Crossed& b, const Vector3& n, Manifold& manifold) {
  const RimContacts found = rim_contacts(a, cap, b, n, manifold.border_slack());
  for (int i = 0; i < found.count; ++i)
    manifold.add_if_new(found.contact[static_cast<std::size_t>(i)], tolerances::same_contact_relative * a.radius);
}

void add_rim_on_edges(const PosedShape& a, const Cap& cap, const Facet& b, const Vector3& n, Manifold& manifold) {
  const int edges = b.corners == 2 ? 1 : b.edges;
  for (std::size_t i = 0; i < static_cast<std::size_t>(edges); ++i) {
    // The way the edge runs in every face that has it, from the corner of the lower number: its two ends keep their
    // names.
    std::size_t first = i, last = (i + 1) % 4;
    if (b.corner_feature[first].index > b.corner_feature[last].index) std::swap(first, last);
    const Vector3 from = b.corner[first], along = b.corner[last] - from;
    const double length = norm(along);
    if (!(length > 0)) continue;
    add_rim_across(a, cap.index, {{from + 0.5 * along, (1 / length) * along, {}, -1}, length / 2, b.edge_feature[i]}, n,
                   manifold);
  }
}

// The two points of the rims of a that reach farthest down towards a face.
Facet rims_towards(const PosedShape& a, const Vector3& face_normal) {
  const Vector3 down = -transpose_times(a.pose.rotation, face_normal);
  const double tilt = elementary::hypot(down.x, down.y);
  Facet facet;
  facet.corners = 2;
  for (int cap = 0; cap < 2; ++cap) {
    const double z = (cap == 0 ? -1 : 1) * a.length / 2;
    const auto i = static_cast<std::size_t>(cap);
    facet.corner[i] = a.pose * Vector3{a.radius * down.x / tilt, a.radius * down.y / tilt, z};
    facet.corner_feature[i] = {FeatureKind::rim, cap};
  }
  return facet;
}

// The cylinder a that lies on the cap of b: its rims over the cap, its side across the rim; n from b to a.
void add_side_on_cap(const PosedShape& a, const PosedShape& b, const Cap& cap, const Vector3& n, Manifold& manifold) {
  const Vector3 axis = column_z(a.pose.rotation);
  if (!cap.faces || std::abs(dot(axis, n)) > tolerances::manifold_angle) return;
  add_corners_on_cap(rims_towards(a, cap.normal), b, cap, manifold);
  manifold.exchange();
  const Crossed side = {{a.pose.position, axis, {}, -1}, a.length / 2, {FeatureKind::side, 0}, a.radius};
  add_rim_across(b, cap.index, side, -n, manifold);
  manifold.exchange();
}

// The side of the cylinder a across the edges of a facet of the box b: the distance of its axis from the edge.
void add_side_on_edges(const PosedShape& a, const Facet& b, const Vector3& n, Manifold& manifold) {
  const Edge axis = axis_of(a);
  for (std::size_t i = 0; i < static_cast<std::size_t>(b.edges); ++i) {
    const Vector3 from = b.corner[i], to = b.corner[(i + 1) % 4];
    const double length = norm(to - from);
    const Edge border = {0.5 * (from + to), (1 / length) * (to - from), length / 2, b.edge_feature[i]};
    const LineCrossing crossing = cross_lines(axis, border);
    if (crossing.sine == 0 || std::abs(crossing.along_a) > axis.half || std::abs(crossing.along_b) > border.half)
      continue;
    const double cosine = dot(crossing.normal, n);
    if (std::abs(cosine) < tolerances::manifold_cosine) continue;
    const Vector3 normal = cosine < 0 ? -crossing.normal : crossing.normal;
    const double gap = dot(normal, axis.middle - border.middle) - a.radius;
    const Vector3 point = axis.middle + crossing.along_a * axis.direction - a.radius * normal;
    manifold.add_if_new({point, point - gap * normal, normal, gap, axis.feature, border.feature},
                        tolerances::same_contact_relative * length);
  }
}

void add_cylinder_on_box(const PosedShape& a, const PosedShape& b, const Vector3& n, Manifold& manifold) {
  const Brick box = brick_of(b);
  const Facet facet = facet_towards(box, n);
  const double size = box.size() + a.radius + a.length;
  const Cap cap = cap_towards(a, -n);
  if (cap.faces) {
    add_corners_on_face(cap_facet(a, cap, facet.normal), facet, n, size, manifold);
    manifold.exchange();
    add_corners_on_cap(facet, a, cap, manifold);
    manifold.exchange();
    add_rim_on_edges(a, cap, facet, n, manifold);
  }
  if (std::abs(dot(column_z(a.pose.rotation), n)) > tolerances::manifold_angle) return;
  add_corners_on_face(rims_towards(a, facet.normal), facet, n, size, manifold);
  add_side_on_edges(a, facet, n, manifold);
}

// Two sides along each other, parallel: they touch at both ends of the stretch they share. b is a capsule or cylinder.
void add_parallel_sides(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const Edge of_a = axis_of(a), of_b = axis_of(b);
  if (norm(cross(of_a.direction, of_b.direction)) > tolerances::parallel_sides_sine) return;
  const double middle = dot(of_a.direction, of_b.middle - of_a.middle);
  const double low = std::max(-of_a.half, middle - of_b.half), high = std::min(of_a.half, middle + of_b.half);
  if (!(low < high)) return;
  const double radius_b = is_cylinder(b) ? b.radius : 0;
  const double turn = dot(of_a.direction, of_b.direction) < 0 ? -1 : 1;
  for (const double along : {low, high}) {
    const Vector3 on_a = of_a.middle + along * of_a.direction;
    const Vector3 on_b = of_b.middle + turn * (along - middle) * of_b.direction;
    const double distance = norm(on_a - on_b);
    if (!(distance > 0)) return;
    const Vector3 normal = (1 / distance) * (on_a - on_b);
    const double gap = distance - a.radius - radius_b;
    // The shape that ends here, a if both do to rounding.
    const bool ends_a = of_a.half - std::abs(along) <= tolerances::axis_end_relative * of_a.half;
    const Feature end_a = {FeatureKind::side, along < 0 ? 1 : 2};
    const bool upper_b = turn * (along - middle) > 0;
    const Feature end_b =
        is_cylinder(b) ? Feature{FeatureKind::side, upper_b ? 2 : 1} : Feature{FeatureKind::vertex, upper_b ? 1 : 0};
    manifold.add({on_a - a.radius * normal, on_b + radius_b * normal, normal, gap, ends_a ? end_a : of_a.feature,
                  ends_a ? of_b.feature : end_b});
  }
}

// What keeps the cylinder a on b besides the nearest contact.
void add_cylinder_contacts(const PosedShape& a, const PosedShape& b, const Vector3& n, Manifold& manifold) {
  if (b.kind == ShapeKind::box) return add_cylinder_on_box(a, b, n, manifold);
  const Cap cap = cap_towards(a, -n);
  if (is_cylinder(b)) {
    const Cap cap_b = cap_towards(b, n);
    if (cap.faces && cap_b.faces) {
      add_corners_on_cap(cap_facet(a, cap, cap_b.normal), b, cap_b, manifold);
      manifold.exchange();
      add_corners_on_cap(cap_facet(b, cap_b, cap.normal), a, cap, manifold);
      manifold.exchange();
      add_rim_across(
          a, cap.index,
          {rim_curve(b, cap_b.index), std::numeric_limits<double>::infinity(), {FeatureKind::rim, cap_b.index}}, n,
          manifold);
      return;
    }
    add_side_on_cap(a, b, cap_b, n, manifold);
    manifold.exchange();
    add_side_on_cap(b, a, cap, -n, manifold);
    manifold.exchange();
  } else if (cap.faces) {
    const Facet facet = facet_towards(brick_of(b), n);
    manifold.exchange();
    add_corners_on_cap(facet, a, cap, manifold);
    manifold.exchange();
    add_rim_on_edges(a, cap, facet, n, manifold);
    return;
  }
  if (std::abs(dot(column_z(a.pose.rotation), n)) < tolerances::manifold_angle) add_parallel_sides(a, b, manifold);
}

}  // namespace

void convex_on_convex(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  const SupportSum sum(a, b);
  SupportSum::Maximum maximum = sum.maximise();
  if (manifold.exceeds_margin(maximum.separation)) return;
  if (is_cylinder(a) && (is_brick(b) || is_cylinder(b))) {
    add_cylinder_contacts(a, b, maximum.normal, manifold);
  } else if (is_cylinder(b) && is_brick(a)) {
    manifold.exchange();
    add_cylinder_contacts(b, a, -maximum.normal, manifold);
    manifold.exchange();
  }
  // Where a cap or side is all but flat s is hardly smooth, and its maximum known to fewer digits than contacts are.
  if (std::isfinite(manifold.least_core_gap())) sum.consider(manifold.least_normal(), maximum);
  // Flat contacts that reach as deep stand for the nearest: it would lie anywhere between them.
  const double size = bounding_radius(a) + bounding_radius(b);
  if (!(manifold.least_core_gap() > maximum.separation + tolerances::gap_missed_relative * size)) return;
  PairContact nearest = sum.contact(maximum);
  name_rim(a, b, nearest);
  manifold.add(nearest);
}

}  // namespace routh::internal
