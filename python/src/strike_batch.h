// `routh.impact` for a model and many states.
#pragma once

#include "machine.h"

namespace routh::python {

// Borrowed; null where an argument was not given.
struct StateArguments {
  py::handle q, v, contact, law;
};

// An ImpactBatch. States that are not finite, and at which the contact does not exist, get the status `invalid` and
// keep their velocity.
py::object impact_of_states(const Machine& machine, const StateArguments& arguments);

}  // namespace routh::python
