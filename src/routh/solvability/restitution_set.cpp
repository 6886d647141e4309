#include "routh/solvability/energy_consistency.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "routh/impact/tolerances.h"
#include "routh/math/column_space.h"
#include "routh/math/dense_qr.h"
#include "routh/solvability/restitution_box.h"
#include "routh/solvability/restitution_growth.h"
#include "routh/solvability/semidefinite.h"
#include "routh/solvability/struck_form.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double infinite = std::numeric_limits<double>::infinity();

std::string complaint(const RestitutionQuestion& q, const RestitutionLimits& limits) {
  const Eigen::Index n = q.mass_matrix.rows();
  if (n < 1 || q.mass_matrix.cols() != n) return "the mass matrix is empty or not square";
  if (q.fixed.rows() > 0 && q.fixed.cols() != n)
    return fmt::format("the fixed rows have {} columns, the mass matrix {}", q.fixed.cols(), n);
  if (q.striking.rows() > 0 && q.striking.cols() != n)
    return fmt::format("the striking rows have {} columns, the mass matrix {}", q.striking.cols(), n);
  if (q.restitution.size() != q.striking.rows())
    return fmt::format("{} restitutions are given for {} striking rows", q.restitution.size(), q.striking.rows());
  if (!q.mass_matrix.allFinite() || !q.fixed.allFinite() || !q.striking.allFinite() || !q.restitution.allFinite())
    return "some number is not finite";
  for (Eigen::Index i = 0; i < q.restitution.size(); ++i)
    if (q.restitution(i) < 0 || q.restitution(i) > 1)
      return fmt::format("restitution {} of striking row {} is not in [0, 1]", q.restitution(i), i);
  const double skew = (0.5 * q.mass_matrix - 0.5 * q.mass_matrix.transpose()).cwiseAbs().maxCoeff();
  if (skew > tolerances::symmetry_relative * q.mass_matrix.cwiseAbs().maxCoeff())
    return "the mass matrix is not symmetric";
  if (std::isnan(limits.seconds)) return "the time limit is not a number";
  return {};
}

// Lᵀ of M = L Lᵀ and its inverse, through M scaled to unit diagonal so that units do not matter.
struct Metric {
  bool positive_definite = false;
  Eigen::MatrixXd to_metric;    // x = Lᵀ q̇
  Eigen::MatrixXd to_velocity;  // q̇ = L⁻ᵀ x

  // L⁻¹aᵀ of a row, of unit length; zero when the row is.
  Eigen::VectorXd unit_column(const Eigen::RowVectorXd& row) const {
    const double size = row.cwiseAbs().maxCoeff();
    if (!(size > 0)) return Eigen::VectorXd::Zero(row.size());
    const Eigen::VectorXd column = to_velocity.transpose() * (row / size).transpose();
    return column / column.stableNorm();
  }
};

Metric metric_of(const Eigen::MatrixXd& mass) {
  Metric out;
  const Eigen::VectorXd diagonal = mass.diagonal();
  if (!(diagonal.minCoeff() > 0)) return out;
  const Eigen::VectorXd root = diagonal.cwiseSqrt(), inverse = root.cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> llt(inverse.asDiagonal() * mass * inverse.asDiagonal());
  const Eigen::MatrixXd upper = llt.matrixU();
  if (llt.info() != Eigen::Success || !(upper.diagonal().cwiseAbs2().minCoeff() > tolerances::unit_mass_pivot))
    return out;
  out.to_metric = upper * root.asDiagonal();
  Eigen::MatrixXd solved = Eigen::MatrixXd::Identity(mass.rows(), mass.rows());
  upper.triangularView<Eigen::Upper>().solveInPlace(solved);
  out.to_velocity = inverse.asDiagonal() * solved;
  out.positive_definite = out.to_metric.allFinite() && out.to_velocity.allFinite();
  return out;
}

ColumnSpace column_space(const Metric& metric, const Eigen::MatrixXd& rows) {
  ColumnSpace space(static_cast<int>(metric.to_velocity.rows()), static_cast<int>(rows.rows()));
  space.clear();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) space.add(metric.unit_column(rows.row(i)));
  space.finish();
  return space;
}

// The striking rows, equal ones with equal restitution counted once and idle ones left out.
struct Strikes {
  std::vector<int> member;  // of each striking row: which strike it belongs to; −1: idle
  Eigen::VectorXd e;        // of each strike
  Eigen::VectorXd weight;   // rows counted in each
  StruckForm form;

  // Values of the strikes as values of the rows; idle rows keep theirs.
  Eigen::VectorXd spread(const Eigen::VectorXd& values, const Eigen::VectorXd& given) const {
    Eigen::VectorXd out = given;
    for (Eigen::Index i = 0; i < out.size(); ++i)
      if (const int k = member[static_cast<std::size_t>(i)]; k >= 0) out(i) = values(k);
    return out;
  }
};

Strikes strikes_of(const RestitutionQuestion& q, const Metric& metric) {
  const ColumnSpace fixed = column_space(metric, q.fixed);
  const Eigen::Index rows = q.striking.rows();
  Strikes out;
  Eigen::MatrixXd unit(q.mass_matrix.rows(), rows), left(q.mass_matrix.rows(), rows);
  out.e.resize(rows);
  out.weight = Eigen::VectorXd::Zero(rows);
  int count = 0;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Eigen::VectorXd column = metric.unit_column(q.striking.row(i));
    Eigen::VectorXd rest = column;
    fixed.project_off(rest);
    int k = -1;
    if (rest.norm() > tolerances::unit_column_rank) {
      for (k = 0; k < count; ++k)
        if (out.e(k) == q.restitution(i) && (unit.col(k) - column).norm() <= tolerances::equal_columns) break;
      if (k == count) {
        unit.col(count) = column;
        left.col(count) = rest;
        out.e(count++) = q.restitution(i);
      }
      out.weight(k) += 1;
    }
    out.member.push_back(k);
  }
  out.e.conservativeResize(count);
  out.weight.conservativeResize(count);
  if (count > 0) out.form = struck_form(left.leftCols(count), metric.to_velocity);
  return out;
}

// (55) as printed. Π projects onto the range of L⁻¹Aᵀ, S = L⁻ᵀ Π Lᵀ, so Q = (Π Lᵀ A⁺)ᵀ(Π Lᵀ A⁺).
// False when the numbers are too large for it.
bool judge_printed(const RestitutionQuestion& q, const Metric& metric, RestitutionAnswer& out) {
  const Eigen::Index fixed = q.fixed.rows(), rows = fixed + q.striking.rows();
  Eigen::MatrixXd a(rows, q.mass_matrix.rows());
  if (fixed > 0) a.topRows(fixed) = q.fixed;
  a.bottomRows(q.striking.rows()) = q.striking;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(tolerances::row_space_rank);
  decomposition.compute(a);
  Eigen::MatrixXd reach = metric.to_metric * decomposition.pseudoInverse();
  const ColumnSpace space = column_space(metric, a);
  for (Eigen::Index i = 0; i < rows; ++i) space.project_on(reach.col(i));
  const Eigen::MatrixXd before = reach.transpose() * reach;
  Eigen::VectorXd e = Eigen::VectorXd::Zero(rows);
  e.tail(q.striking.rows()) = q.restitution;
  const Eigen::MatrixXd change = e.asDiagonal() * before * e.asDiagonal() - before;
  if (!change.allFinite()) return false;
  const auto largest = [](const Eigen::MatrixXd& m) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  };
  out.printed_eigenvalue = largest(change);
  out.consistent_printed = out.printed_eigenvalue <= tolerances::printed_eigenvalue_relative * largest(before);
  return true;
}

void judge_admissible(const Strikes& strikes, RestitutionAnswer& out) {
  const LargestGrowth growth = largest_growth(strikes.form.reflection(strikes.e));
  out.worst_growth = growth.norm * growth.norm - 1;
  out.consistent = out.worst_growth <= strikes.form.tolerance();
  if (out.consistent) out.worst_growth = std::min(out.worst_growth, 0.0);
  // φ̇ = V Σ y; K = ½‖y‖² = 1.
  const Eigen::VectorXd speeds = strikes.form.unscaled.transpose() * strikes.form.singular.cwiseProduct(growth.y);
  const double sign = speeds.sum() > 0 ? -1 : 1;
  out.worst_velocity = sign * std::sqrt(2.0) * (strikes.form.velocity * growth.y);
  out.largest_scaling = growth.norm > 0 ? 1 / growth.norm : infinite;
}

// [0 T; Tᵀ 0]
Eigen::MatrixXd off_diagonal(const Eigen::MatrixXd& t) {
  const Eigen::Index r = t.rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(2 * r, 2 * r);
  out.topRightCorner(r, r) = t;
  out.bottomLeftCorner(r, r) = t.transpose();
  return out;
}

class Examination {
 public:
  Examination(const RestitutionLimits& limits, RestitutionAnswer& answer)
      : iterations_(limits.iterations),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                     std::clamp(limits.seconds, 0.0, tolerances::time_limit_max)))),
        out_(answer) {}

  void scale_by_lmi(const Strikes& strikes);
  void find_nearest(const Strikes& strikes, const Eigen::VectorXd& given);
  void find_box(const Strikes& strikes);
  void remark(const std::string& words) { out_.message += (out_.message.empty() ? "" : "; ") + words; }

 private:
  SemidefiniteLimits solver_limits() const {
    SemidefiniteLimits limits;
    limits.iterations = iterations_;
    limits.seconds = std::chrono::duration<double>(deadline_ - Clock::now()).count();
    return limits;
  }
  void note_end(const SemidefiniteResult& result, const char* what) {
    if (result.end == SemidefiniteEnd::solved) return;
    const bool limit = result.end == SemidefiniteEnd::iteration_limit || result.end == SemidefiniteEnd::time_limit;
    if (out_.status == RestitutionStatus::ok)
      out_.status = limit ? RestitutionStatus::limit_reached : RestitutionStatus::ill_posed;
    remark(fmt::format("{}: {}", what, result.message));
  }

  int iterations_;
  Clock::time_point deadline_;
  RestitutionAnswer& out_;
};

// The largest s with [I sT; sTᵀ I] ⪰ 0. With T scaled to unit Frobenius norm s lies between 1 and √r.
void Examination::scale_by_lmi(const Strikes& strikes) {
  const Eigen::MatrixXd t = strikes.form.reflection(strikes.e);
  const double size = t.norm();
  if (!(size > 0)) {
    out_.lmi_scaling = infinite;
    out_.consistent_lmi = true;
    return;
  }
  const Eigen::Index r = t.rows();
  SemidefiniteProblem problem;
  problem.objective = Eigen::VectorXd::Ones(1);
  problem.constant = Eigen::MatrixXd::Identity(2 * r, 2 * r);
  problem.coefficients = {off_diagonal(t / -size)};
  problem.lower = Eigen::VectorXd::Zero(1);
  problem.upper = Eigen::VectorXd::Constant(1, 1 + std::sqrt(static_cast<double>(r)));
  const SemidefiniteResult result = maximise_semidefinite(problem, solver_limits());
  note_end(result, "scaling by the matrix inequality");
  if (!result.feasible) return;
  out_.lmi_scaling = result.y(0) / size;
  out_.consistent_lmi = out_.lmi_scaling >= 1 - tolerances::lmi_scaling_slack;
}

void Examination::find_nearest(const Strikes& strikes, const Eigen::VectorXd& given) {
  out_.nearest = given;
  if (out_.consistent) return;
  const StruckForm& form = strikes.form;
  const Eigen::Index r = form.rank();
  SemidefiniteProblem problem;
  problem.objective = strikes.weight;
  problem.constant = Eigen::MatrixXd::Identity(2 * r, 2 * r);
  for (Eigen::Index i = 0; i < strikes.e.size(); ++i)
    problem.coefficients.push_back(off_diagonal(-form.reflection_of(i)));
  problem.lower = Eigen::VectorXd::Zero(strikes.e.size());
  problem.upper = strikes.e;
  const SemidefiniteResult result = maximise_semidefinite(problem, solver_limits());
  // Without an answer of the solver the given values scaled down are one that holds.
  Eigen::VectorXd best = out_.largest_scaling * strikes.e;
  if (result.feasible) {
    const double norm = largest_growth(form.reflection(result.y)).norm;
    const Eigen::VectorXd e = result.y / std::max(1.0, norm);
    if (strikes.weight.dot(e) > strikes.weight.dot(best)) best = e;
  }
  note_end(result, "nearest values, which are consistent but perhaps not the greatest");
  out_.nearest = strikes.spread(best, given);
}

void Examination::find_box(const Strikes& strikes) {
  if (!out_.consistent) {
    out_.box = -1;
    return;
  }
  const RestitutionBox box = restitution_box(strikes.form, strikes.e, deadline_);
  out_.box = box.half_width;
  switch (box.proof) {
    case BoxProof::exact:
      break;
    case BoxProof::inner_too_many:
      remark("the box is a lower bound: more than ten contacts act on one another");
      break;
    case BoxProof::inner_no_time:
      out_.status = RestitutionStatus::limit_reached;
      remark("the box is a lower bound: the time limit was reached");
      break;
  }
}

RestitutionAnswer refused(RestitutionStatus status, const std::string& words, const RestitutionQuestion& question) {
  RestitutionAnswer out;
  out.status = status;
  out.message = words;
  if (status != RestitutionStatus::invalid) out.nearest = question.restitution;
  return out;
}

}  // namespace

RestitutionAnswer examine_restitution(const RestitutionQuestion& question, const RestitutionLimits& limits) {
  if (const std::string words = complaint(question, limits); !words.empty())
    return refused(RestitutionStatus::invalid, words, question);
  if (question.striking.rows() == 0) return refused(RestitutionStatus::ill_posed, "no contact strikes", question);
  const Metric metric = metric_of(question.mass_matrix);
  if (!metric.positive_definite)
    return refused(RestitutionStatus::ill_posed, "the mass matrix is not positive definite", question);
  const Strikes strikes = strikes_of(question, metric);
  if (strikes.e.size() == 0)
    return refused(RestitutionStatus::ill_posed,
                   "no striking row can move: each is zero or held by the bilateral and resting rows", question);
  RestitutionAnswer out;
  Examination examination(limits, out);
  out.rank = static_cast<int>(strikes.form.rank());
  for (std::size_t i = 0; i < strikes.member.size(); ++i)
    if (strikes.member[i] < 0) {
      out.idle.push_back(static_cast<int>(i));
      examination.remark(fmt::format("striking row {} cannot move, its restitution has no influence", i));
    }
  judge_admissible(strikes, out);
  if (!judge_printed(question, metric, out))
    examination.remark("the printed test was left out: its numbers are too large");
  examination.scale_by_lmi(strikes);
  examination.find_nearest(strikes, question.restitution);
  examination.find_box(strikes);
  out.answered = true;
  return out;
}

std::optional<double> internal::restitution_growth(const RestitutionQuestion& question) {
  if (!complaint(question, {}).empty()) return std::nullopt;
  const Metric metric = metric_of(question.mass_matrix);
  if (!metric.positive_definite) return std::nullopt;
  const Strikes strikes = strikes_of(question, metric);
  if (strikes.e.size() == 0 || strikes.form.rank() == 0) return std::nullopt;
  const double norm = largest_growth(strikes.form.reflection(strikes.e)).norm;
  return strikes.form.consistent(strikes.e) ? 0 : norm * norm - 1;
}

}  // namespace routh
