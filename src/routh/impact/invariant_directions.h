// The slip directions that do not swerve, and which two of them enclose a given slip.
//
// In principal axes of b, with m_i = μ b_i, m1 ≥ m2 ≥ 0 and axes turned so that c1, c2 ≥ 0, the slip angle obeys
//   dφ/dτ = h(σ) = −c1 σ2 + c2 σ1 + (m1 − m2) σ1 σ2         (dI = s dτ)
// and the invariant directions solve (m + k) σ = c with |σ| = 1, where k = d ln s/dτ. As a function of k,
//   c1²/(m1+k)² + c2²/(m2+k)² = 1
// is a secular equation with one root on each outer branch and none or two between:
//   k > −m2        σ in the first quadrant    always one, attracting   (A); the only one that can have k > 0
//   k < −m1        σ in the third quadrant    always one, repelling    (U)
//   −m1 < k < −m2  σ in the fourth quadrant   two if c1^⅔ + c2^⅔ < (m1−m2)^⅔ (the astroid): one attracting, one
//   repelling
// Slip always turns from a repelling to an attracting direction without crossing another.
#pragma once

namespace routh::internal {

struct Direction {
  double x = 0;
  double y = 0;
};

// The coefficients in canonical axes.
struct SlipField {
  double m1 = 0, m2 = 0;  // μ b in its principal axes, m1 ≥ m2 ≥ 0
  double c1 = 0, c2 = 0;  // ≥ 0

  double turning(Direction s) const { return -c1 * s.y + c2 * s.x + (m1 - m2) * s.x * s.y; }  // dφ/dτ
  double growth(Direction s) const { return s.x * (c1 - m1 * s.x) + s.y * (c2 - m2 * s.y); }  // d ln s/dτ
};

// The attracting direction of the first quadrant: where slip restarts after a halt when friction cannot hold it.
Direction principal_direction(const SlipField& field);

struct Enclosure {
  Direction from;  // repelling
  Direction to;    // attracting
};

// The two invariant directions between which `slip` turns. `slip` itself is not invariant.
Enclosure enclosing_directions(const SlipField& field, Direction slip);

}  // namespace routh::internal
