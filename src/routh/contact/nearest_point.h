// The point of a solid's surface nearest to a given point, inside or outside. In the solid's own frame.
#pragma once

#include "routh/contact/geometry.h"

namespace routh::internal {

struct NearestPoint {
  Vector3 point;        // on the surface
  Vector3 normal;       // outward
  double distance = 0;  // negative inside; from = point + distance · normal
  Feature feature;
};

// A box of these half extents; in the plane a rectangle.
NearestPoint nearest_on_box(const Vector3& half_extents, Dimension dimension, const Vector3& from);
// Along z.
NearestPoint nearest_on_cylinder(double radius, double length, const Vector3& from);
// An ellipsoid; in the plane an ellipse.
NearestPoint nearest_on_ellipsoid(const Vector3& half_extents, Dimension dimension, const Vector3& from);

}  // namespace routh::internal
