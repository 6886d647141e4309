#include "routh/solvability/motion_starts.h"

#include <algorithm>
#include <random>

#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

using mode_search::Combination;
using mode_search::ScaledProblem;

double signed_uniform(std::mt19937& random) { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1; }

bool same_modes(const ScaledProblem& problem, const Combination& a, const Combination& b) {
  if (a.modes != b.modes) return false;
  for (int c = 0; c < problem.count; ++c)
    if (a.mode(c) == ContactMode::slip && !(a.sigma(c).dot(b.sigma(c)) > tolerances::motion_same_direction))
      return false;
  return true;
}

}  // namespace

MotionStarts::MotionStarts(const ScaledProblem& problem) : problem_(problem) {
  contacts_.dimension = problem.dimension;
  contacts_.inertia = problem.inertia;
  contacts_.velocity = problem.free_acceleration;
  for (int c = 0; c < problem.count; ++c) contacts_.friction.push_back(problem.kinetic_friction(c));
  options_.uniqueness = options_.certificate = options_.thorough = false;
}

double MotionStarts::arrive(const Eigen::VectorXd& start, Combination& modes) {
  const ContactsSolution& found =
      solver_.solve(contacts_, options_, {start.data(), static_cast<std::size_t>(start.size())});
  if (found.status != ContactsStatus::solved) return 0;
  const double size = mode_search::size_of(found.impulse, found.velocity);
  modes = modes_of(problem_, found.velocity, tolerances::mode_answer_relative * size);
  mode_search::Candidate candidate{modes, found.impulse, {}};
  for (int c = 0; c < problem_.count; ++c)
    if (modes.mode(c) == ContactMode::free) candidate.force.segment<3>(problem_.row(c)).setZero();  // of rounding
  candidate.acceleration = problem_.inertia * candidate.force + problem_.free_acceleration;
  return holds(problem_, candidate) ? found.velocity.lpNorm<Eigen::Infinity>() / size : 0;
}

std::vector<Combination> MotionStarts::all() {
  std::vector<Combination> found;
  std::mt19937 random(1);
  const Eigen::Index rows = problem_.inertia.rows();
  for (int k = 0; k < tolerances::motion_starts; ++k) {
    // What impulses of any direction would move, and the friction against it; at first, what the other forces would.
    Eigen::VectorXd motion = problem_.free_acceleration;
    if (k > 0) motion = problem_.inertia * Eigen::VectorXd::NullaryExpr(rows, [&] { return signed_uniform(random); });
    Eigen::VectorXd start = Eigen::VectorXd::Zero(rows);
    for (int c = 0; c < problem_.count; ++c) {
      const Eigen::Vector2d slip = problem_.tangent(motion, c);
      const double mu = problem_.kinetic_friction(c), normal = 0.5 + 0.5 * signed_uniform(random);
      if (k > 0 && k % 2 == 0 && motion[problem_.row(c)] > 0) continue;  // opens
      start[problem_.row(c)] = normal;
      if (slip.norm() > 0) start.segment<2>(problem_.row(c) + 1) = -mu * normal * slip.normalized();
    }
    Combination modes;
    if (!(arrive(start, modes) > tolerances::motion_least)) continue;
    if (std::none_of(found.begin(), found.end(),
                     [&](const Combination& other) { return same_modes(problem_, other, modes); }))
      found.push_back(std::move(modes));
  }
  return found;
}

double MotionStarts::size_from(const Combination& combination) {
  Eigen::VectorXd start = Eigen::VectorXd::Zero(problem_.inertia.rows());
  for (int c = 0; c < problem_.count; ++c) {
    if (combination.mode(c) == ContactMode::free) continue;
    start[problem_.row(c)] = 1;
    if (combination.mode(c) == ContactMode::slip)
      start.segment<2>(problem_.row(c) + 1) = -problem_.kinetic_friction(c) * combination.sigma(c);
  }
  Combination modes;
  return arrive(start, modes);
}

}  // namespace routh::internal
