#include "routh/mesh/hull.h"

#include <algorithm>
#include <optional>

#include "routh/mesh/hull_faces.h"
#include "routh/mesh/polyhedron.h"
#include "routh/mesh/tolerances.h"

namespace routh {

namespace {

// The points that make the hull.
std::vector<Vector3> corners_of(std::span<const Vector3> points, const TriangleHull& hull) {
  std::vector<int> numbers;
  for (const HullTriangle& t : hull.triangles) numbers.insert(numbers.end(), t.vertex.begin(), t.vertex.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Vector3> corners;
  for (const int v : numbers) corners.push_back(points[static_cast<std::size_t>(v)]);
  return corners;
}

// Whether everything lies below every face. A look at the neighbours of a face would not do: a sliver whose corners are
// a few steps of the grid apart has a plane that says nothing, and the sides of a needle all but share one.
bool holds(const Polyhedron& p, std::span<const Vector3> corners, double slack) {
  return std::all_of(p.faces.begin(), p.faces.end(),
                     [&](const PolyhedronFace& face) { return reach_above(p, face, corners) <= slack; });
}

// Least depth of the body below one of its faces.
double thickness(const Polyhedron& p) {
  double least = 2 * p.radius;
  for (const PolyhedronFace& face : p.faces) {
    double deepest = 0;
    for (const Vector3& each : p.vertices) deepest = std::max(deepest, face.offset - dot(face.normal, each));
    least = std::min(least, deepest);
  }
  return least;
}

// With the tolerance asked for, or a greater one that takes up slivers. Where none will do, the triangles as they are,
// each plane moved out until it holds every vertex; nothing for a body that is flat to the tolerance.
std::optional<Polyhedron> merged_faces(std::span<const Vector3> points, std::span<const Vector3> corners,
                                       const TriangleHull& hull, double tolerance) {
  for (const double each :
       {tolerance, tolerances::merge_flatness_fine * hull.extent, tolerances::merge_flatness_coarse * hull.extent}) {
    if (each < tolerance) continue;
    auto merged = merge_triangles(points, hull, each);
    if (merged && holds(*merged, corners, merge_slack(each, hull.extent))) return merged;
  }
  auto merged = merge_triangles(points, hull, 0);
  if (!merged) return std::nullopt;
  for (PolyhedronFace& face : merged->faces) face.offset += reach_above(*merged, face, {});
  if (thickness(*merged) <= tolerance) return std::nullopt;
  return merged;
}

// Where a body is so thin that moving its corners bends it inwards, they stay where they are.
void flatten_if_convex(Polyhedron& p, std::span<const Vector3> corners, double tolerance, double extent) {
  Polyhedron flat = p;
  flatten(flat, tolerance);
  if (holds(flat, corners, merge_slack(tolerance, extent))) p = std::move(flat);
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
  const std::vector<Vector3> corners = corners_of(points, triangles);
  auto merged = merged_faces(points, corners, triangles, tolerance);
  if (!merged) {
    // The points are so thin that a face has no area of its own.
    result.fault = HullFault::in_a_plane;
    return result;
  }
  // Points that were given to the last digit stay where they are.
  if (options.flatness > tolerances::exact_points_flatness)
    flatten_if_convex(*merged, corners, tolerance, triangles.extent);
  connect(*merged);
  result.polyhedron = std::make_shared<const Polyhedron>(std::move(*merged));
  return result;
}

}  // namespace routh
