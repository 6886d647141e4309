// A contact that slides: will it hold, let go, or has rigid-body mechanics no answer?
//
//   v̇_n = A λ_n + B      A = a − μ cᵀσ     B = f_n         λ = λ_n (1, −μ σ), σ the direction of slip
//   v̇_t = C λ_n + D      C = c − μ b σ     D = f_t         [Liu 2007, eqs 6, 7], for every direction in space
#pragma once

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

// The four modes of [Liu 2007, Table 1]. The table counts the edges A = 0 < B and A < 0 = B to M_s³; no force is the
// only solution there, so they are M_s¹.
enum class SlipMode {
  detaches,       // M_s¹: B ≥ 0, and no force is the only solution (B = 0: the contact stays, without force)
  slides,         // M_s²: A > 0, B < 0; λ_n = −B/A. The admissible set Φ [Liu 2007, Definition 1]
  indeterminate,  // M_s³: A < 0 < B: no force, or λ_n = −B/A (false cohesion); A = B = 0: any force. Rule: no force
  inconsistent,   // M_s⁴: A ≤ 0, B < 0; no finite force. Rule: tangential impact (dynamic wedging)
};
constexpr auto names_of(SlipMode) {
  return name_table<SlipMode>({{SlipMode::detaches, "detaches"},
                               {SlipMode::slides, "slides"},
                               {SlipMode::indeterminate, "indeterminate"},
                               {SlipMode::inconsistent, "inconsistent"}});
}
inline constexpr int slip_mode_count = 4;

struct SlipDirection {
  double t1 = 0;
  double t2 = 0;  // unit length; in the plane (±1, 0)
};

struct SlipVerdict {
  SlipMode mode = SlipMode::detaches;
  double A = 0;                   // [1/kg]; exactly zero where it is within rounding of it
  double B = 0;                   // [m/s²]
  double C1 = 0, C2 = 0;          // [1/kg]
  double D1 = 0, D2 = 0;          // [m/s²]
  double normal_force = 0;        // by the rules above [N]; zero where an impact must decide
  double direction_friction = 0;  // the μ at which A = 0 in this direction; infinite when no friction does it
  bool marginal = false;          // A or B is zero to rounding: the mode is on a boundary

  bool admissible() const { return mode == SlipMode::slides; }
};

// Stands for infinite friction where a finite number is needed: its cone is flat to one part in a thousand million.
inline constexpr double widest_friction = 1e9;

// `kinetic` is finite. `direction` has unit length.
SlipVerdict judge_slip(const ContactInertia& inertia, double kinetic, SlipDirection direction,
                       const ContactVector& free_acceleration);

// The direction of v_t; nothing when the slip is exactly zero.
struct SlipState {
  double speed = 0;
  SlipDirection direction;
};
SlipState slip_of(const ContactVector& relative_velocity);

// `detaches`, `slides`, `indeterminate`, `inconsistent`.

}  // namespace routh
