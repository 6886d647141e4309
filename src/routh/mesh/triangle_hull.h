// Triangles that close around points: the first half of a convex hull. See hull.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "routh/mesh/hull.h"

namespace routh::internal {

struct HullTriangle {
  std::array<int, 3> vertex{};     // indices of points, counter-clockwise from outside
  std::array<int, 3> neighbour{};  // across the edge from vertex i to i + 1
  bool flat[3] = {};               // whether the neighbour lies exactly in the same plane
};

struct TriangleHull {
  std::vector<HullTriangle> triangles;
  HullFault fault = HullFault::none;
  double left_out = 0;
  double extent = 0;  // the longest side of the box around the points
};

TriangleHull triangle_hull(std::span<const Vector3> points, int vertex_limit);

}  // namespace routh::internal
