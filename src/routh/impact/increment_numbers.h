// The numbers of Routh's increment by the names of its literature, for one solved impact. Which stretch an impact
// begins with and which it ends with decides them; the impact itself does not need them.
//
//   1/ζ = dv_n/dI_n     1/ε = dv_t/dI_n     L = dq̇/dI_n     [Elkaranshawy 2025, eqs. 17, 18, 24, 25, 53–55]
//
// Infinity means "no finite value": see each.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "routh/impact/reduction.h"
#include "routh/impact/result.h"

namespace routh {

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
