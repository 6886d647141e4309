// Triangles in a plane become one face: the second half of a convex hull. See hull.h.
#pragma once

#include <optional>

#include "routh/mesh/triangle_hull.h"

namespace routh::internal {

// The polyhedron of the triangles with all within `tolerance` [m] of a plane merged, or, with a tolerance of zero,
// those exactly in one plane on the grid. Nothing when the merged faces do not close, which with a tolerance of zero
// they do wherever a triangle has an area.
std::optional<Polyhedron> merge_triangles(std::span<const Vector3> points, const TriangleHull& hull, double tolerance);

// How far the highest of the points, or of the vertices, lies above a face.
double reach_above(const Polyhedron& polyhedron, const PolyhedronFace& face, std::span<const Vector3> points);

// How far a point may lie above a face of merged triangles.
double merge_slack(double tolerance, double extent);

// Moves the corners of faces that are flat to `tolerance` onto their planes, by no more than a few times that.
void flatten(Polyhedron& polyhedron, double tolerance);

// The planes of all faces from their corners.
void set_planes(Polyhedron& polyhedron);

}  // namespace routh::internal
