// Joints of a URDF file: kinds, limits, damping, couplings.
#include <fmt/format.h>

#include "routh/base/nearest_word.h"
#include "routh/robot/tolerances.h"
#include "routh/robot/urdf_parts.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

JointKind kind_of(UrdfJointType type) {
  switch (type) {
    case UrdfJointType::fixed:
      return JointKind::fixed;
    case UrdfJointType::revolute:
    case UrdfJointType::continuous:
      return JointKind::revolute;
    case UrdfJointType::prismatic:
      return JointKind::prismatic;
    case UrdfJointType::floating:
      return JointKind::free;
    case UrdfJointType::planar:
      return JointKind::planar;
    case UrdfJointType::spherical:
      return JointKind::spherical;
  }
  return JointKind::fixed;
}

Vector3 read_axis(const UrdfJoint& joint, JointDescription& description) {
  const XmlElement* axis = joint.element->child("axis");
  if (!axis) return {1, 0, 0};  // as the format says
  description.axis_where = axis->where();
  const Vector3 v = vector_or(*axis, "xyz", {1, 0, 0});
  if (v.x == 0 && v.y == 0 && v.z == 0)
    throw InputError(axis->where(), fmt::format("the axis of joint '{}' is zero", printable(joint.name)),
                     "give a direction, as in <axis xyz=\"0 0 1\"/>, or make the joint fixed");
  return v;
}

void ignore_child(UrdfReading& reading, const XmlElement& element, const char* name, const std::string& owner,
                  const std::string& reason) {
  if (const XmlElement* child = element.child(name))
    reading.warnings.ignore(*child, fmt::format("<{}> of {}", name, owner), reason);
}

void ignore_attribute(UrdfReading& reading, const XmlElement& element, const char* name, const std::string& reason) {
  if (const XmlAttribute* attribute = element.attribute(name)) reading.warnings.ignore(element, *attribute, reason);
}

struct Range {
  double lower = -unlimited, upper = unlimited;
  const XmlElement* element = nullptr;
};

Range read_range(UrdfReading& reading, const UrdfJoint& joint) {
  Range range;
  const XmlElement* limit = joint.element->child("limit");
  const auto warn = [&](const XmlElement& element, const std::string& message) {
    reading.warnings.add(element.where(), fmt::format("joint '{}' {}", printable(joint.name), message));
  };
  if (!limit) {
    warn(*joint.element, "has no <limit>: it moves without limits");
    return range;
  }
  range.element = limit;
  const XmlAttribute *lower = limit->attribute("lower"), *upper = limit->attribute("upper");
  if (!lower && !upper) {
    warn(*limit, "has neither a lower nor an upper limit: it moves without limits");
    return range;
  }
  range.lower = lower ? read_number(*limit, *lower, Infinite::allowed) : 0;  // 0: as the format says
  range.upper = upper ? read_number(*limit, *upper, Infinite::allowed) : 0;
  if (range.lower >= range.upper) {  // what the format takes for limits that are missing, and what others read so
    warn(*limit, fmt::format("has the limits {} and {}, which leave no room: it moves without limits", range.lower,
                             range.upper));
    return {};
  }
  return range;
}

void read_dynamics(UrdfReading& reading, const UrdfJoint& joint, DofDescription& dof) {
  const XmlElement* dynamics = joint.element->child("dynamics");
  if (!dynamics) return;
  dof.damping = number_or(*dynamics, "damping", 0);
  if (dof.damping < 0) {
    reading.warnings.add(dynamics->where(), fmt::format("damping = {} of joint '{}' must not be negative: 0 is used",
                                                        dof.damping, printable(joint.name)));
    dof.damping = 0;
  }
  const XmlAttribute* friction = dynamics->attribute("friction");
  if (friction && read_number(*dynamics, *friction, Infinite::allowed) != 0)
    reading.warnings.ignore(*dynamics, *friction, "friction in joints is not modelled");
}

// A joint may not begin outside its limits.
void place_within_limits(UrdfReading& reading, const UrdfJoint& joint, const Range& range) {
  if (range.lower <= 0 && range.upper >= 0) return;
  const double start = start_within_limits(range.lower, range.upper, 0, kind_of(joint.type));
  reading.robot.start.push_back({joint.joint, {start}, {}});
  reading.warnings.add(range.element->where(),
                       fmt::format("joint '{}' cannot be at zero: it begins within its limits, at {:.9g}",
                                   printable(joint.name), start));
}

void read_limited(UrdfReading& reading, const UrdfJoint& joint, JointDescription& description) {
  const Range range = read_range(reading, joint);
  DofDescription dof;
  dof.where = range.element ? range.element->where() : joint.element->where();
  dof.lower = range.lower;
  dof.upper = range.upper;
  read_dynamics(reading, joint, dof);
  description.dofs = {std::move(dof)};
  place_within_limits(reading, joint, range);
}

void read_unlimited(UrdfReading& reading, const UrdfJoint& joint, JointDescription& description) {
  DofDescription dof;
  dof.where = joint.element->where();
  read_dynamics(reading, joint, dof);
  description.dofs = {std::move(dof)};
  if (const XmlElement* limit = joint.element->child("limit"))
    for (const char* name : {"lower", "upper"})
      ignore_attribute(reading, *limit, name, "a continuous joint turns without limits");
}

void ignore_motion(UrdfReading& reading, const UrdfJoint& joint, const std::string& owner, const std::string& reason) {
  for (const char* name : {"limit", "dynamics", "mimic"}) ignore_child(reading, *joint.element, name, owner, reason);
}

// Against the world, as a free joint must be; it constrains nothing, so that this is the same machine.
void read_floating(UrdfReading& reading, const UrdfJoint& joint, const Pose& parent_pose, JointDescription& free) {
  const Pose pose = parent_pose * joint.origin;
  const Quaternion q = quaternion_from_matrix(pose.rotation);
  if (free.parent != world_name)
    reading.warnings.add(
        joint.element->where(),
        fmt::format("the coordinates of the floating joint '{}' are those against the world", printable(joint.name)));
  free.parent = world_name;
  free.at = {};
  reading.robot.start.push_back(
      {free.name, {pose.position.x, pose.position.y, pose.position.z, q.w, q.x, q.y, q.z}, {}});
}

const JointDescription* find_joint(const ModelDescription& description, std::string_view name) {
  for (const JointDescription& joint : description.joints)
    if (joint.name == name) return &joint;
  return nullptr;
}

bool has_one_coordinate(JointKind kind) { return kind == JointKind::revolute || kind == JointKind::prismatic; }

// Nothing when the robot has no such joint: files are cut down, and what mimics a joint that is gone moves by itself.
const UrdfJoint* find_mimicked(UrdfReading& reading, const UrdfJoint& mimicking, const XmlElement& mimic) {
  const std::string name = require_text(mimic, "joint");
  std::vector<std::string_view> names;
  for (const UrdfJoint& joint : reading.joints) {
    if (joint.name == name) return &joint;
    names.push_back(joint.name);
  }
  const std::string_view near = nearest_word(name, names);
  reading.warnings.add(
      mimic.where_value(*mimic.attribute("joint")),
      fmt::format("there is no joint '{}': '{}' moves by itself{}", printable(name), printable(mimicking.name),
                  near.empty() ? "" : fmt::format("; did you mean '{}'?", printable(std::string(near)))));
  return nullptr;
}

// q = multiplier · q_other + offset. A joint that cannot move stands at zero.
void read_mimic(UrdfReading& reading, const UrdfJoint& joint, const XmlElement& mimic) {
  ModelDescription& description = reading.robot.description;
  const UrdfJoint* named = find_mimicked(reading, joint, mimic);
  const double multiplier = number_or(mimic, "multiplier", 1), offset = number_or(mimic, "offset", 0);
  if (!named) return;
  const UrdfJoint& other = *named;
  const JointDescription* self = find_joint(description, joint.joint);
  const JointDescription* mimicked = find_joint(description, other.joint);
  if (!self || !mimicked || !has_one_coordinate(self->kind)) {
    reading.warnings.ignore(mimic, "<mimic> of a joint that cannot move", "there is no motion to couple");
    return;
  }
  if (&other == &joint || !(has_one_coordinate(mimicked->kind) || mimicked->kind == JointKind::fixed))
    throw InputError(mimic.where(),
                     fmt::format("joint '{}' cannot mimic '{}'", printable(joint.name), printable(other.name)),
                     "name another revolute, continuous or prismatic joint");
  LoopDescription loop;
  loop.name = reading.loop_names.unique(joint.joint);
  loop.kind = LoopKind::coupling;
  loop.body_a = world_name;
  loop.where = loop.body_a_where = loop.body_b_where = mimic.where();
  loop.constant = offset;
  loop.terms.push_back({joint.joint, 0, 1, mimic.where()});
  if (multiplier != 0 && mimicked->kind != JointKind::fixed)
    loop.terms.push_back({other.joint, 0, -multiplier, mimic.where()});
  description.loops.push_back(std::move(loop));
}

double start_of(const RobotFile& robot, std::string_view joint) {
  for (const RobotStart& start : robot.start)
    if (start.joint == joint) return start.position.front();
  return 0;
}

void set_start(RobotFile& robot, const std::string& joint, double value) {
  for (RobotStart& start : robot.start)
    if (start.joint == joint) {
      start.position = {value};
      return;
    }
  if (value != 0) robot.start.push_back({joint, {value}, {}});
}

// Joints that mimic begin where the others put them. A joint may mimic one that mimics in turn.
void start_coupled(RobotFile& robot) {
  for (int pass = 0; pass < tolerances::mimic_chain_max; ++pass)
    for (const LoopDescription& loop : robot.description.loops) {
      double value = loop.constant;
      for (std::size_t i = 1; i < loop.terms.size(); ++i)
        value -= loop.terms[i].coefficient * start_of(robot, loop.terms[i].joint);
      set_start(robot, loop.terms.front().joint, value);
    }
}

}  // namespace

JointDescription read_urdf_joint(UrdfReading& reading, const UrdfJoint& joint, const std::string& parent,
                                 const Pose& parent_pose) {
  JointDescription description;
  description.name = joint.joint;
  description.kind = kind_of(joint.type);
  description.parent = parent;
  description.child = reading.links[joint.child].body;
  description.at = joint.origin;
  description.where = description.parent_where = description.axis_where = joint.element->where();
  switch (joint.type) {
    case UrdfJointType::fixed:
      ignore_child(reading, *joint.element, "axis", "a fixed joint", "it does not move");
      ignore_motion(reading, joint, "a fixed joint", "it does not move");
      break;
    case UrdfJointType::revolute:
    case UrdfJointType::prismatic:
      description.axis = read_axis(joint, description);
      read_limited(reading, joint, description);
      break;
    case UrdfJointType::continuous:
      description.axis = read_axis(joint, description);
      read_unlimited(reading, joint, description);
      break;
    case UrdfJointType::planar: {
      // In the plane at a right angle to the axis: the frame's z axis here.
      const Matrix3 axes = rotation_from_z(read_axis(joint, description));
      description.at.rotation = description.at.rotation * axes;
      description.in_child = {axes, {}};
      ignore_motion(reading, joint, "a planar joint", "which of its motions is meant is not said");
      break;
    }
    case UrdfJointType::floating:
      ignore_child(reading, *joint.element, "axis", "a floating joint", "it moves in all directions");
      ignore_motion(reading, joint, "a floating joint", "it moves freely");
      read_floating(reading, joint, parent_pose, description);
      break;
    case UrdfJointType::spherical:
      ignore_child(reading, *joint.element, "axis", "a spherical joint", "it turns about all axes");
      ignore_motion(reading, joint, "a spherical joint", "it turns freely");
      break;
  }
  if (const XmlElement* limit = joint.element->child("limit"); limit && !limit->ignored)
    for (const char* name : {"effort", "velocity"})
      ignore_attribute(reading, *limit, name, "bounds on drives are given with the drive in a scene");
  for (const char* name : {"safety_controller", "calibration"})
    ignore_child(reading, *joint.element, name, "<joint>", "it is for controllers");
  return description;
}

void read_urdf_mimics(UrdfReading& reading) {
  for (const UrdfJoint& joint : reading.joints)
    if (const XmlElement* mimic = joint.element->child("mimic"); mimic && !mimic->ignored)
      read_mimic(reading, joint, *mimic);
  start_coupled(reading.robot);
}

}  // namespace routh::internal
