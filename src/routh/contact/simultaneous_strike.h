// The bridge for several contacts that strike at once: model + state + contacts → SimultaneousProblem.
#pragma once

#include <span>

#include "routh/contact/contact.h"
#include "routh/dynamics/state.h"
#include "routh/impact/simultaneous.h"

namespace routh {

enum class TangentialRows {
  none,      // smooth contacts
  sticking,  // contacts that do not slip; joint limits have no tangents and get rows of zeros
};

// M, the loops as bilateral rows, a normal row for each contact. Leaves kinematics and mass matrix in `workspace`.
SimultaneousProblem simultaneous_problem(const Model& model, const State& state, std::span<const Contact> contacts,
                                         TangentialRows tangential, Workspace& workspace);

}  // namespace routh
