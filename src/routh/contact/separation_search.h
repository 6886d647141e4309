// The greatest separation of two convex bodies of which nothing is known but where they reach farthest, with a bound
// from above.
//
//   s(n) = min over w in A − B of n·w        n from b to a, of length 1
//
// Apart, the maximum of s is the distance, and the method of Gilbert, Johnson and Keerthi bounds it from both sides.
// Bodies that overlap may have many maxima, of which the greatest counts. The sphere of normals is divided into
// triangles. Points x of A − B bound s from above on each, n = Σ λ_j m_j between its corners,
//
//   s(n) ≤ n·x ≤ max over j of m_j·x,
//
// and those that bound it best lie between the points farthest along the corners, or are the feet of the maxima found
// so far: x = s n at a maximum, for which the bound has no error of first order. A triangle whose bound is no more than
// the best maximum is done; any other is halved.
#pragma once

#include "routh/contact/geometry.h"
#include "routh/contact/simplex.h"

namespace routh::internal {

class SupportDifference {
 public:
  virtual ~SupportDifference() = default;
  // The point of A − B least along n, with the names of its two points, if they have any.
  virtual Corner least(const Vector3& n) const = 0;
};

struct BoundedSeparation {
  Vector3 normal;
  double separation = -std::numeric_limits<double>::infinity();
  double bound = std::numeric_limits<double>::infinity();  // no direction separates better
  Simplex corners;                                         // points of A − B about the foot of the maximum
};

// `start` is a guess of the normal, of length 1; `size` the size of the pair.
BoundedSeparation search_separation(const SupportDifference& bodies, Dimension dimension, double size,
                                    const Vector3& start);

}  // namespace routh::internal
