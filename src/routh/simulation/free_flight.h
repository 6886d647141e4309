// Motion without contact, up to the first strike.
#pragma once

#include <atomic>

#include "routh/contact/strike.h"

namespace routh::internal {

struct FlightOptions {
  double duration = 10;      // [s] to look ahead
  double tolerance = 1e-12;  // error of a step, relative to the size of the motion
  double touch = 1e-6;       // [m] or [rad]: what counts as touching at the start; see TouchOptions
  int max_steps = 1000000;
  const std::atomic<bool>* stop = nullptr;  // raised by another thread: ends as at the limit of steps
};

enum class FlightStatus {
  struck,       // `state` is at the strike
  no_strike,    // nothing is struck within the duration; `state` is at its end
  touching,     // a contact touches and approaches at the start: it strikes now
  supported,    // a contact at rest carries load: the motion is not free
  overlapping,  // shapes overlap at the start beyond the tolerance
  step_limit,   // more steps than allowed
  singular,     // M lost a degree of freedom, or numbers left their range; `state` is the last good one
};

struct FlightResult {
  FlightStatus status = FlightStatus::no_strike;
  State state;
  std::vector<Contact> contacts;  // that strike, carry load or overlap; ordered by id
  int steps = 0;
  int rejected = 0;
};

// One sentence for a person.
const char* explain(FlightStatus status);

// Integrates the free motion (gravity, springs, dampers, drives, forces, loops) until a gap comes to zero. Contacts
// that touch at the start and move apart are let go; the gap of a grazing contact that returns before zero is no
// strike.
FlightResult fly_to_strike(const Model& model, const State& start, const FlightOptions& options);

}  // namespace routh::internal
