// The kinds that a document speaks of, each with the words a page shows for it and a category that decides its colour
// (viewer/FORMAT.md). The page has no list of its own: a kind that is added here is shown there.
#pragma once

#include "routh/report/json_writer.h"
#include "routh/simulation/simulator.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

// `kinds` of a run: `event`, `contact`, `contact_mode`, `impact_mode`, `phase`.
void write_run_kinds(JsonWriter& json);
// `kinds` of an impact: `status`, `impact_mode`, `phase`, `role`, `bound`, `rule`, `answer`.
void write_impact_kinds(JsonWriter& json);
// `kinds` of a diagnosis: `impact_mode`, `slip_entry`.
void write_diagnosis_kinds(JsonWriter& json);

// How a value is coloured: "good", "bad", "plain".
const char* tone(ContactVerdict verdict);
const char* tone(HoldVerdict verdict);
const char* tone(SimulationStatus status);
// "sticks in compression"; `again` is what slip that starts again does.
std::string mode_words(ImpactMode mode, const std::string& again);
// How a run ended, in a word or two.
std::string ending(SimulationStatus status);

}  // namespace routh::internal
