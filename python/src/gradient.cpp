// The derivative of a run by numbers of its scene, as the JSON of `routh gradient`; Python makes an object of it.
#include "routh/study/gradient.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "machine.h"
#include "routh/scene/simulation_settings.h"
#include "simulation_parts.h"

namespace routh::python {

namespace {

std::string gradient_model(const std::shared_ptr<Machine>& machine, const std::string& of,
                           const std::vector<std::string>& wrt, bool differences, const py::kwargs& keywords) {
  const Scene& scene = machine->scene;
  refuse_overlaps(*machine, scene.state);
  const SimulationSettings settings = overlay(read_settings(keywords), scene.simulation);
  GradientRequest request;
  request.of = of;
  request.wrt = wrt;
  request.options = simulation_options(settings, scene.touch);
  request.until = settings.until.value_or(scene.state.time + usual_duration);
  request.differences = differences;
  if (wrt.empty()) refuse("wrt: no number is named");
  if (!std::isfinite(request.until) || !(request.until > scene.state.time))
    refuse(fmt::format("until: {} must exceed the time of the state, {} s", request.until, scene.state.time));
  auto next = std::chrono::steady_clock::now() + look_interval;
  const auto look = [&] {
    if (std::chrono::steady_clock::now() < next) return false;
    next = std::chrono::steady_clock::now() + look_interval;
    const py::gil_scoped_acquire held;
    check_signals();
    return false;
  };
  const py::gil_scoped_release released;
  return gradient_json(run_gradient(scene, request, look), request);
}

}  // namespace

void bind_gradient(py::module_& module) {
  module.def("_gradient_model", &gradient_model, py::arg("model").none(false), py::arg("of"), py::arg("wrt"),
             py::arg("differences"));
}

}  // namespace routh::python
