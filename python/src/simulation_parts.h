// Runs as Python sees them: events, closed contacts, accounts, and how a simulator is to work: what the caller says,
// else what the scene says, else what is usual.
#pragma once

#include "machine.h"
#include "routh/scene/simulation_settings.h"
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

// The keywords that are settings of a run, None counting as absent. Throws TypeError for one that is unknown,
// InputError for what is out of range.
SimulationSettings read_settings(const py::kwargs& keywords);
// {keyword: (default, help)} of all of them; a test compares the signatures with it.
py::dict setting_keywords();

// (until, sample_interval) of a run from this state, where the caller leaves them open.
py::tuple usual_run(const Machine& machine, const py::object& state, const std::optional<double>& until,
                    const std::optional<double>& sample_interval);

}  // namespace routh::python
