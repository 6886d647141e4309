// Contacts that touch, pressed together for a moment: struck by the velocities that the load would give them in it,
// without restitution. It stands in where the search for modes fails. Private to the module.
#pragma once

#include "routh/march/together.h"
#include "routh/solvability/contact_modes.h"

namespace routh::internal {

struct Moment {
  bool answered = false;
  bool jams = false;  // the velocities jumped, however short the moment: no finite forces do this
  TogetherResult result;
  // What the contacts come out of it with: a guess at what they do under the load.
  std::vector<ContactMode> modes;
  Eigen::VectorXd acceleration;
};

Moment press_for_a_moment(const ModesProblem& problem);

}  // namespace routh::internal
