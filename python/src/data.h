// The memory of the dynamics as Python holds it. Arrays are made once: each call fills them anew and hands out the
// same.
#pragma once

#include "machine.h"
#include "routh/dynamics/dynamics.h"

namespace routh::python {

class Data {
 public:
  explicit Data(MachinePointer machine);

  // Raises InputError when it was made for another model.
  void check(const Machine& machine) const;
  Workspace& workspace() { return memory_->workspace; }

  // Kinematics, and velocities, of the model at q.
  void place(const Machine& machine, const py::object& q);
  void move(const Machine& machine, const py::object& q, const py::object& v);

  py::array mass_matrix() const { return mass_matrix_; }
  static py::array bias(const Machine& machine, Data& data, const py::object& q, const py::object& v);
  static py::array gravity_force(const Machine& machine, Data& data, const py::object& q);
  static py::array inverse_dynamics(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                                    const py::object& a);
  static py::array forward_dynamics(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                                    const py::object& tau);
  static py::array applied_force(const Machine& machine, Data& data, const py::object& q, const py::object& v,
                                 double time);

 private:
  // Owned by the arrays and by this: they outlive it when somebody keeps one.
  struct Memory {
    explicit Memory(const Model& model);
    Workspace workspace;
    Eigen::VectorXd bias, gravity, inverse;  // the workspace has one vector for all three
    State state;
  };

  MachinePointer machine_;
  std::shared_ptr<Memory> memory_;
  py::array mass_matrix_, bias_, gravity_, inverse_, acceleration_, applied_;
};

// A new array of a matrix.
template <class Matrix>
py::array from_columns(const Matrix& matrix) {
  py::array_t<double> array({matrix.rows(), matrix.cols()});
  double* out = array.mutable_data();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) *out++ = matrix(r, c);
  return array;
}

}  // namespace routh::python
