// The parts of the module, and what they share.
#pragma once

#include <chrono>

#include "arguments.h"

namespace routh::python {

// Between two looks at signals, of what takes long.
inline constexpr auto look_interval = std::chrono::milliseconds(20);

void bind_errors();
// Turns the exception under way into one of Python's. Inside a catch block.
void raise_current();

void bind_impact(py::module_& module);
void bind_model(py::module_& module);
void bind_builder(py::module_& module);
void bind_dynamics(py::module_& module);
void bind_contacts(py::module_& module);
void bind_simultaneous(py::module_& module);
void bind_strikes(py::module_& module);
void bind_simulation_parts(py::module_& module);
void bind_trajectory(py::module_& module);
void bind_simulator(py::module_& module);
void bind_diagnosis(py::module_& module);
void bind_hold(py::module_& module);
void bind_project(py::module_& module);
void bind_map(py::module_& module);
void bind_contacts_problem(py::module_& module);
void bind_study(py::module_& module);
void bind_fit(py::module_& module);
void bind_gradient(py::module_& module);
void bind_throws(py::module_& module);

bool is_model(PyObject* object);
// `impact(model, state=None, law=None)`; arguments as CPython hands them to a function.
py::object impact_of_model(PyObject* const* values, Py_ssize_t positional, PyObject* keywords);

}  // namespace routh::python
