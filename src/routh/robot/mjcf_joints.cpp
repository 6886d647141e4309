// Joints. Those of one body act one after the other, each in the frame that the ones before it have moved: with T(p)
// the shift to the joint's place and J its motion, the body stands in its parent at
//   at T(p₁) J₁ T(−p₁) T(p₂) J₂ T(−p₂) …
// so each joint but the last carries a body without mass whose frame is the body's own.
#include <fmt/format.h>

#include <algorithm>

#include "routh/robot/mjcf_reading.h"
#include "routh/robot/tolerances.h"

namespace routh::internal {

namespace {

JointKind kind_of(const MjcfSettings& settings) {
  static constexpr std::string_view words[] = {"hinge", "slide", "ball", "free"};
  static constexpr JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::spherical,
                                        JointKind::free};
  if (settings.own().name == "freejoint") return JointKind::free;
  return kinds[settings.choice("type", words, 0)];
}

class JointReader {
 public:
  JointReader(MjcfReading& reading, const MjcfJointElement& joint)
      : reading_(reading),
        frame_(joint.frame),
        settings_(joint.element->name == "freejoint" ? MjcfSettings(*joint.element, {joint.element})
                                                     : reading.defaults.settings(*joint.element, joint.child_class)),
        kind_(kind_of(settings_)) {}

  JointKind kind() const { return kind_; }

  // The joint in a parent in which the body stands at `at` before it moves.
  JointDescription read(const Pose& at) {
    JointDescription joint;
    joint.kind = kind_;
    joint.where = settings_.where();
    joint.dofs.resize(static_cast<std::size_t>(velocity_count(kind_)));
    for (DofDescription& dof : joint.dofs) dof.where = joint.where;
    if (kind_ == JointKind::free) {
      read_turning(joint);
      return joint;
    }
    joint.in_child.position = frame_ * settings_.vector("pos", {});
    joint.at = at * joint.in_child;
    if (kind_ == JointKind::spherical) {
      read_turning(joint);
      return joint;
    }
    read_axis(joint);
    read_reference(joint);
    read_dof(joint.dofs.front());
    return joint;
  }

  double reference() const { return reference_; }
  double force_limit() const { return force_limit_; }

 private:
  double angle(double written) const {
    return kind_ == JointKind::revolute ? reading_.compiler(settings_.own()).angle(written) : written;
  }

  void read_axis(JointDescription& joint) {
    const auto found = settings_.find("axis");
    joint.axis = frame_.rotation * settings_.vector("axis", {0, 0, 1});
    joint.axis_where = found ? found.where() : joint.where;
    const double length = norm(joint.axis);
    if (!(length > tolerances::mjcf_length_min))
      throw InputError(joint.axis_where, "the axis of the joint is zero", "write a direction of any length but zero");
    joint.axis = (1 / length) * joint.axis;
  }

  // At the coordinate `ref` the body stands where it was written.
  void read_reference(JointDescription& joint) {
    reference_ = angle(settings_.number("ref", 0));
    if (reference_ == 0) return;
    if (kind_ == JointKind::revolute)
      joint.at.rotation =
          joint.at.rotation * rotation_matrix(quaternion_from_rotation_vector(-reference_ * joint.axis));
    else
      joint.at.position -= joint.at.rotation * (reference_ * joint.axis);
  }

  void read_dof(DofDescription& dof) {
    std::array<double, 2> range = {};
    if (read_mjcf_range(reading_, settings_, "limited", "range", range)) {
      dof.lower = angle(range[0]);
      dof.upper = angle(range[1]);
    }
    if (read_mjcf_range(reading_, settings_, "actuatorfrclimited", "actuatorfrcrange", range)) {
      force_limit_ = std::max(-range[0], range[1]);
      if (range[0] != -range[1])
        reading_.warnings.ignore(settings_.own(), "the smaller side of an actuatorfrcrange that is not symmetric",
                                 "a drive has one limit");
    }
    dof.stiffness = settings_.number("stiffness", 0);
    dof.rest = dof.stiffness != 0 ? angle(settings_.number("springref", 0)) : 0;
    dof.damping = settings_.number("damping", 0);
    dof.armature = settings_.number("armature", 0);
  }

  void ignore_if_set(std::string_view name, double without_effect, const char* reason) {
    const auto found = settings_.find(name);
    if (found && settings_.number(name, without_effect) != without_effect)
      reading_.warnings.ignore(
          *found.element,
          fmt::format("the attribute '{}' of a joint of type {}", name, kind_ == JointKind::free ? "free" : "ball"),
          reason);
  }

  // A quaternion has no coordinate that a limit or a spring could act on.
  void read_turning(JointDescription& joint) {
    if (settings_.own().name == "freejoint") return;
    std::array<double, 2> range = {};
    // What a default says of limits does not reach free bodies.
    if (kind_ != JointKind::free && read_mjcf_range(reading_, settings_, "limited", "range", range)) {
      const auto found = settings_.find("range");
      reading_.warnings.ignore(*found.element, "the attribute 'range' of a joint of type ball or free",
                               "the turning of a ball has no coordinate to limit");
    }
    ignore_if_set("stiffness", 0, "the turning of a ball has no coordinate for a spring");
    const double damping = settings_.number("damping", 0), armature = settings_.number("armature", 0);
    for (DofDescription& dof : joint.dofs) dof.damping = damping, dof.armature = armature;
  }

  MjcfReading& reading_;
  const Pose& frame_;
  const MjcfSettings settings_;
  const JointKind kind_;
  double reference_ = 0, force_limit_ = unlimited;
};

void add_start(MjcfReading& reading, const std::string& joint, const Pose& pose) {
  const Quaternion q = quaternion_from_matrix(pose.rotation);
  reading.robot.start.push_back({joint, {pose.position.x, pose.position.y, pose.position.z, q.w, q.x, q.y, q.z}, {}});
}

void check_free(const MjcfReading& reading, const XmlElement& element, std::size_t body, std::size_t joint_count) {
  if (reading.bodies[body].parent != 0)
    throw InputError(element.where(), "a body within another cannot be free", "put the body below <worldbody>");
  if (joint_count > 1) throw InputError(element.where(), "a free body has another joint", "a free joint stands alone");
}

BodyDescription body_description(const MjcfBody& body, const std::string& name) {
  BodyDescription out;
  out.name = name;
  out.where = out.mass_where = out.com_where = out.inertia_where = body.element->where();
  return out;
}

// The body itself, at the end of `joint`.
void add_body(MjcfReading& reading, std::size_t body, JointDescription joint) {
  MjcfBody& written = reading.bodies[body];
  written.index = static_cast<int>(reading.description().bodies.size());
  joint.child = written.body;
  reading.description().bodies.push_back(body_description(written, written.body));
  reading.description().joints.push_back(std::move(joint));
}

// A body without joints: welded, or free if the user wants the robot to float.
void add_welded(MjcfReading& reading, std::size_t body, const Pose& at) {
  MjcfBody& written = reading.bodies[body];
  JointDescription joint;
  joint.parent = reading.bodies[written.parent].body;
  joint.where = written.element->where();
  joint.name = reading.joint_names.unique(written.body);
  if (written.parent == 0 && reading.options.base == RobotBase::floating) {
    joint.kind = JointKind::free;
    written.weld = body;
    add_start(reading, joint.name, at);
  } else {
    joint.at = at;
  }
  add_body(reading, body, std::move(joint));
}

}  // namespace

void read_mjcf_joints(MjcfReading& reading, std::size_t body, const std::vector<MjcfJointElement>& elements,
                      const Pose& at) {
  if (elements.empty()) return add_welded(reading, body, at);
  std::string parent = reading.bodies[reading.bodies[body].parent].body;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const XmlElement& element = *elements[i].element;
    JointReader reader(reading, elements[i]);
    if (reader.kind() == JointKind::free) check_free(reading, element, body, elements.size());
    const XmlAttribute* name = element.attribute("name");
    add_mjcf_name(reading.joint_index, element, reading.joints.size());
    MjcfJoint written{&element, name ? name->value : "", -1, reader.kind(), 0, unlimited, body};
    JointDescription joint = reader.read(i == 0 ? at : Pose{});
    if (joint.kind == JointKind::free && reading.options.base == RobotBase::fixed) {
      reading.joints.push_back(written);
      reading.bodies[body].weld = 0;
      return add_welded(reading, body, at);
    }
    joint.name = reading.joint_names.unique(written.name.empty() ? reading.bodies[body].body : written.name);
    note_mjcf_name(reading, element, written.name, joint.name);
    joint.parent = parent;
    written.joint = static_cast<int>(reading.description().joints.size());
    written.reference = reader.reference();
    written.force_limit = reader.force_limit();
    reading.joints.push_back(written);
    if (joint.kind == JointKind::free) {
      add_start(reading, joint.name, at);
    } else if (written.reference != 0) {
      reading.robot.start.push_back({joint.name, {written.reference}, {}});
    }
    if (i + 1 == elements.size()) return add_body(reading, body, std::move(joint));
    parent = reading.names.unique(reading.bodies[body].body + "_" + joint.name);
    joint.child = parent;
    reading.description().bodies.push_back(body_description(reading.bodies[body], parent));
    reading.description().joints.push_back(std::move(joint));
  }
}

}  // namespace routh::internal
