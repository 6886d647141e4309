#include "routh/contact/strike.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/impact/contact_projection.h"
#include "routh/math/column_space.h"

namespace routh {

StrikeSolver::StrikeSolver(const Model& model)
    : factor_(make_hidden<MassFactor>(model)),
      loops_(make_hidden<ColumnSpace>(model.velocities, model.loop_rows)),
      contact_(make_hidden<ContactProjection>(model.velocities)),
      loop_rows_(model.loop_rows, model.velocities),
      jacobian_(contact_rows(model), model.velocities),
      position_(model.coordinates),
      velocity_before_(model.velocities),
      velocity_after_(model.velocities),
      multipliers_(Eigen::VectorXd::Zero(model.loop_rows)),
      loop_impulse_(Eigen::VectorXd::Zero(model.velocities)),
      scratch_(model.velocities),
      loads_(2 + 2 * model.loops.size()) {}

int StrikeSolver::loop_rank() const { return loops_->rank(); }

int StrikeSolver::prepare(const Model& model, const State& state, Workspace& workspace) {
  compute_kinematics(model, state.q, workspace);
  const int singular = factor_->factorise(model, state.q, workspace);
  if (singular >= 0) return singular;
  position_ = state.q;
  velocity_before_ = state.v;
  time_ = state.time;
  loop_velocity_ = 0;
  loops_->clear();
  if (model.loop_rows > 0) {
    loop_jacobian(model, workspace, loop_rows_);
    const double speed = state.v.norm();
    for (int r = 0; r < model.loop_rows; ++r) {
      scratch_ = loop_rows_.row(r).transpose();
      const double scale = scratch_.norm() * speed;
      if (scale > 0) loop_velocity_ = std::max(loop_velocity_, std::abs(scratch_.dot(state.v)) / scale);
      factor_->half_solve(scratch_);
      loops_->add(scratch_);
    }
  }
  loops_->finish();
  return -1;
}

ImpactProblem StrikeSolver::reduce(const Model& model, const Workspace& workspace, const Contact& contact) {
  contact_jacobian(model, workspace, contact, jacobian_);
  Eigen::MatrixXd& raw = contact_->raw();
  raw.rightCols(3 - jacobian_.rows()).setZero();
  ImpactProblem problem;
  double* const velocity[] = {&problem.velocity.n, &problem.velocity.t1, &problem.velocity.t2};
  for (Eigen::Index r = 0; r < jacobian_.rows(); ++r) {
    raw.col(r) = jacobian_.row(r).transpose();
    *velocity[r] = raw.col(r).dot(velocity_before_);
    factor_->half_solve(raw.col(r));
  }
  contact_->compute(model.dimension, *loops_);
  problem.inertia = contact_->inertia();
  problem.surface_velocity = surface_velocity(model, workspace, contact, time_);
  problem.friction = contact_friction(model, contact);
  problem.restitution = contact_restitution(model, contact);
  return problem;
}

void StrikeSolver::expand(ImpactResult& result) {
  const Eigen::Vector3d i(result.impulse.n, result.impulse.t1, result.impulse.t2);
  scratch_.noalias() = contact_->projected().lazyProduct(i);
  factor_->finish_solve(scratch_);
  velocity_after_ = velocity_before_ + scratch_;
  // The ledger in q̇, where the contact's own account can be checked against it.
  result.energy.change = factor_->product(scratch_, velocity_before_) + 0.5 * factor_->product(scratch_, scratch_);
  scratch_.noalias() = contact_->raw().lazyProduct(-i);
  loops_->least_norm(scratch_, multipliers_);
  loop_impulse_.noalias() = loop_rows_.transpose().lazyProduct(multipliers_);
  if (loop_velocity_ > 1e-9) result.warn(Warning::bilateral_velocity);
}

void StrikeSolver::response(Eigen::Ref<Eigen::MatrixXd> out) const {
  out = contact_->projected().leftCols(out.cols());
  for (Eigen::Index k = 0; k < out.cols(); ++k) factor_->finish_solve(out.col(k));
}

void StrikeSolver::joint_impulses(const Model& model, Workspace& workspace, const Contact& contact,
                                  const ImpactResult& result, std::span<Wrench> impulses) {
  int count = loop_loads(model, workspace, multipliers_, loads_);
  if (contact.kind == ContactKind::surfaces) {
    const Vector3 impulse =
        result.impulse.n * contact.normal + result.impulse.t1 * contact.tangent1 + result.impulse.t2 * contact.tangent2;
    loads_[static_cast<std::size_t>(count++)] = {contact.body_a, contact.point, {impulse, {}}};
    loads_[static_cast<std::size_t>(count++)] = {contact.body_b, contact.point, {-impulse, {}}};
  }
  scratch_ = velocity_after_ - velocity_before_;
  compute_joint_impulses(model, position_, scratch_, std::span(loads_).first(static_cast<std::size_t>(count)),
                         workspace, impulses);
}

void StrikeSolver::stack(const Model& model, const Workspace& workspace, std::span<const Contact> contacts,
                         Eigen::MatrixXd& D, Eigen::VectorXd& velocity) {
  const Eigen::Index rows = jacobian_.rows();
  Eigen::MatrixXd Y(model.velocities, rows * static_cast<Eigen::Index>(contacts.size()));
  velocity.resize(Y.cols());
  Eigen::Index column = 0;
  for (const Contact& contact : contacts) {
    contact_jacobian(model, workspace, contact, jacobian_);
    for (Eigen::Index r = 0; r < rows; ++r, ++column) {
      Y.col(column) = jacobian_.row(r).transpose();
      velocity[column] = Y.col(column).dot(velocity_before_);
      factor_->half_solve(Y.col(column));
      loops_->project_off(Y.col(column));
    }
  }
  D = Y.transpose() * Y;
}

const char* name(TouchKind kind) {
  switch (kind) {
    case TouchKind::approaching:
      return "approaching";
    case TouchKind::resting:
      return "resting";
    case TouchKind::separating:
      return "separating";
  }
  return "";
}

TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace) {
  TouchReport report;
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, options.tolerance, contacts);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  for (const Contact& contact : contacts) {
    if (contact.gap < -options.tolerance) {
      report.overlaps.push_back(contact);
      continue;
    }
    contact_jacobian(model, workspace, contact, J);
    const double surface = surface_velocity(model, workspace, contact, state.time).n;
    const double speed = J.row(0).dot(state.v) - surface;
    const double rounding = 1e-13 * (J.row(0).cwiseAbs().dot(state.v.cwiseAbs()) + std::abs(surface));
    const TouchKind kind = speed < -rounding  ? TouchKind::approaching
                           : speed > rounding ? TouchKind::separating
                                              : TouchKind::resting;
    report.touches.push_back({contact, kind, speed});
  }
  if (contacts.empty()) {
    constexpr double horizon = 10;
    find_contacts(model, workspace, state.q, horizon, contacts);
    const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                          [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
    if (nearest != contacts.end()) report.nearest = *nearest;
  }
  return report;
}

}  // namespace routh
