// In x = Lᵀq̇, M = L Lᵀ, the projection is at right angles: with Q an orthonormal basis of the columns L⁻¹Aᵀ
//
//   S = L⁻ᵀ Q Qᵀ Lᵀ      M_o⁺ = L⁻ᵀ (I − Q Qᵀ) L⁻¹
//
// which needs neither ν nor an inverse of M_c; both are formed to be looked at. With y of least length, Xᵀy = −d,
// X = L⁻¹Aᵀ: Lᵀq̈ = (I − QQᵀ) L⁻¹g + y.
#include "routh/impact/projection.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/tolerances.h"
#include "routh/math/column_space.h"

namespace routh {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool optional_fits(const VectorXd& vector, Eigen::Index size) {
  return (vector.size() == 0 || vector.size() == size) && vector.allFinite();
}

bool rows_fit(const MatrixXd& rows, Eigen::Index n) {
  return (rows.rows() == 0 || rows.cols() == n) && rows.allFinite();
}

bool valid(const ProjectionProblem& p) {
  const Eigen::Index n = p.mass_matrix.rows(), all = p.bilateral.rows() + p.unilateral.rows();
  if (n == 0 || p.mass_matrix.cols() != n || !p.mass_matrix.allFinite()) return false;
  const double largest = p.mass_matrix.lpNorm<Eigen::Infinity>();
  const MatrixXd skew = p.mass_matrix - p.mass_matrix.transpose();
  if (skew.lpNorm<Eigen::Infinity>() > tolerances::symmetry_relative * largest) return false;
  if (!rows_fit(p.bilateral, n) || !rows_fit(p.unilateral, n)) return false;
  if (!optional_fits(p.velocity, n) || !optional_fits(p.force, n) || !optional_fits(p.drift, all) ||
      !optional_fits(p.external_impulse, n) || !optional_fits(p.restitution, p.unilateral.rows()))
    return false;
  const bool range = (p.restitution.array() >= 0).all() && (p.restitution.array() <= 1).all();
  return range && (!p.nu || (*p.nu > 0 && std::isfinite(*p.nu)));
}

ColumnSpace space_of(const MatrixXd& columns) {
  ColumnSpace space(static_cast<int>(columns.rows()), static_cast<int>(columns.cols()));
  space.clear();
  for (const auto column : columns.colwise()) space.add(column);
  space.finish();
  return space;
}

MatrixXd onto(const ColumnSpace& space, Eigen::Index n) {
  MatrixXd projector = MatrixXd::Identity(n, n);
  for (auto column : projector.colwise()) space.project_on(column);
  return 0.5 * (projector + projector.transpose());
}

VectorXd or_zero(const VectorXd& vector, Eigen::Index size) {
  return vector.size() == 0 ? VectorXd(VectorXd::Zero(size)) : vector;
}

// λ of least norm with Aᵀλ = f.
VectorXd least_multipliers(const ColumnSpace& rows, const VectorXd& force) {
  VectorXd lambda(rows.columns());
  rows.least_norm(force, lambda);
  return lambda;
}

class Oblique {
 public:
  explicit Oblique(const ProjectionProblem& problem) : in_(problem), n_(problem.mass_matrix.rows()) {
    A_.resize(problem.bilateral.rows() + problem.unilateral.rows(), n_);
    if (problem.bilateral.rows() > 0) A_.topRows(problem.bilateral.rows()) = problem.bilateral;
    if (problem.unilateral.rows() > 0) A_.bottomRows(problem.unilateral.rows()) = problem.unilateral;
    out_.rows = static_cast<int>(A_.rows());
    factor_.compute(problem.mass_matrix);
    if (factor_.info() != Eigen::Success || !(factor_.matrixLLT().diagonal().minCoeff() > 0))
      out_.status = ProjectionStatus::mass_matrix_indefinite;
  }

  Projection compute() {
    if (out_.status != ProjectionStatus::ok) return out_;
    const ColumnSpace rows = space_of(A_.transpose());
    const ColumnSpace half = space_of(factor_.matrixL().solve(A_.transpose()));
    out_.rank = half.rank();
    out_.multipliers_unique = out_.rank == out_.rows;
    form_matrices(rows, half);
    add_motion(rows, half);
    add_impact(rows, half);
    if (!in_range()) out_.status = ProjectionStatus::overflow;
    return out_;
  }

 private:
  void form_matrices(const ColumnSpace& rows, const ColumnSpace& half) {
    const MatrixXd I = MatrixXd::Identity(n_, n_), L = factor_.matrixL();
    const MatrixXd held = onto(half, n_);
    out_.P = I - onto(rows, n_);
    out_.S = factor_.matrixU().solve(held * L.transpose());
    out_.R = I - 2 * out_.S;
    out_.M_o = out_.P * in_.mass_matrix * out_.P;
    const MatrixXd free_half = factor_.matrixU().solve(I - held);
    out_.M_o_inverse = free_half * free_half.transpose();
    choose_nu();
    out_.M_c = out_.M_o + out_.nu * (I - out_.P);
  }

  // The eigenvalues of M_o that are not zero are the n − r largest.
  void choose_nu() {
    const Eigen::Index free = n_ - out_.rank;
    if (free == 0 || out_.rank == 0) {
      out_.nu = in_.nu.value_or(1);
      if (out_.rank > 0) return;
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(out_.M_o, Eigen::EigenvaluesOnly);
    const double low = eigen.eigenvalues()[n_ - free], high = eigen.eigenvalues()[n_ - 1];
    out_.best_condition = high / low;
    if (out_.rank == 0) {
      out_.condition = out_.best_condition;
      return;
    }
    out_.nu_low = low;
    out_.nu_high = high;
    out_.nu = in_.nu.value_or(std::clamp(out_.M_o.trace() / static_cast<double>(free), low, high));
    out_.condition = std::max(high, out_.nu) / std::min(low, out_.nu);
  }

  void add_motion(const ColumnSpace& rows, const ColumnSpace& half) {
    const VectorXd g = or_zero(in_.force, n_), d = or_zero(in_.drift, A_.rows());
    VectorXd x = factor_.matrixL().solve(g), y = VectorXd::Zero(n_);
    half.project_off(x);
    if (A_.rows() > 0) half.least_squares(-d, y);
    out_.acceleration = factor_.matrixU().solve(VectorXd(x + y));
    out_.constraint_force = in_.mass_matrix * out_.acceleration - g;
    out_.multipliers = least_multipliers(rows, out_.constraint_force);
    const double left = A_.rows() > 0 ? (A_ * out_.acceleration + d).lpNorm<Eigen::Infinity>() : 0;
    const double size = d.size() > 0 ? d.lpNorm<Eigen::Infinity>() : 0;
    // What the rows are the difference of: the motion before and after projection.
    const VectorXd motions = out_.acceleration.cwiseAbs() + factor_.solve(g).cwiseAbs();
    const double terms = A_.rows() > 0 ? (A_.cwiseAbs() * motions).maxCoeff() : 0;
    if (left > tolerances::projection_drift_relative * (size + terms)) out_.status = ProjectionStatus::contradiction;
  }

  void add_impact(const ColumnSpace& rows, const ColumnSpace& half) {
    const VectorXd v = or_zero(in_.velocity, n_), push = or_zero(in_.external_impulse, n_);
    VectorXd e = VectorXd::Zero(A_.rows());
    if (in_.restitution.size() > 0) e.tail(in_.unilateral.rows()) = in_.restitution;
    const VectorXd rate = A_ * v, wanted = -e.cwiseProduct(rate);
    // A⁺ E A q̇⁻: the velocity of least length in q̇ with the wanted rates, in the sense of least squares.
    VectorXd rebound = VectorXd::Zero(n_);
    if (A_.rows() > 0) rows.least_squares(e.cwiseProduct(rate), rebound);
    VectorXd x = factor_.matrixU() * VectorXd(v + rebound);
    half.project_on(x);
    out_.velocity_after = v - factor_.matrixU().solve(x) + out_.M_o_inverse * push;
    out_.impulse = in_.mass_matrix * (out_.velocity_after - v) - push;
    out_.impulse_multipliers = least_multipliers(rows, out_.impulse);
    if (A_.rows() > 0) out_.residual = (A_ * out_.velocity_after - wanted).lpNorm<Eigen::Infinity>();
    const auto energy = [&](const VectorXd& q) { return 0.5 * q.dot(in_.mass_matrix * q); };
    out_.energy_before = energy(v);
    out_.energy_after = energy(out_.velocity_after);
    out_.projected_energy = energy(out_.S * v);
    if (out_.energy_before > 0)
      out_.ratio = out_.energy_after / out_.energy_before;
    else
      out_.ratio = out_.energy_after > 0 ? std::numeric_limits<double>::infinity() : 1;
  }

  // Rows whose squares overflow count as none in a column space, so that what comes of them may look finite.
  bool in_range() const {
    for (const MatrixXd* all : {&out_.P, &out_.S, &out_.M_o, &out_.M_c, &out_.M_o_inverse})
      if (!all->allFinite()) return false;
    for (const VectorXd* all : {&out_.acceleration, &out_.constraint_force, &out_.multipliers, &out_.velocity_after,
                                &out_.impulse, &out_.impulse_multipliers})
      if (!all->allFinite()) return false;
    const double energies = out_.energy_before + out_.energy_after + out_.projected_energy;
    return std::isfinite(A_.squaredNorm() + out_.condition + out_.best_condition + out_.residual + energies);
  }

  const ProjectionProblem& in_;
  Eigen::Index n_;
  MatrixXd A_;
  Eigen::LLT<MatrixXd> factor_;
  Projection out_;
};

}  // namespace

Projection project(const ProjectionProblem& problem) {
  if (!valid(problem)) {
    Projection refused;
    refused.status = ProjectionStatus::invalid;
    return refused;
  }
  return Oblique(problem).compute();
}

}  // namespace routh
