// The hull of a mesh in a file, and what standing for the mesh changes.
#pragma once

#include <memory>
#include <string>

#include "routh/mesh/hull.h"
#include "routh/mesh/mass.h"

namespace routh::internal {

// Files hold numbers of single precision, and coordinates far from the origin lose more.
inline constexpr double file_flatness = 1e-6;

struct MeshHull {
  std::shared_ptr<const Polyhedron> hull;  // empty with a fault
  HullFault fault = HullFault::none;
  std::string note;  // by how much the volume grows, or how far points lie outside; empty: nothing to speak of
};

// The mesh with its coordinates multiplied; a mirrored one keeps its triangles outward.
TriangleMesh scaled(TriangleMesh mesh, const Vector3& scale);

MeshHull hull_of(const TriangleMesh& mesh);

}  // namespace routh::internal
