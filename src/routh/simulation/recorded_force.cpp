#include "routh/simulation/recorded_force.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/math/elementary.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

// A joint at the end of its range has no friction.
bool held_by_friction(const HeldContact& held) { return held.mode == ContactMode::stick && held.id.pair >= 0; }
bool rubs(const HeldContact& held) {
  return held.mode == ContactMode::slip && held.id.pair >= 0 && held.friction.kinetic_coefficient > 0;
}

}  // namespace

const Eigen::VectorXd& RecordedForce::find(Dimension dimension, ContactMotion& motion) {
  force_ = motion.force();
  if (motion.held().size() < 2) return force_;
  rows_ = dimension == Dimension::planar ? 2 : 3;
  const std::vector<std::vector<std::size_t>> known = motion.redundant_groups();
  for (const std::vector<std::size_t>& group : motion.coupled_groups()) {
    // Where contacts are known to be redundant and nothing rubs, the forces of the motion are the least of all.
    const bool least = std::find(known.begin(), known.end(), group) != known.end() &&
                       std::none_of(group.begin(), group.end(), [&](std::size_t i) { return rubs(motion.held()[i]); });
    if (!(least && obeys(motion, group)) && redundant(motion, group)) replace(dimension, motion, group);
  }
  return force_;
}

// Whether forces of the form that the modes allow, λ = G y, are not unique: GᵀDG is singular.
bool RecordedForce::redundant(const ContactMotion& motion, const std::vector<std::size_t>& group) {
  if (group.size() < 2) return false;
  generators_.setZero(motion.inertia().rows(), rows_ * static_cast<Eigen::Index>(group.size()));
  Eigen::Index count = 0;
  for (const std::size_t i : group) {
    const Eigen::Index row = rows_ * static_cast<Eigen::Index>(i);
    const HeldContact& held = motion.held()[i];
    for (Eigen::Index r = 0; r < (held_by_friction(held) ? rows_ : 1); ++r)
      if (motion.inertia()(row + r, row + r) > 0) generators_(row + r, count++) = 1;
    if (!rubs(held) || !(motion.inertia()(row, row) > 0)) continue;
    const SlipDirection sigma = motion.slip_direction(i);
    generators_(row + 1, count - 1) = -held.friction.kinetic_coefficient * sigma.t1;
    if (rows_ == 3) generators_(row + 2, count - 1) = -held.friction.kinetic_coefficient * sigma.t2;
  }
  const auto used = generators_.leftCols(count);
  response_.noalias() = used.transpose() * motion.inertia() * used;
  const Eigen::VectorXd scale = response_.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt();
  response_ = scale.cwiseInverse().asDiagonal() * response_ * scale.cwiseInverse().asDiagonal();
  const Eigen::LDLT<Eigen::MatrixXd> factor(response_);
  return count > 0 && !(factor.vectorD().minCoeff() > tolerances::rank_relative);
}

bool RecordedForce::obeys(const ContactMotion& motion, const std::vector<std::size_t>& group) const {
  double largest = 0;
  for (const std::size_t i : group)
    largest = std::max(largest, force_.segment(rows_ * static_cast<Eigen::Index>(i), rows_).cwiseAbs().maxCoeff());
  const double rounding = tolerances::cancelled * largest;
  return std::all_of(group.begin(), group.end(), [&](std::size_t i) {
    const HeldContact& held = motion.held()[i];
    const ContactVector force = contact_entries(force_, i, rows_);
    if (force.n < -rounding) return false;
    return !held_by_friction(held) ||
           elementary::hypot(force.t1, force.t2) <= held.friction.static_coefficient * force.n + rounding;
  });
}

void RecordedForce::replace(Dimension dimension, const ContactMotion& motion, const std::vector<std::size_t>& group) {
  const auto row_of = [&](std::size_t i) { return rows_ * static_cast<Eigen::Index>(i); };
  ModesProblem all = motion.modes_problem(dimension, group);
  problem_.dimension = dimension;
  problem_.inertia = std::move(all.inertia);
  problem_.velocity = std::move(all.free_acceleration);
  problem_.friction.assign(group.size(), 0);
  problem_.slip.assign(group.size(), Eigen::Vector2d::Zero());
  own_.resize(row_of(group.size()));
  for (std::size_t a = 0; a < group.size(); ++a) {
    const HeldContact& held = motion.held()[group[a]];
    own_.segment(row_of(a), rows_) = force_.segment(row_of(group[a]), rows_);
    if (held_by_friction(held)) problem_.friction[a] = held.friction.static_coefficient;
    if (!rubs(held)) continue;
    problem_.friction[a] = held.friction.kinetic_coefficient;
    const SlipDirection sigma = motion.slip_direction(group[a]);
    problem_.slip[a] = {sigma.t1, rows_ == 3 ? sigma.t2 : 0};
  }
  other_ = own_;
  if (!admissible_.find(problem_, other_) && !wedged(motion, group)) return;
  if (other_.norm() >= (1 - tolerances::recorded_motion_relative) * own_.norm() && obeys(motion, group)) return;
  for (std::size_t a = 0; a < group.size(); ++a)
    force_.segment(row_of(group[a]), rows_) = other_.segment(row_of(a), rows_);
}

// Forces far greater than the load, by which contacts that stick wedge each other: the search for modes, which works on
// faces of the cones, finds what steps of Newton's method do not. Into `other_`.
bool RecordedForce::wedged(const ContactMotion& motion, const std::vector<std::size_t>& group) {
  std::vector<ContactMode> modes;
  ModesProblem problem;
  problem.dimension = problem_.dimension;
  problem.inertia = std::get<Eigen::MatrixXd>(problem_.inertia);
  problem.free_acceleration = problem_.velocity;
  problem.velocity.setZero(own_.size());
  for (std::size_t a = 0; a < group.size(); ++a) {
    const HeldContact& held = motion.held()[group[a]];
    modes.push_back(held_by_friction(held) ? ContactMode::stick : ContactMode::slip);
    problem.friction.push_back({problem_.friction[a], problem_.friction[a]});
    if (rubs(held))
      problem.velocity.segment(rows_ * static_cast<Eigen::Index>(a) + 1, rows_ - 1) = problem_.slip[a].head(rows_ - 1);
  }
  if (std::count(modes.begin(), modes.end(), ContactMode::stick) == 0) return false;
  const ModesReport report = find_modes(problem, modes);
  if (report.solutions.empty()) return false;
  other_ = report.solutions.front().force;
  const Eigen::VectorXd wanted = problem.inertia * own_;
  return (problem.inertia * other_ - wanted).norm() <= tolerances::recorded_motion_relative * wanted.norm();
}

}  // namespace routh::internal
