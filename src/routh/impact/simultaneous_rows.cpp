#include "routh/impact/simultaneous_rows.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "routh/impact/restitution.h"
#include "routh/impact/tolerances.h"
#include "routh/math/complementarity.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

// L⁻¹ Aᵀ
Eigen::MatrixXd kinetic_columns(const SimultaneousRows& rows, const Eigen::MatrixXd& a) {
  Eigen::MatrixXd x = a.transpose();
  if (x.cols() > 0) rows.factor.matrixL().solveInPlace(x);
  return x;
}

// Lengths of the columns, which are left with length one or zero.
Eigen::VectorXd normalise(Eigen::MatrixXd& columns) {
  Eigen::VectorXd length(columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    length[j] = columns.col(j).stableNorm();
    if (length[j] > 0) columns.col(j) /= length[j];
  }
  return length;
}

// Unit columns off the loops, and what their lengths become.
Eigen::VectorXd reduce(const SimultaneousRows& rows, Eigen::MatrixXd& columns) {
  Eigen::VectorXd length = normalise(columns);
  columns = project_off(rows.loops, std::move(columns));
  return length.cwiseProduct(normalise(columns));
}

void classify(const SimultaneousProblem& problem, const Eigen::MatrixXd& raw, SimultaneousRows& rows) {
  const Eigen::Index count = raw.cols();
  const Eigen::VectorXd approach = problem.normal * problem.velocity;
  const double energetic = rows.before.norm();  // √(2K) / s
  rows.restitution = Eigen::VectorXd::Zero(count);
  rows.wanted = Eigen::VectorXd::Zero(count);
  rows.role.assign(static_cast<std::size_t>(count), ContactRole::rests);
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double length = raw.col(j).stableNorm();
    if (std::abs(approach[j]) / rows.speed <= tolerances::resting_contact_relative * length * energetic) continue;
    rows.role[k] = approach[j] < 0 ? ContactRole::strikes : ContactRole::separates;
    double e = 1;  // what turns the velocity of a separating contact round
    if (approach[j] < 0) {
      const RestitutionValue value = restitution_at(problem.restitution[k], -approach[j]);
      rows.restitution[j] = e = value.coefficient;
      rows.restitution_in_range = rows.restitution_in_range && value.in_range;
    }
    if (rows.normal_length[j] > 0) rows.wanted[j] = -e * approach[j] / rows.speed / rows.normal_length[j];
  }
}

}  // namespace

SimultaneousRows closing_rows(const SimultaneousRows& rows, const Eigen::VectorXd& velocity) {
  SimultaneousRows closing = rows;
  closing.before = velocity;
  closing.push.setZero();
  closing.restitution.setZero();
  closing.wanted.setZero();
  const Eigen::VectorXd approach = rows.normal.transpose() * velocity;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    closing.role[static_cast<std::size_t>(j)] = approach[j] < -tolerances::simultaneous_equal  ? ContactRole::strikes
                                                : approach[j] > tolerances::simultaneous_equal ? ContactRole::separates
                                                                                               : ContactRole::rests;
  return closing;
}

Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns) {
  if (columns.cols() == 0 || columns.isZero(0)) return Eigen::MatrixXd(columns.rows(), 0);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(tolerances::simultaneous_rank);
  qr.compute(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), qr.rank());
}

Eigen::MatrixXd project_off(const Eigen::MatrixXd& basis, Eigen::MatrixXd columns) {
  if (basis.cols() == 0) return columns;
  for (int pass = 0; pass < 2; ++pass) {  // twice is enough for full accuracy
    const Eigen::MatrixXd part = basis.transpose() * columns;
    columns -= basis * part;
  }
  for (Eigen::Index j = 0; j < columns.cols(); ++j)
    if (columns.col(j).norm() <= tolerances::simultaneous_rank) columns.col(j).setZero();
  return columns;
}

// Lawson and Hanson's method can go astray where rounding decides whether a dependent column enters. Its answer is
// checked by the conditions of optimality, Aᵀr ≤ 0 and vᵀAᵀr = 0 for r = b − A v; then a touch of damping, ‖A v − b‖² +
// δ²‖v‖², makes the columns independent, and last comes Lemke's method. The best of them counts.
Eigen::VectorXd nonnegative_fit(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  const auto fault = [&](const Eigen::VectorXd& v) {
    const Eigen::VectorXd slope = a.transpose() * (b - a * v);
    return std::max(slope.maxCoeff(), std::abs(v.dot(slope)));
  };
  Eigen::VectorXd best = nonnegative_least_squares(a, b).coefficients;
  double least = fault(best);
  const auto consider = [&](const Eigen::VectorXd& v) {
    if (const double f = fault(v); f < least) {
      best = v;
      least = f;
    }
  };
  if (least <= tolerances::simultaneous_fit) return best;
  const Eigen::Index size = b.size(), count = a.cols();
  Eigen::MatrixXd damped(size + count, count);
  damped << a, tolerances::simultaneous_damping * Eigen::MatrixXd::Identity(count, count);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size + count);
  right.head(size) = b;
  consider(nonnegative_least_squares(damped, right).coefficients);
  if (least <= tolerances::simultaneous_fit) return best;
  const ComplementarityResult lemke = solve_complementarity(a.transpose() * a, -a.transpose() * b);
  if (lemke.end == ComplementarityEnd::solved) consider(lemke.z);
  return best;
}

void fill_rows(const SimultaneousProblem& problem, SimultaneousRows& rows) {
  rows.before = rows.factor.matrixU() * problem.velocity;
  rows.push = Eigen::VectorXd::Zero(rows.before.size());
  if (problem.external_impulse.size() > 0) rows.push = rows.factor.matrixL().solve(problem.external_impulse);
  rows.speed = std::max(rows.before.stableNorm(), rows.push.stableNorm());
  if (!(rows.speed > 0)) rows.speed = 1;
  rows.before /= rows.speed;
  rows.push /= rows.speed;

  rows.bilateral = kinetic_columns(rows, problem.bilateral);
  rows.bilateral_length = normalise(rows.bilateral);
  rows.loops = orthonormal_basis(rows.bilateral);
  if (rows.bilateral.cols() > 0)
    rows.bilateral_residual = (rows.bilateral.transpose() * rows.before).cwiseAbs().maxCoeff();

  const Eigen::MatrixXd raw = kinetic_columns(rows, problem.normal);
  rows.normal = raw;
  rows.normal_length = reduce(rows, rows.normal);
  rows.tangential = kinetic_columns(rows, problem.tangential);
  rows.tangential_length = reduce(rows, rows.tangential);
  rows.tangents = raw.cols() > 0 ? static_cast<int>(rows.tangential.cols() / raw.cols()) : 0;
  classify(problem, raw, rows);
}

Eigen::MatrixXd contact_columns(const SimultaneousRows& rows, ColumnLengths lengths) {
  const Eigen::Index tangents = rows.tangents, per_contact = 1 + tangents;
  Eigen::MatrixXd columns(rows.size(), per_contact * rows.contacts());
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    columns.col(per_contact * j) = rows.normal.col(j) * (lengths == ColumnLengths::own ? rows.normal_length[j] : 1.0);
    for (Eigen::Index t = j * tangents; t < (j + 1) * tangents; ++t)
      columns.col(j + 1 + t) =
          rows.tangential.col(t) * (lengths == ColumnLengths::own ? rows.tangential_length[t] : 1.0);
  }
  return columns;
}

}  // namespace routh::internal
