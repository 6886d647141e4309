#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>

#include "bindings.h"
#include "machine.h"
#include "routh/model/scales.h"
#include "routh/robot/robot.h"
#include "routh/scene/overlap_refusal.h"
#include "routh/scene/scene_text.h"
#include "routh/text/document.h"

namespace routh::python {

namespace {

// `text` is what the scene was read from; of a robot's file there is none.
std::shared_ptr<Machine> make_machine(Scene scene, std::string text, const std::string& name) {
  auto machine = std::make_shared<Machine>();
  machine->text = kept_text(scene, std::move(text), name);
  machine->scene = std::move(scene);
  complete_text(*machine, name);
  const py::object category = py::module_::import("routh._errors").attr("InputWarning");
  for (const std::string& warning : machine->scene.warnings)
    if (PyErr_WarnEx(category.ptr(), word_of(readable(warning)).c_str(), 1) != 0) throw py::error_already_set();
  return machine;
}

std::shared_ptr<Machine> from_document(std::string text, const std::string& name) {
  const Document document = Document::from_text(text, name);
  return make_machine(read_scene(document), std::move(text), name);
}

std::shared_ptr<Machine> from_robot(RobotFile robot, const std::string& name) {
  return make_machine(scene_of_robot(std::move(robot)), {}, name);
}

RobotOptions robot_options(const std::optional<std::string>& base, std::vector<std::string> packages) {
  RobotOptions options;
  options.packages = std::move(packages);
  if (!base) return options;
  options.base = value_named<RobotBase>(*base);
  if (!options.base) refuse(fmt::format("base: '{}' is unknown", printable(*base)), "use 'fixed' or 'floating'");
  return options;
}

double ground_number(const char* what, double value) {
  if (!(value >= 0 && std::isfinite(value))) refuse(fmt::format("{}: {} must be zero or positive", what, value), "");
  return value;
}

struct RobotArguments {
  std::optional<std::string> base;
  std::vector<std::string> packages;
  py::object keyframe;  // a name or a number
  RobotGround ground;
};

std::shared_ptr<Machine> from_file(const py::object& file, RobotArguments arguments) {
  const std::string path = path_of(file);
  std::shared_ptr<Machine> machine;
  const std::string keyframe = py::str(arguments.keyframe);
  if (is_robot_file(path)) {
    RobotOptions options = robot_options(arguments.base, std::move(arguments.packages));
    options.keyframe = keyframe;
    machine = make_machine(scene_of_robot(read_robot_file(path, options), arguments.ground), {}, path);
  } else {
    if (arguments.base || !arguments.packages.empty() || !keyframe.empty() || arguments.ground.wanted())
      refuse("base, packages, keyframe, floor and drop are for robot files",
             "a scene says the first three in its section `robot`, and has a floor among its shapes");
    machine = from_document(read_text_file(path, TextLimits{}.max_bytes), path);
  }
  machine->path = path;
  return machine;
}

void expect_text(const std::string& text, const char* mark, const char* what) {
  if (text.find(mark) == std::string::npos)
    refuse(fmt::format("this is not a {}: '{}'", what, printable(text)), "Model.from_file reads a file by its path");
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

// What pickle keeps of a model, and the model again. Pickle finds functions by their names, which those of pybind11
// lack.
py::tuple reduced(const Machine& machine) {
  return py::make_tuple(py::module_::import("routh._text").attr("read_model"),
                        py::make_tuple(py::bytes(machine.complete), py::bytes(machine.path)));
}

std::shared_ptr<Machine> read_model(std::string text, const std::string& path) {
  std::shared_ptr<Machine> machine = from_document(std::move(text), path.empty() ? "<text>" : path);
  machine->path = path;
  return machine;
}

py::tuple warnings_of(const Machine& machine) {
  py::list texts;
  for (const std::string& warning : machine.scene.warnings) texts.append(readable(warning));
  return py::tuple(texts);
}

py::tuple names_by(const Model& model, int count, std::string (*name)(const Model&, int)) {
  py::tuple names(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) names[static_cast<std::size_t>(k)] = name(model, k);
  return names;
}

// A member of the model; the names in one of its lists.
template <class T>
auto of_model(T Model::*member) {
  return [member](const Machine& machine) { return machine.model().*member; };
}
template <class List>
auto part_names(List Model::*list) {
  return [list](const Machine& machine) {
    py::list names;
    for (const auto& each : machine.model().*list) names.append(each.name);
    return py::tuple(names);
  };
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
             state.time = finite(time, "time");
             return state;
           }),
           py::arg("q"), py::arg("v"), py::arg("time") = 0.0)
      .def_property("q", writable(&State::q), setter(&State::q, "q"), "Coordinates [m, rad; quaternions w, x, y, z].")
      .def_property("v", writable(&State::v), setter(&State::v, "v"), "Velocities q̇ [m/s, rad/s].")
      .def_property(
          "time", [](const State& state) { return state.time; },
          [](State& state, double time) { state.time = finite(time, "time"); }, "[s]")
      .def(
          "copy", [](const State& state) { return state; }, "A state of its own.")
      .def("__copy__", [](const State& state) { return state; })
      .def("__deepcopy__", [](const State& state, const py::dict&) { return state; })
      .def("__repr__", [](const State& s) {
        return fmt::format("<State t = {:g} s, {} coordinates, {} velocities>", s.time, s.q.size(), s.v.size());
      });
}

}  // namespace

void complete_text(Machine& machine, const std::string& name) {
  const std::vector<ShapeDescription>& shapes = machine.scene.draft.description.shapes;
  const auto has_file = [](const ShapeDescription& shape) { return !shape.mesh.file.empty(); };
  machine.complete =
      std::any_of(shapes.begin(), shapes.end(), has_file) ? scene_text(machine.scene, {name, ""}) : machine.text;
}

void check_quaternions(const Model& model, const Eigen::Ref<const Eigen::VectorXd>& q, const char* name) {
  for (const Link& link : model.links) {
    if (link.kind != LinkKind::ball && link.kind != LinkKind::floating) continue;
    const int first = link.kind == LinkKind::ball ? link.q : link.q + 3;
    const double square = q.segment<4>(first).squaredNorm();
    if (!std::isnormal(square))
      refuse(fmt::format("{}[{}:{}], the quaternion of '{}', has the length {}", name, first, first + 4,
                         printable(model.bodies[static_cast<std::size_t>(link.body)].name), std::sqrt(square)),
             "give w, x, y, z of length 1; 1, 0, 0, 0 is no rotation");
  }
}

VectorArgument read_coordinates(const Model& model, py::handle value, const char* name) {
  VectorArgument q(value, name, model.coordinates);
  check_quaternions(model, q.map(), name);
  return q;
}

void check_state(const Model& model, const State& state) {
  const auto check = [](const Eigen::VectorXd& vector, const char* name, int size) {
    if (vector.size() != size) refuse(fmt::format("state.{}: {} numbers, the model has {}", name, vector.size(), size));
    if (!vector.allFinite()) refuse(fmt::format("state.{}: the numbers must be finite", name));
  };
  check(state.q, "q", model.coordinates);
  check(state.v, "v", model.velocities);
  check_quaternions(model, state.q, "state.q");
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
  routh::refuse_overlaps(machine.scene, state, machine.path);
}

int read_body(const Model& model, py::handle value) {
  if (PyUnicode_Check(value.ptr())) {
    const std::string name = word_of(value);
    if (const std::optional<int> found = model.find_body(name)) return *found;
    std::vector<std::string_view> names;
    for (const Body& body : model.bodies) names.push_back(body.name);
    refuse(fmt::format("body: '{}' is unknown", printable(name)),
           fmt::format("the bodies are {}", fmt::join(names, ", ")));
  }
  const std::optional<long> index = whole_number(value);
  if (!index) throw py::type_error("body: expected a name or a number");
  if (*index < 0 || *index >= static_cast<long>(model.bodies.size()))
    refuse(fmt::format("body: {} is out of range", printable(word_of(value))),
           fmt::format("there are {}, the world is 0", model.bodies.size()));
  return static_cast<int>(*index);
}

bool is_model(PyObject* object) { return py::isinstance<Machine>(object); }

void bind_model(py::module_& module) {
  bind_state(module);
  using M = Machine;
  const py::arg_v base("base", py::none()), packages("packages", std::vector<std::string>());
  py::class_<M, std::shared_ptr<M>>(
      module, "Model", "A machine: bodies, joints, loops, surfaces, shapes. It does not change; threads may share it.")
      .def_static(
          "from_file",
          [](const py::object& path, std::optional<std::string> b, std::vector<std::string> p, py::object keyframe,
             std::optional<double> floor, std::optional<double> drop) {
            RobotGround ground;
            if (floor) ground.friction = ground_number("floor", *floor);
            if (drop) ground.drop = ground_number("drop", *drop);
            return from_file(path, {std::move(b), std::move(p), std::move(keyframe), ground});
          },
          py::arg("path"), base, packages, py::arg("keyframe") = "", py::arg("floor") = py::none(),
          py::arg("drop") = py::none(),
          "Reads a scene (YAML), a URDF or an MJCF file. Of robot files: `base` is 'fixed' or 'floating', `packages` "
          "are folders for package:// paths, `keyframe` the name or number of an MJCF key to start from, `floor` the "
          "friction of a floor z = 0 that is put under the robot, `drop` how far above the ground its lowest point "
          "starts [m].")
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
      .def_property_readonly("name", of_model(&Model::name), "What the file calls it.")
      .def_property_readonly(
          "dimension", [](const M& m) { return name(m.model().dimension); }, "'planar' or 'spatial'.")
      .def_property_readonly(
          "gravity", [](const M& m) { return to_array(m.model().gravity); }, "[m/s²]")
      .def_property_readonly("coordinates", of_model(&Model::coordinates), "Entries of q.")
      .def_property_readonly("velocities", of_model(&Model::velocities), "Entries of q̇: the degrees of freedom.")
      .def_property_readonly("loop_rows", of_model(&Model::loop_rows), "Rows of the loop closures.")
      .def_property_readonly(
          "mass", [](const M& m) { return total_mass(m.model()); }, "Of all bodies [kg].")
      .def_property_readonly(
          "coordinate_names", [](const M& m) { return names_by(m.model(), m.model().coordinates, &coordinate_name); },
          "Of q.")
      .def_property_readonly(
          "dof_names", [](const M& m) { return names_by(m.model(), m.model().velocities, &dof_name); }, "Of q̇.")
      .def_property_readonly("bodies", part_names(&Model::bodies), "Names; the world is the first.")
      .def_property_readonly("joints", part_names(&Model::joints), "Names; joint i carries body i + 1.")
      .def_property_readonly("shapes", part_names(&Model::shapes), "Names.")
      .def_property_readonly("loops", part_names(&Model::loops), "Names of the loop closures.")
      .def_property_readonly(
          "state", [](const M& m) { return m.scene.state; }, "A copy of the state that the file gives.")
      .def(
          "rest_state", [](const M& m) { return rest_state(m.model()); }, "All coordinates zero, at rest.")
      .def_readonly("text", &M::complete, "The machine as the text of a scene; it names files by absolute paths.")
      .def("__reduce__", &reduced)
      .def_property_readonly("warnings", &warnings_of, "About the file.")
      .def("__repr__", [](const M& m) {
        return fmt::format("<Model '{}': {} bodies, {} degrees of freedom>", printable(m.model().name),
                           m.model().bodies.size() - 1, m.model().velocities);
      });
  module.def("_read_model", &read_model, py::arg("text"), py::arg("path"));
}

}  // namespace routh::python
