// Strips: a part of a plane, |x| ≤ h_x and |y| ≤ h_y, that is the top of a solid without a bottom. A shape whose
// bounding sphere lies within the borders meets the plane alone. What may reach a border meets a box in the strip's
// place, which ends where the other shape does not reach; its features bear the names of the strip.
#pragma once

#include "routh/contact/geometry.h"

namespace routh::internal {

// How far the other shape is from meeting anything but the plane: from its bounding sphere to the nearest border, less
// what its origin lies below. Below zero borders matter; infinite where there are none.
double border_clearance(const PosedShape& strip, const PosedShape& other);
// The strip as far as the other shape reaches, wherever that goes by a way.
PosedShape box_of_strip(const PosedShape& strip, const PosedShape& other, double way = 0);

// Corners and edges of the top are numbered round it, then the edges at the sides; face 0 is the top, then the sides
// at −x, x, −y, y.
Feature strip_feature(Feature of_box, Dimension dimension);
Feature box_feature(Feature of_strip, Dimension dimension);

}  // namespace routh::internal
