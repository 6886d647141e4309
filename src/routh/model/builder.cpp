#include "routh/model/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace routh {

namespace {

// The entry `dof` of a joint's velocity. Throws InputError.
int require_dof(const JointDescription& joint, std::string_view dof) {
  const auto names = dof_names(joint.kind);
  const auto found = std::find(names.begin(), names.end(), dof);
  if (found == names.end())
    throw InputError(
        {}, fmt::format("joint '{}': it has no degree of freedom '{}'", joint.name, printable(std::string(dof))),
        names.empty() ? std::string("a fixed joint has none")
                      : fmt::format("those of a {} joint are {}", name(joint.kind), fmt::join(names, ", ")));
  return static_cast<int>(found - names.begin());
}

const JointDescription* find_joint(const ModelDescription& description, std::string_view name) {
  for (const JointDescription& joint : description.joints)
    if (joint.name == name) return &joint;
  return nullptr;
}

// `joint`, or `joint.dof`. A joint that is not there is left for build_model to refuse.
std::pair<std::string, int> named_dof(const ModelDescription& description, std::string_view name) {
  const std::size_t dot_at = name.rfind('.');
  if (!find_joint(description, name) && dot_at != std::string_view::npos)
    if (const JointDescription* several = find_joint(description, name.substr(0, dot_at)))
      return {several->name, require_dof(*several, name.substr(dot_at + 1))};
  return {std::string(name), 0};
}

}  // namespace

SurfaceProperties& SurfaceWriter::properties() {
  switch (of_) {
    case Of::surface:
      return description_.surfaces[index_].properties;
    case Of::pair:
      break;
  }
  return description_.surface_pairs[index_].properties;
}
SurfaceWriter& SurfaceWriter::friction(double static_coefficient, double kinetic_coefficient) {
  properties().friction = {static_coefficient, kinetic_coefficient};
  return *this;
}
SurfaceWriter& SurfaceWriter::restitution(double coefficient) {
  properties().restitution.kind = RestitutionKind::constant;
  properties().restitution.normal = coefficient;
  return *this;
}
SurfaceWriter& SurfaceWriter::restitution_alpha(double alpha) {
  properties().restitution.kind = RestitutionKind::linear;
  properties().restitution.alpha = alpha;
  return *this;
}
SurfaceWriter& SurfaceWriter::restitution_table(std::vector<RestitutionPoint> table) {
  properties().restitution.kind = RestitutionKind::table;
  properties().table = std::move(table);
  return *this;
}
SurfaceWriter& SurfaceWriter::tangential_restitution(double coefficient) {
  properties().restitution.tangential = coefficient;
  return *this;
}
SurfaceWriter& SurfaceWriter::law(Law law) {
  properties().law = law;
  return *this;
}

JointWriter& JointWriter::name(std::string name) {
  entry().name = std::move(name);
  return *this;
}
JointWriter& JointWriter::at(double x, double y, double z) {
  entry().at.position = {x, y, z};
  return *this;
}
JointWriter& JointWriter::at(const Pose& pose) {
  entry().at = pose;
  return *this;
}
JointWriter& JointWriter::in_child(double x, double y, double z) {
  entry().in_child.position = {x, y, z};
  return *this;
}
JointWriter& JointWriter::in_child(const Pose& pose) {
  entry().in_child = pose;
  return *this;
}
JointWriter& JointWriter::axis(double x, double y, double z) {
  entry().axis = {x, y, z};
  return *this;
}
JointWriter& JointWriter::second_axis(double x, double y, double z) {
  entry().second_axis = {x, y, z};
  return *this;
}

JointWriter& JointWriter::dof(std::string_view name) {
  dof_ = require_dof(entry(), name);
  return *this;
}
DofDescription& JointWriter::chosen() {
  const auto names = dof_names(entry().kind);
  if (names.empty()) throw InputError({}, fmt::format("joint '{}': a fixed joint has nothing to act on", entry().name));
  if (dof_ < 0 && names.size() > 1)
    throw InputError({}, fmt::format("joint '{}': it has {} degrees of freedom", entry().name, names.size()),
                     fmt::format("choose one by dof(…) first: {}", fmt::join(names, ", ")));
  entry().dofs.resize(names.size());
  return entry().dofs[std::max(dof_, 0)];
}
JointWriter& JointWriter::limits(double lower, double upper, double restitution) {
  DofDescription& dof = chosen();
  dof.lower = lower;
  dof.upper = upper;
  dof.limit_restitution = restitution;
  return *this;
}
JointWriter& JointWriter::spring(double stiffness, double rest) {
  DofDescription& dof = chosen();
  dof.stiffness = stiffness;
  dof.rest = rest;
  return *this;
}
JointWriter& JointWriter::damping(double damping) {
  chosen().damping = damping;
  return *this;
}
JointWriter& JointWriter::armature(double armature) {
  chosen().armature = armature;
  return *this;
}
JointWriter& JointWriter::drive(const DriveDescription& drive) {
  chosen().drive = drive;
  return *this;
}
JointWriter& JointWriter::effort(Profile effort) {
  chosen().effort = std::move(effort);
  return *this;
}

BodyWriter& BodyWriter::mass(double mass) {
  entry().mass = mass;
  return *this;
}
BodyWriter& BodyWriter::com(double x, double y, double z) {
  entry().com = {x, y, z};
  return *this;
}
BodyWriter& BodyWriter::inertia(double zz) { return inertia(0, 0, zz); }
BodyWriter& BodyWriter::inertia(double xx, double yy, double zz) { return inertia(Symmetric3{xx, yy, zz, 0, 0, 0}); }
BodyWriter& BodyWriter::inertia(const Symmetric3& inertia) {
  entry().inertia = inertia;
  return *this;
}
JointWriter BodyWriter::joint(JointKind kind, std::string parent) {
  JointDescription joint;
  joint.name = entry().name;
  joint.child = entry().name;
  joint.kind = kind;
  joint.parent = std::move(parent);
  description_.joints.push_back(std::move(joint));
  return {description_, description_.joints.size() - 1};
}

LoopWriter& LoopWriter::between(LoopKind kind, std::string body_a, std::string body_b) {
  entry().kind = kind;
  entry().body_a = std::move(body_a);
  entry().body_b = std::move(body_b);
  return *this;
}
LoopWriter& LoopWriter::point(std::string body_a, std::string body_b) {
  return between(LoopKind::point, std::move(body_a), std::move(body_b));
}
LoopWriter& LoopWriter::hinge(std::string body_a, std::string body_b) {
  return between(LoopKind::hinge, std::move(body_a), std::move(body_b));
}
LoopWriter& LoopWriter::weld(std::string body_a, std::string body_b) {
  return between(LoopKind::weld, std::move(body_a), std::move(body_b));
}
LoopWriter& LoopWriter::distance(double distance, std::string body_a, std::string body_b) {
  entry().distance = distance;
  return between(LoopKind::distance, std::move(body_a), std::move(body_b));
}
LoopWriter& LoopWriter::at(const Vector3& in_a, const Vector3& in_b) {
  entry().at_a.position = in_a;
  entry().at_b.position = in_b;
  return *this;
}
LoopWriter& LoopWriter::at(const Pose& in_a, const Pose& in_b) {
  entry().at_a = in_a;
  entry().at_b = in_b;
  return *this;
}
LoopWriter& LoopWriter::couple(std::string_view joint, double coefficient) {
  entry().kind = LoopKind::coupling;
  const auto [name, dof] = named_dof(description_, joint);
  entry().terms.push_back({.joint = name, .dof = dof, .coefficient = coefficient, .where = {}});
  return *this;
}
LoopWriter& LoopWriter::constant(double constant) {
  entry().constant = constant;
  return *this;
}

SpringWriter& SpringWriter::between(std::string body_a, std::string body_b) {
  entry().body_a = std::move(body_a);
  entry().body_b = std::move(body_b);
  return *this;
}
SpringWriter& SpringWriter::at(const Vector3& in_a, const Vector3& in_b) {
  entry().at_a = in_a;
  entry().at_b = in_b;
  return *this;
}
SpringWriter& SpringWriter::stiffness(double stiffness) {
  entry().stiffness = stiffness;
  return *this;
}
SpringWriter& SpringWriter::rest_length(double length) {
  entry().rest_length = length;
  return *this;
}
SpringWriter& SpringWriter::damping(double damping) {
  entry().damping = damping;
  return *this;
}

ForceWriter& ForceWriter::on(std::string body) {
  entry().body = std::move(body);
  return *this;
}
ForceWriter& ForceWriter::at(double x, double y, double z) {
  entry().at = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::force(double x, double y, double z) {
  entry().force = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::torque(double z) { return torque(0, 0, z); }
ForceWriter& ForceWriter::torque(double x, double y, double z) {
  entry().torque = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::frame(ForceFrame frame) {
  entry().frame = frame;
  return *this;
}
ForceWriter& ForceWriter::scale(Profile scale) {
  entry().scale = std::move(scale);
  return *this;
}

ImpulseWriter& ImpulseWriter::time(double time) {
  entry().time = time;
  return *this;
}
ImpulseWriter& ImpulseWriter::on(std::string body) {
  entry().body = std::move(body);
  return *this;
}
ImpulseWriter& ImpulseWriter::at(double x, double y, double z) {
  entry().at = {x, y, z};
  return *this;
}
ImpulseWriter& ImpulseWriter::impulse(double x, double y, double z) {
  entry().impulse = {x, y, z};
  return *this;
}
ImpulseWriter& ImpulseWriter::angular_impulse(double z) { return angular_impulse(0, 0, z); }
ImpulseWriter& ImpulseWriter::angular_impulse(double x, double y, double z) {
  entry().angular_impulse = {x, y, z};
  return *this;
}
ImpulseWriter& ImpulseWriter::frame(ForceFrame frame) {
  entry().frame = frame;
  return *this;
}
ImpulseWriter& ImpulseWriter::along(std::string_view joint, double impulse) {
  std::tie(entry().joint, entry().dof) = named_dof(description_, joint);
  entry().along_dof = impulse;
  return *this;
}

ModelBuilder::ModelBuilder(Dimension dimension, std::string name) {
  description_.name = std::move(name);
  description_.dimension = dimension;
  if (dimension == Dimension::planar) description_.gravity = {0, -9.81, 0};
}
ModelBuilder& ModelBuilder::gravity(double x, double y, double z) {
  description_.gravity = {x, y, z};
  return *this;
}
BodyWriter ModelBuilder::body(std::string name) {
  description_.bodies.emplace_back().name = std::move(name);
  return {description_, description_.bodies.size() - 1};
}
ShapeWriter ModelBuilder::shape(std::string name) {
  description_.shapes.emplace_back().name = std::move(name);
  return {description_, description_.shapes.size() - 1};
}
SurfaceWriter ModelBuilder::surface(std::string name) {
  description_.surfaces.emplace_back().name = std::move(name);
  return {description_, SurfaceWriter::Of::surface, description_.surfaces.size() - 1};
}
SurfaceWriter ModelBuilder::surface_pair(std::string first, std::string second) {
  SurfacePairDescription& pair = description_.surface_pairs.emplace_back();
  pair.first = std::move(first);
  pair.second = std::move(second);
  return {description_, SurfaceWriter::Of::pair, description_.surface_pairs.size() - 1};
}
LoopWriter ModelBuilder::loop(std::string name) {
  description_.loops.emplace_back().name = std::move(name);
  return {description_, description_.loops.size() - 1};
}
SpringWriter ModelBuilder::spring(std::string name) {
  description_.springs.emplace_back().name = std::move(name);
  return {description_, description_.springs.size() - 1};
}
ImpulseWriter ModelBuilder::impulse(std::string name) {
  description_.impulses.emplace_back().name = std::move(name);
  return {description_, description_.impulses.size() - 1};
}
ForceWriter ModelBuilder::force(std::string name) {
  description_.forces.emplace_back().name = std::move(name);
  return {description_, description_.forces.size() - 1};
}
ModelBuilder& ModelBuilder::exclude(std::string first, std::string second) {
  description_.filters.push_back({FilterDescription::Rule::exclude, std::move(first), std::move(second), {}});
  return *this;
}
ModelBuilder& ModelBuilder::include(std::string first, std::string second) {
  description_.filters.push_back({FilterDescription::Rule::include, std::move(first), std::move(second), {}});
  return *this;
}

}  // namespace routh
