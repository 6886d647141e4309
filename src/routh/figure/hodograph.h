// The picture of one impact: the path of the slip velocity, and the normal velocity against the normal impulse.
#pragma once

#include <span>
#include <string>

#include "routh/impact/problem.h"

namespace routh::internal {

// An SVG picture with two panels.
//   left   the hodograph: v_t2 against v_t1 with the invariant slip directions; in the plane v_n against v_t
//   right  v_n against I_n with compression and restitution shaded
// Each law has its colour and its end mark; laws without an answer are named in the legend. Laws that share a path take
// turns along it. The same problem gives the same bytes.
std::string hodograph_svg(const ImpactProblem& problem, std::span<const Law> laws, const std::string& title);

// The same picture as pixels, `scale` times the size of the SVG (0.1 to 10).
std::string hodograph_png(const ImpactProblem& problem, std::span<const Law> laws, const std::string& title,
                          double scale);

}  // namespace routh::internal
