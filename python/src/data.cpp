#include "data.h"

#include "routh/dynamics/dynamics.h"

namespace routh::python {

Data::Memory::Memory(const Model& model)
    : workspace(model),
      bias(model.velocities),
      gravity(model.velocities),
      inverse(model.velocities),
      state(rest_state(model)) {
  bias.setZero();
  gravity.setZero();
  inverse.setZero();
}

Data::Data(MachinePointer machine)
    : machine_(machine ? std::move(machine) : throw py::type_error("create_data needs a model")),
      memory_(std::make_shared<Memory>(machine_->model())) {
  const py::capsule owner(new std::shared_ptr<Memory>(memory_),
                          [](void* pointer) { delete static_cast<std::shared_ptr<Memory>*>(pointer); });
  if (const int n = machine_->model().velocities; n <= largest_mass_matrix)
    memory_->workspace.mass_matrix.setZero(n, n);  // views keep their place
  mass_matrix_ = view(memory_->workspace.mass_matrix, owner);
  bias_ = view(memory_->bias, owner);
  gravity_ = view(memory_->gravity, owner);
  inverse_ = view(memory_->inverse, owner);
  acceleration_ = view(memory_->workspace.acceleration, owner);
  applied_ = view(memory_->workspace.applied, owner);
}

void Data::check(const Machine& machine) const {
  if (&machine != machine_.get()) refuse("data was made for another model", "make it with model.create_data()");
}

void Data::place(const Machine& machine, const py::object& q) {
  check(machine);
  compute_kinematics(machine.model(), read_coordinates(machine.model(), q).map(), workspace());
}

void Data::move(const Machine& machine, const py::object& q, const py::object& v) {
  check(machine);
  compute_velocities(machine.model(), read_coordinates(machine.model(), q).map(),
                     VectorArgument(v, "v", machine.model().velocities).map(), workspace());
}

py::array Data::bias(const Machine& machine, Data& data, const py::object& q, const py::object& v) {
  data.check(machine);
  const Model& model = machine.model();
  compute_bias(model, read_coordinates(model, q).map(), VectorArgument(v, "v", model.velocities).map(),
               data.workspace());
  data.memory_->bias = data.workspace().force;
  return data.bias_;
}

py::array Data::gravity_force(const Machine& machine, Data& data, const py::object& q) {
  data.check(machine);
  compute_gravity_force(machine.model(), read_coordinates(machine.model(), q).map(), data.workspace());
  data.memory_->gravity = data.workspace().force;
  return data.gravity_;
}

py::array Data::inverse_dynamics(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                                 const py::object& a) {
  data.check(machine);
  const Model& model = machine.model();
  compute_inverse_dynamics(model, read_coordinates(model, q).map(), VectorArgument(v, "v", model.velocities).map(),
                           VectorArgument(a, "a", model.velocities).map(), data.workspace());
  data.memory_->inverse = data.workspace().force;
  return data.inverse_;
}

py::array Data::forward_dynamics(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                                 const py::object& tau) {
  data.check(machine);
  const Model& model = machine.model();
  compute_forward_dynamics(model, read_coordinates(model, q).map(), VectorArgument(v, "v", model.velocities).map(),
                           VectorArgument(tau, "tau", model.velocities).map(), data.workspace());
  return data.acceleration_;
}

py::array Data::applied_force(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                              double time) {
  data.check(machine);
  State& state = data.memory_->state;
  state.q = read_coordinates(machine.model(), q).map();
  state.v = VectorArgument(v, "v", machine.model().velocities).map();
  state.time = finite(time, "time");
  compute_applied_force(machine.model(), state, data.workspace());
  return data.applied_;
}

}  // namespace routh::python
