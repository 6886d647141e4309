// Sliding along a line: a machine with one coordinate x left while its contact slides. Where A and B vanish together
// the motion is singular; does it lead into the paradox?
//
//   F = −B/A,   ẍ = g F + h          (A, B, g, h functions of x and ẋ)                    [Liu 2007, eqs 16, 17]
//   with dt = A dτ:  x' = A ẋ,  ẋ' = −g B + A h                                           [Liu 2007, eq. 18]
//
// Near a singular point let α, β be the linear parts of A, B. With G = ∂(A, B)/∂(x, ẋ) and P = [ẋ 0; h −g]
//   (x', ẋ') = P (α, β),   so   ∂(x', ẋ')/∂(x, ẋ) = P G   and   (α, β)' = K (α, β),  K = G P.
// The contact slides in the quadrant α > 0, β < 0, where τ runs with the time. Slides that reach the point while they
// slide come along an eigenvector of K with a negative eigenvalue that lies in the quadrant (finite force −β/α), or, if
// A does not depend on ẋ, along A = 0, which is then an eigenvector too (force without bound, impulse finite):
//   stable node    an open set of them, if the slow eigenvector lies in the quadrant or on its side α = 0; else at most
//                  the one along the fast eigenvector (the others meet B = 0 first and detach)
//   saddle         one, if the stable eigenvector lies in the quadrant
//   others         none (from an unstable node or focus slides depart; round a stable focus they meet B = 0 first)
// Beyond the point the same line leads into A < 0, B > 0. At Liu's singular points the rule gives none or one, never a
// set, which is what [Liu 2007, section 4] says but for the one. For the uniform rod it gives none below
// μ = 8/(3√3) and a set above, the critical friction of [Génot 1999].
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "routh/solvability/diagnosis.h"

namespace routh::internal {

struct SlipFlowValue {
  double A = 0, B = 0;
  double gain = 0;  // g: acceleration of x per unit of normal force
  double rest = 0;  // h: acceleration of x without contact force
  double slip = 1;  // tangential velocity of the contact; where its sign changes the slide ends. Only its sign matters
};
// Nothing where the posture does not exist. Values that are not finite count as nothing.
using SlipFlow = std::function<std::optional<SlipFlowValue>(double x, double rate)>;

struct SingularSearch {
  int cells = 200;  // of the grid in each direction on which curves A = 0 and B = 0 are looked for
};

// The points of the box with A = B = 0, to rounding, ordered by x. Where the grid's parabolas say that both may vanish
// it is refined to 1/64 of a cell and Newton's method follows, so that curves need not change sign at grid points and
// two points may lie in one cell; nearer than 1e-7 of the box they count as one. What happens inside less than a cell
// and does not show at its points can be missed.
std::vector<SingularPoint> singular_points(const SlipFlow& flow, const FlowBox& box, const SingularSearch& search = {});

enum class FlowEnd {
  time_up,
  left_box,
  detached,         // B = 0
  reached_paradox,  // A = 0
  near_singular,    // within 1e-6 of the box of a point with A = B = 0: where it goes from there rounding would decide
  no_posture,       // also where x comes to rest at the edge of the postures: another coordinate would have to go on
  slip_ends,        // the slip changes its sign: stick or reversal
  step_limit,       // given up: after 100,000 steps, or where the flow is not smooth
};
constexpr auto names_of(FlowEnd) {
  return name_table<FlowEnd>({
      {FlowEnd::time_up, "time up"},
      {FlowEnd::left_box, "left the box"},
      {FlowEnd::detached, "detached"},
      {FlowEnd::reached_paradox, "reached the paradox"},
      {FlowEnd::near_singular, "near a singular point"},
      {FlowEnd::no_posture, "no posture"},
      {FlowEnd::slip_ends, "slip ends"},
      {FlowEnd::step_limit, "step limit"},
  });
}
struct FlowPoint {
  double time = 0, x = 0, rate = 0;
};
struct FlowTrajectory {
  std::vector<FlowPoint> points;
  FlowEnd end = FlowEnd::time_up;
};

// The slide from a state in which A > 0 and B < 0, until B = 0 (detaches), A = 0 (the paradox), the box's edge or the
// time is up. Adaptive, 1e-10 of the box per step; ends are located to 1e-12 of it. A start that does not slide is its
// own end.
FlowTrajectory slide(const SlipFlow& flow, const FlowBox& box, double x, double rate, double duration);

}  // namespace routh::internal
