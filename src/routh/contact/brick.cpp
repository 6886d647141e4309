#include "routh/contact/brick.h"

#include <algorithm>
#include <cassert>

#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

constexpr int sign_bit(double sign, int k) { return sign > 0 ? 1 << k : 0; }

// Corner of a box by the sides it lies on.
Vector3 corner_at(const Brick& brick, const std::array<double, 3>& side) {
  Vector3 p = brick.centre;
  for (std::size_t k = 0; k < 3; ++k) p += (side[k] * brick.half[k]) * brick.axes[k];
  return p;
}

Feature box_corner(const std::array<double, 3>& side) {
  return {FeatureKind::vertex, sign_bit(side[0], 0) | sign_bit(side[1], 1) | sign_bit(side[2], 2)};
}

Feature box_edge(std::size_t axis, const std::array<double, 3>& side) {
  return {FeatureKind::edge,
          static_cast<int>(4 * axis) + sign_bit(side[(axis + 1) % 3], 0) + sign_bit(side[(axis + 2) % 3], 1)};
}

Facet segment_facet(const Brick& brick, const Vector3& direction) {
  const std::size_t axis = brick.length_axis();
  const Vector3 reach = brick.half[axis] * brick.axes[axis];
  Facet facet;
  facet.corners = 2;
  facet.corner = {brick.centre - reach, brick.centre + reach};
  facet.corner_feature = {Feature{FeatureKind::vertex, 0}, {FeatureKind::vertex, 1}};
  facet.edge_feature[0] = {FeatureKind::edge, 0};
  if (brick.dimension == Dimension::spatial) {
    facet.edges = 1;
    return facet;
  }
  facet.has_face = true;
  facet.normal = dot(brick.axes[0], direction) < 0 ? -brick.axes[0] : brick.axes[0];
  facet.face_feature = {FeatureKind::edge, 0};
  return facet;
}

Facet box_facet(const Brick& brick, std::size_t axis, double sign) {
  // Round the face, counter-clockwise seen from outside.
  constexpr double round[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const std::size_t u = (axis + 1) % 3, w = (axis + 2) % 3;
  Facet facet;
  facet.corners = facet.edges = 4;
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<double, 3> side{};
    side[axis] = sign, side[u] = round[i][0], side[w] = sign * round[i][1];
    facet.corner[i] = corner_at(brick, side);
    facet.corner_feature[i] = box_corner(side);
    facet.edge_feature[i] = box_edge(i % 2 == 0 ? u : w, side);
  }
  return facet;
}

Facet rectangle_facet(const Brick& brick, std::size_t axis, double sign) {
  Facet facet;
  facet.corners = 2;
  for (std::size_t i = 0; i < 2; ++i) {
    std::array<double, 3> side{};
    side[axis] = sign, side[1 - axis] = i == 0 ? -1 : 1;
    facet.corner[i] = corner_at(brick, side);
    facet.corner_feature[i] = {FeatureKind::vertex, sign_bit(side[0], 0) | sign_bit(side[1], 1)};
  }
  return facet;
}

// Whether the foot of a point lies on the face, with a slack for rounding.
bool covers(const Facet& facet, const Vector3& foot, double slack) {
  if (facet.corners == 2) {
    const Vector3 side = facet.corner[1] - facet.corner[0];
    const double length = norm(side), along = dot(side, foot - facet.corner[0]) / length;
    return along >= -slack && along <= length + slack;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3 side = facet.corner[(i + 1) % 4] - facet.corner[i];
    if (dot(cross(facet.normal, side), foot - facet.corner[i]) < -slack * norm(side)) return false;
  }
  return true;
}

Edge facet_edge(const Facet& facet, std::size_t i) {
  const Vector3& from = facet.corner[i];
  const Vector3& to = facet.corner[(i + 1) % static_cast<std::size_t>(facet.corners)];
  const double length = norm(to - from);
  return {0.5 * (from + to), (1 / length) * (to - from), length / 2, facet.edge_feature[i]};
}

void add_crossings(const Facet& a, const Facet& b, const Vector3& n, double size, Manifold& manifold) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.edges); ++i) {
    const Edge of_a = facet_edge(a, i);
    for (std::size_t j = 0; j < static_cast<std::size_t>(b.edges); ++j) {
      const Edge of_b = facet_edge(b, j);
      const LineCrossing crossing = cross_lines(of_a, of_b);
      if (crossing.sine < tolerances::parallel_lines_sine || std::abs(crossing.along_a) > of_a.half ||
          std::abs(crossing.along_b) > of_b.half)
        continue;
      const double cosine = dot(crossing.normal, n);
      if (std::abs(cosine) < tolerances::manifold_cosine) continue;
      const Vector3 normal = cosine < 0 ? -crossing.normal : crossing.normal;
      const Vector3 on_a = of_a.middle + crossing.along_a * of_a.direction;
      const double gap = dot(normal, of_a.middle - of_b.middle);
      manifold.add_if_new({on_a, on_a - gap * normal, normal, gap, of_a.feature, of_b.feature},
                          tolerances::same_contact_relative * size);
    }
  }
}

}  // namespace

Brick brick_of(const PosedShape& shape) {
  const Matrix3& R = shape.pose.rotation;
  Brick brick;
  brick.centre = shape.pose.position;
  brick.axes = {column_x(R), column_y(R), column_z(R)};
  brick.dimension = shape.dimension;
  const Vector3& h = shape.half_extents;
  switch (traits_of(shape.kind).polytope) {
    case Polytope::box:
      brick.half = {h.x, h.y, shape.dimension == Dimension::planar ? 0 : h.z};
      return brick;
    case Polytope::segment:
      brick.segment = true;
      brick.half[brick.length_axis()] = shape.length / 2;
      return brick;
    case Polytope::none:
    case Polytope::point:
    case Polytope::hull:
      break;
  }
  assert(false && "a shape that is no brick");
  return brick;
}

Facet facet_towards(const Brick& brick, const Vector3& direction) {
  if (brick.segment) return segment_facet(brick, direction);
  const std::size_t axes = brick.dimension == Dimension::planar ? 2 : 3;
  std::size_t axis = 0;
  for (std::size_t k = 1; k < axes; ++k)
    if (std::abs(dot(brick.axes[k], direction)) > std::abs(dot(brick.axes[axis], direction))) axis = k;
  const double sign = dot(brick.axes[axis], direction) < 0 ? -1 : 1;
  Facet facet = axes == 2 ? rectangle_facet(brick, axis, sign) : box_facet(brick, axis, sign);
  facet.has_face = true;
  facet.normal = sign * brick.axes[axis];
  facet.face_feature = {FeatureKind::face, static_cast<int>(2 * axis) + (sign > 0)};
  return facet;
}

double reach(const Brick& brick, const Vector3& direction) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += brick.half[k] * std::abs(dot(brick.axes[k], direction));
  return sum;
}

BrickPoint nearest_on_brick(const Brick& brick, const Vector3& from) {
  const Vector3 d = from - brick.centre;
  std::array<double, 3> side{};
  std::array<std::size_t, 3> free{};
  std::size_t free_count = 0, fixed = 0;
  Vector3 point = brick.centre;
  for (std::size_t k = 0; k < 3; ++k) {
    if (brick.half[k] == 0) continue;
    const double along = dot(brick.axes[k], d), clamped = std::clamp(along, -brick.half[k], brick.half[k]);
    point += clamped * brick.axes[k];
    if (std::abs(along) < brick.half[k])
      free[free_count++] = k;
    else
      side[k] = along < 0 ? -1 : 1, fixed = k;
  }
  if (brick.segment)
    return {point, free_count == 1 ? Feature{FeatureKind::edge, 0}
                                   : Feature{FeatureKind::vertex, side[brick.length_axis()] > 0}};
  if (free_count == 0) return {point, box_corner(side)};
  const bool on_edge = brick.dimension == Dimension::spatial && free_count == 1;
  if (on_edge) return {point, box_edge(free[0], side)};
  return {point, {FeatureKind::face, static_cast<int>(2 * fixed) + (side[fixed] > 0)}};
}

int corner_count(const Brick& brick) {
  if (brick.segment) return 2;
  return brick.dimension == Dimension::planar ? 4 : 8;
}

Vector3 corner(const Brick& brick, int i) {
  if (brick.segment) {
    const std::size_t axis = brick.length_axis();
    return brick.centre + ((i == 0 ? -1 : 1) * brick.half[axis]) * brick.axes[axis];
  }
  return corner_at(brick, {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
}

int edge_count(const Brick& brick) {
  if (brick.dimension == Dimension::planar) return 0;
  return brick.segment ? 1 : 12;
}

Edge edge(const Brick& brick, int i) {
  if (brick.segment) return {brick.centre, brick.axes[2], brick.half[2], {FeatureKind::edge, 0}};
  const auto axis = static_cast<std::size_t>(i / 4);
  std::array<double, 3> side{};
  side[(axis + 1) % 3] = i & 1 ? 1 : -1, side[(axis + 2) % 3] = i & 2 ? 1 : -1;
  return {corner_at(brick, side), brick.axes[axis], brick.half[axis], {FeatureKind::edge, i}};
}

// The points p_a + s e_a and p_b + t e_b are nearest where their difference is along m = e_a × e_b.
LineCrossing cross_lines(const Edge& a, const Edge& b) {
  const Vector3 m = cross(a.direction, b.direction);
  const double sine = norm(m);
  if (!(sine >= tolerances::parallel_lines_sine)) return {};
  const Vector3 d = b.middle - a.middle;
  const double square = sine * sine;
  return {dot(cross(d, b.direction), m) / square, dot(cross(d, a.direction), m) / square, (1 / sine) * m, sine};
}

void add_corners_on_face(const Facet& a, const Facet& b, const Vector3& n, double size, Manifold& manifold) {
  if (!b.has_face || dot(b.normal, n) < tolerances::manifold_cosine) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.corners); ++i) {
    const double height = dot(b.normal, a.corner[i] - b.corner[0]);
    const Vector3 foot = a.corner[i] - height * b.normal;
    if (!covers(b, foot, manifold.border_slack() * size)) continue;
    manifold.add_if_new({a.corner[i], foot, b.normal, height, a.corner_feature[i], b.face_feature},
                        tolerances::same_contact_relative * size);
  }
}

void add_facet_contacts(const Facet& a, const Facet& b, const Vector3& n, double size, Manifold& manifold) {
  add_corners_on_face(a, b, n, size, manifold);
  manifold.exchange();
  add_corners_on_face(b, a, -n, size, manifold);
  manifold.exchange();
  add_crossings(a, b, n, size, manifold);
}

}  // namespace routh::internal
