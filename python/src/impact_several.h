// `routh.impact` with a rule: several contacts of one machine that strike at once.
#pragma once

#include "contact.h"
#include "impact_arguments.h"

namespace routh::python {

// Bare matrices; the leading axis of `jacobian` counts the contacts.
py::object impact_of_several(const RawArguments& raw);
// All that touches at a state. `law` is null, None or a name.
py::object impact_of_touches(const MachinePointer& machine, const State& state, py::handle law, py::handle rule);

}  // namespace routh::python
