// Points, segments, boxes and hulls of meshes as one kind of polytope, where they stand in space: a polyhedron,
// stretched along its axes. Their distance is found by the method of Gilbert, Johnson and Keerthi [1988].
#pragma once

#include <optional>

#include "routh/contact/geometry.h"
#include "routh/mesh/polyhedron.h"

namespace routh::internal {

struct PosedHull {
  const Polyhedron* shape = nullptr;
  Vector3 stretch = {1, 1, 1};
  Pose pose;

  int vertex_count() const { return static_cast<int>(shape->vertices.size()); }
  int edge_count() const { return static_cast<int>(shape->edges.size()); }
  int face_count() const { return static_cast<int>(shape->faces.size()); }
  const PolyhedronEdge& edge(int i) const { return shape->edges[static_cast<std::size_t>(i)]; }

  Vector3 vertex(int i) const {
    const Vector3& v = shape->vertices[static_cast<std::size_t>(i)];
    return pose * Vector3{stretch.x * v.x, stretch.y * v.y, stretch.z * v.z};
  }
  // Outward. Only boxes are stretched, whose normals stay.
  Vector3 normal(int face) const { return pose.rotation * shape->faces[static_cast<std::size_t>(face)].normal; }
  // Of the plane of a face: normal · x.
  double offset(int face) const { return dot(normal(face), vertex(shape->face_corners(face)[0])); }
  Vector3 direction(int edge) const;  // of length 1
  // The vertex farthest along a direction.
  int farthest(const Vector3& direction) const {
    const Vector3 d = transpose_times(pose.rotation, direction);
    return farthest_vertex(*shape, {stretch.x * d.x, stretch.y * d.y, stretch.z * d.z});
  }
  // The same, by a walk from a vertex that is not far from it.
  int farthest(const Vector3& direction, int start) const {
    const Vector3 d = transpose_times(pose.rotation, direction);
    return farthest_vertex(*shape, {stretch.x * d.x, stretch.y * d.y, stretch.z * d.z}, start);
  }
  double size() const;
};

// Of a point, sphere, capsule, box or mesh in space: its core.
PosedHull posed_hull(const PosedShape& shape);

// Of two hulls apart: points of theirs that are nearest to each other, and the vertices around each of the two.
struct NearestHulls {
  bool apart = false;  // otherwise they overlap, or touch but for rounding, and only `inside` is set
  Vector3 inside;      // a point of both, but for rounding
  Vector3 normal;      // from b to a
  double gap = 0;
  Vector3 point_a, point_b;
  Feature feature_a, feature_b;
};
// Ends early, with a gap that is a lower bound, once that exceeds `margin`. Begins where `memory` says, if it is not
// null, and keeps there where it ended.
NearestHulls nearest_hulls(const PosedHull& a, const PosedHull& b, double margin, PairMemory* memory = nullptr);

// Of hulls that overlap: the direction of least depth, among normals of faces and common perpendiculars of edges.
struct HullAxis {
  Vector3 normal;  // from b to a
  double separation = -std::numeric_limits<double>::infinity();
  Feature feature_a, feature_b;  // a face and a vertex, or two edges
};
// What spares most of the search; the answer does not depend on it.
struct HullOverlap {
  Vector3 inside;               // a point of both
  std::optional<Vector3> axis;  // a good guess
};
HullAxis greatest_separation(const PosedHull& a, const PosedHull& b, const HullOverlap& overlap);

}  // namespace routh::internal
