// From a document to the description of a machine.
#pragma once

#include "routh/scene/scene.h"
#include "routh/scene/values.h"

namespace routh::internal {

// The version and the names of the sections, then `dimension`.
Dimension read_heading(const Node& root);

// All but the state.
SceneDraft read_sections(const Node& root, Dimension dimension);

}  // namespace routh::internal
