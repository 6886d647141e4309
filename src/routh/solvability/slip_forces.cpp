#include "routh/solvability/slip_forces.h"

#include "routh/contacts/friction_contact.h"
#include "routh/math/bracket.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

std::optional<bool> slip_has_forces(const ModesProblem& problem) {
  if (problem.dimension == Dimension::planar && problem.count() <= enumerated_planar)
    return !examine_modes(problem).solutions.empty();
  const mode_search::ScaledProblem scaled = mode_search::scale_problem(problem);
  FrictionContactProblem contacts;
  contacts.dimension = scaled.dimension;
  contacts.inertia = scaled.inertia;
  contacts.velocity = scaled.free_acceleration;
  contacts.slip = scaled.slip;
  bool one_friction = true;  // else a contact at rest that begins to slip has less than it is given here
  for (int c = 0; c < scaled.count; ++c) {
    const bool slips = scaled.slips(c);
    contacts.friction.push_back(slips ? scaled.kinetic_friction(c) : scaled.static_friction(c));
    one_friction = one_friction && (slips || scaled.static_friction(c) == scaled.kinetic_friction(c));
  }
  ContactsOptions options;
  options.uniqueness = false;
  const ContactsSolution solution = solve_contacts(contacts, options);
  // The larger cone holds the smaller one: no impulse in it is none in either. Cases ask for slip at its edge.
  if (solution.status == ContactsStatus::infeasible && (one_friction || solution.cases.empty())) return false;
  if (solution.status == ContactsStatus::solved && one_friction) return true;
  if (!find_modes(problem, {}).solutions.empty()) return true;
  return std::nullopt;
}

std::optional<double> jam_factor(const ModesProblem& problem, bool forces) {
  const auto at = [&](double factor) {
    ModesProblem scaled = problem;
    for (Friction& f : scaled.friction) f = {factor * f.static_coefficient, factor * f.kinetic_coefficient};
    return slip_has_forces(scaled);
  };
  const double ratio = forces ? tolerances::jam_friction_ratio : 1 / tolerances::jam_friction_ratio;
  double here = 1;
  for (int k = 0; k < tolerances::jam_friction_steps; ++k) {
    const double next = here * ratio;
    const std::optional<bool> there = at(next);
    if (!there) return std::nullopt;
    if (*there != forces)
      return bisect({here, next}, tolerances::jam_bisections, [&](double s) { return at(s) == forces; }).middle();
    here = next;
  }
  return std::nullopt;
}

}  // namespace routh::internal
