// Springs between points of bodies, forces and impulses.
#include <fmt/format.h>

#include <algorithm>

#include "routh/base/error_list.h"
#include "routh/model/draft.h"

namespace routh::internal {

namespace {

Spring make_spring(ModelDraft& draft, const SpringDescription& description) {
  const Subject subject{"spring", description.name, description.where};
  const Dimension dimension = draft.model.dimension;
  Spring spring;
  spring.name = description.name;
  spring.body_a = draft.bodies.require(description.body_a, subject, description.body_a_where);
  spring.body_b = draft.bodies.require(description.body_b, subject, description.body_b_where);
  if (draft.body(spring.body_a).link == draft.body(spring.body_b).link)
    refuse(subject, fmt::format("'{}' and '{}' cannot move against each other", description.body_a, description.body_b),
           "put its ends on two bodies that move, or on a body that moves and the world");
  expect_vector(subject, subject.where, "at of the first body", description.at_a, dimension);
  expect_vector(subject, subject.where, "at of the second body", description.at_b, dimension);
  expect_finite(subject, subject.where, "stiffness", description.stiffness);
  expect_not_negative(subject, subject.where, "rest_length", description.rest_length);
  expect_not_negative(subject, subject.where, "damping", description.damping);
  spring.at_a = description.at_a;
  spring.at_b = description.at_b;
  spring.stiffness = description.stiffness;
  spring.rest_length = description.rest_length;
  spring.damping = description.damping;
  if (spring.stiffness < 0)
    draft.model.warnings.push_back(warning(
        subject, fmt::format("stiffness = {} is negative: it pushes away from its rest length", spring.stiffness)));
  return spring;
}

Force make_force(const ModelDraft& draft, const ForceDescription& description) {
  const Subject subject{"force", description.name, description.where};
  const Dimension dimension = draft.model.dimension;
  Force force;
  force.name = description.name;
  force.body = draft.bodies.require(description.body, subject, description.body_where);
  if (draft.body(force.body).link < 0)
    refuse(subject, description.body_where, fmt::format("'{}' does not move", description.body),
           "name a body that a force can move");
  expect_vector(subject, subject.where, "at", description.at, dimension);
  expect_vector(subject, subject.where, "force", description.force, dimension);
  expect_vector(subject, subject.where, "torque", description.torque, Dimension::spatial);
  if (dimension == Dimension::planar && (description.torque.x != 0 || description.torque.y != 0))
    refuse(subject, "torque leaves the plane", "in a planar model give one number, the torque about z");
  expect_profile(subject, "scale", description.scale);
  force.at = description.at;
  force.force = description.force;
  force.torque = description.torque;
  force.frame = description.frame;
  force.scale = description.scale;
  return force;
}

int struck_dof(const ModelDraft& draft, const ImpulseDescription& description, const Subject& subject) {
  const Joint& joint = draft.joint(draft.joints.require(description.joint, subject, description.target_where));
  if (joint.v_count == 0)
    refuse(subject, description.target_where, fmt::format("joint '{}' is fixed: nothing moves along it", joint.name),
           "name a joint that moves, or a body");
  if (description.dof < 0 || description.dof >= joint.v_count)
    refuse(subject, description.target_where,
           fmt::format("joint '{}' has no degree of freedom {}", joint.name, description.dof),
           fmt::format("they are numbered 0 to {}", joint.v_count - 1));
  expect_finite(subject, subject.where, "impulse", description.along_dof);
  return joint.v + description.dof;
}

Impulse make_impulse(const ModelDraft& draft, const ImpulseDescription& description) {
  const Subject subject{"impulse", description.name, description.where};
  const Dimension dimension = draft.model.dimension;
  Impulse impulse;
  impulse.name = description.name;
  expect_finite(subject, subject.where, "time", description.time);
  impulse.time = description.time;
  if (description.body.empty() == description.joint.empty())
    refuse(subject, description.where, "it acts on one body or along one joint", "name a body or a joint");
  if (description.body.empty()) {
    impulse.dof = struck_dof(draft, description, subject);
    impulse.along_dof = description.along_dof;
    return impulse;
  }
  impulse.body = draft.bodies.require(description.body, subject, description.target_where);
  if (draft.body(impulse.body).link < 0)
    refuse(subject, description.target_where, fmt::format("'{}' does not move", description.body),
           "name a body that an impulse can move");
  expect_vector(subject, subject.where, "at", description.at, dimension);
  expect_vector(subject, subject.where, "impulse", description.impulse, dimension);
  expect_vector(subject, subject.where, "angular_impulse", description.angular_impulse, Dimension::spatial);
  if (dimension == Dimension::planar && (description.angular_impulse.x != 0 || description.angular_impulse.y != 0))
    refuse(subject, "angular_impulse leaves the plane", "in a planar model give one number, that about z");
  impulse.at = description.at;
  impulse.impulse = description.impulse;
  impulse.angular_impulse = description.angular_impulse;
  impulse.frame = description.frame;
  return impulse;
}

}  // namespace

void build_loads(ModelDraft& draft) {
  ErrorList errors;
  NameIndex springs("spring", "springs");
  for (const SpringDescription& description : draft.description.springs)
    errors.attempt([&] {
      springs.add({"spring", description.name, description.where}, static_cast<int>(draft.model.springs.size()));
      draft.model.springs.push_back(make_spring(draft, description));
    });
  NameIndex forces("force", "forces");
  for (const ForceDescription& description : draft.description.forces)
    errors.attempt([&] {
      forces.add({"force", description.name, description.where}, static_cast<int>(draft.model.forces.size()));
      draft.model.forces.push_back(make_force(draft, description));
    });
  NameIndex impulses("impulse", "impulses");
  for (const ImpulseDescription& description : draft.description.impulses)
    errors.attempt([&] {
      impulses.add({"impulse", description.name, description.where}, static_cast<int>(draft.model.impulses.size()));
      draft.model.impulses.push_back(make_impulse(draft, description));
    });
  errors.finish();
  std::stable_sort(draft.model.impulses.begin(), draft.model.impulses.end(),
                   [](const Impulse& a, const Impulse& b) { return a.time < b.time; });
}

}  // namespace routh::internal
