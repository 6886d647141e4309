#include "routh/dynamics/derivatives.h"

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/load_derivatives.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/math/column_space.h"

namespace routh {

DynamicsDerivatives::DynamicsDerivatives(const Model& model)
    : size_(model.velocities),
      tree_(make_hidden<TreeDerivatives>(model)),
      factor_(make_hidden<MassFactor>(model)),
      constrained_(model),
      columns_(size_, 3 * size_),
      multipliers_(RowMatrix::Zero(model.loop_rows, 3 * size_)),
      rows_(model.loop_rows, 2 * size_),
      half_(size_),
      closing_(model.loop_rows) {}

const RowMatrix& DynamicsDerivatives::force_by_position() const { return tree_->by_position; }
const RowMatrix& DynamicsDerivatives::force_by_velocity() const { return tree_->by_velocity; }
const RowMatrix& DynamicsDerivatives::mass_matrix() const { return tree_->mass; }

void DynamicsDerivatives::compute_inverse(const Model& model, const ConstVector& q, const ConstVector& v,
                                          const ConstVector& a, Workspace& workspace) {
  compute_kinematics(model, q, workspace);
  tree_->set_motion(model, v, a, workspace);
  tree_->compute(model, workspace);
}

// −∂τ/∂q, −∂τ/∂q̇, 1: what M⁻¹ stands before.
void DynamicsDerivatives::start_columns() {
  columns_.leftCols(size_) = -tree_->by_position;
  columns_.middleCols(size_, size_) = -tree_->by_velocity;
  columns_.rightCols(size_).setIdentity();
}

int DynamicsDerivatives::compute_forward(const Model& model, const ConstVector& q, const ConstVector& v,
                                         const ConstVector& tau, Workspace& workspace) {
  const int singular = factor_->factorise(q, workspace);
  if (singular >= 0) return singular;
  compute_forward_dynamics(model, q, v, tau, workspace);
  compute_inverse(model, q, v, workspace.acceleration, workspace);
  start_columns();
  factor_->solve_rows(columns_.data(), static_cast<std::size_t>(columns_.cols()));
  return -1;
}

int DynamicsDerivatives::compute_motion(const Model& model, const State& state, const ConstVector& force,
                                        Workspace& workspace) {
  using Wanted = ConstrainedDynamics::Wanted;
  motion_ = force.size() > 0 ? &constrained_.compute(model, state, force, workspace, Wanted::response)
                             : &constrained_.compute(model, state, workspace, Wanted::response);
  if (motion_->singular_dof >= 0) return motion_->singular_dof;
  compute_velocities(model, state.q, state.v, workspace);
  compute_inverse(model, state.q, state.v, motion_->acceleration, workspace);
  start_columns();
  add_applied_derivatives(model, state, workspace, *tree_, columns_.leftCols(size_), columns_.middleCols(size_, size_));
  if (model.loop_rows == 0) {
    constrained_.factor().solve_rows(columns_.data(), static_cast<std::size_t>(columns_.cols()));
    return -1;
  }
  add_loop_derivatives(model, workspace, *tree_, motion_->multipliers, columns_.leftCols(size_), rows_);
  solve_under_loops(model);
  return -1;
}

// M δq̈ = r + Aᵀ δλ, A δq̈ = −δ(A q̈ + Ȧ q̇)|q̈, as in ConstrainedDynamics.
void DynamicsDerivatives::solve_under_loops(const Model&) {
  const internal::ColumnSpace& loops = constrained_.loops();
  Eigen::VectorXd closed(size_), multipliers(multipliers_.rows());
  for (Eigen::Index c = 0; c < columns_.cols(); ++c) {
    half_ = columns_.col(c);
    constrained_.factor().half_solve(half_);
    closing_.setZero();
    if (c < rows_.cols()) closing_ = -rows_.col(c);
    loops.least_squares(closing_, closed);
    Eigen::VectorXd moved = half_;
    loops.project_off(moved);
    moved += closed;
    half_ = moved - half_;
    loops.least_norm(half_, multipliers);
    multipliers_.col(c) = multipliers;
    constrained_.factor().finish_solve(moved);
    columns_.col(c) = moved;
  }
}

}  // namespace routh
