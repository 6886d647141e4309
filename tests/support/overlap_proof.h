// How deep two convex bodies are inside each other, at most. A direction along which they overlap by no more than a
// depth proves that they are nowhere deeper, however it was found; the extents along a direction are taken over all
// corners, or by closed form. Shares no code with the library.
#pragma once

#include <array>
#include <vector>

namespace testing_support {

using Direction = std::array<double, 3>;
using Turn = std::array<double, 4>;  // the unit quaternion (w, u)

// x + 2w (u × x) + 2 u × (u × x)
Direction turned(const Turn& turn, const Direction& x);

// The points of a kind, and all within `round` of them, turned and moved. In the plane all z are zero.
struct Convex {
  enum class Kind { corners, cylinder, ellipsoid, half_space };  // a half-space: z ≤ 0
  Kind kind = Kind::corners;
  std::vector<Direction> corners;
  double round = 0;
  Direction half = {};       // cylinder: radius, radius, half of its length
  Turn turn = {1, 0, 0, 0};  // where it stands
  Direction place = {};

  // Its point of least n·x.
  Direction lowest(const Direction& n) const;
};

// Searches for a proof that they are no deeper inside each other than `enough`, from a first direction (from b to a;
// the one found takes its place). The least depth proven, which is no more than `enough` where there is a proof.
double proven_depth(const Convex& a, const Convex& b, double enough, Direction& n);

}  // namespace testing_support
