// Shapes that leave a gap, told from spheres and boxes about them. Private to the module.
#pragma once

#include "routh/contact/geometry.h"

namespace routh::internal {

bool is_plane(const PosedShape& shape);

// True only where no gap between the two is `margin` or less.
bool far_apart(const PosedShape& a, const PosedShape& b, double margin);

}  // namespace routh::internal
