// The documents of the commands that are not about runs: what they print with --json, and what a page draws besides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/impact/solve.h"
#include "routh/problem/answer.h"
#include "routh/report/json_writer.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

struct DocumentHead {
  std::string title;
  std::vector<std::string> warnings = {};
};
// What every document begins with: opens its object.
void begin_document(const DocumentHead& head, const char* kind, JsonWriter& json);

// The way of the contact velocity under one law.
struct LawPath {
  int contact = 0;  // row of `strikes` in the answer to a scene
  Law law = Law::energetic;
  std::vector<PathPoint> points;
};
// The paths of the laws that have an answer.
std::vector<LawPath> law_paths(const ProblemAnswer& answer, int contact);

// As `paths`.
void write_law_paths(const std::vector<LawPath>& paths, JsonWriter& json);

// What a page needs to compute by itself.
struct Computing {
  std::string engine;                  // compressed WebAssembly; empty: the page does not compute
  std::vector<std::string> questions;  // JSON, one for each strike (play/impact_question.h); `null` where there is none
};
// `json` is what the command prints.
std::string impact_document(const DocumentHead& head, std::string_view json, const std::vector<LawPath>& paths,
                            const Computing& computing = {});

struct DiagnosedContact {
  const ContactDiagnosis* diagnosis = nullptr;
  std::vector<std::string> words;  // sentences
};
// All resting contacts together, where there are several.
struct DiagnosedTogether {
  HoldVerdict verdict = HoldVerdict::unknown;
  std::vector<std::string> words;  // sentences
};
// One for each row of `contacts` in `json`.
std::string diagnosis_document(const DocumentHead& head, std::string_view json,
                               const std::vector<DiagnosedContact>& contacts,
                               const std::optional<DiagnosedTogether>& together = std::nullopt);

// How a map is drawn and read, as in its picture.
struct MapLook {
  std::vector<std::string> colours;  // one for each row of `kinds` in `json`; empty: left white
  std::string_view number, unit;     // what the number at a point is
};
// `figure` is SVG.
std::string map_document(const DocumentHead& head, std::string_view json, const MapLook& look, std::string_view figure);

}  // namespace routh::internal
