// A run for a reader: a summary of at most 80 columns, and the log of its events.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "routh/record/run_warnings.h"
#include "terminal.h"

namespace routh {

inline constexpr int impact_rule_count = 5;

// What is counted while a run goes on, so that its events need not be kept.
struct EventCounts {
  std::array<long, event_kind_count> kinds{};
  std::array<long, impact_rule_count> rules{};
  long gaining = 0;                    // impacts that gave energy back
  std::vector<std::string> gained_by;  // the laws and rules of those
  WarningCounts warnings{};

  void add(const Event& event);
  long impacts() const;
};

struct SimulationReport {
  std::string title;
  double start = 0;  // [s]
  EngineKind engine = EngineKind::events;
  const RunOutcome* outcome = nullptr;
  const EventCounts* counts = nullptr;
  std::string file;  // that was written; empty: none
  long samples = 0;  // in it
};

std::string render(const Terminal& terminal, const SimulationReport& report);

// A line for each contact of each event. Events with warnings bear letters, and what they stand for follows. As wide as
// the terminal, 80 columns where there is none; names that do not fit are cut.
std::string render_events(const Terminal& terminal, const std::vector<Event>& events);

// Which laws gained how much; empty when none did.
std::string gain_warning(const EventCounts& counts, const EnergyAccount& energy);

// What is said of a run on standard error: the above, what its account of energy shows, and the shortcuts it took.
std::vector<std::string> warnings_of(const EventCounts& counts, const RunOutcome& outcome,
                                     const SimulationOptions& options);

}  // namespace routh
