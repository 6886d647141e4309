#include "scene_text.h"

#include <fmt/format.h>

namespace bench {

namespace {

std::string list(const routh::Vector3& a) { return fmt::format("[{}, {}, {}]", a.x, a.y, a.z); }

std::string pose(const routh::Pose& at) {
  const routh::Quaternion q = quaternion_from_matrix(at.rotation);
  return fmt::format("{{position: {}, rotation: {{quaternion: [{}, {}, {}, {}]}}}}", list(at.position), q.w, q.x, q.y,
                     q.z);
}

std::string shapes(const routh::ModelDescription& description, const std::string& body, const char* indent) {
  std::string text;
  for (const routh::ShapeDescription& shape : description.shapes)
    if (shape.body == body)
      text +=
          fmt::format("{}  {}: {{kind: {}, at: {}}}\n", indent, shape.name, name(shape.kind), list(shape.at.position));
  return text.empty() ? text : fmt::format("{}shapes:\n{}", indent, text);
}

}  // namespace

std::string scene_text(const routh::ModelDescription& description) {
  std::string text = fmt::format("routh: 1\nname: {}\nbodies:\n", description.name);
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const routh::BodyDescription& body = description.bodies[i];
    const routh::JointDescription& joint = description.joints[i];
    const routh::Symmetric3& I = body.inertia;
    text += fmt::format("  {}:\n    mass: {}\n    com: {}\n    inertia: [{}, {}, {}, {}, {}, {}]\n", body.name,
                        body.mass, list(body.com), I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
    text += fmt::format("    joint:\n      kind: {}\n      name: {}\n", name(joint.kind), joint.name);
    if (joint.kind == routh::JointKind::revolute)
      text += fmt::format("      parent: {}\n      at: {}\n      axis: {}\n", joint.parent, pose(joint.at),
                          list(joint.axis));
    text += shapes(description, body.name, "    ");
  }
  const std::string world = shapes(description, routh::world_name, "  ");
  return world.empty() ? text : text + "world:\n" + world;
}

}  // namespace bench
