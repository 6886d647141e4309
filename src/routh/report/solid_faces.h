// Shapes as flat faces, to be drawn in a picture.
#pragma once

#include <vector>

#include "routh/model/model.h"

namespace routh::internal {

// The corners of a face one after the other; of a spatial shape counter-clockwise seen from outside.
using FaceCorners = std::vector<Vector3>;

// In the world, of a shape whose frame stands at `pose`. Points and half-spaces have none; a hole is its rim, and in
// the plane a strip is a line.
std::vector<FaceCorners> solid_faces(const Shape& shape, const Pose& pose, Dimension dimension);

}  // namespace routh::internal
