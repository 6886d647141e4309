// How a simulator is to work: what the caller says, else what the scene says, else what is usual.
#pragma once

#include "machine.h"
#include "routh/simulation/simulator.h"

namespace routh::python {

struct SimulatorWishes {
  std::optional<double> tolerance, max_step, sample_interval;
  std::optional<long> max_events;
  std::optional<std::string> integrator;
  py::object law;
};

// Throws InputError for what is out of range.
SimulationOptions options_for(const Machine& machine, const SimulatorWishes& wishes);

// (until, sample_interval) of a run from this state, where the caller leaves them open.
py::tuple usual_run(const Machine& machine, const py::object& state, const std::optional<double>& until,
                    const std::optional<double>& sample_interval);

}  // namespace routh::python
