// How a body hangs: its joint, and what acts along the joint's degrees of freedom.
#pragma once

#include <string>

#include "routh/scene/values.h"

namespace routh::internal {

// What the coordinate of a degree of freedom (named as in `dof_names`) is: a length or an angle. The turning of a
// quaternion has no coordinate of its own.
Measure dof_measure(std::string_view dof);
bool turns_quaternion(std::string_view dof);

// `joint` of the body `child`.
JointDescription read_joint(const Node& node, const std::string& child, Dimension dimension);

// Changes what acts along the degrees of freedom of a joint: limits, spring, damping, armature, drive, effort; for a
// joint with several of them within `dofs`. What `node` does not say stays.
void change_joint(const Node& node, JointDescription& joint);

}  // namespace routh::internal
