// What a run file says about its machine and about how it was computed.
#pragma once

#include <string>

#include "routh/record/run_file.h"

namespace routh::internal {

// Name, dimension, and names and units of coordinates and velocities.
void describe_coordinates(const Model& model, RunInfo& info);

// {"until", "tolerance", "integrator", "law", "max_step"}: what a resumed run goes on with.
std::string options_json(const SimulationOptions& options, double until);

// The names of `integrator`, in the order of Integrator.
const char* name(Integrator integrator);

// A thousandth of the duration, rounded to 1, 2 or 5 times a power of ten.
double usual_interval(double duration);

}  // namespace routh::internal
