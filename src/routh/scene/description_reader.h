// From a document to the description of a machine.
#pragma once

#include "routh/robot/robot.h"
#include "routh/scene/values.h"

namespace routh::internal {

// The version and the names of the sections, then `dimension`.
Dimension read_heading(const Node& root);

struct SceneParts {
  ModelDescription description;
  std::vector<RobotStart> start;      // what the file of the section `robot` says of it
  std::vector<std::string> warnings;  // about that file
};
SceneParts read_sections(const Node& root, Dimension dimension);

}  // namespace routh::internal
