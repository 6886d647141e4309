// What a run is to be: the command line, the scene and the run that is resumed, put together.
#pragma once

#include <optional>

#include "commands.h"
#include "routh/record/run_file.h"
#include "routh/scene/scene.h"

namespace routh {

struct SimulationPlan {
  Scene scene;
  SimulationSettings settings;  // all that is said about the run
  SimulationOptions options;
  double until = 0;            // [s]
  double sample_interval = 0;  // [s]
  RunInfo info;
  // The run that is resumed. Its events are those before its checkpoint, its samples those up to it.
  std::optional<RunData> before;

  double start() const { return scene.state.time; }
};

// Throws UsageError, InputError, RuntimeFailure.
SimulationPlan make_plan(const SimulateOptions& options);

}  // namespace routh
