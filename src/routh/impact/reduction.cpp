#include "routh/impact/reduction.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "routh/impact/contact_projection.h"
#include "routh/impact/inertia.h"
#include "routh/impact/tolerances.h"
#include "routh/math/column_space.h"

namespace routh {

namespace {

ContactVector contact_rows(const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                           const Eigen::Ref<const Eigen::VectorXd>& q) {
  return {jacobian.row(0).dot(q), jacobian.row(1).dot(q), jacobian.rows() == 3 ? jacobian.row(2).dot(q) : 0.0};
}

}  // namespace

Reduction::Reduction(int coordinates, int bilateral_rows)
    : n_(coordinates),
      m_(bilateral_rows),
      factor_(n_, n_),
      contact_(make_hidden<ContactProjection>(n_)),
      loops_(make_hidden<ColumnSpace>(n_, m_)),
      raw_external_(n_),
      scratch_(n_),
      velocity_pushed_(n_),
      velocity_after_(n_),
      loop_impulse_(n_),
      multipliers_(m_) {}

const ContactInertia& Reduction::inertia() const { return contact_->inertia(); }
int Reduction::bilateral_rank() const { return loops_->rank(); }

ReductionStatus Reduction::compute(const MachineState& machine) {
  const Eigen::Index rows = machine.jacobian.rows();
  const bool shapes = machine.mass_matrix.rows() == n_ && machine.mass_matrix.cols() == n_ &&
                      (rows == 2 || rows == 3) && machine.jacobian.cols() == n_ && machine.velocity.size() == n_ &&
                      machine.bilateral.rows() == m_ && (m_ == 0 || machine.bilateral.cols() == n_) &&
                      (machine.external_impulse.size() == 0 || machine.external_impulse.size() == n_);
  if (!shapes) return ReductionStatus::bad_shape;
  if (!machine.mass_matrix.allFinite() || !machine.jacobian.allFinite() || !machine.velocity.allFinite() ||
      !machine.bilateral.allFinite() || !machine.external_impulse.allFinite())
    return ReductionStatus::non_finite;

  factor_ = machine.mass_matrix;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor_);  // in place
  if (cholesky.info() != Eigen::Success || !factor_.diagonal().allFinite() || !(factor_.diagonal().minCoeff() > 0))
    return ReductionStatus::mass_matrix_indefinite;

  take_loops(machine);
  Eigen::MatrixXd& raw = contact_->raw();
  raw.setZero();
  for (Eigen::Index r = 0; r < rows; ++r) raw.col(r) = machine.jacobian.row(r).transpose();
  factor_.triangularView<Eigen::Lower>().solveInPlace(raw);
  contact_->compute(rows == 2 ? Dimension::planar : Dimension::spatial, *loops_);

  velocity_pushed_ = machine.velocity;
  contact_push_ = {};
  raw_external_.setZero();
  if (machine.external_impulse.size() == n_) {
    raw_external_ = machine.external_impulse;
    factor_.triangularView<Eigen::Lower>().solveInPlace(raw_external_);
    scratch_ = raw_external_;
    loops_->project_off(scratch_);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(scratch_);
    velocity_pushed_ += scratch_;
    contact_push_ = contact_rows(machine.jacobian, scratch_);
  }
  contact_velocity_ = contact_rows(machine.jacobian, machine.velocity);
  return ReductionStatus::ok;
}

ContactVector Reduction::contact_acceleration(const Eigen::VectorXd& force) const {
  Eigen::VectorXd raw = force;
  factor_.triangularView<Eigen::Lower>().solveInPlace(raw);
  const Eigen::Vector3d f = contact_->projected().transpose() * raw;
  return {f[0], f[1], f[2]};
}

void Reduction::take_loops(const MachineState& machine) {
  bilateral_residual_ = 0;
  loops_->clear();
  const double speed = machine.velocity.norm();
  for (int r = 0; r < m_; ++r) {
    const auto row = machine.bilateral.row(r);
    const double scale = row.norm() * speed;
    if (scale > 0) bilateral_residual_ = std::max(bilateral_residual_, std::abs(row.dot(machine.velocity)) / scale);
    scratch_ = row.transpose();
    factor_.triangularView<Eigen::Lower>().solveInPlace(scratch_);
    loops_->add(scratch_);
  }
  loops_->finish();
}

void Reduction::expand(const MachineState& machine, ImpactResult& result) {
  const Eigen::Vector3d i(result.impulse.n, result.impulse.t1, result.impulse.t2);
  velocity_after_.noalias() = contact_->projected().lazyProduct(i);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(velocity_after_);
  velocity_after_ += velocity_pushed_;

  // X λ = −Q Qᵀ L⁻¹(Jᵀ i + i_u); the generalised impulse of the loops is L X λ.
  scratch_ = -raw_external_;
  scratch_.noalias() -= contact_->raw().lazyProduct(i);
  loops_->least_norm(scratch_, multipliers_);
  loops_->project_on(scratch_);
  loop_impulse_.noalias() = factor_.triangularView<Eigen::Lower>() * scratch_;

  // The ledger in q̇, where the contact's own account can be checked against it; i_u supplies what it does before the
  // contact, and p_after i_n, which the contact has booked.
  const auto energy_step = [&](const Eigen::VectorXd& after, const auto& before) {
    scratch_ = after - before;
    const double twice = 2 * before.dot(machine.mass_matrix.lazyProduct(scratch_)) +
                         scratch_.dot(machine.mass_matrix.lazyProduct(scratch_));
    return 0.5 * twice;
  };
  const double impact = energy_step(velocity_after_, velocity_pushed_);
  const double external = energy_step(velocity_pushed_, machine.velocity);
  result.energy.supplied += external;
  result.energy.change = impact + external;
  if (bilateral_residual_ > tolerances::bilateral_velocity_relative) result.warn(Warning::bilateral_velocity);
}

void Reduction::expand(const MachineState& machine, const ImpactProblem& problem, ImpactResult& result) {
  expand(machine, result);
  const EnergyLedger& energy = result.energy;
  if (velocity_after_.allFinite() && loop_impulse_.allFinite() && multipliers_.allFinite() &&
      std::isfinite(energy.normal_work) && std::isfinite(energy.tangential_work) && std::isfinite(energy.supplied) &&
      std::isfinite(energy.change))
    return;
  ImpactResult unchanged;
  unchanged.law = result.law;
  unchanged.status = ImpactStatus::overflow;
  unchanged.warnings = result.warnings;
  unchanged.restitution = result.restitution;
  unchanged.velocity = problem.velocity;
  unchanged.relative_velocity = minus(problem.velocity, problem.surface_velocity);
  result = unchanged;
  velocity_after_ = machine.velocity;
  loop_impulse_.setZero();
  multipliers_.setZero();
}

}  // namespace routh
