// What the laws of contact leave open in a step, decided as by events: of several motions rest, of several forces the
// least. Private to the module.
#pragma once

#include "routh/contacts/admissible_force.h"
#include "routh/contacts/friction_contact.h"

namespace routh::internal {

class StepRest {
 public:
  // Impulses within the cones, static friction, that keep contacts at rest: D p = −u with u = `problem.velocity`. Of
  // those the least. False where there are none, or the search of modes finds none. D must be dense.
  bool find(FrictionContactProblem& problem, Eigen::VectorXd& impulse);
  // The least of the forces that give the same motion, in place of `force`; `problem.slip` of what slips.
  void lessen(const FrictionContactProblem& problem, Eigen::VectorXd& force);

 private:
  AdmissibleForce admissible_;
  Eigen::VectorXd least_;
};

}  // namespace routh::internal
