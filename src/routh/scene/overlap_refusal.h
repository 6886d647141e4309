// Shapes that begin inside one another.
#pragma once

#include <string>

#include "routh/scene/scene.h"

namespace routh::internal {

// Throws InputError, naming the place of one of the two shapes (`file` alone where it is not known), the deepest
// overlap beyond the tolerance, and how far to move the body that could leave it.
void refuse_overlaps(const Scene& scene, const State& state, const std::string& file);

}  // namespace routh::internal
