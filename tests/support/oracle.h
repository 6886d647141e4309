// An independent oracle for one frictional impact: Routh's increment marched by brute force in extended precision.
//
// It shares no code with the library and takes numbers only. With the parameter τ, dI_n = s dτ, s = ‖v_t‖, the slip
// obeys
//
//   v_t' = s c − μ b v_t     I_n' = s     v_n' = s a − μ cᵀv_t     W_n' = v_n s     I_t' = −μ v_t     W_t' = −μ s²
//
// which has no singularity at s = 0 but approaches it without end. Each step is a Taylor polynomial of degree 32 in
// long double (s from s² = v_tᵀv_t), kept far inside its radius of convergence; events are roots on the polynomial.
// Stretches of constant direction (stick, restart, a direction that has settled) are straight and done in closed form.
#pragma once

#include <string>

namespace oracle {

using Real = long double;

struct Problem {
  Real a = 0, c1 = 0, c2 = 0, b11 = 0, b12 = 0, b22 = 0;  // D = [a cᵀ; c b]; in the plane c2 = b12 = b22 = 0
  Real vn = 0, vt1 = 0, vt2 = 0;                          // relative velocity before
  Real mu_static = 0, mu_kinetic = 0;                     // finite
  Real restitution = 0;
  bool pressed = false;  // v_n = 0 and jammed is then an impact without collision
};

enum class Law { newton, poisson, energetic };

enum class Outcome {
  solved,
  no_impact,
  undefined,  // Newton's law with v_n = 0
  locked,     // stuck, and the sticking slope is zero
  gave_up,    // step limit
};

struct Options {
  bool straight_shortcut = true;  // off: march even where the direction has settled (to check the shortcut itself)
  Real rank_tolerance = 1e-14L;   // eigenvalues of b below this fraction of the larger one count as zero
  Real stick_tolerance = 1e-14L;  // a sticking slope below this fraction of a counts as zero
  int max_steps = 200000;
};

struct Answer {
  Outcome outcome = Outcome::solved;
  Real vn = 0, vt1 = 0, vt2 = 0;  // after
  Real in = 0, it1 = 0, it2 = 0;  // impulse
  Real normal_work = 0, tangential_work = 0;
  Real compression_impulse = 0, restitution_impulse = 0;  // sums over all stretches with v_n < 0, v_n > 0
  Real compression_work = 0, restitution_work = 0;
  Real greatest_approach = 0;  // greatest −v_n on the way
  bool halted = false;         // slip came to rest, or was at rest at the start
  bool halted_in_restitution = false;
  bool stuck = false;
  bool restarted = false;
  bool jammed = false;  // dv_n/dI_n < 0 somewhere
  bool recompressed = false;
  Real halt_impulse = 0;  // I_n at the halt
  // Least s/s₀ that was followed by growth again. Below 1e-12 the problem passes so near an unstable direction that its
  // answer hangs on digits its input does not have.
  Real dip = 1;
  // Turn of the slip direction from start to end, in radians: 0 for a straight impact.
  Real turn = 0;
  int steps = 0;
};

Answer solve(const Problem& problem, Law law, const Options& options = {});

// μ_c = ‖b⁺c‖ and a − cᵀb⁺c.
struct StickConstants {
  Real critical_friction = 0;
  Real slope = 0;
  Real ratio1 = 0, ratio2 = 0;  // b⁺c
};
StickConstants stick_constants(const Problem& problem, const Options& options = {});

// All digits of the problem, so that a failure can be replayed.
std::string describe(const Problem& problem);

}  // namespace oracle
