#include "peers/make_tree.h"

namespace peers {

namespace {

Freedom freedom_of(routh::JointKind kind) {
  switch (kind) {
    case routh::JointKind::fixed:
      return Freedom::fixed;
    case routh::JointKind::revolute:
      return Freedom::revolute;
    case routh::JointKind::prismatic:
      return Freedom::prismatic;
    case routh::JointKind::cylindrical:
      return Freedom::cylindrical;
    case routh::JointKind::planar:
      return Freedom::planar;
    case routh::JointKind::spherical:
      return Freedom::spherical;
    case routh::JointKind::universal:
      return Freedom::universal;
    case routh::JointKind::free:
      return Freedom::free;
  }
  return Freedom::fixed;
}

}  // namespace

Tree make_tree(const routh::Model& model, const std::string& foot, const routh::Vector3& foot_point) {
  Tree tree;
  tree.gravity = model.gravity;
  tree.coordinates = model.coordinates;
  tree.velocities = model.velocities;
  tree.foot = model.find_body(foot).value();
  tree.foot_point = foot_point;
  tree.bodies.resize(model.bodies.size());
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const routh::Body& body = model.bodies[i];
    const routh::Joint& joint = model.joints[i - 1];
    tree.bodies[i] = {body.name,    body.mass,     body.com,       body.inertia, freedom_of(joint.kind),
                      joint.parent, joint.at,      joint.in_child, joint.axis,   joint.second_axis,
                      joint.q,      joint.q_count, joint.v,        joint.v_count};
  }
  return tree;
}

}  // namespace peers
