// A scene whose draft was changed.
#pragma once

#include "routh/scene/scene.h"

namespace routh::internal {

// The state of a model that was built from the draft's description, loops closed, checked as `read_scene` checks it.
// Throws InputError with the place of what is wrong in the file the draft came from.
State build_state(const SceneDraft& draft, const Model& model, const TouchOptions& touch);

// Makes the model, the state and the warnings anew from a draft that was changed. The text that the scene was read from
// no longer describes it. Throws like `build_state`.
void rebuild(Scene& scene);

// Throws InputError where inertias or energies leave the range of numbers in the scene's state.
void check_range(const Scene& scene);

// The scene begins in this state of its machine, all of it as given.
void begin_in(Scene& scene, const State& state);

}  // namespace routh::internal
