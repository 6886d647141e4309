// Impulses from outside, at times known beforehand: what they do to the velocities before contacts answer. Private to
// the module.
//
//   q̇′ = q̇ + M_o⁺ S        S: generalised impulse; M_o⁺: the response that loops allow
//
// S supplies S·½(q̇ + q̇′): the whole change of the kinetic energy, for what loops take does no work. Contacts that are
// closed answer at the same instant (InstantHints::push).
#pragma once

#include <optional>

#include "routh/dynamics/constrained.h"
#include "routh/simulation/event.h"

namespace routh::internal {

class Blows {
 public:
  explicit Blows(const Model& model) : model_(model) {}

  // How many come before this time: those do not act on a run that starts there.
  long before(double time) const;
  // When the one with this number acts; `never` after the last.
  double time(long number) const;
  // Changes state.v by it. No value where M is singular.
  std::optional<Event> strike(long number, State& state, Workspace& workspace);

 private:
  const Model& model_;
  std::optional<ConstrainedDynamics> dynamics_;
};

}  // namespace routh::internal
