// Robot files (URDF, MJCF) as descriptions of a machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/model/description.h"

namespace routh {

// How the base link of a robot stands in the world.
enum class RobotBase { fixed, floating };
constexpr auto names_of(RobotBase) {
  return name_table<RobotBase>({{RobotBase::fixed, "fixed"}, {RobotBase::floating, "floating"}});
}

struct RobotOptions {
  std::optional<RobotBase> base;      // absent: as the file says, fixed where it says nothing
  std::vector<std::string> packages;  // folders in which `package://name/…` is looked for, besides those above the file
  std::string keyframe;               // name or number (from 0) of the MJCF key to start from; empty: the first

  // Whether anything was chosen.
  bool chosen() const { return base || !packages.empty() || !keyframe.empty(); }
};

// Where a joint is at the beginning, as the file says: the pose of a free body, a keyframe.
struct RobotStart {
  std::string joint;
  std::vector<double> position;  // one for each coordinate of the joint, quaternions of length 1
  std::vector<double> velocity;  // empty: at rest
};

struct RobotFile {
  ModelDescription description;
  std::vector<RobotStart> start;      // joints that are not here begin at zero
  std::vector<std::string> warnings;  // `file:line:col: warning: …`; every ignored kind of thing once
};

// Reads a robot; the outermost element says in which format. Shapes are ordered as a scene lists them. Throws
// InputError with the place of whatever cannot be used, RuntimeFailure when the file cannot be read.
RobotFile read_robot_file(const std::string& path, const RobotOptions& options = {});
RobotFile read_robot_text(std::string_view text, const std::string& name, const RobotOptions& options = {});
// Whether the name of the file ends as those of robots and other XML do (.urdf, .xml, .mjcf, .xacro, .sdf; any case).
// What is no robot after all, `read_robot` refuses with a remedy.
bool is_robot_file(std::string_view path);

}  // namespace routh
