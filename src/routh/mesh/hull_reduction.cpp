#include "routh/mesh/hull_reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace routh::internal {

namespace {

double square(const Vector3& v) { return dot(v, v); }

double square_to_segment(const Vector3& point, const Vector3& from, const Vector3& to) {
  const Vector3 along = to - from, d = point - from;
  const double length = square(along), t = length > 0 ? std::clamp(dot(d, along) / length, 0.0, 1.0) : 0;
  return square(d - t * along);
}

// Square of the distance from a face, which is a convex polygon: its plane's, where the foot lies within all sides,
// else that of its nearest side.
double square_to_face(const Polyhedron& p, int f, const Vector3& point) {
  const PolyhedronFace& face = p.faces[static_cast<std::size_t>(f)];
  const auto corners = p.face_corners(f);
  const auto vertex = [&](int v) { return p.vertices[static_cast<std::size_t>(v)]; };
  bool within = true;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector3 from = vertex(corners[k]), to = vertex(corners[(k + 1) % corners.size()]);
    if (dot(cross(face.normal, to - from), point - from) >= 0) continue;
    within = false;
    least = std::min(least, square_to_segment(point, from, to));
  }
  const double height = dot(face.normal, point) - face.offset;
  return within ? height * height : least;
}

}  // namespace

double distance_outside(const Polyhedron& p, const Vector3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const PolyhedronFace& face = p.faces[static_cast<std::size_t>(f)];
    // The nearest point of a convex body lies on a face that sees the point.
    if (dot(face.normal, point) > face.offset) least = std::min(least, square_to_face(p, f, point));
  }
  return std::isfinite(least) ? std::sqrt(least) : 0;
}

std::shared_ptr<const Polyhedron> reduced_hull(const std::shared_ptr<const Polyhedron>& whole, int max_corners,
                                               double flatness) {
  const int corners = static_cast<int>(whole->vertices.size());
  if (corners <= max_corners) return whole;
  HullOptions options;
  options.flatness = flatness;
  options.max_vertices = max_corners;
  const HullResult result = convex_hull(whole->vertices, options);
  if (!result.polyhedron) return whole;
  Polyhedron reduced = *result.polyhedron;
  reduced.reduced_from = corners;
  // The distance from a convex body is a convex function: over the whole hull it is greatest at a corner.
  for (const Vector3& v : whole->vertices)
    reduced.reduction_error = std::max(reduced.reduction_error, distance_outside(reduced, v));
  return std::make_shared<const Polyhedron>(std::move(reduced));
}

}  // namespace routh::internal
