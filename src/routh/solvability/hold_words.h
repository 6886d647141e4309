// Several contacts in words: the verdict on all of them, why, from which friction, and what would change it.
#pragma once

#include <string>
#include <vector>

#include "routh/solvability/contact_modes.h"
#include "routh/solvability/diagnosis_words.h"

namespace routh::internal {

struct HoldNames {
  std::vector<std::string> contacts;
  std::vector<std::string> loads, units;  // of the columns of loads: "drawer.x", "N"
};

// Sentences, one each; the first is the verdict. `hints`: postures at which rest becomes possible, or ceases to be.
std::vector<std::string> hold_sentences(const HoldReport& report, const HoldNames& names,
                                        const std::vector<PostureHint>& hints);

}  // namespace routh::internal
