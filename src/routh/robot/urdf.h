// Robots in the Unified Robot Description Format.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

// `root` is the element <robot>. Throws InputError with the place of whatever cannot be used.
RobotFile read_urdf(const XmlElement& root, const RobotOptions& options = {});

}  // namespace routh::internal
