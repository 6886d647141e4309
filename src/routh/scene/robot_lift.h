// A robot that begins a little inside the ground is put upon it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/robot/robot.h"

namespace routh::internal {

// The joint by which a body hangs from the world or from what stands still; −1: the body stands still itself.
int base_of(const Model& model, int body);

// `file:line:col: warning: the shapes 'a' and 'b' …`, at the place of the second.
std::string overlap_warning(const RobotFile& robot, const std::string& first, const std::string& second,
                            const std::string& what);

// Where the robot begins, its loops closed.
State robot_start(const RobotFile& robot, const Model& model, Workspace& workspace);

// How a base can leave what it overlaps.
struct BaseMotion {
  int joint = -1;   // free, or a slide along the normal
  Vector3 along;    // out of the other shape, in the coordinates of the joint; of a slide x only
  double most = 0;  // [m]
};
// Nothing when none of the two shapes stands still, or the other cannot move along the normal as a whole. After
// compute_kinematics.
std::optional<BaseMotion> motion_out_of(const Model& model, const Workspace& workspace, const Contact& contact);

// Moves free bases, and bases on slides, out of shapes that stand still, along the normals of the contacts. Changes
// `robot.start`; what it could not lift stays where it is. Returns a warning for each base that it moved, with its
// place.
std::vector<std::string> lift_bases(RobotFile& robot, const Model& model);

}  // namespace routh::internal
