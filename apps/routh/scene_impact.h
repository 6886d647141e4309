// `routh impact` on a scene: what strikes at its state, or first on its way from there.
#pragma once

#include "impact_command.h"
#include "routh/text/document.h"

namespace routh {

ExitCode run_scene_impact(const ImpactOptions& options, const Terminal& terminal, const Document& document);

}  // namespace routh
