// `routh impact` on a scene: what strikes at its state, or first on its way from there.
#pragma once

#include "impact_command.h"
#include "routh/scene/scene.h"

namespace routh {

ExitCode run_scene_impact(const ImpactOptions& options, const Terminal& terminal, const Scene& scene);

}  // namespace routh
