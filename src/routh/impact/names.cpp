#include "routh/impact/result.h"

namespace routh {

const char* name(Law law) {
  switch (law) {
    case Law::newton:
      return "newton";
    case Law::poisson:
      return "poisson";
    case Law::energetic:
      return "energetic";
    case Law::unified:
      return "unified";
    case Law::classical:
      return "classical";
  }
  return "?";
}

const char* name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::no_impact:
      return "no_impact";
    case Status::no_solution:
      return "no_solution";
    case Status::undefined:
      return "undefined";
    case Status::locked:
      return "locked";
    case Status::ill_conditioned:
      return "ill_conditioned";
    case Status::invalid:
      return "invalid";
    case Status::overflow:
      return "overflow";
    case Status::not_converged:
      return "not_converged";
  }
  return "?";
}

const char* name(Mode mode) {
  switch (mode) {
    case Mode::none:
      return "none";
    case Mode::sliding:
      return "sliding";
    case Mode::stick:
      return "stick";
    case Mode::stick_in_compression:
      return "stick_in_compression";
    case Mode::stick_in_restitution:
      return "stick_in_restitution";
    case Mode::reverse_in_compression:
      return "reverse_in_compression";
    case Mode::reverse_in_restitution:
      return "reverse_in_restitution";
    case Mode::mean_slip_zero:
      return "mean_slip_zero";
  }
  return "?";
}

const char* name(PhaseKind kind) {
  switch (kind) {
    case PhaseKind::slip:
      return "slip";
    case PhaseKind::jam:
      return "jam";
    case PhaseKind::stick:
      return "stick";
    case PhaseKind::reversal:
      return "reversal";
  }
  return "?";
}

const char* name(Stage stage) {
  switch (stage) {
    case Stage::compression:
      return "compression";
    case Stage::restitution:
      return "restitution";
  }
  return "?";
}

const char* name(Warning warning) {
  switch (warning) {
    case Warning::energy_gain:
      return "energy_gain";
    case Warning::non_unique:
      return "non_unique";
    case Warning::ill_conditioned:
      return "ill_conditioned";
    case Warning::restitution_out_of_range:
      return "restitution_out_of_range";
    case Warning::jams_if_pressed:
      return "jams_if_pressed";
    case Warning::recompression:
      return "recompression";
    case Warning::tangential_restitution_ignored:
      return "tangential_restitution_ignored";
    case Warning::bilateral_velocity:
      return "bilateral_velocity";
    case Warning::plastic_end:
      return "plastic_end";
    case Warning::friction_changed:
      return "friction_changed";
    case Warning::contact_left_out:
      return "contact_left_out";
    case Warning::law_replaced:
      return "law_replaced";
    case Warning::rebound_given_up:
      return "rebound_given_up";
    case Warning::brought_to_rest:
      return "brought_to_rest";
    case Warning::modes_estimated:
      return "modes_estimated";
    case Warning::rounding_widened:
      return "rounding_widened";
    case Warning::modes_kept:
      return "modes_kept";
  }
  return "?";
}

const char* explain(Status status) {
  switch (status) {
    case Status::ok:
      return "solved";
    case Status::no_impact:
      return "the contact does not approach: no impulse";
    case Status::no_solution:
      return "this law has no answer for this problem";
    case Status::undefined:
      return "this law is undefined for an impact that begins with zero normal velocity; use poisson or energetic";
    case Status::locked:
      return "the contact stops and sticks where no impulse can move it, so there is no restitution";
    case Status::ill_conditioned:
      return "the inertia is too nearly singular for the digits it was given with; give the mass matrix and jacobian";
    case Status::invalid:
      return "the problem breaks a rule";
    case Status::overflow:
      return "the answer exceeds the range of double-precision numbers; rescale the problem";
    case Status::not_converged:
      return "the iteration did not converge";
  }
  return "?";
}

const char* explain(Warning warning) {
  switch (warning) {
    case Warning::energy_gain:
      return "this law gains energy here: the contact does positive work";
    case Warning::non_unique:
      return "several slips satisfy this law; the one that dissipates most by friction is given";
    case Warning::ill_conditioned:
      return "slip all but stops near an unstable direction: the answer hangs on digits the input does not have";
    case Warning::restitution_out_of_range:
      return "the speed that compression reaches lies outside the range of the restitution model; its end value is "
             "used";
    case Warning::jams_if_pressed:
      return "touching without approach, and slip would jam: a tangential impact follows if other forces press the "
             "bodies together (\"pressed\": true)";
    case Warning::recompression:
      return "the normal velocity turned negative again during restitution; works and impulses are totals";
    case Warning::tangential_restitution_ignored:
      return "tangential restitution is ignored: only the unified law has it";
    case Warning::bilateral_velocity:
      return "the velocity before the impact violates the bilateral rows";
    case Warning::plastic_end:
      return "the march through the impact of several contacts did not end: what was left of the approach was taken "
             "out "
             "without friction and without rebound";
    case Warning::friction_changed:
      return "friction was changed by a little so that the case is decided; the coefficient used stands with the "
             "contact";
    case Warning::contact_left_out:
      return "a contact that hardly anything moves was left out: no modes were found with it";
    case Warning::law_replaced:
      return "the law of the surfaces has no answer here; the energetic law was used";
    case Warning::rebound_given_up:
      return "a rebound too small to be followed was given up: restitution 0 was used";
    case Warning::brought_to_rest:
      return "slow contacts whose events would have no end were brought to rest";
    case Warning::modes_estimated:
      return "the search for slip and stick found no answer; the modes are those of a short step under the load";
    case Warning::rounding_widened:
      return "contacts handed a velocity back and forth: up to a millionth of the fastest it counts as zero";
    case Warning::modes_kept:
      return "contacts changed between slip and stick too often at one instant: they stay as they are for a "
             "microsecond";
  }
  return "?";
}

}  // namespace routh
