// A contact of a machine as Python sees it, and its impact at many states.
#pragma once

#include "machine.h"
#include "routh/contact/contact.h"

namespace routh::python {

struct MachineContact {
  MachinePointer machine;
  Contact contact;
  std::string kind;  // approaching, resting or separating; empty where velocities were not asked for

  std::string name() const { return contact_name(machine->model(), contact); }
};

// `routh.impact` for a model and many states. Borrowed; null where an argument was not given.
struct StateArguments {
  py::handle q, v, contact, law;
};

// An ImpactBatch. States that are not finite, and at which the contact does not exist, get the status `invalid` and
// keep their velocity.
py::object impact_of_states(const Machine& machine, const StateArguments& arguments);

}  // namespace routh::python
