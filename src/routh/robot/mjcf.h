// Robots in MJCF, the XML format of MuJoCo.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

// `root` is the element <mujoco>. Files it includes are looked for beside the file of `root`. Throws InputError with
// the place of whatever cannot be used, RuntimeFailure when an included file cannot be read.
RobotFile read_mjcf(const XmlElement& root, const RobotOptions& options = {});

}  // namespace routh::internal
