// A diagnosis in words: the verdict, its reason, and what would change it.
#pragma once

#include <string>
#include <vector>

#include "routh/solvability/diagnosis.h"

namespace routh::internal {

// A posture that would change the verdict: "move upper below 0.6819 rad".
struct PostureHint {
  std::string joint;
  std::string unit;
  double from = 0, to = 0;
};

// Sentences, one each; the first is the verdict.
std::vector<std::string> diagnosis_sentences(const ContactDiagnosis& diagnosis, const std::vector<PostureHint>& hints);

}  // namespace routh::internal
