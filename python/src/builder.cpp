// The builder of models: each word returns its object, so that words follow one another.
#include "routh/model/builder.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "machine.h"
#include "routh/scene/scene_text.h"

namespace routh::python {

namespace {

// A method that calls `word` and returns its object.
template <class Writer, class... Arguments, class Word>
auto chained(Word word) {
  return [word](py::object self, Arguments... arguments) {
    word(self.cast<Writer&>(), std::move(arguments)...);
    return self;
  };
}

// The same of a method of the writer.
template <class Writer, class... Arguments>
auto chained(Writer& (Writer::*word)(Arguments...)) {
  return chained<Writer, std::decay_t<Arguments>...>(
      [word](Writer& writer, std::decay_t<Arguments>... arguments) { (writer.*word)(std::move(arguments)...); });
}

// Keeps the builder alive as long as what it returned.
using Kept = py::keep_alive<0, 1>;

using Table = std::vector<std::pair<double, double>>;

Profile read_profile(const std::variant<double, Table>& value) {
  if (const double* number = std::get_if<double>(&value)) return Profile::constant(*number);
  Profile profile;
  for (const auto& [time, each] : std::get<Table>(value)) profile.points.push_back({time, each});
  return profile;
}

std::vector<RestitutionPoint> read_points(const Table& table) {
  std::vector<RestitutionPoint> points;
  for (const auto& [speed, coefficient] : table) points.push_back({speed, coefficient});
  return points;
}

// A position, or a 4×4 matrix.
Pose read_pose(const py::object& value, const char* name) {
  const Numbers numbers(value, name);
  if (numbers.dimensions() != 2) return {identity3, read_point(value, name)};
  if (numbers.extent(0) != 4 || numbers.extent(1) != 4)
    refuse(fmt::format("{}: found an array of shape {}", name, shape_text(numbers.shape())),
           "a position, or a 4×4 matrix is needed");
  const double* m = numbers.data();
  return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}, {m[3], m[7], m[11]}};
}

// One argument is a position or a pose, two or three are coordinates.
Pose read_place(const py::args& values, const char* name) {
  if (values.size() == 1) return read_pose(values[0], name);
  return {identity3, read_point(values, name)};
}
Vector3 read_vector(const py::args& values, const char* name) {
  return read_point(values.size() == 1 ? py::object(values[0]) : py::object(values), name);
}

// A method of the writer that takes x, y, z.
template <class Writer>
auto vector_word(Writer& (Writer::*word)(double, double, double), const char* name) {
  return chained<Writer, py::args>([word, name](Writer& writer, const py::args& values) {
    const Vector3 v = read_vector(values, name);
    (writer.*word)(v.x, v.y, v.z);
  });
}

Dimension read_dimension(const std::string& word) {
  if (const std::optional<Dimension> dimension = value_named<Dimension>(word)) return *dimension;
  refuse(fmt::format("dimension: '{}' is unknown", printable(word)), "use 'planar' or 'spatial'");
}

void bind_surface(py::module_& module) {
  using W = SurfaceWriter;
  using Coefficient = std::optional<double>;
  py::class_<W>(module, "SurfaceBuilder", "Friction, restitution and law of a surface or of a pair of surfaces.")
      .def("friction",
           chained<W, double, Coefficient>([](W& w, double s, Coefficient k) { w.friction(s, k.value_or(s)); }),
           py::arg("static"), py::arg("kinetic") = py::none(), "One coefficient for both, or static and kinetic.")
      .def("restitution", chained(&W::restitution), py::arg("coefficient"), "In [0, 1], for every speed.")
      .def("restitution_alpha", chained(&W::restitution_alpha), py::arg("alpha"), "e = 1 − α |v_n| [s/m].")
      .def("restitution_table", chained<W, Table>([](W& w, const Table& t) { w.restitution_table(read_points(t)); }),
           py::arg("table"), "Rows of the speed that compression reaches [m/s] and coefficient.")
      .def("tangential_restitution", chained(&W::tangential_restitution), py::arg("coefficient"), "Of the unified law.")
      .def("law", chained<W, py::str>([](W& w, const py::str& word) { w.law(read_law(word)); }), py::arg("name"),
           "Of impact: one of `routh.laws`.");
}

void bind_joint(py::module_& module) {
  using W = JointWriter;
  using Function = std::variant<double, Table>;
  py::class_<W>(module, "JointBuilder", "A joint. Properties of one of several degrees of freedom follow dof(name).")
      .def("name", chained(&W::name), py::arg("name"), "Of the joint; that of its body when left out.")
      .def("at", chained<W, py::args>([](W& w, const py::args& p) { w.at(read_place(p, "at")); }),
           "In the parent's frame: x, y[, z] [m], or a 4×4 matrix.")
      .def("in_child", chained<W, py::args>([](W& w, const py::args& p) { w.in_child(read_place(p, "in_child")); }),
           "The same in the child's frame.")
      .def("axis", vector_word(&W::axis, "axis"), "In the joint's frame; any length but zero.")
      .def("second_axis", vector_word(&W::second_axis, "second_axis"), "Of a universal joint.")
      .def("dof", chained(&W::dof), py::arg("name"), "Which degree of freedom the following words mean.")
      .def("limits", chained(&W::limits), py::arg("lower"), py::arg("upper"), py::arg("restitution") = 0.0,
           "[m] or [rad]")
      .def("spring", chained(&W::spring), py::arg("stiffness"), py::arg("rest") = 0.0, "[N/m] or [N m/rad]")
      .def("damping", chained(&W::damping), py::arg("damping"), "[N s/m] or [N m s/rad]")
      .def("armature", chained(&W::armature), py::arg("armature"), "[kg] or [kg m²]")
      .def("effort", chained<W, Function>([](W& w, const Function& f) { w.effort(read_profile(f)); }),
           py::arg("effort"), "A number, or rows of time and value [N] or [N m].")
      .def("drive",
           chained<W, double, double, Function, Function, double>(
               [](W& w, double k, double d, const Function& position, const Function& velocity, double limit) {
                 w.drive({k, d, read_profile(position), read_profile(velocity), limit});
               }),
           py::arg("stiffness"), py::arg("damping"), py::arg("position") = 0.0, py::arg("velocity") = 0.0,
           py::arg("limit") = unlimited, "u = stiffness (position − q) + damping (velocity − q̇), |u| ≤ limit.");
}

void bind_body(py::module_& module) {
  using W = BodyWriter;
  py::class_<W> body(module, "BodyBuilder", "A body: its inertia, and the joint it hangs from.");
  body.def("mass", chained(&W::mass), py::arg("mass"), "[kg]")
      .def("com", vector_word(&W::com, "com"), "Centre of mass in the body's frame [m].")
      .def("inertia", chained<W, py::args>([](W& w, const py::args& values) {
             std::vector<double> i;
             for (const py::handle each : values) i.push_back(read_double(each, "inertia"));
             if (i.size() == 1)
               w.inertia(i[0]);
             else if (i.size() == 3)
               w.inertia(i[0], i[1], i[2]);
             else if (i.size() == 6)
               w.inertia(Symmetric3{i[0], i[1], i[2], i[3], i[4], i[5]});
             else
               refuse(fmt::format("inertia: {} numbers", i.size()),
                      "give zz in the plane, xx, yy, zz, or xx, yy, zz, xy, xz, yz");
           }),
           "About the centre of mass [kg m²]: zz; xx, yy, zz; or xx, yy, zz, xy, xz, yz.");
  const auto joint = [&](const char* word, JointKind kind) {
    body.def(
        word, [kind](W& w, std::string parent) { return w.joint(kind, std::move(parent)); },
        py::arg("parent") = world_name, Kept(), "Hangs the body from another; returns the joint.");
  };
  joint("fixed", JointKind::fixed);
  joint("revolute", JointKind::revolute);
  joint("prismatic", JointKind::prismatic);
  joint("cylindrical", JointKind::cylindrical);
  joint("planar", JointKind::planar);
  joint("spherical", JointKind::spherical);
  joint("universal", JointKind::universal);
  body.def(
      "free", [](W& w) { return w.free(); }, Kept(), "Lets the body float; returns the joint.");
}

void bind_shape(py::module_& module) {
  using W = ShapeWriter;
  py::class_<W>(module, "ShapeBuilder", "A shape on a body, or on the world. Lengths in m.")
      .def("on", chained(&W::on), py::arg("body"), "The body that carries it; the world when left out.")
      .def("point", chained(&W::point), "A point at its place.")
      .def("sphere", chained(&W::sphere), py::arg("radius"), "A ball, a disk in the plane.")
      .def("capsule", chained(&W::capsule), py::arg("radius"), py::arg("length"),
           "Two half balls and the cylinder between them; `length` is that of its axis.")
      .def("box", chained(&W::box), py::arg("x"), py::arg("y"), py::arg("z") = 0.0, "Full extents.")
      .def("cylinder", chained(&W::cylinder), py::arg("radius"), py::arg("length"), "A cylinder along its z axis.")
      .def("ellipsoid", chained(&W::ellipsoid), py::arg("x"), py::arg("y"), py::arg("z") = 0.0, "Full extents.")
      .def("mesh", chained<W, py::iterable>([](W& w, const py::iterable& points) {
             std::vector<Vector3> corners;
             for (const py::handle point : points) corners.push_back(read_point(point, "points"));
             w.mesh(corners);
           }),
           py::arg("points"), "The convex hull of points [m], n x 3.")
      .def("half_space", chained(&W::half_space), "All below a plane, to which `normal` is the normal.")
      .def("strip", chained(&W::strip), py::arg("width"), py::arg("depth") = unlimited,
           "A flat piece of ground of this extent, solid below.")
      .def("pin", chained(&W::pin), py::arg("radius"), "A pin, which plays in a hole.")
      .def("hole", chained(&W::hole), py::arg("radius"), "A hole, in which a pin plays.")
      .def("at", chained<W, py::args>([](W& w, const py::args& p) { w.at(read_place(p, "at")); }),
           "In the body's frame: x, y[, z] [m], or a 4×4 matrix.")
      .def("normal", vector_word(&W::normal, "normal"), "Where the up axis points.")
      .def("surface", chained(&W::surface), py::arg("name"), "By its name; it says friction and restitution.")
      .def("belt",
           chained<W, py::object, std::variant<double, Table>>(
               [](W& w, const py::object& velocity, const std::variant<double, Table>& speed) {
                 w.belt(read_point(velocity, "velocity"), read_profile(speed));
               }),
           py::arg("velocity"), py::arg("speed") = 1.0, "How the surface runs, in the shape's frame [m/s].");
}

void bind_others(py::module_& module) {
  using L = LoopWriter;
  const py::arg a("body_a");
  const py::arg_v b("body_b", world_name);
  py::class_<L>(module, "LoopBuilder", "A closure between two bodies, or a coupling of joints.")
      .def("point", chained(&L::point), a, b, "Holds a point of one body on a point of the other.")
      .def("hinge", chained(&L::hinge), a, b, "Holds a point and the z axis there.")
      .def("weld", chained(&L::weld), a, b, "Holds one frame on the other.")
      .def("distance", chained(&L::distance), py::arg("distance"), a, b, "[m]")
      .def("at", chained<L, py::object, py::object>([](L& w, const py::object& x, const py::object& y) {
             w.at(read_pose(x, "in_a"), read_pose(y, "in_b"));
           }),
           py::arg("in_a"), py::arg("in_b"), "Where, in the frame of each body.")
      .def("couple", chained(&L::couple), py::arg("joint"), py::arg("coefficient"),
           "A term of Σ coefficient · coordinate = constant.")
      .def("constant", chained(&L::constant), py::arg("constant"), "Of the coupling [m, rad]; 0 when left out.");
  using S = SpringWriter;
  py::class_<S>(module, "SpringBuilder", "A spring and damper between two points.")
      .def("between", chained(&S::between), a, b, "The bodies that it joins.")
      .def("at", chained<S, py::object, py::object>([](S& w, const py::object& x, const py::object& y) {
             w.at(read_point(x, "in_a"), read_point(y, "in_b"));
           }),
           py::arg("in_a"), py::arg("in_b"), "Its ends, in the frame of each body [m].")
      .def("stiffness", chained(&S::stiffness), py::arg("stiffness"), "[N/m]")
      .def("rest_length", chained(&S::rest_length), py::arg("length"), "[m]")
      .def("damping", chained(&S::damping), py::arg("damping"), "[N s/m]");
  using F = ForceWriter;
  py::class_<F>(module, "ForceBuilder", "A force at a point of a body, or a torque.")
      .def("on", chained(&F::on), py::arg("body"), "The body that it acts on.")
      .def("at", vector_word(&F::at, "at"), "Where it acts, in the body's frame [m].")
      .def("force", vector_word(&F::force, "force"), "[N]")
      .def("torque", chained<F, py::args>([](F& w, const py::args& p) {
             if (p.size() == 1 && !py::isinstance<py::sequence>(p[0]))
               return (void)w.torque(read_double(p[0], "torque"));
             const Vector3 v = read_vector(p, "torque");
             w.torque(v.x, v.y, v.z);
           }),
           "[N m]: z in the plane, x, y, z in space.")
      .def("in_body_frame", chained<F>([](F& w) { w.frame(ForceFrame::body); }), "It turns with the body.")
      .def("scale", chained<F, std::variant<double, Table>>([](F& w, const std::variant<double, Table>& f) {
             w.scale(read_profile(f));
           }),
           py::arg("scale"), "A number, or rows of time [s] and factor.");
  using I = ImpulseWriter;
  py::class_<I>(module, "ImpulseBuilder", "A blow: an impulse on a body, or along a joint, at one instant.")
      .def("time", chained(&I::time), py::arg("time"), "[s]")
      .def("on", chained(&I::on), py::arg("body"), "The body that it acts on.")
      .def("at", vector_word(&I::at, "at"), "Where it acts, in the body's frame [m].")
      .def("impulse", vector_word(&I::impulse, "impulse"), "[N s]")
      .def("angular_impulse", chained<I, py::args>([](I& w, const py::args& p) {
             if (p.size() == 1 && !py::isinstance<py::sequence>(p[0]))
               return (void)w.angular_impulse(read_double(p[0], "angular_impulse"));
             const Vector3 v = read_vector(p, "angular_impulse");
             w.angular_impulse(v.x, v.y, v.z);
           }),
           "[N m s]: z in the plane, x, y, z in space.")
      .def("in_body_frame", chained<I>([](I& w) { w.frame(ForceFrame::body); }), "Its vectors are in the body's frame.")
      .def("along", chained(&I::along), py::arg("joint"), py::arg("impulse"),
           "In place of a body: along `joint`, or `joint.dof` [N s or N m s].");
}

std::shared_ptr<Machine> build(const ModelBuilder& builder) {
  auto machine = std::make_shared<Machine>();
  machine->scene.model = builder.build();
  machine->scene.state = rest_state(machine->scene.model);
  machine->scene.warnings = machine->scene.model.warnings;
  machine->text = scene_text(builder.description());
  machine->complete = machine->text;
  return machine;
}

}  // namespace

void bind_builder(py::module_& module) {
  bind_surface(module);
  bind_joint(module);
  bind_body(module);
  bind_shape(module);
  bind_others(module);
  using B = ModelBuilder;
  const py::arg name("name");
  py::class_<B>(module, "ModelBuilder",
                "A machine in a few lines, as the scene file says it. `build` checks the whole.")
      .def(py::init([](const std::string& dimension, std::string title) {
             return std::make_unique<B>(read_dimension(dimension), std::move(title));
           }),
           py::arg("dimension") = "spatial", py::arg("name") = "")
      .def("gravity", vector_word(&B::gravity, "gravity"), "[m/s²]")
      .def("body", &B::body, name, Kept(), "A new body; returns it.")
      .def("shape", &B::shape, name, Kept(), "A new shape; returns it.")
      .def("surface", &B::surface, name, Kept(), "A new surface: friction and restitution; returns it.")
      .def("surface_pair", &B::surface_pair, py::arg("first"), py::arg("second"), Kept(),
           "What holds between two surfaces in place of their own; returns it.")
      .def("loop", &B::loop, name, Kept(), "A new loop closure; returns it.")
      .def("spring", &B::spring, name, Kept(), "A new spring and damper; returns it.")
      .def("force", &B::force, name, Kept(), "A new force; returns it.")
      .def("impulse", &B::impulse, name, Kept(), "A new impulse at one instant; returns it.")
      .def("exclude", chained(&B::exclude), py::arg("first"), py::arg("second"),
           "Two shapes or bodies that do not touch.")
      .def("include", chained(&B::include), py::arg("first"), py::arg("second"), "Neighbours that may touch.")
      .def("build", &build, "Checks the description and makes the model.");
}

}  // namespace routh::python
