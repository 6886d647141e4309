// What can be measured of a run.
//
//   time                                         reached [s]
//   final.position.DOF, final.velocity.DOF
//   min.position.DOF, max.position.DOF, …velocity.DOF, …energy.total and the other energies: over the samples, which
//     stand at the interval of the study and before and after each impact
//   energy.kinetic, .potential, .total, .dissipated, .supplied, .corrected, .gained, .initial, .balance: at the end
//   events.count, events.KIND (how many), events.KIND.first, events.KIND.last (when; missing without one)
//   events.impulse: the largest normal impulse of an event [N s]
#pragma once

#include "routh/simulation/simulator.h"
#include "routh/study/expression.h"

namespace routh::internal {

struct RunQuantity {
  enum class Kind { time, position, velocity, energy, event_count, event_first, event_last, all_events, impulse };
  enum class When { end, least, greatest };
  Kind kind = Kind::time;
  When when = When::end;
  int index = 0;  // coordinate, velocity, energy, or kind of event

  bool operator==(const RunQuantity&) const = default;
};

// Throws InputError at the path.
RunQuantity find_run_quantity(const StudyPath& path, const Model& model);

double energy_entry(const EnergyAccount& account, int index);

}  // namespace routh::internal
