#include "routh/mesh/hull.h"

#include "routh/mesh/hull_faces.h"

namespace routh {

const char* explain(HullFault fault) {
  switch (fault) {
    case HullFault::none:
      return "have a hull";
    case HullFault::no_points:
      return "are none";
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
  auto merged = merge_triangles(points, triangles, tolerance);
  if (!merged) merged = merge_triangles(points, triangles, 0);
  if (!merged) {
    // The points are so thin that a face has no area of its own.
    result.fault = HullFault::in_a_plane;
    return result;
  }
  // Points that were given to the last digit stay where they are.
  if (options.flatness > 1e-9) flatten(*merged, tolerance);
  connect(*merged);
  result.polyhedron = std::make_shared<const Polyhedron>(std::move(*merged));
  return result;
}

}  // namespace routh
