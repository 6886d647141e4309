#include "routh/simulation/step_rest.h"

#include "routh/simulation/tolerances.h"
#include "routh/solvability/contact_modes.h"

namespace routh::internal {

bool StepRest::find(FrictionContactProblem& problem, Eigen::VectorXd& impulse) {
  const auto* const D = std::get_if<Eigen::MatrixXd>(&problem.inertia);
  if (!D) return false;
  ModesProblem modes;
  modes.dimension = problem.dimension;
  modes.inertia = *D;
  modes.free_acceleration = problem.velocity;
  modes.velocity.setZero(problem.velocity.size());
  for (const double friction : problem.friction) modes.friction.push_back({friction, friction});
  const ModesReport report = find_modes(modes, std::vector<ContactMode>(problem.friction.size(), ContactMode::stick));
  if (report.solutions.empty()) return false;
  impulse = report.solutions.front().force;
  if ((*D * impulse + problem.velocity).norm() > tolerances::rest_residual * problem.velocity.norm()) return false;
  problem.slip.assign(problem.friction.size(), Eigen::Vector2d::Zero());
  lessen(problem, impulse);
  problem.slip.clear();
  return true;
}

void StepRest::lessen(const FrictionContactProblem& problem, Eigen::VectorXd& force) {
  least_ = force;
  if (admissible_.find(problem, least_) && least_.norm() < force.norm()) force = least_;
}

}  // namespace routh::internal
