// Inside of hold_verdict: motions that contacts without slip could begin, besides rest, and up to which friction.
//
// A motion begins with modes (free, stick, slip to a side) that some motion of the machine can have at all: w_n > 0
// where a contact opens, w = 0 where it sticks, w_n = 0 and w_t along σ where it slips, w in the range of D. Friction
// has no part in this, so that in the plane the combinations are listed once, and for each friction only these are
// tried. In space the directions of slip are unknown, and `examine_modes` is asked; of more contacts than it enumerates
// Newton's method from many starts (motion_starts.h). Not for users.
#pragma once

#include <functional>
#include <vector>

#include "routh/solvability/contact_modes.h"
#include "routh/solvability/mode_system.h"

namespace routh::internal {

class OtherMotions {
 public:
  // Velocities are not looked at.
  explicit OtherMotions(const ModesProblem& problem);

  // False: more combinations in the plane than are tried.
  bool known() const { return known_; }
  // False: directions of slip are searched from a grid of starts, or motions from some dozen, and one could be missed.
  bool complete() const { return problem_.dimension == Dimension::planar; }
  // Every combination that obeys the laws with these coefficients and is no rest.
  std::vector<mode_search::Combination> with(const std::vector<Friction>& friction) const;

  // The values s at which some motion obeys the laws with friction(s), up to where a friction is a thousand, which
  // stands for infinity. Zero and steps by some ratio are tried; what begins and ends between two of them is missed.
  // Below `rest_from` rest is not possible, and so a motion is.
  using Coefficients = std::function<std::vector<Friction>(double)>;
  std::vector<MotionRange> ranges(const Coefficients& friction, double rest_from) const;

 private:
  double motion_size(const std::vector<Friction>& friction, const mode_search::Combination& combination) const;
  double border(double with, double without, const Coefficients& friction,
                const mode_search::Combination& combination) const;

  ModesProblem given_;
  mode_search::ScaledProblem problem_;
  std::vector<mode_search::Combination> possible_;  // planar
  bool known_ = true, searched_ = false;
};

}  // namespace routh::internal
