// Inside of other_motions: motions that contacts in space without slip could begin, where there are too many to
// enumerate. Newton's method for the frictional contact problem sets out from motions of the machine, each with the
// friction that opposes it; where it arrives the laws are obeyed, but a motion can be missed. Not for users.
#pragma once

#include <vector>

#include "routh/contacts/friction_contact.h"
#include "routh/solvability/mode_system.h"

namespace routh::internal {

class MotionStarts {
 public:
  // Kinetic friction: a motion that it allows is one, whatever more could hold.
  explicit MotionStarts(const mode_search::ScaledProblem& problem);

  // Motions, no two of them with the same modes.
  std::vector<mode_search::Combination> all();
  // ‖v̇‖, of one and the largest force, where contacts with these modes lead to; zero: to rest, or nowhere.
  double size_from(const mode_search::Combination& combination);

 private:
  double arrive(const Eigen::VectorXd& start, mode_search::Combination& modes);

  const mode_search::ScaledProblem& problem_;
  FrictionContactProblem contacts_;
  FrictionContactSolver solver_;
  ContactsOptions options_;
};

}  // namespace routh::internal
