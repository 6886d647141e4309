#include "routh/solvability/mode_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace routh::internal::mode_search {

Eigen::Vector2d ScaledProblem::tangent(const Eigen::VectorXd& x, int contact) const {
  return {x[row(contact) + 1], dimension == Dimension::spatial ? x[row(contact) + 2] : 0.0};
}

Combination all_free(const ScaledProblem& problem) {
  const std::size_t count = static_cast<std::size_t>(problem.count);
  return {std::vector<ContactMode>(count, ContactMode::free),
          std::vector<Eigen::Vector2d>(count, Eigen::Vector2d::UnitX())};
}

void set_mode(const ScaledProblem& problem, Combination& combination, int contact, ContactMode mode,
              const Eigen::Vector2d& beginning) {
  const std::size_t c = static_cast<std::size_t>(contact);
  combination.modes[c] = mode;
  combination.direction[c] = problem.slips(contact) ? problem.slip[c] : beginning;
}

std::vector<int> unknown_directions(const ScaledProblem& problem, const Combination& combination) {
  std::vector<int> contacts;
  if (problem.dimension == Dimension::planar) return contacts;
  for (int c = 0; c < problem.count; ++c)
    if (combination.mode(c) == ContactMode::slip && !problem.slips(c) && problem.kinetic_friction(c) > 0)
      contacts.push_back(c);
  return contacts;
}

ModeSystem::ModeSystem(const ScaledProblem& problem, const Combination& combination) : problem_(problem) {
  const Eigen::Index size = problem.inertia.rows();
  generators_.setZero(size, size);
  Eigen::Index columns = 0;
  for (int c = 0; c < problem.count; ++c) {
    const int row = problem.row(c);
    switch (combination.mode(c)) {
      case ContactMode::free:
        break;
      case ContactMode::stick:
        for (int k = 0; k < problem.rows; ++k) {
          generators_(row + k, columns++) = 1;
          equalities_.push_back(row + k);
        }
        break;
      case ContactMode::slip:
        generators_(row, columns) = 1;
        for (int k = 1; k < problem.rows; ++k)
          generators_(row + k, columns) = -problem.kinetic_friction(c) * combination.sigma(c)[k - 1];
        ++columns;
        equalities_.push_back(row);
        break;
    }
  }
  generators_.conservativeResize(size, columns);
  if (columns == 0) return;
  const Eigen::MatrixXd moved = problem.inertia * generators_;  // D̃ G
  response_ = moved(equalities_, Eigen::all);
  // |E_i D̃ g| ≤ √(D̃_ii) √(gᵀD̃g): entries of the scaled matrix are at most one, whatever the units of the rows.
  row_scale_.resize(columns);
  column_scale_.resize(columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    const double diagonal =
        problem.inertia(equalities_[static_cast<std::size_t>(k)], equalities_[static_cast<std::size_t>(k)]);
    const double energy = generators_.col(k).dot(moved.col(k));
    row_scale_[k] = diagonal > 1e-14 ? 1 / std::sqrt(diagonal) : 1;
    column_scale_[k] = energy > 1e-14 ? 1 / std::sqrt(energy) : 1;
  }
  factor_.setThreshold(rank_tolerance);
  factor_.compute(row_scale_.asDiagonal() * response_ * column_scale_.asDiagonal());
}

Eigen::VectorXd ModeSystem::solve(const Eigen::VectorXd& acceleration) const {
  if (equalities_.empty()) return Eigen::VectorXd::Zero(acceleration.size());
  const Eigen::VectorXd demand = acceleration(equalities_);
  const Eigen::VectorXd scaled = row_scale_.cwiseProduct(demand);
  return -(generators_ * column_scale_.cwiseProduct(factor_.solve(scaled)));
}

int ModeSystem::freedom() const {
  return equalities_.empty() ? 0 : static_cast<int>(equalities_.size()) - static_cast<int>(factor_.rank());
}

Eigen::VectorXd ModeSystem::weight() const {
  Eigen::VectorXd weights(problem_.inertia.rows());
  for (int c = 0; c < problem_.count; ++c)
    weights.segment(problem_.row(c), problem_.rows).setConstant(problem_.scale[c]);
  return weights / problem_.scale.mean();
}

Eigen::MatrixXd ModeSystem::null_forces() const {
  const Eigen::Index columns = generators_.cols();
  const Eigen::Index rank = columns - freedom();
  // The factorisation is K̂ P = Q [T 0; 0 0] Z: P Zᵀ spans the null space in its last columns.
  const Eigen::MatrixXd z = factor_.matrixZ();
  const Eigen::MatrixXd unscaled = factor_.colsPermutation() * Eigen::MatrixXd(z.transpose().rightCols(columns - rank));
  Eigen::MatrixXd forces = generators_ * (column_scale_.asDiagonal() * unscaled);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(weight().asDiagonal() * forces);
  const Eigen::MatrixXd r = qr.matrixQR().topRows(forces.cols());
  r.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(forces);
  return forces;
}

Eigen::VectorXd ModeSystem::least_force(const Eigen::MatrixXd& null) const {
  Eigen::VectorXd least = force();
  if (freedom() == 0) return least;
  const Eigen::VectorXd weights = weight();
  const Eigen::MatrixXd weighted = weights.asDiagonal() * null;
  least -= null * (weighted.transpose() * weights.cwiseProduct(least));
  return least;
}

bool ModeSystem::fulfils(const Eigen::VectorXd& force) const {
  const Eigen::VectorXd acceleration = problem_.inertia * force + problem_.free_acceleration;
  const double tolerance = answer_tolerance * size_of(force, acceleration);
  for (const int row : equalities_)
    if (!(std::abs(acceleration[row]) <= tolerance)) return false;
  return true;
}

double ModeSystem::determinant() const {
  if (equalities_.empty()) return 1;
  Eigen::MatrixXd k = response_;
  for (Eigen::Index j = 0; j < k.cols(); ++j) k.col(j) /= generators_.col(j).norm();
  return k.determinant();
}

double size_of(const Eigen::VectorXd& force, const Eigen::VectorXd& acceleration) {
  return std::max({1.0, force.lpNorm<Eigen::Infinity>(), acceleration.lpNorm<Eigen::Infinity>()});
}

bool holds(const ScaledProblem& problem, const Candidate& candidate) {
  const Eigen::VectorXd& force = candidate.force;
  const Eigen::VectorXd& acceleration = candidate.acceleration;
  if (!force.allFinite() || !acceleration.allFinite()) return false;
  const double tolerance = answer_tolerance * size_of(force, acceleration);
  for (int c = 0; c < problem.count; ++c) {
    const double normal = force[problem.row(c)], opening = acceleration[problem.row(c)];
    const Eigen::Vector2d friction = problem.tangent(force, c), motion = problem.tangent(acceleration, c);
    const double mu = problem.kinetic_friction(c);
    const Eigen::Vector2d& sigma = candidate.combination.sigma(c);
    switch (candidate.combination.mode(c)) {
      case ContactMode::free:
        if (opening < -tolerance || normal != 0 || !friction.isZero(0)) return false;
        break;
      case ContactMode::stick:
        if (std::abs(opening) > tolerance || motion.norm() > tolerance || normal < -tolerance) return false;
        if (friction.norm() > problem.static_friction(c) * normal + tolerance * (1 + problem.static_friction(c)))
          return false;
        break;
      case ContactMode::slip:
        if (std::abs(opening) > tolerance || normal < -tolerance) return false;
        if ((friction + mu * normal * sigma).norm() > tolerance * (1 + mu)) return false;
        if (problem.slips(c) || mu == 0) break;
        if (motion.dot(sigma) < -tolerance || std::abs(motion.x() * sigma.y() - motion.y() * sigma.x()) > tolerance)
          return false;
        break;
    }
  }
  return true;
}

Combination modes_of(const ScaledProblem& problem, const Eigen::VectorXd& acceleration, double tolerance) {
  Combination combination = all_free(problem);
  for (int c = 0; c < problem.count; ++c) {
    if (acceleration[problem.row(c)] > tolerance) continue;
    const Eigen::Vector2d motion = problem.tangent(acceleration, c);
    if (problem.slips(c) || motion.norm() > tolerance)
      set_mode(problem, combination, c, ContactMode::slip, motion.normalized());
    else
      set_mode(problem, combination, c, ContactMode::stick);
  }
  return combination;
}

Candidate settled(const ScaledProblem& problem, const Candidate& candidate) {
  const double tolerance = answer_tolerance * size_of(candidate.force, candidate.acceleration);
  Combination meant = modes_of(problem, candidate.acceleration, 10 * tolerance);
  if (meant.modes == candidate.combination.modes) return candidate;
  // Directions of the slips that were solved for are better than those read off a small acceleration.
  for (int c = 0; c < problem.count; ++c)
    if (candidate.combination.mode(c) == ContactMode::slip && meant.mode(c) == ContactMode::slip)
      meant.direction[static_cast<std::size_t>(c)] = candidate.combination.sigma(c);
  const std::optional<Candidate> better = allowed_force(problem, meant);
  if (!better) return candidate;
  const double distance = (better->acceleration - candidate.acceleration).lpNorm<Eigen::Infinity>();
  return distance <= same_tolerance * size_of(candidate.force, candidate.acceleration) ? *better : candidate;
}

}  // namespace routh::internal::mode_search
