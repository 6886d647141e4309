#include "routh/simulation/single_impact.h"

#include "routh/impact/swerve.h"

namespace routh::internal {

void describe_single_impact(const ImpactProblem& problem, const ImpactResult& result, Event& event) {
  event.rule = ImpactRule::single;
  event.energy = result.energy;
  event.warnings = result.warnings;
  EventContact& contact = event.contacts.front();
  contact.friction = problem.friction.kinetic_coefficient;
  contact.impulse = result.impulse;
  contact.mode = result.mode;
  contact.restitution = result.restitution;
  contact.phases.assign(result.begin(), result.end());
  contact.path = swerving_points(problem, result);
}

}  // namespace routh::internal
