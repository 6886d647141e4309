// Shapes of a machine where they stand.
#pragma once

#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh::internal {

// After compute_kinematics.
PosedShape posed_shape(const Model& model, const Workspace& workspace, int shape);

}  // namespace routh::internal
