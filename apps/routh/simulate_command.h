// `routh simulate`: an event-driven run of a scene, recorded, and resumed from its record.
#pragma once

#include <string>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "routh/scene/simulation_settings.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

enum class EventLog { none, table };

// As typed; what is absent comes from the run that is resumed, from the scene, or is the usual.
struct SimulateOptions {
  SourceFile file;     // may be empty where a run is resumed
  std::string output;  // run file; empty: none
  std::string resume;  // run file; empty: the scene's state
  SimulationSettings settings;
  PageOptions page;  // of the run file
  EventLog events = EventLog::none;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_simulate(const SimulateOptions& options, const Terminal& terminal);

}  // namespace routh
