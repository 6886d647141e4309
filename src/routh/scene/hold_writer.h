// What efforts do to the contacts of a scene, as JSON: the answer of `routh hold --json` and of Python's `hold`.
#pragma once

#include <string>

#include "routh/scene/diagnosis.h"
#include "routh/scene/scene.h"

namespace routh::internal {

inline constexpr int hold_schema = 1;

std::string hold_json(const Scene& scene, const SceneHold& hold);

}  // namespace routh::internal
