// Which friction and restitution cannot gain energy: of one contact under the unified impact map, and of several
// contacts that strike at once.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

// Which pairs of friction and restitution cannot gain energy under the unified impact map [Aghili 2020, eqs 33, 40,
// 41].
//
//   sticks  μ_s ≥ μ_cr(e):  consistent when e ≤ e*(v), for every velocity when e ≤ e*
//   slips   μ_s < μ_cr(e):  consistent when μ_d < μ*  (it does not gain beyond either, but some slip directions jam)

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

// Which sets of restitution coefficients cannot gain energy when several contacts strike at once [Aghili 2019, eqs
// 53-56].
//
//   ΔK = ½ φ̇ᵀ(E Q E − Q) φ̇       Q = Gᵀ M G,  G = S A⁺          E = diag(0 for bilateral and resting rows, e_i)
//
// Printed test: E Q E − Q ⪯ 0 (55), or the linear matrix inequality (56). It can fail although nothing can gain,
// because velocities with φ̇_b ≠ 0 never occur: the admissible test looks only at φ̇ in the range of A with φ̇_b = φ̇_rest
// = 0.
//
// Redundant rows: there φ̇⁺ = −E φ̇⁻ may be unattainable and (53) counts energy that the machine cannot have. The
// admissible test takes the attainable φ̇⁺ nearest to −E φ̇⁻, fixed rows exact, striking rows of unit length in the mass
// metric, equal rows with equal restitution as one: the law of impact/simultaneous.h before a contact is released.
// Where rows are independent the two agree. Velocities of any signs are looked at, also those at which some rows
// separate: "consistent" is a promise for all of them, "not consistent" need not be a gain at an approach of every
// contact.

struct RestitutionQuestion {
  Eigen::MatrixXd mass_matrix;
  Eigen::MatrixXd fixed;        // bilateral and resting rows; may have none
  Eigen::MatrixXd striking;     // rows of the striking contacts
  Eigen::VectorXd restitution;  // e_i, one for each striking row, in [0, 1]
};

struct RestitutionLimits {
  int iterations = 200;  // of the semidefinite solver
  double seconds = 10;   // of the whole answer, looked at between iterations and corners
};

enum class RestitutionStatus {
  ok,
  ill_posed,      // no answer for a reason that the message gives, or only parts of it (`answered`)
  limit_reached,  // of time or iterations; what is there holds, see the message
  invalid,        // sizes do not fit, numbers not finite or outside [0, 1]
};
constexpr auto names_of(RestitutionStatus) {
  return name_table<RestitutionStatus>({{RestitutionStatus::ok, "ok"},
                                        {RestitutionStatus::ill_posed, "ill-posed"},
                                        {RestitutionStatus::limit_reached, "limit reached"},
                                        {RestitutionStatus::invalid, "invalid"}});
}

struct RestitutionAnswer {
  RestitutionStatus status = RestitutionStatus::ok;
  std::string message;    // in words, when not ok, and remarks: idle rows, a box that is only an inner one
  bool answered = false;  // the fields below are set; false when invalid and for most ill-posed questions

  int rank = 0;           // of the striking rows beside the fixed ones
  std::vector<int> idle;  // striking rows that the fixed ones hold still: their e has no influence

  bool consistent = false;          // on the admissible velocities: none gains
  bool consistent_printed = false;  // (55) as printed, over all rows
  double printed_eigenvalue = 0;    // λ_max(E Q E − Q)
  double worst_growth =
      0;  // largest (K⁺ − K⁻)/K⁻ over the admissible velocities, K of the struck part; ≤ 0 if consistent
  Eigen::VectorXd worst_velocity;  // q̇⁻ that attains it, of unit kinetic energy, approaching in the sum of unit rows
  // Largest e such that E = e I is consistent. Always 1: −e φ̇⁻ is attainable whenever φ̇⁻ is, redundant rows or not, and
  // K⁺ = e² K⁻ of the struck part.
  double largest_common = 1;
  double largest_scaling = 0;  // largest s such that s E is consistent (s e_i may exceed 1); infinite when E = 0
  // The last two again by the linear matrix inequality (56) on the admissible velocities, solved by DSDP to about 1e-6.
  bool consistent_lmi = false;
  double lmi_scaling = 0;
  // Consistent values at or below the given ones with the greatest sum, by the linear matrix inequality, to about 1e-6;
  // the given ones when consistent. Never inconsistent: a last rounding is scaled away. Rows counted as one (see above)
  // keep one value.
  Eigen::VectorXd nearest;
  // Largest t such that every E' with |e'_i − e_i| ≤ t, cut to [0, 1], is consistent; rows counted as one keep one
  // value. 1 when every E' in [0, 1] is; −1 when E itself is not. Exact (to 1e-8) while at most ten contacts act on one
  // another, beyond that a lower bound, said in the message.
  double box = 0;
};

RestitutionAnswer examine_restitution(const RestitutionQuestion& question, const RestitutionLimits& limits = {});

}  // namespace routh
