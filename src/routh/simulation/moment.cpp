#include "routh/simulation/moment.h"
#include "routh/simulation/tolerances.h"

#include <cmath>

namespace routh::internal {

Moment press_for_a_moment(const ModesProblem& problem) {
  Moment moment;
  const double load = problem.free_acceleration.cwiseAbs().maxCoeff();
  const double slip = problem.velocity.cwiseAbs().maxCoeff();
  if (!(load > 0)) return moment;
  const double length = slip > 0 ? tolerances::jam_seed * slip / load : 1,
               given = length * load;  // [s], [m/s]
  TogetherProblem struck;
  struck.dimension = problem.dimension;
  struck.inertia = problem.inertia;
  struck.velocity = problem.velocity + length * problem.free_acceleration;
  for (const Friction& friction : problem.friction)
    struck.contacts.push_back({.friction = friction, .restitution = {}});
  moment.result = solve_together(struck);
  moment.answered = usable(moment.result.status);
  const Eigen::VectorXd change = moment.result.velocity - problem.velocity;
  moment.acceleration = change / length;
  moment.jams = slip > 0 && change.cwiseAbs().maxCoeff() > tolerances::moment_jam_factor * given;
  for (Eigen::Index row = 0; row < change.size(); row += problem.rows()) {
    const auto tangent = [&](const Eigen::VectorXd& v) { return v.segment(row + 1, problem.rows() - 1).norm(); };
    const bool rests = tangent(problem.velocity) == 0 && tangent(change) <= tolerances::moment_zero_share * given;
    moment.modes.push_back(change[row] > tolerances::moment_zero_share * given ? ContactMode::free
                           : rests                                             ? ContactMode::stick
                                                                               : ContactMode::slip);
  }
  return moment;
}

}  // namespace routh::internal
