// Which pairs of friction and restitution cannot gain energy under the unified impact map [Aghili 2020, eqs 33, 40,
// 41].
//
//   sticks  μ_s ≥ μ_cr(e):  consistent when e ≤ e*(v), for every velocity when e ≤ e*
//   slips   μ_s < μ_cr(e):  consistent when μ_d < μ*  (it does not gain beyond either, but some slip directions jam)
#pragma once

#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

enum class AdmissibleRegion {
  sticks,       // consistent, ends in stick (33)
  slips,        // consistent, slips (40)
  stick_gains,  // sticks with e above e*: gains energy
  slip_jams,    // slips with μ_d ≥ μ*: some slip directions jam
};
constexpr auto names_of(AdmissibleRegion) {
  return name_table<AdmissibleRegion>({{AdmissibleRegion::sticks, "sticks"},
                                       {AdmissibleRegion::slips, "slips"},
                                       {AdmissibleRegion::stick_gains, "stick gains"},
                                       {AdmissibleRegion::slip_jams, "slip jams"}});
}
inline constexpr int admissible_region_count = 4;
inline bool is_consistent(AdmissibleRegion region) {
  return region == AdmissibleRegion::sticks || region == AdmissibleRegion::slips;
}

// For the velocity of the problem; its friction and restitution (e, with e_t) are those of the point asked about.
AdmissibleRegion admissible_region(const ImpactProblem& problem);

// For every velocity of approach, with the e of the problem's own speed where e depends on it. The printed rule is (32)
// with (38): e ≤ e* and μ_d < μ*. The exact rule looks only at the velocities that do stick with this μ_s, and may
// allow a larger e. Only a stick can gain under the map as it is solved here: in slip i_n > 0, so that neither W_n = ½
// (1 − e) v_n i_n nor W_t = −μ_d i_n ‖v̄_t‖ is positive, whatever μ_d; and a mean slip of zero has W_t = 0. With μ_d ≥
// μ* slip in some directions jams: there the map has no slip, and perhaps no answer.
//
// T = ½ vᵀG v is what impulses at the contact can take from the machine's kinetic energy; the gain of the whole machine
// is the same in joules and so, relative to its energy, at most as large. Where D is singular v lies in its range, as J
// q̇ always does, and G is D⁺; where D is singular along the sticking direction nothing sticks.
struct ForAllVelocities {
  bool printed = false;
  bool exact = false;  // neither of the next two
  bool gains = false;  // some velocity gains energy
  bool jams = false;   // μ_d ≥ μ*: slip in some directions jams
  // The greatest (T⁺ − T⁻)/T⁻ of the contact over all velocities of approach, to rounding; zero when none gains.
  double worst_gain = 0;
  // Attains it, relative to the surface, as a stick of the unified law. v_n = −1 m/s; where e depends on the speed, the
  // problem's own v_n if that approaches.
  ContactVector worst_velocity;
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
