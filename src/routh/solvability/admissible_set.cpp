#include "routh/solvability/energy_consistency.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/bounds.h"
#include "routh/impact/restitution.h"
#include "routh/impact/solve.h"
#include "routh/solvability/single_contact.h"
#include "routh/solvability/worst_stick.h"

namespace routh {

namespace {

double approach_speed(const ImpactProblem& problem) {
  return std::max(0.0, problem.surface_velocity.n - problem.velocity.n);
}

double restitution_of(const ImpactProblem& problem) {
  return restitution_at(problem.restitution, approach_speed(problem)).coefficient;
}

}  // namespace

AdmissibleRegion admissible_region(const ImpactProblem& problem) {
  const ImpactBounds bounds = compute_bounds(problem);
  if (problem.friction.static_coefficient >= bounds.impact_friction && std::isfinite(bounds.impact_friction)) {
    const double e = restitution_of(problem);
    // e*(v) is cut at zero, but with e_t < 0 even e = 0 can gain.
    const bool gains =
        e > bounds.restitution_bound || (e == 0 && !solve_impact(problem, Law::unified).energy.consistent);
    return gains ? AdmissibleRegion::stick_gains : AdmissibleRegion::sticks;
  }
  return problem.friction.kinetic_coefficient < bounds.jamming_friction ? AdmissibleRegion::slips
                                                                        : AdmissibleRegion::slip_jams;
}

ForAllVelocities admissible_for_all(const ImpactProblem& problem) {
  const ImpactBounds bounds = compute_bounds(problem);
  const double e = restitution_of(problem);
  // Where e depends on the speed the velocity is given at the speed of this e.
  const bool any_speed = problem.restitution.kind == RestitutionKind::constant || approach_speed(problem) == 0;
  const WorstStick worst =
      worst_stick(problem.inertia, {.friction = std::min(problem.friction.static_coefficient, widest_friction),
                                    .restitution = e,
                                    .tangential_restitution = problem.restitution.tangential,
                                    .approach_speed = any_speed ? 1 : approach_speed(problem)});
  ForAllVelocities out;
  out.gains = worst.gain > 0;
  out.jams = problem.friction.kinetic_coefficient >= bounds.jamming_friction;
  out.exact = !out.gains && !out.jams;
  out.printed = out.exact && e <= bounds.restitution_bound_any;  // e* is cut at zero, see above
  out.worst_velocity = worst.velocity;
  out.worst_gain = worst.gain;
  return out;
}

AdmissibleCurves admissible_curves(const ImpactProblem& problem, int points) {
  AdmissibleCurves out;
  ImpactProblem at = problem;
  for (int k = 0; k < points; ++k) {
    const double e = points > 1 ? static_cast<double>(k) / (points - 1) : 0;
    at.restitution.kind = RestitutionKind::constant;
    at.restitution.normal = e;
    const double friction = compute_bounds(at).impact_friction;
    if (std::isfinite(friction)) out.critical.push_back({e, friction});
  }
  const ImpactBounds bounds = compute_bounds(problem);
  out.restitution_bound = std::min(bounds.restitution_bound, 1.0);
  out.restitution_bound_any = bounds.restitution_bound_any;
  out.jamming_friction = bounds.jamming_friction;
  return out;
}

}  // namespace routh
