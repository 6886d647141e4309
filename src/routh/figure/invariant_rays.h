// The slip directions that do not turn, for the background of a hodograph.
#pragma once

#include <vector>

#include "routh/impact/problem.h"

namespace routh::internal {

// A direction σ with σ⊥ᵀ(c − μ b σ) = 0; `grows` tells whether slip along it gains speed (σᵀ(c − μ b σ) > 0).
struct InvariantRay {
  double t1 = 0;
  double t2 = 0;
  bool grows = false;
};

// To drawing accuracy: sign changes on a fine grid of angles, then bisection. Empty in the plane, without friction, and
// when every direction is invariant.
std::vector<InvariantRay> invariant_rays(const ContactInertia& inertia, double kinetic_friction);

}  // namespace routh::internal
