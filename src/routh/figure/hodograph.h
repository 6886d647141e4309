// The picture of one impact: the path of the slip velocity, and the normal velocity against the normal impulse.
#pragma once

#include <span>
#include <string>

#include "routh/figure/picture.h"
#include "routh/impact/problem.h"
#include "routh/impact/result.h"

namespace routh::internal {

// A picture with two panels.
//   left   the hodograph: v_t2 against v_t1 with the invariant slip directions; in the plane v_n against v_t
//   right  v_n against I_n with compression and restitution shaded
// Each law has its colour and its end mark; laws without an answer are named in the legend. Laws that share a path take
// turns along it.
// `results`: of this problem, one for each law that is shown.
Picture hodograph_picture(const ImpactProblem& problem, std::span<const ImpactResult> results,
                          const std::string& title);

}  // namespace routh::internal
