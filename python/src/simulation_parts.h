// Events, closed contacts and accounts of a run as Python sees them.
#pragma once

#include "machine.h"
#include "routh/simulation/simulator.h"

namespace routh::python {

struct RunEvent {
  Event event;
  Dimension dimension = Dimension::planar;
};

struct ClosedContact {
  std::string name;
  ActiveContact active;
  Dimension dimension = Dimension::planar;
};

py::dict statistics_of(const SimulationStatistics& statistics);

}  // namespace routh::python
