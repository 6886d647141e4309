// Segments and boxes as one kind of polytope: a centre and up to three axes with half lengths. In the plane a rectangle
// and a segment with two sides.
#pragma once

#include "routh/contact/geometry.h"

namespace routh::internal {

struct Brick {
  Vector3 centre;
  std::array<Vector3, 3> axes;
  std::array<double, 3> half{};  // 0: the brick does not extend along this axis
  Dimension dimension = Dimension::spatial;
  bool segment = false;

  double size() const { return half[0] + half[1] + half[2]; }
  // The axis along which a segment runs.
  std::size_t length_axis() const { return dimension == Dimension::planar ? 1 : 2; }
};

// The core of a capsule, or a box.
Brick brick_of(const PosedShape& shape);

// The part of a polytope's surface that looks in a direction: a face with its corners in order, a side in the plane, or
// a segment, which has no face of its own in space.
struct Facet {
  int corners = 0;
  std::array<Vector3, 4> corner;
  std::array<Feature, 4> corner_feature;
  int edges = 0;  // in space: from corner i to corner i + 1, round the face
  std::array<Feature, 4> edge_feature;
  bool has_face = false;
  Vector3 normal;  // outward
  Feature face_feature;
};

Facet facet_towards(const Brick& brick, const Vector3& direction);

// Half the extent of the brick along a unit vector.
double reach(const Brick& brick, const Vector3& direction);

// The point of a brick nearest to a point outside, and the feature it lies on.
struct BrickPoint {
  Vector3 point;
  Feature feature;
};
BrickPoint nearest_on_brick(const Brick& brick, const Vector3& from);

int corner_count(const Brick& brick);
// Corner i, in the order of the features.
Vector3 corner(const Brick& brick, int i);

struct Edge {
  Vector3 middle, direction;  // unit
  double half = 0;
  Feature feature;
};
// Edges in space: 12 of a box, 1 of a segment; none in the plane.
int edge_count(const Brick& brick);
Edge edge(const Brick& brick, int i);

// Where the common perpendicular of two lines meets them, as lengths along their directions.
struct LineCrossing {
  double along_a = 0, along_b = 0;
  Vector3 normal;   // direction_a × direction_b, of length 1
  double sine = 0;  // of the angle between them; 0: parallel, and nothing else is set
};
LineCrossing cross_lines(const Edge& a, const Edge& b);
// Lines with a smaller sine of the angle between them count as parallel.
inline constexpr double parallel_sine = 1e-8;

// Contacts between the corners, edges and faces of two facets whose own normals agree with n, each between real points
// of the two: a corner over a face, a face over a corner, an edge across an edge.
void add_facet_contacts(const Facet& a, const Facet& b, const Vector3& n, double size, Manifold& manifold);

// The same features alone.
void add_corners_on_face(const Facet& a, const Facet& b, const Vector3& n, double size, Manifold& manifold);

}  // namespace routh::internal
