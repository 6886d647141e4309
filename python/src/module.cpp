#include "bindings.h"
#include "impact_result.h"
#include "routh/version.h"

namespace {

// Objects that only the module makes: without this, Python could make one whose C++ part was never constructed.
void seal(const pybind11::module_& module) {
  for (const char* name :
       {"Model",          "Data",        "Contact",      "Strike",        "ImpactResult",  "ImpactBatch",
        "Trajectory",     "Event",       "EventContact", "ClosedContact", "EnergyAccount", "SurfaceBuilder",
        "JointBuilder",   "BodyBuilder", "ShapeBuilder", "LoopBuilder",   "SpringBuilder", "ForceBuilder",
        "ImpulseBuilder", "_Sweep",      "_Fit"}) {
    auto* type = reinterpret_cast<PyTypeObject*>(module.attr(name).ptr());
    type->tp_new = nullptr;
    PyType_Modified(type);
  }
}

// Protocols below 2 would keep an object without its C++ part, and end the interpreter on the way.
void refuse_pickling(const pybind11::module_& module) {
  namespace py = pybind11;
  const py::object plain = py::module_::import("builtins").attr("object").attr("__reduce__");
  for (const auto& [name, member] : py::dict(module.attr("__dict__"))) {
    const bool ours =
        PyType_Check(member.ptr()) && py::object(member.attr("__module__")).equal(py::object(module.attr("__name__")));
    if (!ours || !py::object(member.attr("__reduce__")).is(plain) || py::hasattr(member, "__members__")) continue;
    member.attr("__reduce_ex__") = py::cpp_function(
        [](const py::object& self, int) -> py::object {
          const auto type = py::str(py::type::of(self).attr("__name__")).cast<std::string>();
          throw py::type_error("cannot pickle '" + type + "' objects; keep the numbers that are needed");
        },
        py::is_method(member), py::arg("protocol"));
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using namespace routh::python;
  module.doc() = "The compiled part of routh.";
  module.attr("__version__") = ROUTH_VERSION;
  bind_errors();
  bind_impact_results(module);
  bind_impact(module);
  bind_model(module);
  bind_builder(module);
  bind_dynamics(module);
  bind_contacts(module);
  bind_simultaneous(module);
  bind_strikes(module);
  bind_simulator(module);
  bind_diagnosis(module);
  bind_hold(module);
  bind_project(module);
  bind_map(module);
  bind_contacts_problem(module);
  bind_study(module);
  bind_fit(module);
  bind_throws(module);
  bind_gradient(module);
  seal(module);
  refuse_pickling(module);
}
