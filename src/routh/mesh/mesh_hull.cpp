#include "routh/mesh/mesh_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/mesh/hull_reduction.h"
#include "routh/mesh/tolerances.h"

namespace routh::internal {

namespace {

// `left_out`: what the whole hull lacks itself.
std::string reduction_note(const Polyhedron& hull, double left_out) {
  const Vector3 size = hull.highest - hull.lowest;
  const double error = hull.reduction_error + left_out, extent = std::max({size.x, size.y, size.z});
  return fmt::format(
      "its hull of {} corners is reduced to {}, which leaves points up to {:.2g} m outside ({:.2g} % of "
      "its extent)",
      hull.reduced_from, hull.vertices.size(), error, 100 * error / extent);
}

}  // namespace

TriangleMesh scaled(TriangleMesh mesh, const Vector3& scale) {
  for (Vector3& v : mesh.vertices) v = {scale.x * v.x, scale.y * v.y, scale.z * v.z};
  if (scale.x * scale.y * scale.z < 0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

MeshHull hull_of(const TriangleMesh& mesh, int corners) {
  HullOptions options;
  options.flatness = tolerances::mesh_file_flatness;
  const HullResult result = convex_hull(mesh.vertices, options);
  MeshHull found;
  found.whole = result.polyhedron;
  found.fault = result.fault;
  if (!found.whole) return found;
  found.hull = reduced_hull(found.whole, corners, tolerances::mesh_file_flatness);
  if (found.hull->reduced_from > 0) found.note = reduction_note(*found.hull, result.left_out);
  if (!is_closed(mesh)) return found;
  const double own = std::abs(solid_properties(mesh).volume), hull = solid_properties(*found.whole).volume;
  if (own > 0 && hull > (1 + tolerances::hull_volume_excess) * own)
    found.note += fmt::format("{}it is not convex; its convex hull is used, whose volume is larger by {:.3g} %",
                              found.note.empty() ? "" : "; ", 100 * (hull / own - 1));
  return found;
}

}  // namespace routh::internal
