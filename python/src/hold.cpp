// Efforts that hold contacts, as the JSON of `routh hold`; Python makes an object of it.
#include "routh/scene/diagnosis.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "machine.h"
#include "routh/scene/hold_writer.h"

namespace routh::python {

namespace {

using Terms = std::vector<std::tuple<std::string, double, double, double>>;

std::string hold_model(const std::shared_ptr<Machine>& machine, const py::object& given,
                       const std::vector<std::string>& efforts, const Terms& terms,
                       const std::optional<double>& normal_force, double reserve) {
  Scene scene = machine->scene;
  scene.state = read_state(*machine, given);
  refuse_overlaps(*machine, scene.state);
  HoldOptions options;
  options.efforts = efforts;
  for (const auto& [name, lower, upper, price] : terms) options.terms.push_back({name, lower, upper, price});
  options.normal_force = normal_force;
  options.reserve = reserve;
  const py::gil_scoped_release released;
  Workspace workspace(scene.model);
  return hold_json(scene, hold_scene(scene.model, scene.state, scene.touch, options, workspace));
}

}  // namespace

void bind_hold(py::module_& module) {
  module.def("_hold_model", &hold_model, py::arg("model").none(false), py::arg("state"), py::arg("efforts"),
             py::arg("terms"), py::arg("normal_force"), py::arg("reserve"));
}

}  // namespace routh::python
