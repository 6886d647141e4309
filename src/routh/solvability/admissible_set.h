// Which pairs of friction and restitution cannot gain energy under the unified impact map [Aghili 2020, eqs 33, 40,
// 41].
//
//   sticks  μ_s ≥ μ_cr(e):  consistent when e ≤ e*(v), for every velocity when e ≤ e*
//   slips   μ_s < μ_cr(e):  consistent when μ_d < μ*
#pragma once

#include <vector>

#include "routh/impact/problem.h"

namespace routh {

enum class AdmissibleRegion {
  sticks,       // consistent, ends in stick (33)
  slips,        // consistent, slips (40)
  stick_gains,  // sticks with e above e*: gains energy
  slip_jams,    // slips with μ_d ≥ μ*: some slip directions jam
};
inline constexpr int admissible_region_count = 4;
const char* name(AdmissibleRegion region);
inline bool is_consistent(AdmissibleRegion region) {
  return region == AdmissibleRegion::sticks || region == AdmissibleRegion::slips;
}

// For the velocity of the problem; its friction and restitution (e, with e_t) are those of the point asked about.
AdmissibleRegion admissible_region(const ImpactProblem& problem);

// For every velocity of approach. The printed rule is (32) with (38): e ≤ e* and μ_d < μ*. The exact rule looks only at
// the velocities that do stick with this μ_s, and may allow a larger e. With k_n = (1 − e)/(1 + e), k_t likewise, and
// the sticking impulse i = i_n (1, ρ), ‖ρ‖ ≤ μ_s, such an impact loses ½ i_n² (k_n (a + cᵀρ) + k_t ρᵀ(c + b ρ)): a
// convex function of ρ, so that its least value over the disk decides.
struct ForAllVelocities {
  bool printed = false;
  bool exact = false;
  ContactVector worst_velocity;  // when not exact because of stick: the velocity at that least value, v_n = −1 m/s
  double worst_gain = 0;         // (T⁺ − T⁻)/T⁻ of the contact there
};
ForAllVelocities admissible_for_all(const ImpactProblem& problem);

struct AdmissibleCurvePoint {
  double restitution = 0;
  double friction = 0;
};

// The boundaries in the plane of e and μ, for the problem's velocity.
struct AdmissibleCurves {
  std::vector<AdmissibleCurvePoint> critical;  // μ_cr(e); ends where it is infinite
  double restitution_bound = 0;                // e*(v), capped at 1
  double restitution_bound_any = 0;            // e*
  double jamming_friction = 0;                 // μ*
};
AdmissibleCurves admissible_curves(const ImpactProblem& problem, int points);

}  // namespace routh
