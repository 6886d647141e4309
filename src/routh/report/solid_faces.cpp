#include "routh/report/solid_faces.h"

#include <numbers>

#include "routh/math/elementary.h"
#include "routh/mesh/polyhedron.h"

namespace routh::internal {

namespace {

constexpr int around = 32;  // corners of a circle
constexpr int rings = 12;   // from pole to pole of a ball

double turn(int k, int count) { return 2 * std::numbers::pi * k / count; }

// An ellipse about the origin in the plane z = `z`.
FaceCorners ellipse(double a, double b, double z = 0) {
  FaceCorners corners;
  for (int k = 0; k < around; ++k)
    corners.push_back({a * elementary::cos(turn(k, around)), b * elementary::sin(turn(k, around)), z});
  return corners;
}

// A planar capsule along y.
FaceCorners stadium(double radius, double length) {
  FaceCorners corners = ellipse(radius, radius);
  for (Vector3& corner : corners) corner.y += corner.y >= 0 ? 0.5 * length : -0.5 * length;
  return corners;
}

// Bands between circles along z, each {radius factors, height}: the sides of anything round.
void add_bands(const std::vector<FaceCorners>& circles, std::vector<FaceCorners>& faces) {
  for (std::size_t c = 0; c + 1 < circles.size(); ++c)
    for (std::size_t k = 0; k < circles[c].size(); ++k) {
      const std::size_t next = (k + 1) % circles[c].size();
      faces.push_back({circles[c][k], circles[c][next], circles[c + 1][next], circles[c + 1][k]});
    }
}

// Half axes a, b, c; halves moved apart by `length` along z.
std::vector<FaceCorners> ball(const Vector3& half, double length) {
  std::vector<FaceCorners> circles, faces;
  for (int ring = 0; ring <= rings; ++ring) {
    const double angle = std::numbers::pi * (static_cast<double>(ring) / rings - 0.5);
    const double width = elementary::cos(angle), height = half.z * elementary::sin(angle);
    if (2 * ring <= rings) circles.push_back(ellipse(half.x * width, half.y * width, height - 0.5 * length));
    if (2 * ring >= rings && (length > 0 || 2 * ring > rings))
      circles.push_back(ellipse(half.x * width, half.y * width, height + 0.5 * length));
  }
  add_bands(circles, faces);
  return faces;
}

std::vector<FaceCorners> cylinder(double radius, double length) {
  FaceCorners bottom = ellipse(radius, radius, -0.5 * length);
  const FaceCorners top = ellipse(radius, radius, 0.5 * length);
  std::vector<FaceCorners> faces;
  add_bands({bottom, top}, faces);
  faces.push_back(top);
  faces.emplace_back(bottom.rbegin(), bottom.rend());
  return faces;
}

std::vector<FaceCorners> faces_of(const Polyhedron& solid, const Vector3& scale) {
  std::vector<FaceCorners> faces;
  for (int face = 0; face < static_cast<int>(solid.faces.size()); ++face) {
    FaceCorners& corners = faces.emplace_back();
    for (const int vertex : solid.face_corners(face)) {
      const Vector3& v = solid.vertices[static_cast<std::size_t>(vertex)];
      corners.push_back({scale.x * v.x, scale.y * v.y, scale.z * v.z});
    }
  }
  return faces;
}

std::vector<FaceCorners> planar_faces(const Shape& shape) {
  const Vector3& half = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return {ellipse(shape.radius, shape.radius)};
    case ShapeKind::capsule:
      return {stadium(shape.radius, shape.length)};
    case ShapeKind::box:
      return {{{-half.x, -half.y, 0}, {half.x, -half.y, 0}, {half.x, half.y, 0}, {-half.x, half.y, 0}}};
    case ShapeKind::ellipsoid:
      return {ellipse(half.x, half.y)};
    case ShapeKind::strip:
      return {{{-half.x, 0, 0}, {half.x, 0, 0}}};
    case ShapeKind::point:
    case ShapeKind::half_space:
    case ShapeKind::cylinder:
    case ShapeKind::mesh:
      return {};
  }
  return {};
}

std::vector<FaceCorners> spatial_faces(const Shape& shape) {
  const Vector3& half = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return ball({shape.radius, shape.radius, shape.radius}, 0);
    case ShapeKind::ellipsoid:
      return ball(half, 0);
    case ShapeKind::capsule:
      return ball({shape.radius, shape.radius, shape.radius}, shape.length);
    case ShapeKind::cylinder:
      return cylinder(shape.radius, shape.length);
    case ShapeKind::pin:
      return cylinder(shape.radius, 2 * shape.radius);
    case ShapeKind::hole:
      return {ellipse(shape.radius, shape.radius)};
    case ShapeKind::box:
      return faces_of(cube_polyhedron(), half);
    case ShapeKind::mesh:
      return faces_of(*shape.hull, {1, 1, 1});
    case ShapeKind::strip:
      return {{{-half.x, -half.y, 0}, {half.x, -half.y, 0}, {half.x, half.y, 0}, {-half.x, half.y, 0}}};
    case ShapeKind::point:
    case ShapeKind::half_space:
      return {};
  }
  return {};
}

}  // namespace

std::vector<FaceCorners> solid_faces(const Shape& shape, const Pose& pose, Dimension dimension) {
  std::vector<FaceCorners> faces = dimension == Dimension::planar ? planar_faces(shape) : spatial_faces(shape);
  for (FaceCorners& face : faces)
    for (Vector3& corner : face) corner = pose * corner;
  return faces;
}

}  // namespace routh::internal
