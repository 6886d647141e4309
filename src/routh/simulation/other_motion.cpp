#include "routh/simulation/other_motion.h"
#include "routh/simulation/tolerances.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

bool OtherMotion::exists(const ModesProblem& problem, const ModesSolution& taken) {
  const int count = problem.count(), rows = problem.rows();
  const bool rough = std::any_of(problem.friction.begin(), problem.friction.end(),
                                 [](const Friction& each) { return each.static_coefficient > 0; });
  if (!rough || count > tolerances::other_motion_contacts || problem.free_acceleration.isZero(0)) return false;
  contacts_.dimension = problem.dimension;
  contacts_.inertia = problem.inertia;
  contacts_.velocity = problem.free_acceleration;
  contacts_.friction.resize(static_cast<std::size_t>(count));
  contacts_.slip.assign(static_cast<std::size_t>(count), Eigen::Vector2d::Zero());
  for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) {
    const Eigen::Index first = rows * static_cast<Eigen::Index>(c);
    const Friction& own = problem.friction[c];
    contacts_.friction[c] = taken.modes[c] == ContactMode::slip ? own.kinetic_coefficient : own.static_coefficient;
    const Eigen::Vector2d slip(problem.velocity[first + 1], rows == 3 ? problem.velocity[first + 2] : 0);
    if (slip.isZero(0)) continue;
    contacts_.slip[c] = slip.stableNormalized();
    contacts_.friction[c] = own.kinetic_coefficient;
  }
  ContactsOptions options;
  options.uniqueness = false;
  options.other_starts = tolerances::other_motion_starts;
  const ContactsSolution& found =
      solver_.solve(contacts_, options, {taken.force.data(), static_cast<std::size_t>(taken.force.size())});
  if (found.status != ContactsStatus::solved) return false;
  const double size = std::max(problem.free_acceleration.norm(), taken.acceleration.norm());
  const auto differs = [&](const Eigen::VectorXd& acceleration) {
    return acceleration.size() > 0 &&
           (acceleration - taken.acceleration).norm() > tolerances::other_motion_distance * size;
  };
  return differs(found.velocity) || differs(found.other_velocity);
}

}  // namespace routh::internal
