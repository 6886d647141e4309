// The greatest separation of the hull of a mesh and a cylinder or ellipsoid.
//
//   s(n) = min over a of n·a − max over b of n·b        n from b to a
//
// On the sphere of normals a vertex of a holds a region, where s is the signed distance of a point from b; an edge an
// arc, on which s has one variable; a face a single normal. The greatest s is found among the vertices, edges and faces
// around the nearest point of shapes apart, or around the faces of least depth of shapes that overlap.
#pragma once

#include "routh/contact/posed_hull.h"

namespace routh::internal {

// Where a cylinder or ellipsoid reaches farthest along n.
Vector3 farthest_point(const PosedShape& round, const Vector3& n);

struct RoundAxis {
  Vector3 normal;
  double separation = -std::numeric_limits<double>::infinity();
};
RoundAxis greatest_separation(const PosedHull& a, const PosedShape& round);

// The points that face each other along that normal.
PairContact contact_along(const PosedHull& a, const PosedShape& round, const RoundAxis& axis);

}  // namespace routh::internal
