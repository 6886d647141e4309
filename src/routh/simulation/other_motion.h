// Is the motion that contacts were given the only one their laws allow? Private to the module.
//
// Contacts that share a load and rub may rest and slip under the same forces, as a drawer in its guides does. The modes
// are then a choice (instant_modes), which the event tells of.
#pragma once

#include "routh/contacts/friction_contact.h"
#include "routh/solvability/contact_modes.h"

namespace routh::internal {

class OtherMotion {
 public:
  // Whether forces in the cones give another acceleration than `taken`. Sought by Newton's method from a fixed set of
  // starts: one that is found exists; one that is not found may exist. Static friction where `taken` sticks, kinetic
  // where it slips, so that a slip which static friction alone prevents is none.
  bool exists(const ModesProblem& problem, const ModesSolution& taken);

 private:
  FrictionContactSolver solver_;
  FrictionContactProblem contacts_;
};

}  // namespace routh::internal
