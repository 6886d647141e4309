// A start `resting`: bodies moved down until they touch what they are to stand on.
#pragma once

#include "routh/scene/scene.h"

namespace routh::internal {

// One after the other, each as it is turned and where the others stand by then: a body that flies goes along gravity,
// one that hangs from a slide or hinge the way its weight pulls it; one that overlaps goes back. What hangs from the
// body goes with it. Throws InputError at the place of a start that cannot be had.
void set_down(std::span<const RestingStart> starts, const Model& model, State& state, Workspace& workspace);

}  // namespace routh::internal
