// A convex polyhedron: corners, edges and planar faces, with what a search over them needs. Made by `convex_hull`
// (hull.h), never changed afterwards, and shared by everything that has the shape.
#pragma once

#include <span>
#include <vector>

#include "routh/math/spatial.h"

namespace routh {

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

}  // namespace routh
