#include "routh/impact/simultaneous.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/simultaneous_stages.h"
#include "routh/impact/tolerances.h"
#include "routh/math/dense_qr.h"

namespace routh {

namespace {

bool valid_restitution(const Restitution& restitution) {
  const auto fraction = [](double e) { return e >= 0 && e <= 1; };
  switch (restitution.kind) {
    case RestitutionKind::constant:
      return fraction(restitution.normal);
    case RestitutionKind::linear:
      return restitution.alpha >= 0 && std::isfinite(restitution.alpha);
    case RestitutionKind::table: {
      if (restitution.table.empty()) return false;
      for (std::size_t i = 0; i < restitution.table.size(); ++i) {
        const RestitutionPoint& point = restitution.table[i];
        if (!std::isfinite(point.speed) || !fraction(point.coefficient)) return false;
        if (i > 0 && !(point.speed > restitution.table[i - 1].speed)) return false;
      }
      return true;
    }
  }
  return false;
}

bool fits(const Eigen::MatrixXd& rows, Eigen::Index n) { return rows.rows() == 0 || rows.cols() == n; }

bool shapes_fit(const SimultaneousProblem& p) {
  const Eigen::Index n = p.velocity.size(), contacts = p.normal.rows();
  const auto count = static_cast<std::size_t>(contacts);
  const bool tangents =
      p.tangential.rows() == 0 || p.tangential.rows() == contacts || p.tangential.rows() == 2 * contacts;
  return n > 0 && p.mass_matrix.rows() == n && p.mass_matrix.cols() == n && fits(p.bilateral, n) && fits(p.normal, n) &&
         fits(p.tangential, n) && tangents && p.restitution.size() == count &&
         (p.external_impulse.size() == 0 || p.external_impulse.size() == n) &&
         (p.friction.empty() || p.friction.size() == count);
}

bool valid(const SimultaneousProblem& p) {
  if (!shapes_fit(p)) return false;
  if (!p.mass_matrix.allFinite() || !p.velocity.allFinite() || !p.bilateral.allFinite() || !p.normal.allFinite() ||
      !p.tangential.allFinite() || !p.external_impulse.allFinite())
    return false;
  const Eigen::Index n = p.velocity.size();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double size = std::max(std::abs(p.mass_matrix(i, j)), std::abs(p.mass_matrix(j, i)));
      const double scale = std::sqrt(std::abs(p.mass_matrix(i, i))) * std::sqrt(std::abs(p.mass_matrix(j, j)));
      if (std::abs(p.mass_matrix(i, j) - p.mass_matrix(j, i)) > tolerances::symmetry_relative * std::max(size, scale))
        return false;
    }
  const bool friction =
      std::all_of(p.friction.begin(), p.friction.end(), [](const Friction& f) { return f.static_coefficient >= 0; });
  return friction && std::all_of(p.restitution.begin(), p.restitution.end(), valid_restitution);
}

// Cholesky's pivots against the diagonal: what is left of it after elimination must be more than rounding.
bool factorise(const Eigen::MatrixXd& mass, SimultaneousRows& rows) {
  rows.factor.compute(mass);
  if (rows.factor.info() != Eigen::Success) return false;
  const Eigen::Index n = mass.rows();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double pivot = rows.factor.matrixLLT()(i, i);
    if (!(pivot > 0) || !(pivot / mass(i, i) * pivot > tolerances::mass_pivot_relative * static_cast<double>(n)))
      return false;
  }
  return true;
}

bool in_cone(const SimultaneousContactResult& contact, const Friction& friction, double noise) {
  const double tangential = contact.tangential_impulse.stableNorm();
  if (tangential <= noise || std::isinf(friction.static_coefficient)) return true;
  return tangential <=
         friction.static_coefficient * contact.normal_impulse * (1 + tolerances::cone_excess_relative) + noise;
}

void fill_contact(const SimultaneousProblem& problem, const SimultaneousRows& rows, const ActingState& state,
                  Eigen::Index j, SimultaneousContactResult& contact) {
  const auto k = static_cast<std::size_t>(j);
  const bool acts = state.set.normal[k] != 0;
  if (!acts && contact.role != ContactRole::separates) contact.role = ContactRole::released;
  contact.acts = acts;
  const double residual = contact.departure + contact.restitution * contact.approach;
  if (rows.role[k] == ContactRole::strikes && (acts || residual < 0)) contact.residual = residual;
  if (rows.normal_length[j] > 0) contact.normal_impulse = state.normal[j] * (rows.speed / rows.normal_length[j]);
  contact.impulse_unique = state.normal_unique[k] != 0;
  contact.tangential_unique = state.tangential_unique[k] != 0;
  double noise = 0;
  for (int t = 0; t < rows.tangents; ++t) {
    const Eigen::Index column = j * rows.tangents + t;
    const double length = rows.tangential_length[column];
    if (!(length > 0)) continue;
    contact.tangential_impulse[t] = state.tangential[column] * (rows.speed / length);
    noise = std::max(noise, tolerances::simultaneous_equal * rows.speed / length);
  }
  if (!problem.friction.empty()) contact.inside_cone = in_cone(contact, problem.friction[k], noise);
}

// The counts of all acting rows.
void count_rows(const SimultaneousRows& rows, const ActingState& state, SimultaneousResult& result) {
  std::vector<Eigen::Index> acting;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    if (state.set.normal[static_cast<std::size_t>(j)] != 0) acting.push_back(j);
  const Eigen::MatrixXd sticking = sticking_columns(rows, state.set);
  Eigen::MatrixXd all(rows.size(), static_cast<Eigen::Index>(acting.size()) + sticking.cols());
  all << rows.normal(Eigen::all, acting), sticking;
  result.rows = static_cast<int>(rows.bilateral.cols() + all.cols());
  result.rank = static_cast<int>(rows.loops.cols() + orthonormal_basis(all).cols());
}

// Everything that does not depend on the answer.
void fill_before(const SimultaneousProblem& problem, const SimultaneousRows& rows, SimultaneousResult& result) {
  const Eigen::VectorXd approach = problem.normal * problem.velocity;
  result.contacts.resize(static_cast<std::size_t>(rows.contacts()));
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    SimultaneousContactResult& contact = result.contacts[static_cast<std::size_t>(j)];
    contact.role = rows.role[static_cast<std::size_t>(j)];
    contact.approach = contact.departure = approach[j];
    contact.restitution = rows.restitution[j];
  }
}

SimultaneousResult unmoved(const SimultaneousProblem& problem, SimultaneousStatus status) {
  SimultaneousResult result;
  result.status = status;
  result.velocity = problem.velocity;
  result.impulse = Eigen::VectorXd::Zero(problem.velocity.size());
  result.bilateral_impulse = Eigen::VectorXd::Zero(problem.bilateral.rows());
  result.contacts.resize(static_cast<std::size_t>(problem.normal.rows()));
  return result;
}

void warn(Warning warning, SimultaneousResult& result) { result.warnings |= static_cast<std::uint32_t>(warning); }

bool nothing_happens(const SimultaneousRows& rows, SimultaneousStatus status) {
  const bool strikes = std::find(rows.role.begin(), rows.role.end(), ContactRole::strikes) != rows.role.end();
  return !strikes && rows.push.isZero(0) && status != SimultaneousStatus::contradiction;
}

}  // namespace

namespace internal {

bool begin_simultaneous(SimultaneousProblem& problem, SimultaneousRows& rows, SimultaneousResult& result) {
  result = unmoved(problem, SimultaneousStatus::ok);
  if (!valid(problem)) {
    result.status = SimultaneousStatus::invalid;
    return false;
  }
  if (!factorise(problem.mass_matrix, rows)) {
    result.status = SimultaneousStatus::mass_matrix_indefinite;
    return false;
  }
  // Rows that are absent may come without columns.
  for (Eigen::MatrixXd* matrix : {&problem.bilateral, &problem.normal, &problem.tangential})
    if (matrix->rows() == 0) matrix->resize(0, problem.velocity.size());
  fill_rows(problem, rows);
  fill_before(problem, rows, result);
  if (rows.bilateral_residual > tolerances::bilateral_velocity_relative) {
    result.status = SimultaneousStatus::contradiction;
    warn(Warning::bilateral_velocity, result);
  }
  if (!rows.restitution_in_range) warn(Warning::restitution_out_of_range, result);
  return true;
}

void fill_loops(const SimultaneousProblem& problem, const SimultaneousRows& rows, SimultaneousResult& result) {
  const Eigen::Index loops = rows.bilateral.cols();
  Eigen::VectorXd rest = result.impulse;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    const SimultaneousContactResult& contact = result.contacts[static_cast<std::size_t>(j)];
    rest -= problem.normal.row(j).transpose() * contact.normal_impulse;
    for (int t = 0; t < rows.tangents; ++t)
      rest -= problem.tangential.row(j * rows.tangents + t).transpose() * contact.tangential_impulse[t];
  }
  if (rows.loops.cols() == 0) return;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(tolerances::simultaneous_rank);
  factor.compute(rows.bilateral);
  const Eigen::VectorXd through = rows.factor.matrixL().solve(rest), unit = factor.solve(through);
  for (Eigen::Index i = 0; i < loops; ++i)
    if (rows.bilateral_length[i] > 0) result.bilateral_impulse[i] = unit[i] / rows.bilateral_length[i];
}

}  // namespace internal

SimultaneousResult solve_simultaneous(const SimultaneousProblem& problem) {
  SimultaneousProblem full = problem;
  SimultaneousRows rows;
  SimultaneousResult result;
  if (!begin_simultaneous(full, rows, result)) return result;
  if (nothing_happens(rows, result.status)) {
    result.status = SimultaneousStatus::no_impact;
    return result;
  }
  const std::vector<SimultaneousStage> stages = run_stages(rows, problem.most_searched);
  const ActingState state = total_of(stages);
  result.rounds = state.rounds;
  if (!state.settled) {
    result.status = SimultaneousStatus::not_converged;
    return result;
  }
  result.velocity = rows.factor.matrixU().solve(state.velocity) * rows.speed;
  result.impulse = rows.factor.matrixL() * (state.velocity - rows.before - rows.push) * rows.speed;
  const Eigen::VectorXd departure = full.normal * result.velocity;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    result.contacts[static_cast<std::size_t>(j)].departure = departure[j];
    fill_contact(full, rows, state, j, result.contacts[static_cast<std::size_t>(j)]);
  }
  fill_loops(full, rows, result);
  count_rows(rows, state, result);
  fill_energy(stages, result);
  if (!result.consistent) warn(Warning::energy_gain, result);
  return result;
}

}  // namespace routh
