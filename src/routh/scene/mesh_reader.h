// The mesh of a shape: from a file, or from vertices in the scene.
#pragma once

#include "routh/scene/values.h"

namespace routh::internal {

// `file` with `scale`, or `vertices`, of the shape that the node describes.
MeshDescription read_mesh(const Node& node);

}  // namespace routh::internal
