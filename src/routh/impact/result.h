// What one impact did: velocities, impulse, the phases it went through, and where the energy went.
#pragma once

#include <array>
#include <cstdint>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

enum class ImpactStatus {
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
constexpr auto names_of(ImpactStatus) {
  return name_table<ImpactStatus>({
      {ImpactStatus::ok, "ok", "solved"},
      {ImpactStatus::no_impact, "no_impact", "the contact does not approach: no impulse"},
      {ImpactStatus::no_solution, "no_solution", "this law has no answer for this problem"},
      {ImpactStatus::undefined, "undefined",
       "this law is undefined for an impact that begins with zero normal velocity; use poisson or energetic"},
      {ImpactStatus::locked, "locked",
       "the contact stops and sticks where no impulse can move it, so there is no restitution"},
      {ImpactStatus::ill_conditioned, "ill_conditioned",
       "the inertia is too nearly singular for the digits it was given with; give the mass matrix and jacobian"},
      {ImpactStatus::invalid, "invalid", "the problem breaks a rule"},
      {ImpactStatus::overflow, "overflow",
       "the answer exceeds the range of double-precision numbers; rescale the problem"},
      {ImpactStatus::not_converged, "not_converged", "the iteration did not converge"},
  });
}

// The five rows of Elkaranshawy's Table 1, and the ones it lacks.
enum class ImpactMode {
  none,
  sliding,                 // slips to the end
  stick,                   // sticks from the beginning
  stick_in_compression,    // slip stops in compression and sticks
  stick_in_restitution,    //               restitution
  reverse_in_compression,  // slip stops in compression and starts again (the plane: reversed)
  reverse_in_restitution,  //               restitution
  mean_slip_zero,          // unified law: the tangential velocity is reflected
};
constexpr auto names_of(ImpactMode) {
  return name_table<ImpactMode>({
      {ImpactMode::none, "none"},
      {ImpactMode::sliding, "sliding"},
      {ImpactMode::stick, "stick"},
      {ImpactMode::stick_in_compression, "stick_in_compression"},
      {ImpactMode::stick_in_restitution, "stick_in_restitution"},
      {ImpactMode::reverse_in_compression, "reverse_in_compression"},
      {ImpactMode::reverse_in_restitution, "reverse_in_restitution"},
      {ImpactMode::mean_slip_zero, "mean_slip_zero"},
  });
}

enum class PhaseKind {
  slip,  // friction against the slip, dv_n/dI_n ≥ 0
  jam,   // slip that presses the bodies together: dv_n/dI_n < 0
  stick,
  reversal,  // slip started again after a halt (or from rest)
};
constexpr auto names_of(PhaseKind) {
  return name_table<PhaseKind>({{PhaseKind::slip, "slip"},
                                {PhaseKind::jam, "jam"},
                                {PhaseKind::stick, "stick"},
                                {PhaseKind::reversal, "reversal"}});
}

enum class Stage { compression, restitution };
constexpr auto names_of(Stage) {
  return name_table<Stage>({{Stage::compression, "compression"}, {Stage::restitution, "restitution"}});
}

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
  // Shortcuts of several contacts and of runs: an answer was given where the law itself gave none, or several.
  plastic_end = 1u << 8,         // the march did not end: what was left of the approach was taken out without rebound
  friction_changed = 1u << 9,    // by a little, so that the case is decided; see `friction` of the contact
  contact_left_out = 1u << 10,   // runs of before 0.3.0: one that hardly anything moves
  law_replaced = 1u << 11,       // by the energetic law, where the law of the surfaces has no answer
  rebound_given_up = 1u << 12,   // too small to be followed: e = 0 in its place
  brought_to_rest = 1u << 13,    // runs of before 0.3.0: slow contacts without an end of events
  modes_estimated = 1u << 14,    // from a short step under the load, where the search found none
  rounding_widened = 1u << 15,   // runs of before 0.3.0: up to a millionth of the fastest is zero
  modes_kept = 1u << 16,         // contacts that changed too often at one instant stay as they are for a microsecond
  motion_not_unique = 1u << 17,  // several motions obey the laws of contact; one was chosen by rule
};
constexpr auto names_of(Warning) {
  return name_table<Warning>({
      {Warning::energy_gain, "energy_gain", "this law gains energy here: the contact does positive work"},
      {Warning::non_unique, "non_unique",
       "several slips satisfy this law; the one that dissipates most by friction is given"},
      {Warning::ill_conditioned, "ill_conditioned",
       "slip all but stops near an unstable direction: the answer hangs on digits the input does not have"},
      {Warning::restitution_out_of_range, "restitution_out_of_range",
       "the speed that compression reaches lies outside the range of the restitution model; its end value is used"},
      {Warning::jams_if_pressed, "jams_if_pressed",
       "touching without approach, and slip would jam: a tangential impact follows if other forces press the bodies "
       "together (\"pressed\": true)"},
      {Warning::recompression, "recompression",
       "the normal velocity turned negative again during restitution; works and impulses are totals"},
      {Warning::tangential_restitution_ignored, "tangential_restitution_ignored",
       "tangential restitution is ignored: only the unified law has it"},
      {Warning::bilateral_velocity, "bilateral_velocity", "the velocity before the impact violates the bilateral rows"},
      {Warning::plastic_end, "plastic_end",
       "the march through the impact of several contacts did not end: what was left of the approach was taken out "
       "without rebound"},
      {Warning::friction_changed, "friction_changed",
       "friction was changed by a little so that the case is decided; the coefficient used stands with the contact"},
      {Warning::contact_left_out, "contact_left_out",
       "a contact that hardly anything moves was left out: no modes were found with it"},
      {Warning::law_replaced, "law_replaced", "the law of the surfaces has no answer here; the energetic law was used"},
      {Warning::rebound_given_up, "rebound_given_up",
       "a rebound too small to be followed was given up: restitution 0 was used"},
      {Warning::brought_to_rest, "brought_to_rest",
       "slow contacts whose events would have no end were brought to rest"},
      {Warning::modes_estimated, "modes_estimated",
       "the search for slip and stick found no answer; the modes are those of a short step under the load"},
      {Warning::rounding_widened, "rounding_widened",
       "contacts handed a velocity back and forth: up to a millionth of the fastest it counts as zero"},
      {Warning::modes_kept, "modes_kept",
       "contacts changed between slip and stick too often at one instant: they stay as they are for a microsecond"},
      {Warning::motion_not_unique, "motion_not_unique",
       "several motions obey the laws of contact here. Taken by rule: one contact lets go rather than sticks, and "
       "sticks "
       "rather than slips; of several, those at rest stay at rest where they can; redundant ones that slip share the "
       "load by least norm"},
  });
}
inline constexpr int warning_count = static_cast<int>(count_of<Warning>);

struct ImpactResult {
  static constexpr int max_phases = 12;

  ImpactResult() {}  // leaves the phases beyond `phase_count` unset: clearing them would cost as much as a planar solve

  Law law = Law::energetic;
  ImpactStatus status = ImpactStatus::ok;
  ImpactMode mode = ImpactMode::none;
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
inline bool usable(ImpactStatus status) {
  return status == ImpactStatus::ok || status == ImpactStatus::no_impact || status == ImpactStatus::locked;
}

}  // namespace routh
