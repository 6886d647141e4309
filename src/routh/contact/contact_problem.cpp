#include "routh/contact/contact_problem.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/dynamics/reactions.h"
#include "routh/impact/contact_projection.h"
#include "routh/impact/tolerances.h"
#include "routh/math/column_space.h"

namespace routh {

struct internal::ContactProblemMemory {
  explicit ContactProblemMemory(const Model& model) : contact(model.velocities), loads(2 + 2 * model.loops.size()) {}
  ContactRows rows;
  ContactProjection contact;  // L⁻ᵀJᵀ of one contact
  std::vector<PointLoad> loads;
};

namespace {

// Of one contact.
ContactVector entries(const Eigen::VectorXd& rows) { return {rows[0], rows[1], rows.size() == 3 ? rows[2] : 0}; }

}  // namespace

ContactProblemBuilder::ContactProblemBuilder(const Model& model)
    : dynamics_(model),
      memory_(make_hidden<ContactProblemMemory>(model)),
      state_(rest_state(model)),
      free_motion_(model.velocities),
      velocity_after_(model.velocities),
      multipliers_(Eigen::VectorXd::Zero(model.loop_rows)),
      loop_impulse_(Eigen::VectorXd::Zero(model.velocities)),
      scratch_(model.velocities) {}

int ContactProblemBuilder::loop_rank() const { return dynamics_.loops().rank(); }

int ContactProblemBuilder::prepare(const Model& model, const State& state, Workspace& workspace) {
  compute_kinematics(model, state.q, workspace);
  const int singular = dynamics_.factorise(model, state.q, workspace);
  if (singular < 0) take_up(model, state);
  return singular;
}

// Without loops q̈_free does not need the factor.
int ContactProblemBuilder::prepare_forces(const Model& model, const State& state, Workspace& workspace) {
  const ConstrainedMotion& motion = dynamics_.compute(model, state, workspace);
  if (motion.singular_dof >= 0) return motion.singular_dof;
  free_motion_ = motion.acceleration;
  const int singular = model.loop_rows > 0 ? -1 : dynamics_.factorise(model, state.q, workspace);
  if (singular < 0) take_up(model, state);
  return singular;
}

void ContactProblemBuilder::take_up(const Model& model, const State& state) {
  state_ = state;
  loop_velocity_ = 0;
  if (model.loop_rows == 0) return;
  const double speed = state_.v.norm();
  for (int r = 0; r < model.loop_rows; ++r) {
    scratch_ = dynamics_.loop_rows().row(r).transpose();
    const double scale = scratch_.norm() * speed;
    if (scale > 0) loop_velocity_ = std::max(loop_velocity_, std::abs(scratch_.dot(state_.v)) / scale);
  }
}

ImpactProblem ContactProblemBuilder::impact_problem(const Model& model, const Workspace& workspace,
                                                    const Contact& contact) {
  const std::span<const Contact> alone(&contact, 1);
  memory_->rows.compute_jacobian(model, workspace, alone);
  memory_->rows.compute_velocities(model, workspace, state_, alone);
  memory_->rows.half_solve(dynamics_.factor());
  const Eigen::Index rows = memory_->rows.half.cols();
  memory_->contact.raw().leftCols(rows) = memory_->rows.half;
  memory_->contact.raw().rightCols(3 - rows).setZero();
  memory_->contact.compute(model.dimension, dynamics_.loops());
  ImpactProblem problem;
  problem.inertia = memory_->contact.inertia();
  problem.velocity = entries(memory_->rows.velocity);
  problem.surface_velocity = entries(memory_->rows.surface_velocity);
  problem.friction = contact_friction(model, contact);
  problem.restitution = contact_restitution(model, contact);
  return problem;
}

AccelerationProblem ContactProblemBuilder::force_problem(const Model& model, const Workspace& workspace,
                                                         const Contact& contact) {
  AccelerationProblem problem{impact_problem(model, workspace, contact), {}};
  memory_->rows.compute_free_acceleration(model, workspace, state_, std::span(&contact, 1), free_motion_);
  problem.free_acceleration = entries(memory_->rows.free_acceleration);
  return problem;
}

const ContactRows& ContactProblemBuilder::force_rows(const Model& model, const Workspace& workspace,
                                                     std::span<const Contact> contacts) {
  memory_->rows.assemble(model, workspace, state_, contacts, dynamics_, free_motion_);
  return memory_->rows;
}

void ContactProblemBuilder::apply(ImpactResult& result) {
  const MassFactor& factor = dynamics_.factor();
  const Eigen::Vector3d i(result.impulse.n, result.impulse.t1, result.impulse.t2);
  scratch_.noalias() = memory_->contact.projected().lazyProduct(i);
  factor.finish_solve(scratch_);
  velocity_after_ = state_.v + scratch_;
  // The ledger in q̇, where the contact's own account can be checked against it.
  result.energy.change = factor.product(scratch_, state_.v) + 0.5 * factor.product(scratch_, scratch_);
  scratch_.noalias() = memory_->contact.raw().lazyProduct(-i);
  dynamics_.loops().least_norm(scratch_, multipliers_);
  loop_impulse_.noalias() = dynamics_.loop_rows().transpose().lazyProduct(multipliers_);
  if (loop_velocity_ > tolerances::bilateral_velocity_relative) result.warn(Warning::bilateral_velocity);
}

void ContactProblemBuilder::response(Eigen::Ref<Eigen::MatrixXd> out) const {
  out = memory_->contact.projected().leftCols(out.cols());
  for (Eigen::Index k = 0; k < out.cols(); ++k) dynamics_.factor().finish_solve(out.col(k));
}

void ContactProblemBuilder::joint_impulses(const Model& model, Workspace& workspace, const Contact& contact,
                                           const ImpactResult& result, std::span<Wrench> impulses) {
  std::vector<PointLoad>& loads = memory_->loads;
  int count = loop_loads(model, workspace, multipliers_, loads);
  if (contact.kind == ContactKind::surfaces) {
    const Vector3 impulse =
        result.impulse.n * contact.normal + result.impulse.t1 * contact.tangent1 + result.impulse.t2 * contact.tangent2;
    loads[static_cast<std::size_t>(count++)] = {contact.body_a, contact.point, {impulse, {}}};
    loads[static_cast<std::size_t>(count++)] = {contact.body_b, contact.point, {-impulse, {}}};
  }
  scratch_ = velocity_after_ - state_.v;
  compute_joint_impulses(model, state_.q, scratch_, std::span(loads).first(static_cast<std::size_t>(count)), workspace,
                         impulses);
}

SimultaneousProblem simultaneous_problem(const Model& model, const State& state, std::span<const Contact> contacts,
                                         TangentialRows tangential, Workspace& workspace) {
  const Eigen::Index n = model.velocities, rows = contact_rows(model), tangents = rows - 1;
  const auto count = static_cast<Eigen::Index>(contacts.size());
  SimultaneousProblem problem;
  compute_kinematics(model, state.q, workspace);
  compute_mass_matrix(model, state.q, workspace);
  problem.mass_matrix = workspace.mass_matrix;
  problem.velocity = state.v;
  problem.bilateral.resize(model.loop_rows, n);
  if (model.loop_rows > 0) loop_jacobian(model, workspace, problem.bilateral);
  problem.normal.resize(count, n);
  if (tangential == TangentialRows::sticking) problem.tangential.resize(count * tangents, n);
  ContactRows all;
  all.compute_jacobian(model, workspace, contacts);
  for (Eigen::Index k = 0; k < count; ++k) {
    problem.normal.row(k) = all.jacobian.row(k * rows);
    if (tangential == TangentialRows::sticking)
      problem.tangential.middleRows(k * tangents, tangents) = all.jacobian.middleRows(k * rows + 1, tangents);
  }
  for (const Contact& contact : contacts) {
    problem.restitution.push_back(contact_restitution(model, contact));
    problem.friction.push_back(contact_friction(model, contact));
  }
  return problem;
}

}  // namespace routh
