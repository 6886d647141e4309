#include "bindings.h"
#include "impact_result.h"
#include "routh/version.h"

namespace {

// Objects that only the module makes: without this, Python could make one whose C++ part was never constructed.
void seal(const pybind11::module_& module) {
  for (const char* name : {"Model",         "Data",           "Contact",      "Strike",       "ImpactResult",
                           "ImpactBatch",   "Trajectory",     "Event",        "EventContact", "ClosedContact",
                           "EnergyAccount", "SurfaceBuilder", "JointBuilder", "BodyBuilder",  "ShapeBuilder",
                           "LoopBuilder",   "SpringBuilder",  "ForceBuilder", "_Sweep",       "_Fit"}) {
    auto* type = reinterpret_cast<PyTypeObject*>(module.attr(name).ptr());
    type->tp_new = nullptr;
    PyType_Modified(type);
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
  bind_map(module);
  bind_contacts_problem(module);
  bind_study(module);
  bind_fit(module);
  seal(module);
}
