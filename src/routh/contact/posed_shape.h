// Shapes of a machine where they stand.
#pragma once

#include <span>

#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh::internal {

// After compute_kinematics.
PosedShape posed_shape(const Model& model, const Workspace& workspace, int shape);
// The same where the links stand so.
PosedShape posed_shape(const Model& model, std::span<const Pose> link_poses, int shape);

}  // namespace routh::internal
