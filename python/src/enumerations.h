// Enumerations of the library as IntEnums of the module.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "routh/base/names.h"

namespace routh::python {

namespace py = pybind11;

// The members of an IntEnum of Python, by value. Kept for as long as the interpreter runs.
template <class E>
std::vector<py::object>& members() {
  static auto* list = new std::vector<py::object>;
  return *list;
}

template <class E>
void bind_enumeration(py::module_& module, const char* type_name, const char* doc) {
  py::dict values;
  for (const E each : all_values<E>) values[name(each)] = static_cast<int>(each);
  const py::object type = py::module_::import("enum").attr("IntEnum")(type_name, values, py::arg("module") = "routh");
  type.attr("__doc__") = doc;
  module.attr(type_name) = type;
  members<E>().clear();
  for (const E each : all_values<E>) members<E>().push_back(type.attr(name(each)));
}

template <class Values>
py::tuple names_tuple(const Values& values) {
  py::list list;
  for (const auto each : values) list.append(name(each));
  return py::tuple(list);
}

}  // namespace routh::python
