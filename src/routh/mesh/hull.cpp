#include "routh/mesh/hull.h"

#include <algorithm>
#include <optional>

#include "routh/mesh/hull_faces.h"

namespace routh {

namespace {

// Whether no neighbour of a face reaches above its plane, which makes a closed surface convex. A sliver whose corners
// are a few steps of the grid apart has a plane that says nothing.
bool is_convex(const Polyhedron& p, double slack) {
  const auto below = [&](int face, int other) {
    const PolyhedronFace& it = p.faces[static_cast<std::size_t>(face)];
    for (const int v : p.face_corners(other))
      if (!(dot(it.normal, p.vertices[static_cast<std::size_t>(v)]) <= it.offset + slack)) return false;
    return true;
  };
  for (const PolyhedronEdge& edge : p.edges)
    if (!below(edge.left, edge.right) || !below(edge.right, edge.left)) return false;
  return true;
}

// With the tolerance asked for, or a greater one that takes up slivers, or none.
std::optional<Polyhedron> merged_faces(std::span<const Vector3> points, const TriangleHull& hull, double tolerance) {
  for (const double each : {tolerance, 1e-9 * hull.extent, 1e-7 * hull.extent, 0.0}) {
    if (each != 0 && each < tolerance) continue;
    auto merged = merge_triangles(points, hull, each);
    if (merged && is_convex(*merged, merge_slack(each, hull.extent))) return merged;
  }
  return std::nullopt;
}

// Where a body is so thin that moving its corners bends it inwards, they stay where they are.
void flatten_if_convex(Polyhedron& p, double tolerance, double extent) {
  Polyhedron flat = p;
  flatten(flat, tolerance);
  if (is_convex(flat, merge_slack(tolerance, extent))) p = std::move(flat);
}

}  // namespace

const char* explain(HullFault fault) {
  switch (fault) {
    case HullFault::none:
      return "have a hull";
    case HullFault::no_points:
      return "are none, or reach beyond 1e60 m";
    case HullFault::one_place:
      return "all coincide";
    case HullFault::on_a_line:
      return "lie on a line";
    case HullFault::in_a_plane:
      return "lie in a plane";
  }
  return "";
}

HullResult convex_hull(std::span<const Vector3> points, const HullOptions& options) {
  const TriangleHull triangles = triangle_hull(points, options.max_vertices);
  HullResult result;
  result.fault = triangles.fault;
  result.left_out = triangles.left_out;
  if (result.fault != HullFault::none) return result;
  const double tolerance = options.flatness * triangles.extent;
  auto merged = merged_faces(points, triangles, tolerance);
  if (!merged) {
    // The points are so thin that a face has no area of its own.
    result.fault = HullFault::in_a_plane;
    return result;
  }
  // Points that were given to the last digit stay where they are.
  if (options.flatness > 1e-9) flatten_if_convex(*merged, tolerance, triangles.extent);
  connect(*merged);
  result.polyhedron = std::make_shared<const Polyhedron>(std::move(*merged));
  return result;
}

}  // namespace routh
