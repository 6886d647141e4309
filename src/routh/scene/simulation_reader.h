// The section `simulation`: how far the scene is simulated, and how exactly.
#pragma once

#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh::internal {

// The root node's section; everything is absent where it names nothing. `start` is the time of the state, which `until`
// must exceed.
SceneSimulation read_simulation(const Node& root, double start);

}  // namespace routh::internal
