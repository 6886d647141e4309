// Joints that move nothing: frames for tools and sensors that a file hangs from a joint that turns.
#include <fmt/format.h>

#include <algorithm>

#include "routh/robot/urdf_parts.h"

namespace routh::internal {

namespace {

double quadratic(const Symmetric3& s, const Vector3& a) {
  return s.xx * a.x * a.x + s.yy * a.y * a.y + s.zz * a.z * a.z + 2 * (s.xy * a.x * a.y + s.xz * a.x * a.z) +
         2 * s.yz * a.y * a.z;
}

// What resists the joint when all that hangs from it is held, with all joints at zero. A body's joint has its index,
// and parents come first.
class Resistance {
 public:
  explicit Resistance(const ModelDescription& description) : description_(description) {
    const std::size_t count = description.bodies.size();
    poses_.resize(count);
    parents_.assign(count, -1);
    std::map<std::string_view, int> index;
    for (std::size_t i = 0; i < count; ++i) {
      const JointDescription& joint = description.joints[i];
      if (const auto found = index.find(joint.parent); found != index.end()) parents_[i] = found->second;
      const Pose parent = parents_[i] < 0 ? Pose{} : poses_[static_cast<std::size_t>(parents_[i])];
      poses_[i] = parent * joint.at * inverse(joint.in_child);
      index.emplace(description.bodies[i].name, static_cast<int>(i));
    }
  }

  double of(std::size_t joint) const {
    const JointDescription& written = description_.joints[joint];
    const Pose frame = poses_[joint] * written.in_child;
    const Vector3 axis = (1 / norm(written.axis)) * (frame.rotation * written.axis);
    std::vector<bool> carried(poses_.size());
    carried[joint] = true;
    double sum = 0;
    for (std::size_t i = joint; i < poses_.size(); ++i) {
      if (parents_[i] >= 0 && carried[static_cast<std::size_t>(parents_[i])]) carried[i] = true;
      if (!carried[i]) continue;
      const BodyDescription& body = description_.bodies[i];
      if (written.kind == JointKind::prismatic) {
        sum += body.mass;
        continue;
      }
      const Vector3 arm = cross(axis, poses_[i] * body.com - frame.position);
      sum += body.mass * dot(arm, arm) + quadratic(rotated(poses_[i].rotation, body.inertia), axis);
    }
    return sum;
  }

 private:
  const ModelDescription& description_;
  std::vector<Pose> poses_;
  std::vector<int> parents_;
};

}  // namespace

void hold_massless_joints(UrdfReading& reading) {
  ModelDescription& description = reading.robot.description;
  const Resistance resistance(description);
  std::vector<std::size_t> held;
  for (std::size_t i = 0; i < description.joints.size(); ++i) {
    const JointDescription& joint = description.joints[i];
    if (joint.kind != JointKind::revolute && joint.kind != JointKind::prismatic) continue;
    if (!(resistance.of(i) > 0)) held.push_back(i);
  }
  const bool no_masses = std::all_of(description.bodies.begin(), description.bodies.end(),
                                     [](const BodyDescription& body) { return body.mass == 0; });
  if (no_masses && !held.empty())
    reading.warnings.add(
        description.where,
        fmt::format("the file gives no masses: nothing can move, and its {} joints are taken as fixed; add <inertial> "
                    "with <mass value=\"…\"/> and <inertia …/> to its links",
                    held.size()),
        RobotConcern::motion);
  for (const std::size_t i : held) {
    JointDescription& joint = description.joints[i];
    if (!no_masses)
      reading.warnings.add(joint.where, fmt::format("joint '{}' moves nothing that has inertia about it: it is taken "
                                                    "as fixed",
                                                    printable(joint.name)));
    joint.kind = JointKind::fixed;
    joint.axis = JointDescription{}.axis;
    joint.dofs.clear();
    std::erase_if(reading.robot.start, [&](const RobotStart& start) { return start.joint == joint.name; });
  }
}

}  // namespace routh::internal
