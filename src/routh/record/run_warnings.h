// What a run says against itself, as sentences for a person, without a capital and a full stop: the program, the page
// and Python say the same.
#pragma once

#include <string>
#include <vector>

#include "routh/record/run_file.h"

namespace routh::internal {

// Whether an answer was given where the law itself gave none, or several.
bool is_shortcut(Warning warning);

// Empty where there is nothing to say.
std::string gain_sentence(const EnergyAccount& energy);
std::string correction_sentence(const EnergyAccount& energy, double tolerance, EngineKind engine = EngineKind::events);
std::string balance_sentence(const EnergyAccount& energy, double tolerance);
// Of steps that left contact problems above the residual asked for.
std::string unsolved_sentence(const SimulationStatistics& statistics);
// "3 events: friction was changed …"
std::string count_sentence(Warning warning, long count);

// Which warnings of events are told besides what the account of energy shows.
enum class EventWarnings { shortcuts, all };

// All of them: energy first, then the kinds of warnings that events carry.
std::vector<std::string> run_warnings(const RunData& run, EventWarnings told);

}  // namespace routh::internal
