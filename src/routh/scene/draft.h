// What a file says of a machine and its start, before the model is built: to write it again, or to change some of its
// numbers and build it anew without reading the file.
#pragma once

#include <string>
#include <vector>

#include "routh/contact/strike.h"
#include "routh/dynamics/constrained.h"
#include "routh/robot/robot_file.h"

namespace routh {

// Where the machine is described: in the scene itself, partly in a robot's file that the scene names, or in a robot's
// file alone.
enum class SceneOrigin { scene, scene_with_robot, robot };

struct SceneDraft {
  SceneOrigin origin = SceneOrigin::scene;
  ModelDescription description;
  State state;                        // as the file says, loops not closed yet
  AssemblyOptions given;              // which of it the file says
  std::vector<RobotStart> start;      // what the robot's file says of it
  std::vector<std::string> warnings;  // about the robot's file
};

// The state of a model that was built from the draft's description, loops closed, checked as `read_scene` checks it.
// Throws InputError with the place of what is wrong in the file the draft came from.
State build_state(const SceneDraft& draft, const Model& model, const TouchOptions& touch);

}  // namespace routh
