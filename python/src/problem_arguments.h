// A contact given by bare matrices, for `routh.diagnose` and `routh.map`.
#pragma once

#include <memory>

#include "impact_arguments.h"
#include "routh/solvability/diagnosis.h"

namespace routh::python {

struct BareContact {
  std::unique_ptr<ImpactArguments> arguments;  // holds the restitution's table, of which the problem is a view
  AccelerationProblem problem;
  FreeAcceleration known = FreeAcceleration::unknown;
  Law law = Law::energetic;
};

// Keywords as for `routh.impact`, and `free_acceleration`.
BareContact read_bare_contact(const py::dict& arguments);

}  // namespace routh::python
