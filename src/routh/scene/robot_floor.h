// A floor under a robot whose file has none, and machines that fall without one.
#pragma once

#include "routh/scene/scene.h"

namespace routh::internal {

// Adds the floor z = 0 that is asked for, and moves all free bases up or down together: the lowest point to the height
// asked for, or else out of the floor. Throws InputError where there is a floor already, or nothing that could be
// moved.
void put_on_floor(RobotFile& robot, const RobotGround& ground);

// `file:line:col: warning: …` when gravity pulls a free body, with what hangs from it, and there is nothing outside
// that it could touch, that holds it or that pushes it; empty otherwise.
std::string free_fall_warning(const Scene& scene);

}  // namespace routh::internal
