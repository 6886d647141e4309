// The events of a run for a page.
#pragma once

#include <span>

#include "routh/report/decimate.h"
#include "routh/report/machine.h"

namespace routh::internal {

struct PathLimits {
  std::size_t paths = 1500;  // of the impacts with the largest impulses
  std::size_t points = 64;   // about so many of each
};

struct PathCount {
  std::size_t beyond_limit = 0;  // impacts of one contact left without a path for want of space
  std::size_t not_repeated = 0;  // whose impulse was not found again
};

// `events`: those that are kept.
PathCount write_events(const RunData& run, const Decimation& kept, const PathLimits& limits, RunMachine& machine,
                       JsonWriter& json);

}  // namespace routh::internal
