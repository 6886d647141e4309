// Bodies, loops, springs and forces as a scene writes them.
#include <fmt/format.h>

#include <map>

#include "routh/scene/scene_text_parts.h"

namespace routh::internal::text {

namespace {

using ShapesByBody = std::map<std::string_view, std::vector<const ShapeDescription*>>;

void write_shapes(const ShapesByBody& shapes, std::string_view body, Dimension dimension, std::string& out) {
  const auto found = shapes.find(body);
  if (found == shapes.end()) return;
  const char* indent = body == world_name ? "  " : "    ";
  out += fmt::format("{}shapes:\n", indent);
  for (const ShapeDescription* written : found->second)
    out += fmt::format("{}  {}: {}\n", indent, quoted_name(written->name), shape(*written, dimension));
}

std::string inertia(const Symmetric3& s, Dimension dimension) {
  if (dimension == Dimension::planar) return number(s.zz);
  if (s.xy == 0 && s.xz == 0 && s.yz == 0) return list({s.xx, s.yy, s.zz});
  return list({s.xx, s.yy, s.zz, s.xy, s.xz, s.yz});
}

// `knee`, or `base.x` where a joint has several degrees of freedom.
std::string coordinate_name(const ModelDescription& model, const std::string& of_joint, int dof) {
  for (const JointDescription& joint : model.joints)
    if (const auto names = dof_names(joint.kind); joint.name == of_joint && names.size() > 1)
      return fmt::format("{}.{}", of_joint, names[static_cast<std::size_t>(dof)]);
  return of_joint;
}

std::string coupling(const LoopDescription& loop, const ModelDescription& model) {
  std::vector<std::string> terms;
  for (const CouplingTerm& term : loop.terms)
    terms.push_back(
        fmt::format("{}: {}", quoted_name(coordinate_name(model, term.joint, term.dof)), number(term.coefficient)));
  return fmt::format("terms: {{{}}}, constant: {}", fmt::join(terms, ", "), number(loop.constant));
}

std::string loop_text(const LoopDescription& loop, const ModelDescription& model) {
  std::string entries = fmt::format("kind: {}, ", name(loop.kind));
  if (loop.kind == LoopKind::coupling) return entries + coupling(loop, model);
  entries += fmt::format("bodies: [{}, {}], at: [{}, {}]", quoted_name(loop.body_a), quoted_name(loop.body_b),
                         pose(loop.at_a, model.dimension), pose(loop.at_b, model.dimension));
  if (loop.kind == LoopKind::distance) entries += ", distance: " + number(loop.distance);
  return entries;
}

void write_body(const ModelDescription& model, std::size_t i, const JointDescription* hung, std::string& out) {
  const BodyDescription& body = model.bodies[i];
  const Vector3& com = body.com;
  out += fmt::format("  {}:\n    mass: {}\n", quoted_name(body.name), number(body.mass));
  if (com.x != 0 || com.y != 0 || com.z != 0) out += fmt::format("    com: {}\n", vector(com, model.dimension));
  if (body.mass != 0) out += fmt::format("    inertia: {}\n", inertia(body.inertia, model.dimension));
  if (hung) out += fmt::format("    joint: {}\n", joint(*hung, model.dimension));
}

void write_impulses(const ModelDescription& model, std::string& out) {
  const Dimension dimension = model.dimension;
  if (!model.impulses.empty()) out += "impulses:\n";
  for (const ImpulseDescription& blow : model.impulses) {
    out += fmt::format("  {}: {{time: {}, ", quoted_name(blow.name), number(blow.time));
    if (blow.body.empty()) {
      out += fmt::format("joint: {}, impulse: {}}}\n", quoted_name(coordinate_name(model, blow.joint, blow.dof)),
                         number(blow.along_dof));
      continue;
    }
    out += fmt::format(
        "body: {}, at: {}, impulse: {}, angular_impulse: {}, frame: {}}}\n", quoted_name(blow.body),
        vector(blow.at, dimension), vector(blow.impulse, dimension),
        dimension == Dimension::planar ? number(blow.angular_impulse.z) : vector(blow.angular_impulse, dimension),
        name(blow.frame));
  }
}

}  // namespace

void write_bodies(const ModelDescription& model, std::string& out) {
  std::map<std::string_view, const JointDescription*> joints;
  for (const JointDescription& hung : model.joints) joints.emplace(hung.child, &hung);
  ShapesByBody shapes;
  for (const ShapeDescription& written : model.shapes) shapes[written.body].push_back(&written);
  out += "bodies:\n";
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const auto hung = joints.find(model.bodies[i].name);
    write_body(model, i, hung == joints.end() ? nullptr : hung->second, out);
    write_shapes(shapes, model.bodies[i].name, model.dimension, out);
  }
  if (!shapes.contains(world_name)) return;
  out += "world:\n";
  write_shapes(shapes, world_name, model.dimension, out);
}

void write_loops(const ModelDescription& model, std::string& out) {
  if (!model.loops.empty()) out += "loops:\n";
  for (const LoopDescription& loop : model.loops)
    out += fmt::format("  {}: {{{}}}\n", quoted_name(loop.name), loop_text(loop, model));
}

void write_loads(const ModelDescription& model, std::string& out) {
  const Dimension dimension = model.dimension;
  if (!model.springs.empty()) out += "springs:\n";
  for (const SpringDescription& spring : model.springs)
    out += fmt::format("  {}: {{bodies: [{}, {}], at: [{}, {}], stiffness: {}, rest_length: {}, damping: {}}}\n",
                       quoted_name(spring.name), quoted_name(spring.body_a), quoted_name(spring.body_b),
                       vector(spring.at_a, dimension), vector(spring.at_b, dimension), number(spring.stiffness),
                       number(spring.rest_length), number(spring.damping));
  if (!model.forces.empty()) out += "forces:\n";
  for (const ForceDescription& force : model.forces)
    out += fmt::format("  {}: {{body: {}, at: {}, force: {}, torque: {}, frame: {}, scale: {}}}\n",
                       quoted_name(force.name), quoted_name(force.body), vector(force.at, dimension),
                       vector(force.force, dimension),
                       dimension == Dimension::planar ? number(force.torque.z) : vector(force.torque, dimension),
                       force.frame == ForceFrame::body ? "body" : "world", profile(force.scale));
  write_impulses(model, out);
}

}  // namespace routh::internal::text
