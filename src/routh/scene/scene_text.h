// A machine as the text of a scene, complete and readable: reading it gives the same machine, to the last bit in space.
// In the plane rotations are written as angles, which may cost the last digit.
#pragma once

#include <string>
#include <vector>

#include "routh/robot/robot.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh::internal {

struct SceneText {
  ModelDescription description;
  std::vector<RobotStart> start;  // joints that are not here begin at zero
  double time = 0;                // [s]
  std::optional<double> touch_tolerance;
  SceneSimulation simulation;
  std::vector<std::string> remarks;   // comments at the top, one line each
  std::vector<std::string> warnings;  // about the robot's file; not written
};

std::string scene_text(const SceneText& scene);

// Writes the files of meshes as paths from this folder, where the text is to stand; without one as absolute paths.
void place_meshes(ModelDescription& description, const std::string& folder);

// The scene of a robot's file. Throws InputError when no machine can be made of it.
SceneText scene_of_robot(RobotFile robot, const std::string& path);
// The same scene without the section `robot`, whose bodies, joints and shapes stand among those of the scene.
SceneText without_robot(const Document& document);

}  // namespace routh::internal
