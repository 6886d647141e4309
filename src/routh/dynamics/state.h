// Where a machine is and how it moves, and motion along a velocity.
#pragma once

#include <Eigen/Core>

#include "routh/model/model.h"

namespace routh {

// Views of coordinates, velocities and forces: an Eigen vector, a map of one, a column.
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;
using VectorView = Eigen::Ref<Eigen::VectorXd>;

struct State {
  Eigen::VectorXd q;  // Model::coordinates entries
  Eigen::VectorXd v;  // q̇, Model::velocities entries
  double time = 0;    // [s]
};

// All coordinates zero, quaternions one, at rest.
State rest_state(const Model& model);

// q moved along the constant velocity v for the time h: numbers add, quaternions turn on the sphere. `q` may be `out`.
void integrate(const Model& model, const ConstVector& q, const ConstVector& v, double h, VectorView out);

// The velocity that leads from `from` to `to` in unit time; inverse of `integrate`.
void difference(const Model& model, const ConstVector& from, const ConstVector& to, VectorView v);

// dq/dt: v itself for numbers, ½ q ω for a quaternion.
void coordinate_rates(const Model& model, const ConstVector& q, const ConstVector& v, VectorView rates);

// Divides every quaternion by its length.
void normalise(const Model& model, VectorView q);

}  // namespace routh
