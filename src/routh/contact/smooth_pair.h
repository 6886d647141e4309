// The distance of the parts of two shapes that face each other now, as these parts go on beyond their borders: the face
// of a box as its plane, its edge as a line, a cylinder's rim as its circle, its side as the whole mantle. Where shapes
// pass from part to part the gap has kinks in its second derivative; this has none, and may be differentiated.
//
//   s(n) = c·n − Σ ‖E_k n‖        stationary over unit n across all straight directions of both
//
// c from b's base to a's; E_k the discs and ellipsoids that stand about the bases, half axes as rows (support_sum.h).
// Rims against lines and rims are curves that cross (rim.h).
#pragma once

#include <optional>

#include "routh/contact/rim.h"

namespace routh::internal {

// A part of a shape, in the shape's own frame.
struct SmoothPart {
  Vector3 base;
  int straight_count = 0;  // 0 a point, 1 a line, 2 a plane, with what is round about it
  std::array<Vector3, 2> straight;
  int round_count = 0;
  std::array<Vector3, 3> round;  // half axes
  double radius = 0;             // about all that
  bool rim = false;              // what is round is the disc within a cylinder's rim

  // No longer free along one of its straight directions: the point `at` of it counts.
  void hold(int direction, const Vector3& at);
  // Of the angle between a direction and the axis of a rim, with the part turned; 1 of what is none.
  double rim_sine(const Matrix3& rotation, const Vector3& direction) const;
};

// The part with this feature, if it is a rim, an edge or a side; else the part that reaches farthest along a direction
// in the shape's frame; nothing for pins and holes.
std::optional<SmoothPart> smooth_part(const PosedShape& shape, Feature feature, const Vector3& direction);

class SmoothPair {
 public:
  // The parts that face each other in a contact of the two shapes. Nothing where there are none.
  static std::optional<SmoothPair> of(const PosedShape& a, const PosedShape& b, const PairContact& contact);

  struct Place {
    Vector3 point_a, point_b, normal;
    double gap = 0;
  };
  // Where the shapes stand by now; `normal` is one near by.
  std::optional<Place> place(const Pose& a, const Pose& b, const Vector3& normal) const;

 private:
  // Of a part that is a line or a circle; nothing for others.
  static std::optional<Curve> curve_of(const SmoothPart& part, const Pose& pose);

  SmoothPart a_, b_;
  // A circle and a line, or two circles: where they cross, as their parameters were at first.
  bool curves_ = false;
  double start_a_ = 0, start_b_ = 0;
};

}  // namespace routh::internal
