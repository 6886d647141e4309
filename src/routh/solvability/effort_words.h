// Efforts on contacts in words: what happens, what would hold, what would let go.
#pragma once

#include <string>
#include <vector>

#include "routh/solvability/effort.h"

namespace routh::internal {

struct EffortNames {
  std::vector<std::string> contacts;
  std::vector<std::string> efforts, units;  // "upper", "N m"
};

// Sentences, one each; the first is the verdict.
std::vector<std::string> effort_sentences(const EffortReport& report, const EffortNames& names);

}  // namespace routh::internal
