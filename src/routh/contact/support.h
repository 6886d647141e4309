// Support functions of shapes: how far they reach along a direction.
#pragma once

#include <span>

#include "routh/contact/geometry.h"

namespace routh::internal {

// min over the points p of the shape of d·p, d of any length. Of points, spheres, capsules, boxes and meshes the
// vertices of `without` (numbered as features are) do not count: infinite when none is left. −∞ for half-spaces, strips
// and holes.
double least_along(const PosedShape& shape, const Vector3& d, std::span<const int> without = {});

}  // namespace routh::internal
