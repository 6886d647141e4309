// Shapes that begin inside one another.
#pragma once

#include <string>

#include "routh/contact/strike.h"

namespace routh::internal {

// Throws InputError, naming the file, the deepest overlap beyond the tolerance, and how far to move the body that could
// leave it.
void refuse_overlaps(const Model& model, const State& state, const TouchOptions& touch, const std::string& file);

}  // namespace routh::internal
