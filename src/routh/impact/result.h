// What one impact did: velocities, impulse, the phases it went through, and where the energy went.
#pragma once

#include <array>
#include <cstdint>

#include "routh/impact/problem.h"

namespace routh {

enum class Status {
  ok,
  no_impact,        // separating, or touching without approach: zero impulse, and that is the answer
  no_solution,      // the law has no answer for this problem (unified, classical)
  undefined,        // Newton's law for an impact that begins with v_n = 0
  locked,           // D is singular along the sticking direction: the contact stops, restitution cannot move it
  ill_conditioned,  // D is not positive semidefinite, or too nearly singular for the digits it was given with
  invalid,          // the problem breaks a rule; see `check`
  overflow,         // the answer exceeds the range of double
  not_converged,    // an iteration gave up; the velocity is the one before the impact
};

// The five rows of Elkaranshawy's Table 1, and the ones it lacks.
enum class Mode {
  none,
  sliding,                 // slips to the end
  stick,                   // sticks from the beginning
  stick_in_compression,    // slip stops in compression and sticks
  stick_in_restitution,    //               restitution
  reverse_in_compression,  // slip stops in compression and starts again (the plane: reversed)
  reverse_in_restitution,  //               restitution
  mean_slip_zero,          // unified law: the tangential velocity is reflected
};

enum class PhaseKind {
  slip,  // friction against the slip, dv_n/dI_n ≥ 0
  jam,   // slip that presses the bodies together: dv_n/dI_n < 0
  stick,
  reversal,  // slip started again after a halt (or from rest)
};

enum class Stage { compression, restitution };

// One stretch of the impact, described at its end.
struct Phase {
  PhaseKind kind;
  Stage stage;
  double normal_impulse;  // accumulated when the phase ends [N s]
  double direction_t1;    // unit slip direction when the phase began; zero for stick
  double direction_t2;
  ContactVector velocity;  // relative contact velocity when the phase ends [m/s]
};

// ΔT = W_n + W_t + v_sᵀ i. The certificate is W_n + W_t ≤ 0.
struct EnergyLedger {
  double normal_work = 0;      // W_n [J], integrated along the impulse
  double tangential_work = 0;  // W_t [J]
  double supplied = 0;         // by the moving surface and by an external impulse [J]
  double change = 0;           // ΔT [J], from the velocities alone
  bool consistent = true;      // W_n + W_t ≤ 0 within rounding
};

enum class Warning : std::uint32_t {
  energy_gain = 1u << 0,               // W_n + W_t > 0
  non_unique = 1u << 1,                // the law has several answers; the documented one is given
  ill_conditioned = 1u << 2,           // the answer hangs on digits the input does not have
  restitution_out_of_range = 1u << 3,  // speed of compression outside the validity of e(v)
  jams_if_pressed = 1u << 4,           // v_n = 0 and jammed: a tangential impact if the bodies are pressed together
  recompression = 1u << 5,             // the normal velocity turned negative again during restitution
  tangential_restitution_ignored = 1u << 6,  // this law has no e_t
  bilateral_velocity = 1u << 7,              // the velocity before violates the bilateral rows
  // Shortcuts of several contacts and of runs: an answer was given where the law itself gave none.
  plastic_end = 1u << 8,        // the march was not through: what was left of the approach was taken out, plastically
  friction_changed = 1u << 9,   // by a little, so that the case is decided; see `friction` of the contact
  contact_left_out = 1u << 10,  // one that hardly anything moves, where no modes are found with it
  law_replaced = 1u << 11,      // by the energetic law, where the law of the surfaces has no answer
  rebound_given_up = 1u << 12,  // too small to be followed: e = 0 in its place
  brought_to_rest = 1u << 13,   // contacts that are slow and would have no end of events
  modes_estimated = 1u << 14,   // from a short step under the load, where the search found none
  rounding_widened = 1u << 15,  // velocities up to a millionth of the fastest count as zero
  modes_kept = 1u << 16,        // contacts that changed too often at one instant stay as they are for a microsecond
};

struct ImpactResult {
  static constexpr int max_phases = 12;

  ImpactResult() {}  // leaves the phases beyond `phase_count` unset: clearing them would cost as much as a planar solve

  Law law = Law::energetic;
  Status status = Status::ok;
  Mode mode = Mode::none;
  std::uint32_t warnings = 0;  // bits of Warning
  int phase_count = 0;
  double restitution = 0;           // the coefficient used: e(v) at the speed that compression reached
  ContactVector velocity;           // after, in the frame of ImpactProblem::velocity [m/s]
  ContactVector relative_velocity;  // after, relative to the surface [m/s]
  ContactVector impulse;            // [N s]
  EnergyLedger energy;
  union {
    std::array<Phase, max_phases> phase_storage;  // the first `phase_count` are filled
  };

  const Phase* begin() const { return phase_storage.data(); }
  const Phase* end() const { return phase_storage.data() + phase_count; }
  bool has(Warning w) const { return (warnings & static_cast<std::uint32_t>(w)) != 0; }
  void warn(Warning w) { warnings |= static_cast<std::uint32_t>(w); }
};

// True when the result can be used as an answer: ok, no_impact, and locked (the contact stops).
inline bool usable(Status status) {
  return status == Status::ok || status == Status::no_impact || status == Status::locked;
}

// The names used in files and tables.
const char* name(Law law);
const char* name(Status status);
const char* name(Mode mode);
const char* name(PhaseKind kind);
const char* name(Stage stage);
const char* name(Warning warning);
// One sentence for a person.
const char* explain(Status status);
const char* explain(Warning warning);
inline constexpr int warning_count = 17;

}  // namespace routh
