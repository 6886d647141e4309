// The distance of the parts of two shapes that face each other now, as these parts go on beyond their borders: the face
// of a box as its plane, its edge as a line, a cylinder's rim as its circle, its side as the whole mantle. Where shapes
// pass from part to part the gap has kinks in its second derivative; this has none, and may be differentiated.
//
//   s(n) = c·n − Σ ‖E_k n‖        stationary over unit n across all straight directions of both
//
// c from b's base to a's; E_k the discs and ellipsoids that stand about the bases, half axes as rows (support_sum.h).
#pragma once

#include <optional>

#include "routh/contact/geometry.h"

namespace routh {

// A part of a shape, in the shape's own frame.
struct SmoothPart {
  Vector3 base;
  int straight_count = 0;  // 0 a point, 1 a line, 2 a plane, with what is round about it
  std::array<Vector3, 2> straight;
  int round_count = 0;
  std::array<Vector3, 3> round;  // half axes
  double radius = 0;             // about all that

  // No longer free along one of its straight directions: the point `at` of it counts.
  void hold(int direction, const Vector3& at);
  // Of the angle between a direction and the axis of a disc, with the part turned; 1 of what is no disc.
  double rim_sine(const Matrix3& rotation, const Vector3& direction) const;
};

// The part of the shape that reaches farthest along a direction in its frame; nothing for pins and holes.
std::optional<SmoothPart> smooth_part(const PosedShape& shape, const Vector3& direction);

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
  SmoothPart a_, b_;
};

}  // namespace routh
