// An answer of the frictional contact problem as Python's ContactsSolution takes it.
#pragma once

#include "bindings.h"
#include "routh/problem/contacts_answer.h"

namespace routh::python {

py::dict contacts_members(const ContactsFile& file, const ContactsAnswer& answer);

}  // namespace routh::python
