#include "routh/mesh/mesh_hull.h"

#include <fmt/format.h>

#include <cmath>

namespace routh::internal {

namespace {

// Less is what single precision and a coarse mesh of a round thing bring.
constexpr double noticeable = 0.01;

}  // namespace

TriangleMesh scaled(TriangleMesh mesh, const Vector3& scale) {
  for (Vector3& v : mesh.vertices) v = {scale.x * v.x, scale.y * v.y, scale.z * v.z};
  if (scale.x * scale.y * scale.z < 0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

MeshHull hull_of(const TriangleMesh& mesh) {
  HullOptions options;
  options.flatness = file_flatness;
  const HullResult result = convex_hull(mesh.vertices, options);
  MeshHull found;
  found.hull = result.polyhedron;
  found.fault = result.fault;
  if (!found.hull) return found;
  if (result.left_out > 0)
    found.note = fmt::format("its hull is cut to {} vertices, which leaves points up to about {:.2g} m outside",
                             found.hull->vertices.size(), result.left_out);
  if (!is_closed(mesh)) return found;
  const double own = std::abs(solid_properties(mesh).volume), hull = solid_properties(*found.hull).volume;
  if (own > 0 && hull > (1 + noticeable) * own)
    found.note += fmt::format("{}it is not convex; its hull, which stands for it, has a volume larger by {:.3g} %",
                              found.note.empty() ? "" : "; ", 100 * (hull / own - 1));
  return found;
}

}  // namespace routh::internal
