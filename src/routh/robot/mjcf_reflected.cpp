// The inertia that a joint feels when all others are held in the reference posture.
#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

double quadratic(const Symmetric3& s, const Vector3& a) {
  return s.xx * a.x * a.x + s.yy * a.y * a.y + s.zz * a.z * a.z + 2 * (s.xy * a.x * a.y + s.xz * a.x * a.z) +
         2 * s.yz * a.y * a.z;
}

}  // namespace

// Σ m over what hangs from a slide, Σ m |a × r|² + aᵀ I a from a hinge with the axis a. Bodies come after their
// parents.
double mjcf_joint_inertia(MjcfReading& reading, const MjcfJoint& joint) {
  const JointDescription& written = reading.description().joints[static_cast<std::size_t>(joint.joint)];
  const Pose& own = reading.bodies[joint.body].pose;
  const Vector3 axis = own.rotation * written.axis, place = own * written.in_child.position;
  double sum = written.dofs.front().armature;
  std::vector<bool> carried(reading.bodies.size());
  carried[joint.body] = true;
  for (std::size_t i = joint.body; i < reading.bodies.size(); ++i) {
    const MjcfBody& body = reading.bodies[i];
    carried[i] = carried[i] || carried[body.parent];
    if (!carried[i]) continue;
    const BodyDescription& masses = reading.description().bodies[static_cast<std::size_t>(body.index)];
    const Vector3 arm = cross(axis, body.pose * masses.com - place);
    sum += joint.kind == JointKind::prismatic
               ? masses.mass
               : masses.mass * dot(arm, arm) + quadratic(rotated(body.pose.rotation, masses.inertia), axis);
  }
  return sum;
}

}  // namespace routh::internal
