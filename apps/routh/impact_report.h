// One impact for a reader: the laws side by side, the path of one law, the thresholds. At most 80 columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "routh/impact/bounds.h"
#include "routh/impact/result.h"
#include "terminal.h"

namespace routh {

// Rows about the machine below those about the contact.
struct ReportSection {
  std::string title;                        // a line of its own; empty: none
  std::vector<std::string> labels;          // one for each row
  std::vector<std::vector<double>> values;  // by result, then by row
};

struct ImpactReport {
  std::string title;
  const ImpactProblem* problem = nullptr;
  ImpactBounds bounds;
  std::vector<ImpactResult> results;
  std::vector<ReportSection> sections;
};

std::string render(const Terminal& terminal, const ImpactReport& report);

// The warnings of all results as sentences, one each, naming the laws they concern; then the laws without an answer,
// except the first, whose want of an answer is an error and not a warning.
std::vector<std::string> warning_sentences(std::span<const ImpactResult> results);

}  // namespace routh
