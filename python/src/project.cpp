// The oblique projection of a machine, as the JSON of `routh project`; Python makes arrays of it.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "machine.h"
#include "routh/scene/projection.h"

namespace routh::python {

namespace {

std::string project_model(const std::shared_ptr<Machine>& machine, const py::object& given,
                          const std::optional<double>& nu) {
  Scene scene = machine->scene;
  scene.state = read_state(*machine, given);
  refuse_overlaps(*machine, scene.state);
  const py::gil_scoped_release released;
  Workspace workspace(scene.model);
  ProjectionReport report = projection_of_scene(scene.model, scene.state, scene.touch, workspace);
  report.problem.nu = nu;
  examine(report);
  return projection_json(report);
}

// Rows × n; None: no rows.
Eigen::MatrixXd matrix_of(const py::object& value, const char* name, Eigen::Index columns) {
  if (value.is_none()) return Eigen::MatrixXd(0, columns);
  const Numbers numbers(value, name);
  if (numbers.dimensions() != 2 || (columns >= 0 && numbers.extent(1) != columns))
    refuse(fmt::format("{} has the shape {}", name, shape_text(numbers.shape())),
           columns >= 0 ? fmt::format("give rows of {} numbers", columns) : "give a square matrix");
  return Rows(numbers.data(), numbers.extent(0), numbers.extent(1));
}

Eigen::VectorXd vector_of(const py::object& value, const char* name, Eigen::Index size) {
  if (value.is_none()) return {};
  return VectorArgument(value, name, size).map();
}

std::string project_matrices(const py::dict& given, const std::optional<double>& nu) {
  const auto entry = [&](const char* name) { return py::object(given[name]); };
  ProjectionReport report;
  ProjectionProblem& problem = report.problem;
  problem.mass_matrix = matrix_of(entry("mass_matrix"), "mass_matrix", -1);
  const Eigen::Index n = problem.mass_matrix.rows();
  if (n == 0 || problem.mass_matrix.cols() != n) refuse("mass_matrix is not square", "give n rows of n numbers");
  problem.bilateral = matrix_of(entry("bilateral"), "bilateral", n);
  problem.unilateral = matrix_of(entry("unilateral"), "unilateral", n);
  problem.velocity = vector_of(entry("velocity"), "velocity", n);
  problem.force = vector_of(entry("force"), "force", n);
  problem.drift = vector_of(entry("drift"), "drift", problem.bilateral.rows() + problem.unilateral.rows());
  problem.external_impulse = vector_of(entry("external_impulse"), "external_impulse", n);
  problem.restitution = vector_of(entry("restitution"), "restitution", problem.unilateral.rows());
  problem.nu = nu;
  const py::gil_scoped_release released;
  examine(report);
  return projection_json(report);
}

}  // namespace

void bind_project(py::module_& module) {
  module.def("_project_model", &project_model, py::arg("model").none(false), py::arg("state"), py::arg("nu"));
  module.def("_project_matrices", &project_matrices, py::arg("matrices"), py::arg("nu"));
}

}  // namespace routh::python
