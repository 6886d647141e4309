// Of the forces that give one motion, those of least norm that obey the laws of contact.
//
//   min ‖λ'‖   D λ' = D λ,   sticking: ‖λ'_t‖ ≤ μ λ'_n,   slipping: λ'_t = −μ λ'_n σ,   λ'_n ≥ 0
//
// λ is any force of the motion: redundant contacts share a load in many ways, and the way that a linear system finds
// may pull or leave the cone where others do not.
#pragma once

#include "routh/contacts/friction_contact.h"

namespace routh::internal {

class AdmissibleForce {
 public:
  AdmissibleForce();
  // `problem`: D formed, friction static where a contact sticks and kinetic where it slips, `slip` of those that slip.
  // Its velocity is not used but for the number of rows. False where no such forces exist, to 1e-8 of D λ; `force` is
  // then as it was.
  bool find(const FrictionContactProblem& problem, Eigen::VectorXd& force);

 private:
  struct Room;
  Hidden<Room> room_;
};

}  // namespace routh::internal
