#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "machine.h"
#include "routh/contact/strike.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene_text.h"

namespace routh::python {

namespace {

std::shared_ptr<Machine> make_machine(std::string text, const std::string& name, std::vector<std::string> warnings) {
  auto machine = std::make_shared<Machine>();
  machine->text = std::move(text);
  machine->scene = read_scene_text(machine->text, name);
  warnings.insert(warnings.end(), machine->scene.warnings.begin(), machine->scene.warnings.end());
  machine->scene.warnings = std::move(warnings);
  const py::object category = py::module_::import("routh._errors").attr("InputWarning");
  for (const std::string& warning : machine->scene.warnings)
    if (PyErr_WarnEx(category.ptr(), warning.c_str(), 1) != 0) throw py::error_already_set();
  return machine;
}

std::shared_ptr<Machine> from_document(std::string text, const std::string& name) {
  const Document document = Document::from_text(text, name);
  if (!is_scene(document))
    throw InputError(document.root().where(), "this is no scene: the key `routh` is missing",
                     "put `routh: 1` at the top");
  if (!document.root().find("robot")) return make_machine(std::move(text), name, {});
  SceneText scene = without_robot(document);
  return make_machine(scene_text(scene), name, std::move(scene.warnings));
}

std::shared_ptr<Machine> from_robot(RobotFile robot, const std::string& name) {
  SceneText scene = scene_of_robot(std::move(robot), name);
  return make_machine(scene_text(scene), name, std::move(scene.warnings));
}

RobotOptions robot_options(const std::optional<std::string>& base, std::vector<std::string> packages) {
  RobotOptions options;
  options.packages = std::move(packages);
  if (!base) return options;
  if (*base != "fixed" && *base != "floating")
    refuse(fmt::format("base: '{}' is unknown", printable(*base)), "use 'fixed' or 'floating'");
  options.base = *base == "fixed" ? RobotBase::fixed : RobotBase::floating;
  return options;
}

std::shared_ptr<Machine> from_file(const py::object& file, const std::optional<std::string>& base,
                                   std::vector<std::string> packages) {
  const auto path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
  std::shared_ptr<Machine> machine;
  if (is_robot_file(path)) {
    machine = from_robot(read_robot_file(path, robot_options(base, std::move(packages))), path);
  } else {
    if (base || !packages.empty())
      refuse("base and packages are for robot files", "a scene says them in its section `robot`");
    machine = from_document(read_text_file(path, TextLimits{}.max_bytes), path);
  }
  machine->path = path;
  return machine;
}

void expect_text(const std::string& text, const char* mark, const char* what) {
  if (text.find(mark) == std::string::npos)
    refuse(fmt::format("this is no {}: '{}'", what, printable(text)), "Model.from_file reads a file by its path");
}

std::shared_ptr<Machine> from_yaml(std::string text) {
  expect_text(text, "routh", "scene");
  return from_document(std::move(text), "<text>");
}

std::shared_ptr<Machine> from_xml(const std::string& text, const std::optional<std::string>& base,
                                  std::vector<std::string> packages, const char* mark, const char* what) {
  expect_text(text, mark, what);
  return from_robot(read_robot_text(text, "<text>", robot_options(base, std::move(packages))), "<text>");
}

template <class List>
py::tuple names_of(const List& list) {
  py::tuple names(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) names[k] = list[k].name;
  return names;
}

py::tuple names_by(const Model& model, int count, std::string (*name)(const Model&, int)) {
  py::tuple names(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) names[static_cast<std::size_t>(k)] = name(model, k);
  return names;
}

void bind_state(py::module_& module) {
  const auto writable = [](Eigen::VectorXd State::*part) {
    return [part](py::object self) {
      Eigen::VectorXd& vector = self.cast<State&>().*part;
      return py::array_t<double>({vector.size()}, {py::ssize_t{sizeof(double)}}, vector.data(), self);
    };
  };
  const auto setter = [](Eigen::VectorXd State::*part, const char* name) {
    return [part, name](State& state, const py::object& value) {
      Eigen::VectorXd& vector = state.*part;
      vector = VectorArgument(value, name, vector.size()).map();
    };
  };
  py::class_<State>(module, "State", "Where a machine is and how it moves. `q` and `v` are views: write into them.")
      .def(py::init([](const py::object& q, const py::object& v, double time) {
             State state;
             state.q = VectorArgument(q, "q", Numbers(q, "q").size()).map();
             state.v = VectorArgument(v, "v", Numbers(v, "v").size()).map();
             state.time = time;
             return state;
           }),
           py::arg("q"), py::arg("v"), py::arg("time") = 0.0)
      .def_property("q", writable(&State::q), setter(&State::q, "q"), "Coordinates [m, rad; quaternions w, x, y, z].")
      .def_property("v", writable(&State::v), setter(&State::v, "v"), "Velocities q̇ [m/s, rad/s].")
      .def_readwrite("time", &State::time, "[s]")
      .def("copy", [](const State& state) { return state; })
      .def("__copy__", [](const State& state) { return state; })
      .def("__deepcopy__", [](const State& state, const py::dict&) { return state; })
      .def("__repr__", [](const State& s) {
        return fmt::format("<State t = {:g} s, {} coordinates, {} velocities>", s.time, s.q.size(), s.v.size());
      });
}

double total_mass(const Model& model) {
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.mass;
  return mass;
}

}  // namespace

void check_state(const Model& model, const State& state) {
  const auto check = [](const Eigen::VectorXd& vector, const char* name, int size) {
    if (vector.size() != size) refuse(fmt::format("state.{}: {} numbers, the model has {}", name, vector.size(), size));
    if (!vector.allFinite()) refuse(fmt::format("state.{}: the numbers must be finite", name));
  };
  check(state.q, "q", model.coordinates);
  check(state.v, "v", model.velocities);
  if (!std::isfinite(state.time)) refuse("state.time must be finite");
}

State read_state(const Machine& machine, py::handle value) {
  if (value.ptr() == nullptr || value.is_none()) return machine.scene.state;
  if (!py::isinstance<State>(value))
    throw py::type_error(fmt::format("state: expected a routh.State, found {}", Py_TYPE(value.ptr())->tp_name));
  State state = value.cast<State>();
  check_state(machine.model(), state);
  return state;
}

void refuse_overlaps(const Machine& machine, const State& state) {
  Workspace workspace(machine.model());
  const TouchReport touch = find_touches(machine.model(), state, machine.scene.touch, workspace);
  if (touch.overlaps.empty()) return;
  const Contact& first = touch.overlaps.front();
  throw InputError({machine.path},
                   fmt::format("{}: the shapes overlap by {:.3g} m at the start, {:.3g} m are allowed",
                               contact_name(machine.model(), first), -first.gap, machine.scene.touch.tolerance),
                   "move them apart in the state, or exclude the pair");
}

int read_body(const Model& model, py::handle value) {
  if (PyUnicode_Check(value.ptr())) {
    const auto name = value.cast<std::string>();
    if (const std::optional<int> found = model.find_body(name)) return *found;
    std::vector<std::string_view> names;
    for (const Body& body : model.bodies) names.push_back(body.name);
    refuse(fmt::format("body: '{}' is unknown", printable(name)),
           fmt::format("the bodies are {}", fmt::join(names, ", ")));
  }
  if (!PyLong_Check(value.ptr())) throw py::type_error("body: expected a name or a number");
  const long index = PyLong_AsLong(value.ptr());
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  if (index < 0 || index >= static_cast<long>(model.bodies.size()))
    refuse(fmt::format("body: {} is out of range", index),
           fmt::format("there are {}, the world is 0", model.bodies.size()));
  return static_cast<int>(index);
}

bool is_model(PyObject* object) { return py::isinstance<Machine>(object); }

void bind_model(py::module_& module) {
  bind_state(module);
  using M = Machine;
  const py::arg_v base("base", py::none()), packages("packages", std::vector<std::string>());
  py::class_<M, std::shared_ptr<M>>(
      module, "Model", "A machine: bodies, joints, loops, surfaces, shapes. It does not change; threads may share it.")
      .def_static(
          "from_file", &from_file, py::arg("path"), base, packages,
          "Reads a scene (YAML), a URDF or an MJCF file. `base` is 'fixed' or 'floating', `packages` are folders "
          "for package:// paths; both are for robot files.")
      .def_static("from_yaml", &from_yaml, py::arg("text"), "Reads the text of a scene.")
      .def_static(
          "from_urdf",
          [](const std::string& text, const std::optional<std::string>& b, std::vector<std::string> p) {
            return from_xml(text, b, std::move(p), "<robot", "URDF");
          },
          py::arg("text"), base, packages, "Reads the text of a URDF file.")
      .def_static(
          "from_mjcf",
          [](const std::string& text, const std::optional<std::string>& b, std::vector<std::string> p) {
            return from_xml(text, b, std::move(p), "<mujoco", "MJCF");
          },
          py::arg("text"), base, packages, "Reads the text of an MJCF file.")
      .def_property_readonly("name", [](const M& m) { return m.model().name; })
      .def_property_readonly(
          "dimension", [](const M& m) { return m.model().dimension == Dimension::planar ? "planar" : "spatial"; },
          "'planar' or 'spatial'.")
      .def_property_readonly(
          "gravity", [](const M& m) { return to_array(m.model().gravity); }, "[m/s²]")
      .def_property_readonly(
          "coordinates", [](const M& m) { return m.model().coordinates; }, "Entries of q.")
      .def_property_readonly(
          "velocities", [](const M& m) { return m.model().velocities; }, "Entries of q̇: the degrees of freedom.")
      .def_property_readonly(
          "loop_rows", [](const M& m) { return m.model().loop_rows; }, "Rows of the loop closures.")
      .def_property_readonly(
          "mass", [](const M& m) { return total_mass(m.model()); }, "Of all bodies [kg].")
      .def_property_readonly(
          "coordinate_names", [](const M& m) { return names_by(m.model(), m.model().coordinates, &coordinate_name); },
          "Of q.")
      .def_property_readonly(
          "dof_names", [](const M& m) { return names_by(m.model(), m.model().velocities, &dof_name); }, "Of q̇.")
      .def_property_readonly(
          "bodies", [](const M& m) { return names_of(m.model().bodies); }, "Names; the world is the first.")
      .def_property_readonly(
          "joints", [](const M& m) { return names_of(m.model().joints); }, "Names; joint i carries body i + 1.")
      .def_property_readonly("shapes", [](const M& m) { return names_of(m.model().shapes); })
      .def_property_readonly("loops", [](const M& m) { return names_of(m.model().loops); })
      .def_property_readonly(
          "state", [](const M& m) { return m.scene.state; }, "A copy of the state that the file gives.")
      .def(
          "rest_state", [](const M& m) { return rest_state(m.model()); }, "All coordinates zero, at rest.")
      .def_readonly("text", &M::text, "The machine as the text of a scene.")
      .def_property_readonly(
          "warnings", [](const M& m) { return py::tuple(py::cast(m.scene.warnings)); }, "About the file.")
      .def("__repr__", [](const M& m) {
        return fmt::format("<Model '{}': {} bodies, {} degrees of freedom>", printable(m.model().name),
                           m.model().bodies.size() - 1, m.model().velocities);
      });
}

}  // namespace routh::python
