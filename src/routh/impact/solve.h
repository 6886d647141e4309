// The front door: one problem, one law, one answer. No allocation, no global state, same bits for the same input.
#pragma once

#include <vector>

#include "routh/impact/result.h"

namespace routh {

// Which rule a problem breaks: names the quantity, its value and what is allowed. `rule` is null when it breaks none.
struct Violation {
  const char* quantity = nullptr;
  double value = 0;
  const char* rule = nullptr;
};
Violation check(const ImpactProblem& problem);

// Solves the impact. Never throws; a problem that breaks a rule gets ImpactStatus::invalid.
ImpactResult solve_impact(const ImpactProblem& problem, Law law = Law::energetic);

// A point of the path through the impact, for pictures.
struct PathPoint {
  double normal_impulse = 0;
  ContactVector velocity;  // relative [m/s]
  Stage stage = Stage::compression;
};

// The same solve, with the path of the relative velocity sampled closely enough to draw. The path of unified and
// classical, which have none, is the straight line between before and after.
std::vector<PathPoint> trace_impact(const ImpactProblem& problem, Law law);

}  // namespace routh
