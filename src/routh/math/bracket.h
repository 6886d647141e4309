// Roots and borders kept between two ends: bisection, and Newton's method that may not leave its bracket.
#pragma once

#include <cmath>

#include "routh/math/tolerances.h"

namespace routh::internal {

struct Bracket {
  double low = 0, high = 0;

  double middle() const { return 0.5 * (low + high); }
};

// Bisection. Something holds at `low` and not at `high`, which are not looked at; on return so it is at the ends of a
// bracket 2^−halvings as wide, between which it changes (once, if it changes only once). Ends early where
// enough(bracket).
template <class Holds, class Enough>
Bracket bisect(Bracket bracket, int halvings, const Holds& holds, const Enough& enough) {
  for (int k = 0; k < halvings && !enough(bracket); ++k) {
    const double middle = bracket.middle();
    (holds(middle) ? bracket.low : bracket.high) = middle;
  }
  return bracket;
}
template <class Holds>
Bracket bisect(Bracket bracket, int halvings, const Holds& holds) {
  return bisect(bracket, halvings, holds, [](const Bracket&) { return false; });
}

// What is known of a function at a place.
struct RootPoint {
  bool before = false;  // the root lies above
  double next = 0;      // where Newton's method goes from here; NaN: it does not know
  bool exact = false;   // this is the root, as far as it can be told
};

// The one root of a function in a bracket, from `start` in it: evaluate(x) gives a RootPoint. Newton's steps, and
// halves of the bracket where they leave it; to `tolerance` of x.
template <class Evaluate>
double find_root(Bracket bracket, double start, double tolerance, const Evaluate& evaluate) {
  double x = start;
  for (int k = 0; k < tolerances::bracketed_newton_steps_max; ++k) {
    const RootPoint at = evaluate(x);
    if (at.exact) return x;
    (at.before ? bracket.low : bracket.high) = x;
    const double next = at.next > bracket.low && at.next < bracket.high ? at.next : bracket.middle();
    if (std::abs(next - x) <= tolerance * std::abs(x)) return next;
    x = next;
  }
  return x;
}

}  // namespace routh::internal
