#include "routh/impact/reduction.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace routh {

namespace {

// A column that keeps less than this of its length after projection lies in the space projected off.
constexpr double rank_tolerance = 1e-11;
constexpr double zero_tolerance = 1e-13;

using Column = Eigen::Ref<Eigen::VectorXd>;

// Removes from `column` its part in the first `count` orthonormal columns of `basis`; twice is enough for full
// accuracy. The coefficients are added to `coefficients` when it is given.
void project_off(const Eigen::MatrixXd& basis, int count, Column column, double* coefficients) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      const double amount = basis.col(k).dot(column);
      column -= amount * basis.col(k);
      if (coefficients) coefficients[k] += amount;
    }
}

}  // namespace

Reduction::Reduction(int coordinates, int bilateral_rows)
    : n_(coordinates),
      m_(bilateral_rows),
      factor_(n_, n_),
      contact_(n_, 3),
      raw_contact_(n_, 3),
      basis_(n_, m_),
      triangle_(m_, m_),
      row_basis_(m_, m_),
      row_triangle_(m_, m_),
      raw_external_(n_),
      scratch_(n_),
      scratch_m_(m_),
      velocity_before_(n_),
      velocity_after_(n_),
      loop_impulse_(n_),
      multipliers_(m_) {}

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

  find_loop_basis(machine);
  raw_contact_.setZero();
  for (Eigen::Index r = 0; r < rows; ++r) raw_contact_.col(r) = machine.jacobian.row(r).transpose();
  factor_.triangularView<Eigen::Lower>().solveInPlace(raw_contact_);
  contact_ = raw_contact_;
  for (Eigen::Index r = 0; r < rows; ++r) {
    project_off(basis_, rank_, contact_.col(r), nullptr);
    if (contact_.col(r).norm() <= zero_tolerance * raw_contact_.col(r).norm()) contact_.col(r).setZero();
  }
  form_inertia(rows == 2 ? Dimension::planar : Dimension::spatial);

  velocity_before_ = machine.velocity;
  raw_external_.setZero();
  if (machine.external_impulse.size() == n_) {
    raw_external_ = machine.external_impulse;
    factor_.triangularView<Eigen::Lower>().solveInPlace(raw_external_);
    scratch_ = raw_external_;
    project_off(basis_, rank_, scratch_, nullptr);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(scratch_);
    velocity_before_ += scratch_;
  }
  contact_velocity_ = {};
  contact_velocity_.n = machine.jacobian.row(0).dot(velocity_before_);
  contact_velocity_.t1 = machine.jacobian.row(1).dot(velocity_before_);
  if (rows == 3) contact_velocity_.t2 = machine.jacobian.row(2).dot(velocity_before_);
  return ReductionStatus::ok;
}

// Orthonormal basis of R(L⁻¹A_bᵀ) by Gram–Schmidt with pivoting; each row is judged against its own length, so that the
// rank does not depend on the units of the rows. Then the same on the triangle's rows, for multipliers of least norm.
void Reduction::find_loop_basis(const MachineState& machine) {
  rank_ = 0;
  bilateral_residual_ = 0;
  if (m_ == 0) return;
  const double speed = machine.velocity.norm();
  triangle_.setZero();
  for (int r = 0; r < m_; ++r) {
    const auto row = machine.bilateral.row(r);
    const double scale = row.norm() * speed;
    if (scale > 0) bilateral_residual_ = std::max(bilateral_residual_, std::abs(row.dot(machine.velocity)) / scale);
  }
  for (int r = 0; r < m_; ++r) {
    scratch_ = machine.bilateral.row(r).transpose();
    factor_.triangularView<Eigen::Lower>().solveInPlace(scratch_);
    const double length = scratch_.norm();
    scratch_m_.setZero();
    project_off(basis_, rank_, scratch_, scratch_m_.data());
    const double left = scratch_.norm();
    if (length > 0 && left > rank_tolerance * length) {
      basis_.col(rank_) = scratch_ / left;
      scratch_m_(rank_) = left;
      ++rank_;
    }
    triangle_.col(r) = scratch_m_;  // L⁻¹A_bᵀ = basis · triangle
  }
  row_triangle_.setZero();
  for (int k = 0; k < rank_; ++k) {  // triangleᵀ = row_basis · row_triangle
    scratch_m_ = triangle_.row(k).transpose();
    project_off(row_basis_, k, scratch_m_, row_triangle_.col(k).data());
    const double left = scratch_m_.norm();
    row_basis_.col(k) = scratch_m_ / left;
    row_triangle_(k, k) = left;
  }
}

// D = YᵀY, and the sticking slope as the squared distance of the normal column from the tangential ones.
void Reduction::form_inertia(Dimension dimension) {
  ContactInertia& d = inertia_;
  d.dimension = dimension;
  d.a = contact_.col(0).squaredNorm();
  d.c1 = contact_.col(0).dot(contact_.col(1));
  d.c2 = contact_.col(0).dot(contact_.col(2));
  d.b11 = contact_.col(1).squaredNorm();
  d.b12 = contact_.col(1).dot(contact_.col(2));
  d.b22 = contact_.col(2).squaredNorm();
  const int first = d.b11 >= d.b22 ? 1 : 2;
  const double size1 = contact_.col(first).norm();
  scratch_ = contact_.col(0);
  if (size1 > 0) {
    Eigen::VectorXd& other = velocity_after_;  // free until expand
    other = contact_.col(3 - first);
    const double size2 = other.norm();
    for (int pass = 0; pass < 2; ++pass)
      other -= contact_.col(first) * (contact_.col(first).dot(other) / (size1 * size1));
    const double left = other.norm();
    const bool independent = left > zero_tolerance * size2 && left > 0;
    for (int pass = 0; pass < 2; ++pass) {
      scratch_ -= contact_.col(first) * (contact_.col(first).dot(scratch_) / (size1 * size1));
      if (independent) scratch_ -= other * (other.dot(scratch_) / (left * left));
    }
  }
  const double slope = scratch_.squaredNorm();
  d.stick_slope = slope > zero_tolerance * zero_tolerance * d.a ? slope : 0;
}

void Reduction::expand(const MachineState& machine, ImpactResult& result) {
  const Eigen::Vector3d i(result.impulse.n, result.impulse.t1, result.impulse.t2);
  velocity_after_.noalias() = contact_.lazyProduct(i);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(velocity_after_);
  velocity_after_ += velocity_before_;

  // X λ = −Q Qᵀ L⁻¹(Jᵀ i + i_u); the generalised impulse of the loops is L X λ.
  scratch_ = raw_external_;
  scratch_.noalias() += raw_contact_.lazyProduct(i);
  multipliers_.setZero();
  loop_impulse_.setZero();
  for (int k = 0; k < rank_; ++k) {
    const double amount = -basis_.col(k).dot(scratch_);
    loop_impulse_ += amount * basis_.col(k);
    scratch_m_(k) = amount;
  }
  for (int k = 0; k < rank_; ++k) {  // row_triangleᵀ y = Qᵀ…, then λ = row_basis y
    for (int j = 0; j < k; ++j) scratch_m_(k) -= row_triangle_(j, k) * scratch_m_(j);
    scratch_m_(k) /= row_triangle_(k, k);
    multipliers_ += scratch_m_(k) * row_basis_.col(k);
  }
  scratch_.noalias() = factor_.triangularView<Eigen::Lower>() * loop_impulse_;
  loop_impulse_ = scratch_;

  // The ledger in q̇, where the contact's own account can be checked against it.
  const auto energy_step = [&](const Eigen::VectorXd& after, const auto& before) {
    scratch_ = after - before;
    const double twice = 2 * before.dot(machine.mass_matrix.lazyProduct(scratch_)) +
                         scratch_.dot(machine.mass_matrix.lazyProduct(scratch_));
    return 0.5 * twice;
  };
  const double impact = energy_step(velocity_after_, velocity_before_);
  const double external = energy_step(velocity_before_, machine.velocity);
  result.energy.supplied += external;
  result.energy.change = impact + external;
  if (bilateral_residual_ > 1e-9) result.warn(Warning::bilateral_velocity);
}

}  // namespace routh
