// How a stretch of slip in space varies with the velocity it begins with, with c and with m = μ b. Internal.
//
// With S = ∫σ dI and Q = ∫s dI of the stretch (friction's impulse is −μ S, its work −μ Q), at fixed I where it ends, or
// where slip halts. Two ways to the same variation of v_t, through the slip angle and through
//   Δv_t = c ΔI − m S
// tell how many digits are left.
#pragma once

#include "routh/impact/slip_curve.h"
#include "routh/impact/variation.h"

namespace routh::internal {

// Columns.
enum SlipInput : std::size_t { slip_v1, slip_v2, slip_c1, slip_c2, slip_m11, slip_m12, slip_m22, slip_inputs };

struct SlipVariation {
  using Row = Variation<slip_inputs>;
  double impulse = 0, s1 = 0, s2 = 0, q = 0;  // ΔI, S and Q themselves
  Row by_impulse;                             // of a halt; zero at fixed I
  Row by_s1, by_s2, by_q;
  bool trusted = true;
};

// c and m in some axes.
struct SlipTensors {
  double c1 = 0, c2 = 0, m11 = 0, m12 = 0, m22 = 0;
};

struct SlipStretch {
  Direction start, end;  // v_t; an end of zero is a halt
  double impulse = 0;    // ΔI, unless it halts
  bool halts() const { return end.x == 0 && end.y == 0; }
};

// Along an invariant direction, in closed form; from rest, too.
SlipVariation vary_straight(const SlipTensors& k, Direction sigma, const SlipStretch& stretch);
// Without friction.
SlipVariation vary_frictionless(const SlipTensors& k, const SlipStretch& stretch);
// Swerving, by panels of `curve`, which was made for the slip at the start. All in canonical axes; `speed` is the scale
// of SlipPanel.
SlipVariation vary_swerve(const SlipCurve& curve, const SlipStretch& stretch, double speed);

// The same in axes e1, e2 of the present ones.
SlipVariation turned_back(const SlipVariation& v, Direction e1, Direction e2);

}  // namespace routh::internal
