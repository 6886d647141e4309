// `routh.impact` with a rule: several contacts of one machine that strike at once.
#pragma once

#include "contact.h"
#include "impact_arguments.h"

namespace routh::python {

// Bare matrices; the leading axis of `jacobian` counts the contacts.
py::object impact_of_several(const RawArguments& raw);
// As they were given: null or None where they were not.
struct TouchArguments {
  py::handle law, rule, stiffness;  // a name, a name, a dictionary from names of contacts to ratios
};
// All that touches at a state.
py::object impact_of_touches(const MachinePointer& machine, const State& state, const TouchArguments& given);

}  // namespace routh::python
