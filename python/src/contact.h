// A contact of a machine as Python sees it.
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

}  // namespace routh::python
