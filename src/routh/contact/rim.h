// The rims of cylinders over faces: the same names in every pair that may have them.
#pragma once

#include "routh/contact/geometry.h"

namespace routh {

// What touches of a cap that lies all but flat: the lowest point of its rim, and of four fixed points those that are
// not next to it. A flat cap has the fixed points alone: no point of the rim is the lowest.
struct RimPoints {
  std::array<Vector3, 4> point;
  std::array<Feature, 4> feature;
};
// Of the cap below (0) or above (1), over a face with this outward normal.
RimPoints rim_points(const PosedShape& cylinder, int cap, const Vector3& face_normal);

// Names the nearest contact of two shapes by its features where it is a cylinder's rim over a face of the other, as the
// manifold of a cap that lies all but flat does: so that the contact stays the same as the cylinder tilts.
void name_rim(const PosedShape& a, const PosedShape& b, PairContact& contact);

}  // namespace routh
