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
  joint().name = std::move(name);
  return *this;
}
JointWriter& JointWriter::at(double x, double y, double z) {
  joint().at.position = {x, y, z};
  return *this;
}
JointWriter& JointWriter::at(const Pose& pose) {
  joint().at = pose;
  return *this;
}
JointWriter& JointWriter::in_child(double x, double y, double z) {
  joint().in_child.position = {x, y, z};
  return *this;
}
JointWriter& JointWriter::in_child(const Pose& pose) {
  joint().in_child = pose;
  return *this;
}
JointWriter& JointWriter::axis(double x, double y, double z) {
  joint().axis = {x, y, z};
  return *this;
}
JointWriter& JointWriter::second_axis(double x, double y, double z) {
  joint().second_axis = {x, y, z};
  return *this;
}

JointWriter& JointWriter::dof(std::string_view name) {
  dof_ = require_dof(joint(), name);
  return *this;
}
DofDescription& JointWriter::chosen() {
  const auto names = dof_names(joint().kind);
  if (names.empty()) throw InputError({}, fmt::format("joint '{}': a fixed joint has nothing to act on", joint().name));
  if (dof_ < 0 && names.size() > 1)
    throw InputError({}, fmt::format("joint '{}': it has {} degrees of freedom", joint().name, names.size()),
                     fmt::format("choose one by dof(…) first: {}", fmt::join(names, ", ")));
  joint().dofs.resize(names.size());
  return joint().dofs[std::max(dof_, 0)];
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
  body().mass = mass;
  return *this;
}
BodyWriter& BodyWriter::com(double x, double y, double z) {
  body().com = {x, y, z};
  return *this;
}
BodyWriter& BodyWriter::inertia(double zz) { return inertia(0, 0, zz); }
BodyWriter& BodyWriter::inertia(double xx, double yy, double zz) { return inertia(Symmetric3{xx, yy, zz, 0, 0, 0}); }
BodyWriter& BodyWriter::inertia(const Symmetric3& inertia) {
  body().inertia = inertia;
  return *this;
}
JointWriter BodyWriter::joint(JointKind kind, std::string parent) {
  JointDescription joint;
  joint.name = body().name;
  joint.child = body().name;
  joint.kind = kind;
  joint.parent = std::move(parent);
  description_.joints.push_back(std::move(joint));
  return {description_, description_.joints.size() - 1};
}

LoopWriter& LoopWriter::between(LoopKind kind, std::string body_a, std::string body_b) {
  loop().kind = kind;
  loop().body_a = std::move(body_a);
  loop().body_b = std::move(body_b);
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
  loop().distance = distance;
  return between(LoopKind::distance, std::move(body_a), std::move(body_b));
}
LoopWriter& LoopWriter::at(const Vector3& in_a, const Vector3& in_b) {
  loop().at_a.position = in_a;
  loop().at_b.position = in_b;
  return *this;
}
LoopWriter& LoopWriter::at(const Pose& in_a, const Pose& in_b) {
  loop().at_a = in_a;
  loop().at_b = in_b;
  return *this;
}
LoopWriter& LoopWriter::couple(std::string_view joint, double coefficient) {
  loop().kind = LoopKind::coupling;
  CouplingTerm term;
  term.joint = joint;
  term.coefficient = coefficient;
  const std::size_t dot_at = joint.rfind('.');
  if (!find_joint(description_, joint) && dot_at != std::string_view::npos) {
    if (const JointDescription* several = find_joint(description_, joint.substr(0, dot_at))) {
      term.joint = several->name;
      term.dof = require_dof(*several, joint.substr(dot_at + 1));
    }
  }
  loop().terms.push_back(std::move(term));
  return *this;
}
LoopWriter& LoopWriter::constant(double constant) {
  loop().constant = constant;
  return *this;
}

SpringWriter& SpringWriter::between(std::string body_a, std::string body_b) {
  spring().body_a = std::move(body_a);
  spring().body_b = std::move(body_b);
  return *this;
}
SpringWriter& SpringWriter::at(const Vector3& in_a, const Vector3& in_b) {
  spring().at_a = in_a;
  spring().at_b = in_b;
  return *this;
}
SpringWriter& SpringWriter::stiffness(double stiffness) {
  spring().stiffness = stiffness;
  return *this;
}
SpringWriter& SpringWriter::rest_length(double length) {
  spring().rest_length = length;
  return *this;
}
SpringWriter& SpringWriter::damping(double damping) {
  spring().damping = damping;
  return *this;
}

ForceWriter& ForceWriter::on(std::string body) {
  written().body = std::move(body);
  return *this;
}
ForceWriter& ForceWriter::at(double x, double y, double z) {
  written().at = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::force(double x, double y, double z) {
  written().force = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::torque(double z) { return torque(0, 0, z); }
ForceWriter& ForceWriter::torque(double x, double y, double z) {
  written().torque = {x, y, z};
  return *this;
}
ForceWriter& ForceWriter::frame(ForceFrame frame) {
  written().frame = frame;
  return *this;
}
ForceWriter& ForceWriter::scale(Profile scale) {
  written().scale = std::move(scale);
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
