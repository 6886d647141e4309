// What a run file says about its machine and about how it was computed.
#pragma once

#include <string>

#include "routh/record/run_file.h"

namespace routh {

// Name, dimension, and names and units of coordinates and velocities.
void describe_coordinates(const Model& model, RunInfo& info);

}  // namespace routh
