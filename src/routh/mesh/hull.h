// The convex hull of points.
//
// Quickhull, the farthest point first, on a grid: points are rounded to 2⁻³⁹ of their extent for every decision, which
// is then made exactly in integers of 128 bits. Whatever the points (duplicates, thousands in a plane or on a line),
// the faces close and the answer is the same on every machine. The vertices keep their own coordinates.
//
// Files of single precision make faces that are flat to 1e-7 only. Triangles within the `flatness` of a plane become
// one face, and its corners are then moved onto the plane, so that a cube from such a file stands on four corners and
// not, rocking, on three.
#pragma once

#include <memory>
#include <span>

#include "routh/mesh/polyhedron.h"

namespace routh {

// Names of features (contact/geometry.h) have room for so many.
inline constexpr int max_hull_vertices = 5000;

struct HullOptions {
  double flatness = 1e-11;  // of the extent of the points
  int max_vertices = max_hull_vertices;
};

// Why points have no hull with a volume.
enum class HullFault { none, no_points, one_place, on_a_line, in_a_plane };
const char* explain(HullFault fault);  // the end of a sentence that begins with `the points`

struct HullResult {
  std::shared_ptr<const Polyhedron> polyhedron;  // empty with a fault
  HullFault fault = HullFault::none;
  double left_out = 0;  // how far a point may lie outside because max_vertices were reached [m]
};

// Of finite points. What is thinner than 1e-9 of its extent counts as flat.
HullResult convex_hull(std::span<const Vector3> points, const HullOptions& options = {});

}  // namespace routh
