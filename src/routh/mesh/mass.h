// Volume, centre of mass and inertia of a body of unit density within a closed surface, exactly: each triangle spans a
// tetrahedron with a point near the middle, and the signed tetrahedra add up to the body.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "routh/mesh/hull.h"

namespace routh::internal {

struct TriangleMesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside
};

struct SolidProperties {
  double volume = 0;
  Vector3 com;
  Symmetric3 inertia;  // about the centre of mass, for a density of 1
};

// Tetrahedra that look inwards subtract their volume (exact for a closed surface) or count as any other (MuJoCo's
// measure of surfaces that do not close).
enum class TetrahedronSign { signed_volume, absolute_volume };

SolidProperties solid_properties(const TriangleMesh& mesh, TetrahedronSign sign = TetrahedronSign::signed_volume);
SolidProperties solid_properties(const Polyhedron& polyhedron);
// Of the surface itself, as thin as paper: its area in place of a volume, for a density of 1 per area.
SolidProperties shell_properties(const TriangleMesh& mesh);

// The polyhedron with its faces cut into triangles.
TriangleMesh triangulated(const Polyhedron& polyhedron);

// Whether every edge lies between two triangles that run along it in opposite directions. Vertices at the same place
// count as one.
bool is_closed(const TriangleMesh& mesh);

}  // namespace routh::internal
