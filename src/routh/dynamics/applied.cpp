#include "routh/dynamics/applied.h"

namespace routh::internal {

SpringSpan spring_span(const Model& model, const Workspace& workspace, const Spring& spring) {
  const Vector3 a = body_pose(model, workspace, spring.body_a) * spring.at_a;
  const Vector3 b = body_pose(model, workspace, spring.body_b) * spring.at_b;
  return {a, b, norm(a - b)};
}

Vector3 spring_force(const Model& model, const Workspace& workspace, const Spring& spring, const SpringSpan& span) {
  if (!(span.length > 0)) return {};
  const Vector3 along = (1 / span.length) * (span.a - span.b);
  const double rate = dot(along, point_velocity(model, workspace, spring.body_a, span.a) -
                                     point_velocity(model, workspace, spring.body_b, span.b));
  return -(spring.stiffness * (span.length - spring.rest_length) + spring.damping * rate) * along;
}

AppliedLoad force_load(const Model& model, const Workspace& workspace, const Force& force, double time) {
  const Pose pose = body_pose(model, workspace, force.body);
  const double scale = force.scale(time);
  const Wrench wrench = {scale * force.force, scale * force.torque};
  if (force.frame == ForceFrame::world) return {pose * force.at, wrench};
  return {pose * force.at, {pose.rotation * wrench.force, pose.rotation * wrench.moment}};
}

}  // namespace routh::internal
