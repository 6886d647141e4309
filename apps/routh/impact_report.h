// One impact for a reader: the laws side by side, the path of one law, the thresholds. At most 80 columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "routh/impact/bounds.h"
#include "routh/impact/result.h"
#include "terminal.h"

namespace routh {

struct ImpactReport {
  std::string title;
  const ImpactProblem* problem = nullptr;
  ImpactBounds bounds;
  std::vector<ImpactResult> results;
  // Velocity of the machine after each result, and the generalised impulse of its loops; empty when only the contact is
  // known.
  std::vector<std::vector<double>> machine_velocity;
  std::vector<std::vector<double>> loop_impulse;
};

std::string render(const Terminal& terminal, const ImpactReport& report);

// The warnings of all results as sentences, one each, naming the laws they concern; then the laws without an answer,
// except the first, whose want of an answer is an error and not a warning.
std::vector<std::string> warning_sentences(std::span<const ImpactResult> results);

}  // namespace routh
