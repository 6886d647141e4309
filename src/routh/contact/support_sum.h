// The signed distance of two convex bodies whose support functions are sums of norms.
//
// A segment, a box, a cylinder and an ellipsoid are sums of discs of one, two or three dimensions about their centres:
// each adds ‖E n‖ to the support function, E the disc's half axes as rows. With c from b's centre to a's the separation
// along a unit vector n is
//
//   s(n) = c·n − Σ ‖E_k n‖        summed over the discs of both
//
// and the signed distance is its maximum over the sphere. s is concave and homogeneous: bodies apart have one maximum,
// which is the solution of a convex problem; bodies that overlap may have several, of which the greatest counts. s has
// kinks where some E_k n = 0: at the normals of faces and caps, and on the great circles across edges.
#pragma once

#include "routh/contact/separation_search.h"

namespace routh::internal {

struct Disc {
  int rank = 0;
  std::array<Vector3, 3> axes;  // half axes, perpendicular to each other
  double size = 0;              // the longest of them
  double side = 1;              // +1 of a, −1 of b

  Vector3 turned(const Vector3& n) const;  // Eᵀ E n
  double reach(const Vector3& n) const;    // ‖E n‖
  double smoothed_reach(const Vector3& n, double smoothing) const;
};

class SupportSum : public SupportDifference {
 public:
  SupportSum(const PosedShape& a, const PosedShape& b);

  double separation(const Vector3& n) const;
  Corner least(const Vector3& n) const override;

  struct Maximum {
    Vector3 normal;
    double separation = -std::numeric_limits<double>::infinity();
  };
  Maximum maximise() const;
  // Another direction, if it is better.
  void consider(const Vector3& direction, Maximum& best) const;

  // The points of the two bodies that face each other along the normal of a maximum.
  PairContact contact(const Maximum& maximum) const;

 private:
  static constexpr int capacity = 6;

  void add(const PosedShape& shape, double side);
  void add_disc(std::initializer_list<Vector3> axes, double side);

  // What is left out of an ascent: nothing, or one disc of rank 1 whose kink the normal stays on.
  static constexpr int no_disc = -1;
  struct Derivatives {
    double value = 0;
    Vector3 gradient;
    Symmetric3 hessian;
  };
  Derivatives smoothed(const Vector3& n, double smoothing, int kinked) const;
  double smoothed_value(const Vector3& n, double smoothing, int kinked) const;
  int tangents(const Vector3& n, int kinked, std::array<Vector3, 2>& basis) const;
  Vector3 ascend(Vector3 n, double smoothing, int kinked) const;
  void climb(const Vector3& start, Maximum& best) const;
  void settle(const Vector3& n, Maximum& best) const;
  void try_kinks(Maximum& best) const;

  std::array<Disc, capacity> discs_;
  int count_ = 0;
  Vector3 centre_a_, centre_b_, c_;
  double size_ = 0;
  bool planar_ = false;
};

}  // namespace routh::internal
