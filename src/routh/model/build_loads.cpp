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

// What acts on a body at a point, and the names of its two parts.
struct Wrench {
  const Vector3 &at, &straight, &turning;
  const char *straight_name, *turning_name;
};

// The body it acts on.
int struck_body(const ModelDraft& draft, const Subject& subject, const std::string& body, const Location& where,
                const Wrench& wrench) {
  const Dimension dimension = draft.model.dimension;
  const int index = draft.bodies.require(body, subject, where);
  if (draft.body(index).link < 0)
    refuse(subject, where, fmt::format("'{}' does not move", body),
           fmt::format("name a body that the {} can move", subject.kind));
  expect_vector(subject, subject.where, "at", wrench.at, dimension);
  expect_vector(subject, subject.where, wrench.straight_name, wrench.straight, dimension);
  expect_vector(subject, subject.where, wrench.turning_name, wrench.turning, Dimension::spatial);
  if (dimension == Dimension::planar && (wrench.turning.x != 0 || wrench.turning.y != 0))
    refuse(subject, fmt::format("{} leaves the plane", wrench.turning_name),
           "in a planar model give one number, that about z");
  return index;
}

Force make_force(const ModelDraft& draft, const ForceDescription& description) {
  const Subject subject{"force", description.name, description.where};
  Force force;
  force.name = description.name;
  force.body = struck_body(draft, subject, description.body, description.body_where,
                           {description.at, description.force, description.torque, "force", "torque"});
  expect_profile(subject, "scale", description.scale);
  force.at = description.at;
  force.force = description.force;
  force.torque = description.torque;
  force.frame = description.frame;
  force.scale = description.scale;
  return force;
}

Impulse make_impulse(const ModelDraft& draft, const ImpulseDescription& description) {
  const Subject subject{"impulse", description.name, description.where};
  Impulse impulse;
  impulse.name = description.name;
  expect_finite(subject, subject.where, "time", description.time);
  impulse.time = description.time;
  if (description.body.empty() == description.joint.empty())
    refuse(subject, description.where, "it acts on one body or along one joint", "name a body or a joint");
  if (description.body.empty()) {
    impulse.dof = require_dof(draft, subject, description.joint, description.dof, description.target_where);
    expect_finite(subject, subject.where, "impulse", description.along_dof);
    impulse.along_dof = description.along_dof;
    return impulse;
  }
  impulse.body =
      struck_body(draft, subject, description.body, description.target_where,
                  {description.at, description.impulse, description.angular_impulse, "impulse", "angular_impulse"});
  impulse.at = description.at;
  impulse.impulse = description.impulse;
  impulse.angular_impulse = description.angular_impulse;
  impulse.frame = description.frame;
  return impulse;
}

}  // namespace

void build_loads(ModelDraft& draft) {
  ErrorList errors;
  const auto build = [&](const char* kind, const char* kinds, const auto& descriptions, auto& out, auto&& make) {
    NameIndex names(kind, kinds);
    for (const auto& description : descriptions)
      errors.attempt([&] {
        names.add({kind, description.name, description.where}, static_cast<int>(out.size()));
        out.push_back(make(draft, description));
      });
  };
  build("spring", "springs", draft.description.springs, draft.model.springs, make_spring);
  build("force", "forces", draft.description.forces, draft.model.forces, make_force);
  build("impulse", "impulses", draft.description.impulses, draft.model.impulses, make_impulse);
  errors.finish();
  std::stable_sort(draft.model.impulses.begin(), draft.model.impulses.end(),
                   [](const Impulse& a, const Impulse& b) { return a.time < b.time; });
}

}  // namespace routh::internal
