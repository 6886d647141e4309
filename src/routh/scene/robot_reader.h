// The section `robot`: a machine from a URDF or MJCF file, and what the scene changes about it.
#pragma once

#include "routh/robot/robot.h"
#include "routh/scene/values.h"

namespace routh::internal {

// The robot that `node` names, with the surfaces, shapes and properties of joints that the section gives it. Its file
// stands relative to that of the scene.
RobotFile read_robot_section(const Node& node, Dimension dimension);

// Puts the robot where it begins with its loops closed, and warns of what that moves; limits that the closed loops do
// not meet are widened. Throws InputError with the place in the robot's file when it cannot begin.
void settle_start(RobotFile& robot);

// Shapes that overlap where the robot begins. Out of shapes that stand still its base is lifted, when it can move and
// the depth is small. Pairs of the robot's own shapes are excluded, and so is what stands in its own foundation: files
// in use have such, and mean that they do not touch. Each is named in a warning, before all others.
void exclude_overlaps(RobotFile& robot);

// Puts the robot's parts before those of the scene, into an empty description. Shapes of the world are kept for the
// end: `world_shapes`.
void take_robot(RobotFile& robot, ModelDescription& model, std::vector<ShapeDescription>& world_shapes);

}  // namespace routh::internal
