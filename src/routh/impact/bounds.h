// Friction thresholds and restitution bounds of one contact. One name each, with their citations.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "routh/impact/problem.h"
#include "routh/impact/reduction.h"
#include "routh/impact/result.h"

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

// The numbers of Routh's increment by the names of its literature, for one solved impact. Which stretch an impact
// begins with and which it ends with decides them; the impact itself does not need them.
//
//   1/ζ = dv_n/dI_n     1/ε = dv_t/dI_n     L = dq̇/dI_n     [Elkaranshawy 2025, eqs. 17, 18, 24, 25, 53–55]
//
// Infinity means "no finite value": see each.

// A phase as it begins.
struct IncrementStretch {
  PhaseKind kind = PhaseKind::slip;
  double zeta = 0;      // ζ [kg]; negative in a jam; infinite where v_n stands
  double epsilon = 0;   // ε [kg] in the plane, 0 for a stick as in eq. 54; infinite where v_t stands, and in space,
                        // where 1/ε is a vector
  ContactVector ratio;  // dI/dI_n = (1, −μ_k σ), of a stick (1, −b⁺c)
};

struct IncrementNumbers {
  IncrementStretch first, last;
  double halt_impulse = 0;  // I_nh [N s], eq. 38: where slip halts, in the plane also beyond the end of the impact; 0
                            // of an impact that begins without slip; infinite where slip does not halt
  // In the plane, of slip that would never halt; infinite in space, where slip swerves, and in a jam.
  double slip_compression_impulse = 0;  // I_np [N s], eq. 40: where compression would end
  double slip_end_impulse = 0;          // I_nf [N s], eq. 41: where the impact would end
  // Of the impact as it goes; infinite with a recompression, where compression has no one end.
  double compression_impulse = 0;  // I_nc [N s], eq. 33
  double compression_work = 0;     // W_nc [J], eq. 36
  double restitution_work = 0;     // W_nR [J], eq. 36
};

// Of the result of `solve_impact(problem, law)`. None where there is no increment: no impact or no answer, unified and
// classical, and beside an external impulse, where the increment begins from another velocity.
std::optional<IncrementNumbers> compute_increment_numbers(const ImpactProblem& problem, const ImpactResult& result);

// L of a stretch [1/kg, 1/(kg m)]: M⁻¹Jᵀ ratio, the loops closed. The machine is one that `Reduction` accepts.
Eigen::VectorXd velocity_per_impulse(const MachineState& machine, const IncrementStretch& stretch);

}  // namespace routh
