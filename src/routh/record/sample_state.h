// The state of a recorded sample, to ask questions about.
#pragma once

#include "routh/model/model.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

// Closed contacts neither approach nor part, and those that stick do not slip: what integration let their velocities
// creep is taken out by the least change of velocities, so that they count as resting.
State state_of(const Model& model, const Sample& sample);

}  // namespace routh::internal
