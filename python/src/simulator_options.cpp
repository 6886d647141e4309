#include "simulator_options.h"

#include <fmt/format.h>

#include "routh/record/run_info.h"

namespace routh::python {

namespace {

Integrator read_integrator(const std::string& word) {
  for (const Integrator each : {Integrator::automatic, Integrator::dormand_prince, Integrator::radau})
    if (word == name(each)) return each;
  refuse(fmt::format("integrator: '{}' is unknown", printable(word)), "use automatic, dormand_prince or radau");
}

}  // namespace

SimulationOptions options_for(const Machine& machine, const SimulatorWishes& wishes) {
  const SceneSimulation& scene = machine.scene.simulation;
  SimulationOptions options;
  options.touch = machine.scene.touch.tolerance;
  options.law = scene.law;
  options.tolerance = wishes.tolerance.value_or(scene.tolerance.value_or(options.tolerance));
  options.max_step = wishes.max_step.value_or(scene.max_step.value_or(options.max_step));
  if (wishes.max_events) options.max_events = *wishes.max_events;
  if (!wishes.law.is_none()) options.law = read_law(wishes.law);
  if (const std::optional<std::string>& word = wishes.integrator ? wishes.integrator : scene.integrator)
    options.integrator = read_integrator(*word);
  if (!(options.tolerance >= smallest_tolerance && options.tolerance <= largest_tolerance))
    refuse(fmt::format("tolerance: {} must lie in [{}, {}]", options.tolerance, smallest_tolerance, largest_tolerance));
  if (options.max_events < 1)
    refuse(fmt::format("max_events: {} must be positive", options.max_events), "leave it out for ten millions");
  if (!(options.max_step > 0)) refuse(fmt::format("max_step: {} must be positive", options.max_step));
  return options;
}

py::tuple usual_run(const Machine& machine, const py::object& state, const std::optional<double>& until,
                    const std::optional<double>& sample_interval) {
  const SceneSimulation& scene = machine.scene.simulation;
  const double start = read_state(machine, state).time;
  const double end = until.value_or(scene.until.value_or(start + 10));
  if (!std::isfinite(end) || !(end > start))
    refuse(fmt::format("until: {} must exceed the time of the state, {} s", end, start));
  const double interval = sample_interval.value_or(scene.sample_interval.value_or(usual_interval(end - start)));
  if (!(interval > 0) || !((end - start) / interval <= 1e8))
    refuse(fmt::format("sample_interval: {} s would be none, or more than 1e8 samples", interval));
  return py::make_tuple(end, interval);
}

}  // namespace routh::python
