// A problem file with several contacts, diagnosed: which restitutions they admit together, and, where `force` says what
// presses, whether those that rest hold. As JSON and as sentences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/problem/problem_file.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/energy_consistency.h"

namespace routh::internal {

enum class SeveralKind { approaching, resting, separating };
constexpr auto names_of(SeveralKind) {
  return name_table<SeveralKind>({{SeveralKind::approaching, "approaching"},
                                  {SeveralKind::resting, "resting"},
                                  {SeveralKind::separating, "separating"}});
}

struct SeveralDiagnosis {
  std::vector<SeveralKind> kinds;  // of each contact
  RestitutionAnswer restitution;   // all contacts striking, whatever they do at the velocity of the file
  int rows = 0, rank = 0;          // of bilateral and normal rows
  // Of the contacts that rest, where the file has a force and one does.
  std::vector<int> resting;
  std::optional<ModesReport> together;
  std::optional<HoldReport> hold;
};

// Throws InputError where the file's matrices are refused.
SeveralDiagnosis diagnose_several(const ProblemFile& file);

std::string several_diagnosis_json(const ProblemFile& file, const SeveralDiagnosis& diagnosis);
std::vector<std::string> several_diagnosis_sentences(const SeveralDiagnosis& diagnosis);

}  // namespace routh::internal
