// Inside of hold_verdict: contacts of which some slip already, any number of them. Are there finite forces that obey
// the laws, or do the contacts jam, and at which friction does one become the other?
//
// A few planar contacts are enumerated. Else the frictional contact problem of the accelerations answers, slip given:
// a solution, or the proof that there is none (contacts/friction_contact.h). Not for users.
#pragma once

#include <optional>

#include "routh/solvability/contact_modes.h"

namespace routh::internal {

// Nothing: neither forces nor a proof were found.
std::optional<bool> slip_has_forces(const ModesProblem& problem);

// The friction of all by one factor, nearest to the present, at which the answer is no longer `forces`.
std::optional<double> jam_factor(const ModesProblem& problem, bool forces);

}  // namespace routh::internal
