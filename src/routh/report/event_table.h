// The events of a run for a page.
#pragma once

#include "routh/report/decimate.h"
#include "routh/report/machine.h"

namespace routh::internal {

// Impacts of one contact that are shown without their path.
struct MissingPaths {
  std::size_t beyond_limit = 0;  // for want of space
  std::size_t not_recorded = 0;  // by the program that wrote the run file
};

// `events`: those that are kept. The impacts with the largest impulses, `most_paths` of them, have their paths.
MissingPaths write_events(const RunData& run, const Decimation& kept, std::size_t most_paths, RunMachine& machine,
                          JsonWriter& json);

}  // namespace routh::internal
