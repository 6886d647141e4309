// A diagnosis for a reader: words first, numbers after. At most 80 columns.
#pragma once

#include <string>

#include "routh/solvability/diagnosis_words.h"
#include "terminal.h"

namespace routh {

struct DiagnosisReport {
  std::string title;
  const ContactDiagnosis* diagnosis = nullptr;
  std::vector<PostureHint> hints;
};

std::string render(const Terminal& terminal, const DiagnosisReport& report);

}  // namespace routh
