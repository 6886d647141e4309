#include "model/samples.h"

namespace testing_support {

using namespace routh;

namespace {

template <class Thing>
Thing& named(std::vector<Thing>& things, const std::string& name) {
  for (Thing& thing : things)
    if (thing.name == name) return thing;
  throw std::logic_error("no " + name);
}

void add_body(ModelDescription& description, const std::string& name, const std::string& parent, JointKind kind) {
  const int line = 10 * (static_cast<int>(description.bodies.size()) + 1);
  BodyDescription added;
  added.name = name;
  added.mass = 2;
  added.inertia = description.dimension == Dimension::planar ? Symmetric3{0, 0, 0.1, 0, 0, 0}
                                                             : Symmetric3{0.1, 0.12, 0.15, 0.01, -0.01, 0.02};
  added.where = on_line(line);
  added.mass_where = on_line(line + 1);
  added.com_where = on_line(line + 2);
  added.inertia_where = on_line(line + 3);
  description.bodies.push_back(added);
  JointDescription hung;
  hung.name = name + "_joint";
  hung.kind = kind;
  hung.parent = parent;
  hung.child = name;
  hung.where = on_line(line + 4);
  hung.parent_where = on_line(line + 5);
  hung.axis_where = on_line(line + 6);
  description.joints.push_back(hung);
}

void add_shapes(ModelDescription& description) {
  SurfaceDescription steel;
  steel.name = "steel";
  steel.properties.friction = {0.5, 0.4};
  steel.properties.restitution.normal = 0.6;
  steel.where = on_line(50);
  description.surfaces.push_back(steel);
  ShapeDescription tip;
  tip.name = "tip";
  tip.body = "hand";
  tip.surface = "steel";
  tip.where = on_line(60);
  tip.body_where = on_line(61);
  tip.surface_where = on_line(62);
  description.shapes.push_back(tip);
  ShapeDescription floor;
  floor.name = "floor";
  floor.kind = ShapeKind::half_space;
  floor.where = on_line(65);
  description.shapes.push_back(floor);
}

void add_connections(ModelDescription& description) {
  SpringDescription band;
  band.name = "band";
  band.body_a = "hand";
  band.stiffness = 10;
  band.where = on_line(70);
  description.springs.push_back(band);
  ForceDescription push;
  push.name = "push";
  push.body = "crate";
  push.force = {1, 0, 0};
  push.where = on_line(75);
  description.forces.push_back(push);
  LoopDescription link;
  link.name = "link";
  link.body_a = "hand";
  link.body_b = "crate";
  link.where = on_line(80);
  link.body_b_where = on_line(81);
  description.loops.push_back(link);
  LoopDescription gear;
  gear.name = "gear";
  gear.kind = LoopKind::coupling;
  gear.terms = {{"arm_joint", 0, 1, on_line(86)}, {"hand_joint", 0, -2, on_line(86)}};
  gear.where = on_line(85);
  description.loops.push_back(gear);
}

}  // namespace

Location on_line(int line) { return {"m.yaml", line, 3}; }

ModelDescription sample(Dimension dimension) {
  ModelDescription description;
  description.name = "sample";
  description.dimension = dimension;
  description.where = on_line(1);
  description.gravity_where = on_line(2);
  if (dimension == Dimension::planar) description.gravity = {0, -9.81, 0};
  add_body(description, "base", world_name, JointKind::fixed);
  add_body(description, "arm", "base", JointKind::revolute);
  add_body(description, "hand", "arm", JointKind::revolute);
  add_body(description, "crate", world_name, dimension == Dimension::planar ? JointKind::planar : JointKind::free);
  description.bodies[0].inertia = {};
  description.joints[2].at.position = {1, 0, 0};
  add_shapes(description);
  add_connections(description);
  return description;
}

BodyDescription& body(ModelDescription& description, const std::string& name) {
  return named(description.bodies, name);
}
JointDescription& joint(ModelDescription& description, const std::string& name) {
  return named(description.joints, name);
}
ShapeDescription& shape(ModelDescription& description, const std::string& name) {
  return named(description.shapes, name);
}
DofDescription& dof(ModelDescription& description, const std::string& joint_name) {
  JointDescription& owner = joint(description, joint_name);
  owner.dofs.resize(static_cast<std::size_t>(velocity_count(owner.kind)));
  owner.dofs.front().where = on_line(owner.where.line + 3);
  return owner.dofs.front();
}

std::optional<InputError> refusal(const ModelDescription& description) {
  try {
    build_model(description);
  } catch (const InputError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace testing_support
