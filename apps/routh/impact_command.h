// `routh impact`: one impact, all laws side by side.
#pragma once

#include <optional>
#include <string>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "picture_output.h"
#include "routh/impact/problem.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

enum class EnergyPolicy { warn, reject };  // reject: an answer that gains energy ends with ExitCode::no_answer

enum class Moment {
  state,         // the state in the scene
  first_strike,  // where the free motion from there strikes first
};

struct ImpactOptions {
  SourceFile file;  // a problem or a scene; "-": JSON Lines from standard input to standard output
  std::optional<Law> law;
  PictureFiles pictures;
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  EnergyPolicy energy = EnergyPolicy::warn;
  Moment moment = Moment::state;
  double duration = 10;  // [s] to look ahead for the first strike
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_impact(const ImpactOptions& options, const Terminal& terminal);

}  // namespace routh
