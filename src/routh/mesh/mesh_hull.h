// The hull of a mesh in a file, and what standing for the mesh changes.
#pragma once

#include <memory>
#include <string>

#include "routh/mesh/hull.h"
#include "routh/mesh/mass.h"
#include "routh/mesh/tolerances.h"

namespace routh::internal {

struct MeshHull {
  std::shared_ptr<const Polyhedron> hull;   // of few corners, for contacts; empty with a fault
  std::shared_ptr<const Polyhedron> whole;  // of all, for masses and sizes
  HullFault fault = HullFault::none;
  // By how much the volume grows, or how many corners are left and how far points lie outside; empty: nothing to speak
  // of.
  std::string note;
};

// The mesh with its coordinates multiplied; a mirrored one keeps its triangles outward.
TriangleMesh scaled(TriangleMesh mesh, const Vector3& scale);

// Of at most this many corners.
MeshHull hull_of(const TriangleMesh& mesh, int corners = tolerances::mesh_corners_max);

}  // namespace routh::internal
