// What holds of every mesh that a reader accepts and of its hull.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "routh/base/error.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/mesh/mesh_hull.h"

namespace mesh_check {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline bool finite(const routh::Vector3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

inline void check_hull(const routh::TriangleMesh& mesh, const routh::Polyhedron& hull) {
  require(hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2);
  require(std::isfinite(hull.radius) && hull.radius > 0);
  // Triangles merged into a face leave points outside by a few times the flatness, and by more the thinner the body is.
  const double r = hull.radius, slack = routh::solid_properties(hull).volume > 1e-6 * r * r * r ? 1e-3 * r : 1e300;
  for (const routh::PolyhedronFace& face : hull.faces) {
    require(std::abs(norm(face.normal) - 1) < 1e-9 && std::isfinite(face.offset));
    for (const routh::Vector3& v : mesh.vertices) require(dot(face.normal, v) <= face.offset + slack);
  }
}

inline void check(const routh::TriangleMesh& mesh) {
  const auto count = static_cast<int>(mesh.vertices.size());
  for (const routh::Vector3& v : mesh.vertices) require(finite(v));
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle) require(corner >= 0 && corner < count);
  if (count > 500) return;
  const routh::MeshHull found = routh::hull_of(mesh);
  require(!found.hull == (found.fault != routh::HullFault::none));
  if (found.hull) check_hull(mesh, *found.hull);
}

}  // namespace mesh_check
