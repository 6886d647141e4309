#include "routh/robot/urdf.h"

#include <fmt/format.h>

#include "routh/robot/urdf_parts.h"

namespace routh::internal {

namespace {

void refuse_macros(const XmlElement& element) {
  if (element.name.starts_with("xacro:"))
    throw InputError(element.where(), fmt::format("found the macro <{}>", printable(element.name)),
                     "expand the macros first: `xacro robot.xacro > robot.urdf`");
  for (const XmlElement& child : element.children) refuse_macros(child);  // the depth is bounded
}

void ignore_sections(UrdfReading& reading) {
  static constexpr std::pair<const char*, const char*> sections[] = {
      {"gazebo", "it is for another simulator"},
      {"transmission", "drives are given in a scene"},
      {"ros2_control", "it is for controllers"},
      {"sensor", "it does not act on the motion"},
  };
  for (const XmlElement* element : reading.root.all("material"))
    reading.warnings.ignore(*element, "<material> in <robot>", "colours do not matter here", RobotConcern::drawing);
  for (const auto& [name, reason] : sections)
    for (const XmlElement* element : reading.root.all(name))
      reading.warnings.ignore(*element, fmt::format("<{}> in <robot>", name), reason);
  for (const XmlAttribute& attribute : reading.root.attributes)
    if (attribute.name.starts_with("xmlns") || attribute.name == "version") attribute.used = true;
}

// A floating base below a link `world`: the link that hangs from it is freed. Files of arms have such a link, so that
// the arm stands somewhere.
void free_from_world(UrdfReading& reading, std::size_t root) {
  std::vector<UrdfJoint*> hanging;
  for (UrdfJoint& joint : reading.joints)
    if (joint.parent == root) hanging.push_back(&joint);
  UrdfJoint* joint = hanging.size() == 1 ? hanging.front() : nullptr;
  if (joint && joint->type == UrdfJointType::floating) return;
  if (!joint || joint->type != UrdfJointType::fixed)
    throw InputError(reading.links[root].element->where(), "the base link is called 'world' and stands still",
                     "rename or remove it, or choose a fixed base");
  joint->type = UrdfJointType::floating;
  reading.warnings.add(joint->element->where(),
                       fmt::format("the base floats: the fixed joint '{}', by which '{}' hangs from 'world', is freed",
                                   printable(joint->name), printable(reading.links[joint->child].name)),
                       RobotConcern::motion);
}

// How the base link stands in the world. Nothing when it is the world itself.
void add_base(UrdfReading& reading, std::size_t root) {
  const UrdfLink& link = reading.links[root];
  const RobotBase base = reading.options.base.value_or(RobotBase::fixed);
  if (link.body == world_name) {
    if (base == RobotBase::floating) free_from_world(reading, root);
    return;
  }
  JointDescription joint;
  joint.name = reading.joint_names.unique(link.name);
  joint.kind = base == RobotBase::floating ? JointKind::free : JointKind::fixed;
  joint.child = link.body;
  joint.where = joint.parent_where = joint.axis_where = link.element->where();
  reading.robot.description.bodies.push_back(read_urdf_inertial(reading, link));
  reading.robot.description.joints.push_back(std::move(joint));
}

void add_joints(UrdfReading& reading, const std::vector<std::size_t>& order) {
  std::vector<Pose> poses(reading.links.size());  // when all joints are at zero
  for (const std::size_t j : order) {
    const UrdfJoint& joint = reading.joints[j];
    const UrdfLink &parent = reading.links[joint.parent], &child = reading.links[joint.child];
    poses[joint.child] = poses[joint.parent] * joint.origin;
    reading.robot.description.bodies.push_back(read_urdf_inertial(reading, child));
    reading.robot.description.joints.push_back(read_urdf_joint(reading, joint, parent.body, poses[joint.parent]));
    read_urdf_geometry(reading, child, child.body);
  }
}

void warn_of_meshes(UrdfReading& reading) {
  const UrdfMeshes& meshes = reading.meshes;
  const auto amount = [](int count) {
    return fmt::format("{} collision {}", count, count == 1 ? "mesh is" : "meshes are");
  };
  if (meshes.missing > 0)
    reading.warnings.add(
        meshes.missing_where,
        fmt::format("{} not found, first '{}' (looked for {}), so that these links do not touch by them: {}",
                    amount(meshes.missing), printable(meshes.first_missing, 200), printable(meshes.first_searched, 600),
                    fmt::join(meshes.missing_links, ", ")),
        RobotConcern::motion);
  if (meshes.broken > 0)
    reading.warnings.add(meshes.broken_where,
                         fmt::format("{} left out, so that these links do not touch by them: {}; the first: {}",
                                     amount(meshes.broken), fmt::join(meshes.broken_links, ", "), meshes.first_problem),
                         RobotConcern::motion);
  if (meshes.missing_visual > 0)
    reading.warnings.add(
        meshes.visual_where,
        fmt::format("{} visual {} not found, first '{}'", meshes.missing_visual,
                    meshes.missing_visual == 1 ? "mesh is" : "meshes are", printable(meshes.first_missing_visual, 200)),
        RobotConcern::drawing);
}

}  // namespace

RobotFile read_urdf(const XmlElement& root, const RobotOptions& options) {
  refuse_macros(root);
  if (!options.keyframe.empty())
    throw InputError(root.where(), "a keyframe was chosen, and URDF has none",
                     "leave the choice out; a scene's section `state` says where the robot starts");
  UrdfReading reading(root, options);
  ModelDescription& description = reading.robot.description;
  if (const XmlAttribute* name = root.attribute("name")) description.name = printable(name->value, 200);
  description.where = description.gravity_where = root.where();
  read_urdf_tree(reading);
  std::vector<std::size_t> order;
  const std::size_t outermost = order_urdf_tree(reading, order);
  add_base(reading, outermost);
  read_urdf_geometry(reading, reading.links[outermost], reading.links[outermost].body);
  add_joints(reading, order);
  hold_massless_joints(reading);
  read_urdf_mimics(reading);
  ignore_sections(reading);
  warn_of_meshes(reading);
  reading.warnings.warn_of_the_rest(root);
  reading.robot.warnings = reading.warnings.take();
  return std::move(reading.robot);
}

}  // namespace routh::internal
