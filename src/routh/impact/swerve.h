// What the phases of an impact leave out of its path: slip that swerves in space. Internal to the library.
#pragma once

#include <vector>

#include "routh/impact/solve.h"

namespace routh::internal {

// Points of the path between the ends of the phases of `result`, by rising normal impulse: so many that straight lines
// through them and the ends of the phases follow the path to 1/200 of its largest speed. None where every phase is a
// straight line, as always in the plane. `result` is what `solve_impact(problem, result.law)` gave.
std::vector<PathPoint> swerving_points(const ImpactProblem& problem, const ImpactResult& result);

}  // namespace routh::internal
