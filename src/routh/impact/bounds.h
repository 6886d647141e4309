// Friction thresholds and restitution bounds of one contact. One name each, with their citations.
#pragma once

#include "routh/impact/problem.h"

namespace routh {

// Infinity means "no finite value": see each.
struct ImpactBounds {
  double stick_friction = 0;  // μ_c = ‖b⁺c‖, least static friction that keeps a stick [Elkaranshawy 2025, eq. 21]
  double impact_friction = 0;  // μ_cr(e) = ‖i_t‖/i_n of the sticking impulse [Aghili 2020, eq. 23, exact form];
                               // infinite when the sticking impulse would pull
  double impact_friction_printed = 0;  // a/(1+e) as printed in eq. 23, which commutes G with I + E; for comparison only
  double jamming_friction = 0;  // μ* = a/‖c‖ [Aghili 2020, eq. 38] = μ_jam (Peiret) = |μ_m| (Liu); infinite when c = 0
  double restitution_bound = 0;  // e*(v), largest e of a sticking impact that gains nothing [Aghili 2020, eq. 30]; of
                                 // the impact without an external impulse
  double restitution_bound_any = 0;  // e* for every velocity [Aghili 2020, eq. 32]
  double condition = 0;  // ‖D‖‖D⁻¹‖; D known to 16 digits gives answers to about 2e-16 · condition, at worst
  bool slip_unavoidable = false;  // condition (25) with the exact μ_cr: no μ in [0, 1) makes the impact stick
};

ImpactBounds compute_bounds(const ImpactProblem& problem);

}  // namespace routh
