// Searches over a convex polyhedron, and the ones that stand for points, capsules and boxes.
#pragma once

#include "routh/mesh/hull.h"

namespace routh::internal {

// The vertex farthest along a direction (of any length but zero): by a walk uphill from edge to edge, which on a convex
// body ends nowhere else but for rounding.
int farthest_vertex(const Polyhedron& polyhedron, const Vector3& direction);
// The same from a vertex that is perhaps not far from it: the fewer steps, the nearer it is.
int farthest_vertex(const Polyhedron& polyhedron, const Vector3& direction, int start);

// Fills edges, the edges around vertices, seeds and the radius from vertices, faces and corners. Returns whether the
// faces close: every edge between two of them, Euler's V − E + F = 2.
bool connect(Polyhedron& polyhedron);

// A point, a segment along z from −1 to 1 and the cube from −1 to 1: what stands for points, capsules and boxes. The
// cube's corners, edges and faces are numbered as the features of a box (contact/geometry.h).
Polyhedron point_polyhedron();
Polyhedron segment_polyhedron();
Polyhedron cube_polyhedron();

}  // namespace routh::internal
