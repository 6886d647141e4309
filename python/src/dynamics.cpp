#include "routh/dynamics/dynamics.h"

#include <fmt/format.h>

#include "bindings.h"
#include "data.h"
#include "routh/dynamics/constrained.h"

namespace routh::python {

namespace {

py::array point_jacobian_of(const Machine& machine, Data& data, const py::object& q, const py::object& body,
                            const py::object& point) {
  const Model& model = machine.model();
  data.check(machine);
  const VectorArgument coordinates = read_coordinates(model, q);
  Jacobian3 J(3, model.velocities);
  compute_point_jacobian(model, coordinates.map(), read_body(model, body), read_point(point, "point"), data.workspace(),
                         J);
  return from_columns(J);
}

py::array angular_jacobian_of(const Machine& machine, Data& data, const py::object& q, const py::object& body) {
  data.place(machine, q);
  Jacobian3 J(3, machine.model().velocities);
  angular_jacobian(machine.model(), data.workspace(), read_body(machine.model(), body), J);
  return from_columns(J);
}

py::array body_pose_of(const Machine& machine, Data& data, const py::object& q, const py::object& body) {
  data.place(machine, q);
  return to_array(body_pose(machine.model(), data.workspace(), read_body(machine.model(), body)));
}

py::array body_poses_of(const Machine& machine, Data& data, const py::object& q) {
  data.place(machine, q);
  const auto count = static_cast<py::ssize_t>(machine.model().bodies.size());
  py::array_t<double> poses({count, py::ssize_t{4}, py::ssize_t{4}});
  for (py::ssize_t k = 0; k < count; ++k) {
    const py::array_t<double> pose = to_array(body_pose(machine.model(), data.workspace(), static_cast<int>(k)));
    std::copy_n(pose.data(), 16, poses.mutable_data() + 16 * k);
  }
  return poses;
}

py::tuple point_velocity_of(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                            const py::object& body, const py::object& point) {
  const Model& model = machine.model();
  data.move(machine, q, v);
  const int index = read_body(model, body);
  const Vector3 at = body_pose(model, data.workspace(), index) * read_point(point, "point");
  return py::make_tuple(to_array(point_velocity(model, data.workspace(), index, at)),
                        to_array(angular_velocity(model, data.workspace(), index)));
}

State state_of(const Machine& machine, const Data& data, const py::object& q, const py::object& v, double time) {
  const Model& model = machine.model();
  data.check(machine);
  return {read_coordinates(model, q).map(), VectorArgument(v, "v", model.velocities).map(), finite(time, "time")};
}

py::tuple energy_of(const Machine& machine, Data& data, const py::object& q, const py::object& v, double time) {
  const Energy energy = compute_energy(machine.model(), state_of(machine, data, q, v, time), data.workspace());
  return py::make_tuple(energy.kinetic, energy.potential);
}

py::tuple momentum_of(const Machine& machine, Data& data, const py::object& q, const py::object& v) {
  const State state = state_of(machine, data, q, v, 0);
  const Momentum momentum = compute_momentum(machine.model(), state.q, state.v, data.workspace());
  return py::make_tuple(to_array(momentum.linear), to_array(momentum.angular));
}

// Under loops too.
py::tuple acceleration_of(const Machine& machine, Data& data, const py::object& q, const py::object& v, double time,
                          const py::object& force) {
  const Model& model = machine.model();
  const State state = state_of(machine, data, q, v, time);
  ConstrainedDynamics dynamics(model);
  const ConstrainedMotion& motion =
      force.is_none()
          ? dynamics.compute(model, state, data.workspace())
          : dynamics.compute(model, state, VectorArgument(force, "force", model.velocities).map(), data.workspace());
  if (motion.singular_dof >= 0)
    refuse(fmt::format("the machine has no inertia along '{}' here", dof_name(model, motion.singular_dof)));
  return py::make_tuple(to_array(motion.acceleration), to_array(motion.multipliers));
}

py::tuple loops_of(const Machine& machine, Data& data, const py::object& q) {
  const Model& model = machine.model();
  data.place(machine, q);
  Eigen::VectorXd phi(model.loop_rows);
  loop_residual(model, data.workspace(), read_coordinates(model, q).map(), phi);
  Eigen::MatrixXd A(model.loop_rows, model.velocities);
  loop_jacobian(model, data.workspace(), A);
  return py::make_tuple(to_array(phi), from_columns(A));
}

py::array integrate_of(const Machine& machine, const py::object& q, const py::object& v, double step) {
  const Model& model = machine.model();
  Eigen::VectorXd out(model.coordinates);
  integrate(model, read_coordinates(model, q).map(), VectorArgument(v, "v", model.velocities).map(),
            finite(step, "step"), out);
  return to_array(out);
}

py::array difference_of(const Machine& machine, const py::object& from, const py::object& to) {
  const Model& model = machine.model();
  Eigen::VectorXd out(model.velocities);
  difference(model, read_coordinates(model, from, "start").map(), read_coordinates(model, to, "end").map(), out);
  return to_array(out);
}

void bind_data(py::module_& module) {
  py::class_<Data>(
      module, "Data",
      "The memory of the dynamics of one model. The arrays that functions return are views of it: the next "
      "call of the same function overwrites them. Use one for each thread.")
      .def_property_readonly("mass_matrix", &Data::mass_matrix, "By `routh.mass_matrix` [kg, kg m, kg m²].")
      .def("__repr__", [](const Data&) { return "<Data>"; });
}

}  // namespace

void bind_dynamics(py::module_& module) {
  bind_data(module);
  const py::object model_class = module.attr("Model");
  model_class.attr("create_data") = py::cpp_function(
      [](const py::object& self) { return std::make_unique<Data>(py::cast<std::shared_ptr<Machine>>(self)); },
      py::name("create_data"), py::is_method(model_class), "Memory for the functions of the dynamics.");
  const py::arg model = py::arg("model").none(false), data("data"), q("q"), v("v"), body("body"), point("point");
  const py::arg_v time("time", 0.0);
  module.def(
      "mass_matrix",
      [](const Machine& m, Data& d, const py::object& coordinates) {
        d.check(m);
        compute_mass_matrix(m.model(), read_coordinates(m.model(), coordinates).map(), d.workspace());
        return d.mass_matrix();
      },
      model, data, q, "M(q), n×n [kg, kg m, kg m²]. A view of `data`, read-only; M.copy() stays.");
  module.def("bias", &Data::bias, model, data, q, v,
             "h(q, q̇): centrifugal and Coriolis forces less gravity's; M q̈ + h = τ [N, N m]. A view of `data`.");
  module.def("gravity_force", &Data::gravity_force, model, data, q,
             "h(q, 0): the force that holds the machine against gravity [N, N m]. A view of `data`.");
  module.def("inverse_dynamics", &Data::inverse_dynamics, model, data, q, v, py::arg("a"),
             "τ = M a + h [N, N m]. A view of `data`.");
  module.def("forward_dynamics", &Data::forward_dynamics, model, data, q, v, py::arg("tau"),
             "q̈ = M⁻¹(τ − h) of the tree, without loops and the model's own forces [m/s², rad/s²]. A view of `data`.");
  module.def("applied_force", &Data::applied_force, model, data, q, v, time,
             "τ of the model's springs, dampers, drives and forces [N, N m]. A view of `data`.");
  module.def("acceleration", &acceleration_of, model, data, q, v, time, py::arg("force") = py::none(),
             "(q̈, λ) under all that acts on the machine, loops included, and a further generalised force "
             "[m/s², rad/s²]; λ are the multipliers of the loops.");
  module.def("energy", &energy_of, model, data, q, v, time, "(kinetic, potential) [J].");
  module.def("momentum", &momentum_of, model, data, q, v,
             "(linear [kg m/s], angular about the world's origin [kg m²/s]), world axes.");
  module.def("body_pose", &body_pose_of, model, data, q, body,
             "4×4: takes coordinates of the body's frame to the world's [m]. `body` is a name or a number.");
  module.def("body_poses", &body_poses_of, model, data, q, "(bodies, 4, 4): the poses of all, the world first.");
  module.def("point_jacobian", &point_jacobian_of, model, data, q, body, point,
             "3×n: velocity, in world axes, of a point given in the body's frame [m].");
  module.def("angular_jacobian", &angular_jacobian_of, model, data, q, body,
             "3×n: angular velocity of a body, in world axes.");
  module.def("point_velocity", &point_velocity_of, model, data, q, v, body, point,
             "(velocity [m/s], angular velocity [rad/s]) of a point given in the body's frame, world axes.");
  module.def("loops", &loops_of, model, data, q, "(φ, A): how far the loops gape [m, sine], and their rows ∂φ̇/∂q̇.");
  module.def("integrate", &integrate_of, model, q, v, py::arg("step"),
             "q moved along the constant velocity v for `step` [s]; quaternions turn.");
  module.def("difference", &difference_of, model, py::arg("start"), py::arg("end"),
             "The velocity that leads from one q to another in 1 s; inverse of `integrate`.");
}

}  // namespace routh::python
