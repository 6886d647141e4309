// The boundaries of a map, as curves. Internal to the map.
#pragma once

#include "routh/map/map_workers.h"

namespace routh::internal {

// Fills `map.curves` from its kinds; positions to `tolerance` of the plane.
MapWorkers::Outcome trace_curves(VerdictMap& map, MapWorkers& workers, MapWorkers::Share share, double tolerance);

}  // namespace routh::internal
