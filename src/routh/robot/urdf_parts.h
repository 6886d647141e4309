// The parts of a URDF file while they are read; private to its reader.
#pragma once

#include <string>
#include <vector>

#include "routh/robot/robot_meshes.h"

namespace routh::internal {

struct UrdfLink {
  const XmlElement* element = nullptr;
  std::string name;  // as the file has it
  std::string body;  // as the description has it
};

enum class UrdfJointType { fixed, revolute, continuous, prismatic, floating, planar, spherical };

struct UrdfJoint {
  const XmlElement* element = nullptr;
  std::string name;                   // as the file has it
  std::string joint;                  // as the description has it
  std::size_t parent = 0, child = 0;  // links
  UrdfJointType type = UrdfJointType::fixed;
  Pose origin;
};

// Meshes that are not there or cannot be read; said in one warning for each kind.
struct UrdfMeshes {
  Location missing_where, broken_where, visual_where;
  std::vector<std::string> missing_links, broken_links;  // each once
  std::string first_missing, first_searched, first_problem, first_missing_visual;
  int missing = 0, broken = 0, missing_visual = 0;
  RobotMeshes files;
};

// What all parts of the reader work on.
struct UrdfReading {
  UrdfReading(const XmlElement& robot_element, const RobotOptions& chosen)
      : root(robot_element), options(chosen), paths(chosen) {}

  const XmlElement& root;
  const RobotOptions& options;
  RobotPaths paths;
  RobotFile robot;
  RobotWarnings warnings;
  RobotNames body_names, joint_names, shape_names, loop_names;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  UrdfMeshes meshes;
};

// The element <origin> of `element`: xyz and rpy, both zero when absent.
Pose read_urdf_origin(const XmlElement& element);

// Mass, centre of mass and inertia of a link.
BodyDescription read_urdf_inertial(UrdfReading& reading, const UrdfLink& link);
// Its collision geometry as shapes of `body`; visual geometry is looked at only for missing meshes.
void read_urdf_geometry(UrdfReading& reading, const UrdfLink& link, const std::string& body);

// The list of links and joints, with their references resolved. Throws InputError.
void read_urdf_tree(UrdfReading& reading);
// The base link, and all joints such that parents come before children; names the bodies. The link `world` without
// inertia is the world. Throws InputError when there is no tree.
std::size_t order_urdf_tree(UrdfReading& reading, std::vector<std::size_t>& order);

// The joint of the description, its degrees of freedom among it. `parent` is the body it hangs from, whose frame stands
// at `parent_pose` when all joints are at zero.
JointDescription read_urdf_joint(UrdfReading& reading, const UrdfJoint& joint, const std::string& parent,
                                 const Pose& parent_pose);
// Joints that move nothing with inertia become fixed, with a warning: no force could tell how they move.
void hold_massless_joints(UrdfReading& reading);
// Couplings of all joints that mimic another; the joints must be in the description.
void read_urdf_mimics(UrdfReading& reading);

}  // namespace routh::internal
