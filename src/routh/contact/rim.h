// The rims of cylinders, over faces and across edges and other rims: the same names in every pair that may have them.
#pragma once

#include <optional>

#include "routh/contact/geometry.h"

namespace routh::internal {

// What touches of a cap that lies all but flat: the lowest point of its rim, and of four fixed points those that are
// not next to it. A flat cap has the fixed points alone: no point of the rim is the lowest.
struct RimPoints {
  std::array<Vector3, 4> point;
  std::array<Feature, 4> feature;
};
// Of the cap below (0) or above (1), over a face with this outward normal.
RimPoints rim_points(const PosedShape& cylinder, int cap, const Vector3& face_normal);

// A line or a circle in space, by one parameter: a length along the line, an angle on the circle.
struct Curve {
  Vector3 base;        // a point of the line, the middle of the circle
  Vector3 x, y;        // direction of the line, in x; axes of the circle, of length 1
  double radius = -1;  // of a circle; a line has none

  bool is_circle() const { return radius >= 0; }
  Vector3 at(double s) const;
  Vector3 tangent(double s) const;  // of length 1
  double parameter(const Vector3& near) const;
};
Curve rim_curve(const PosedShape& cylinder, int cap);

// Where two curves are nearest to each other, or farthest: the way from one to the other is across both.
struct Crossing {
  double a = 0, b = 0;  // parameters
  Vector3 on_a, on_b;
  Vector3 normal;  // across both, with the sign of the direction asked for
};
// Newton's steps from these parameters; nothing where curves run along each other.
std::optional<Crossing> cross_curves(const Curve& a, const Curve& b, double start_a, double start_b,
                                     const Vector3& direction);

// Where a circle is crossed by a curve, seen along its axis: twice, or never. In the order of `crossing_end`.
struct Crossings {
  int count = 0;
  std::array<Crossing, 2> crossing;
};
Crossings cross_circle(const Curve& circle, const Curve& other, const Vector3& direction);

// Curves that run along each other but for less do not cross [sine].
inline constexpr double least_crossing_sine = 0.02;
// Which of the two a point of the circle is; −1 where the curves run along each other.
int crossing_end(const Curve& circle, const Curve& other, const Vector3& point);
// The feature of a rim there: 2 … 5.
Feature crossed_rim(int cap, int end);

// What crosses a rim: a line, or the rim of another cylinder.
struct Crossed {
  Curve curve;
  double half = std::numeric_limits<double>::infinity();  // of a line
  Feature feature;                                        // of a rim: its cap
  double radius = 0;                                      // about a line
};
struct RimContacts {
  int count = 0;
  std::array<PairContact, 2> contact;
};
// Where the rim of a's cap is crossed by a part of b whose own normals agree with n, from b to a; lines end at most
// `slack`, beside their length, beyond their ends.
RimContacts rim_contacts(const PosedShape& a, int cap, const Crossed& b, const Vector3& n, double slack);

// Names the nearest contact of two shapes by its features where it is a cylinder's rim over a face or across an edge or
// rim of the other, as the manifold of a cap that lies all but flat does: so that the contact stays the same as the
// cylinder tilts.
void name_rim(const PosedShape& a, const PosedShape& b, PairContact& contact);

}  // namespace routh::internal
