// The first impact of a motion that no contact carries, found by the event engine.
#pragma once

#include "routh/simulation/simulator.h"

namespace routh::internal {

enum class FirstStrikeStatus {
  struck,     // `state` is that before the impact; also when a contact touches and approaches at the start
  no_strike,  // nothing is struck within the duration; `state` is at its end
  supported,  // a contact closes without an impact, or carries load at the start: the motion is not free
  failed,     // `run` says why
};

struct FirstStrike {
  FirstStrikeStatus status = FirstStrikeStatus::no_strike;
  SimulationStatus run = SimulationStatus::ready;
  State state;
  std::vector<std::string> contacts;  // that strike, carry load or overlap, by name
};

// One sentence for a person.
const char* explain(const FirstStrike& strike);

// Follows the motion from `start` for at most `duration` [s]. Contacts that touch at the start and move apart are let
// go; the gap of a grazing contact that returns before zero is no strike. `interrupt`: as of Simulator.
FirstStrike find_first_strike(const Model& model, const State& start, double duration,
                              const SimulationOptions& options = {}, const std::function<bool()>& interrupt = {});

}  // namespace routh::internal
