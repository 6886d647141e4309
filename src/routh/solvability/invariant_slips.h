// The slip directions that keep their direction during an impact: roots of dφ/dτ = σ⊥ᵀ(c − μ b σ).
//
//   dφ/dτ = σ⊥ᵀ(c − μ b σ)      d ln s/dτ = σᵀ(c − μ b σ)      dv_n/dI_n = A = a − μ cᵀσ
//
// Other slips turn from a repelling to an attracting one [Elkaranshawy 2025]. In the plane both directions are
// invariant and nothing turns.
#pragma once

#include <array>

#include "routh/solvability/slip_verdict.h"

namespace routh {

enum class SlipAttraction { attracting, repelling, neutral };
constexpr auto names_of(SlipAttraction) {
  return name_table<SlipAttraction>({{SlipAttraction::attracting, "attracting"},
                                     {SlipAttraction::repelling, "repelling"},
                                     {SlipAttraction::neutral, "neutral"}});
}

struct InvariantSlip {
  SlipDirection direction;
  SlipAttraction attraction = SlipAttraction::neutral;  // neutral: in the plane, and at a double root
  double growth = 0;  // σᵀ(c − μ b σ) [1/kg]: positive: such a slip grows, negative: it comes to a halt
  double A = 0;       // [1/kg]; negative: it jams
};

struct InvariantSlips {
  int count = 0;                       // 2 to 4 in space, 2 in the plane
  bool every = false;                  // μ b − c leaves every direction as it is: `count` is 0
  std::array<InvariantSlip, 4> slips;  // by angle in (−π, π]
};

// `kinetic` is finite.
InvariantSlips invariant_slips(const ContactInertia& inertia, double kinetic);

}  // namespace routh
