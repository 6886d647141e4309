#include "routh/report/skeleton.h"

#include <algorithm>

#include "routh/report/tolerances.h"

namespace routh::internal {

namespace {

// Its bodies move away from where the joint is.
bool floats(JointKind kind) {
  switch (kind) {
    case JointKind::planar:
    case JointKind::free:
      return true;
    case JointKind::fixed:
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
      return false;
  }
  return false;
}

void add_bone(const Bone& bone, std::vector<Bone>& out) {
  const double size = tolerances::drawn_segment_min * (1 + norm(bone.to) + norm(bone.from));
  if (norm(bone.to - bone.from) <= size) return;
  if (std::any_of(out.begin(), out.end(),
                  [&](const Bone& other) { return other.body == bone.body && norm(bone.to - other.to) <= size; }))
    return;
  out.push_back(bone);
}

}  // namespace

std::vector<Bone> bones(const Model& model) {
  std::vector<Bone> out;
  for (int body = 1; body < static_cast<int>(model.bodies.size()); ++body) {
    const Body& it = model.bodies[static_cast<std::size_t>(body)];
    const Joint& joint = model.joints[static_cast<std::size_t>(it.joint)];
    const Vector3 from = floats(joint.kind) ? it.com : joint.in_child.position;
    const auto add = [&](const Vector3& to) { add_bone({body, from, to}, out); };
    for (const Joint& next : model.joints)
      if (next.parent == body) add(next.at.position);
    for (const Loop& loop : model.loops) {
      if (loop.kind == LoopKind::coupling) continue;
      if (loop.body_a == body) add(loop.at_a.position);
      if (loop.body_b == body) add(loop.at_b.position);
    }
    for (const Spring& spring : model.springs) {
      if (spring.body_a == body) add(spring.at_a);
      if (spring.body_b == body) add(spring.at_b);
    }
    for (const Shape& shape : model.shapes)
      if (shape.body == body && shape.kind != ShapeKind::half_space) add(shape.at.position);
    if (it.mass > 0) add(it.com);
  }
  return out;
}

std::vector<JointDot> joint_dots(const Model& model) {
  std::vector<JointDot> out;
  for (const Joint& joint : model.joints)
    if (!floats(joint.kind) && joint.kind != JointKind::fixed)
      out.push_back({joint.name, name(joint.kind), joint.child, joint.in_child.position});
  for (const Loop& loop : model.loops)
    if (loop.kind == LoopKind::point || loop.kind == LoopKind::hinge)
      out.push_back({loop.name, name(loop.kind), loop.body_a, loop.at_a.position});
  return out;
}

}  // namespace routh::internal
