// Broad phase: shapes that leave a gap, told from bounding spheres and boxes [Gottschalk 1996]. Private to the module.
#pragma once

#include "routh/contact/box_tree.h"
#include "routh/contact/geometry.h"

namespace routh::internal {

// True only where no gap between the two is `margin` or less.
bool far_apart(const PosedShape& a, const PosedShape& b, double margin);

// A gap that the two have at least, from the same spheres and boxes; more than the margin wherever far_apart says so,
// and where spheres alone give much more than that the boxes are not asked. −∞ where nothing is known.
double gap_bound(const PosedShape& a, const PosedShape& b, double margin);

// A box along the world's axes that holds a bounded shape.
Box box_around(const PosedShape& shape);

}  // namespace routh::internal
