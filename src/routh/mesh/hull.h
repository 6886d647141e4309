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
#include <vector>

#include "routh/math/spatial.h"

namespace routh {

// A convex polyhedron: corners, edges and planar faces, with what a search over them needs. Made by `convex_hull`,
// never changed afterwards, and shared by everything that has the shape.
struct PolyhedronFace {
  Vector3 normal;     // outward, of length 1
  double offset = 0;  // no vertex has a greater normal·v; those of the face reach it but for rounding
  int first = 0;      // its corners are `corners[first] … corners[first + count − 1]`
  int count = 0;
};

struct PolyhedronEdge {
  int from = 0, to = 0;     // vertices
  int left = 0, right = 0;  // faces, seen from outside along the edge
};

struct Polyhedron {
  std::vector<Vector3> vertices;
  std::vector<PolyhedronFace> faces;
  std::vector<int> corners;       // of all faces, one face after the other, counter-clockwise seen from outside
  std::vector<int> corner_edges;  // the edge from that corner to the next of its face
  std::vector<PolyhedronEdge> edges;
  std::vector<int> around_first;  // of size vertices + 1: where each vertex begins in the next two lists
  std::vector<int> around_edges;  // edges at the vertex
  std::vector<int> around_ends;   // and the vertices at their other ends
  std::vector<int> seeds;         // vertices farthest along directions of a grid; empty for few vertices
  double radius = 0;              // of the sphere about the origin that holds it
  Vector3 lowest, highest;        // corners of the box along the axes that holds it
  // Of a hull that stands for one of more corners: how many, and how far points of that lie outside it at most [m].
  int reduced_from = 0;
  double reduction_error = 0;

  std::span<const int> face_corners(int face) const {
    const PolyhedronFace& it = faces[static_cast<std::size_t>(face)];
    return {corners.data() + it.first, static_cast<std::size_t>(it.count)};
  }
  std::span<const int> face_edges(int face) const {
    const PolyhedronFace& it = faces[static_cast<std::size_t>(face)];
    return {corner_edges.data() + it.first, static_cast<std::size_t>(it.count)};
  }
  std::span<const int> neighbours(int vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return {around_ends.data() + around_first[i], static_cast<std::size_t>(around_first[i + 1] - around_first[i])};
  }
  std::span<const int> edges_at(int vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return {around_edges.data() + around_first[i], static_cast<std::size_t>(around_first[i + 1] - around_first[i])};
  }
};

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
