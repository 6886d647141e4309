// The tree of links that the dynamics runs on.
//
// With F the joint's frame in the parent link, A(a) = rotation_from_z(a) and Rz, Tz the motion of a link about and
// along its z axis, the child's joint frame stands at
//   revolute     F A Rz(q) Aᵀ                          cylindrical  F A Tz(q₁) Rz(q₂) Aᵀ
//   prismatic    F A Tz(q) Aᵀ                          universal    F A₁ Rz(q₁) A₁ᵀ A₂ Rz(q₂) A₂ᵀ
//   planar       F Ax Tz(q₁) Axᵀ Ay Tz(q₂) Ayᵀ Rz(q₃)  spherical    F R(quaternion)        free  T(q) R(quaternion)
// so a link's constant pose is what stands before its motion, and what follows the last one belongs to the child body.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "routh/impact/surface_check.h"
#include "routh/model/draft.h"

namespace routh::internal {

namespace {

struct Motion {
  LinkKind kind;
  Matrix3 axes = identity3;  // takes the link's axes to the joint's frame
};

std::vector<Motion> motions_of(const Joint& joint) {
  const Matrix3 axes = rotation_from_z(joint.axis);
  switch (joint.kind) {
    case JointKind::fixed:
      return {};
    case JointKind::revolute:
      return {{LinkKind::turn, axes}};
    case JointKind::prismatic:
      return {{LinkKind::slide, axes}};
    case JointKind::cylindrical:
      return {{LinkKind::slide, axes}, {LinkKind::turn, axes}};
    case JointKind::planar:
      return {{LinkKind::slide, rotation_from_z({1, 0, 0})},
              {LinkKind::slide, rotation_from_z({0, 1, 0})},
              {LinkKind::turn, identity3}};
    case JointKind::spherical:
      return {{LinkKind::ball, identity3}};
    case JointKind::universal:
      return {{LinkKind::turn, axes}, {LinkKind::turn, rotation_from_z(joint.second_axis)}};
    case JointKind::free:
      return {{LinkKind::floating, identity3}};
  }
  return {};
}

bool is_range(double lower, double upper) { return lower > -unlimited || upper < unlimited; }

void check_drive(const Subject& subject, const DriveDescription& drive) {
  expect_not_negative(subject, subject.where, "drive.stiffness", drive.stiffness);
  expect_not_negative(subject, subject.where, "drive.damping", drive.damping);
  expect_profile(subject, "drive.position", drive.position);
  expect_profile(subject, "drive.velocity", drive.velocity);
  if (!(drive.limit > 0)) refuse(subject, fmt::format("drive.limit = {} must be positive", drive.limit));
}

void check_limits(const Subject& subject, const DofDescription& dof) {
  if (!(dof.lower < dof.upper))
    refuse(subject, dof.where, fmt::format("the limits [{}, {}] leave no room", dof.lower, dof.upper),
           "the lower limit must be less than the upper; weld the bodies by a fixed joint if they are not to move");
  if (const SurfaceViolation found = check_restitution(dof.limit_restitution); found.rule)
    refuse(subject, dof.where, fmt::format("limits.restitution = {} {}", found.value, found.rule));
}

// The turning of a ball has no coordinate that a limit, a spring or a drive could act on.
void check_turning(const Subject& subject, const DofDescription& dof) {
  const char* what = is_range(dof.lower, dof.upper) ? "a limit" : dof.stiffness != 0 ? "a spring" : "a drive";
  if (is_range(dof.lower, dof.upper) || dof.stiffness != 0 || dof.drive)
    refuse(subject, dof.where,
           fmt::format("{} needs a coordinate; turning that is kept as a quaternion has none", what),
           "use damping, armature or effort, or put revolute joints in its place");
}

// What resists the motion of a free body's origin is the same in all directions, whichever way the body is turned: the
// articulated inertias count on it.
void check_free_armature(const Subject& subject, const std::vector<DofDescription>& dofs) {
  for (const DofDescription& dof : std::span(dofs).first(std::min<std::size_t>(3, dofs.size())))
    if (dof.armature != dofs.front().armature)
      refuse(subject, known(dof.where, subject),
             fmt::format("armature = {} along one axis and {} along another", dofs.front().armature, dof.armature),
             "give x, y and z of a free joint the same, or none");
}

void check_dof(const Subject& subject, const Dof& checked, std::vector<std::string>& warnings) {
  const DofDescription& dof = checked.properties;
  if (checked.coordinate < 0) check_turning(subject, dof);
  check_limits(subject, dof);
  expect_finite(subject, dof.where, "spring.stiffness", dof.stiffness);
  expect_finite(subject, dof.where, "spring.rest", dof.rest);
  expect_not_negative(subject, dof.where, "damping", dof.damping);
  expect_not_negative(subject, dof.where, "armature", dof.armature);
  if (dof.drive) check_drive({subject.kind, subject.name, dof.where}, *dof.drive);
  if (dof.effort) expect_profile({subject.kind, subject.name, dof.where}, "effort", *dof.effort);
  if (dof.stiffness < 0)
    warnings.push_back(warning(
        {subject.kind, subject.name, dof.where},
        fmt::format("spring.stiffness = {} is negative: it pushes away from its rest position", dof.stiffness)));
}

// Adds the body to the link that carries it: mass, first moment and inertia about the link's origin.
void lump(const Body& body, Link& link) {
  const Vector3 c = body.in_link * body.com;
  const double m = body.mass;
  const Symmetric3 shift = {m * (c.y * c.y + c.z * c.z),
                            m * (c.x * c.x + c.z * c.z),
                            m * (c.x * c.x + c.y * c.y),
                            -m * c.x * c.y,
                            -m * c.x * c.z,
                            -m * c.y * c.z};
  link.mass += m;
  link.moment += m * c;
  link.inertia = link.inertia + rotated(body.in_link.rotation, body.inertia) + shift;
}

int add_link(Model& model, const Link& blank) {
  Link link = blank;
  link.q = model.coordinates;
  link.v = model.velocities;
  model.coordinates += coordinate_count(link.kind);
  model.velocities += velocity_count(link.kind);
  model.links.push_back(link);
  return static_cast<int>(model.links.size()) - 1;
}

// The links of a joint, and the body it carries in the last of them.
void add_links(Model& model, Joint& joint) {
  const Body& parent = model.bodies[joint.parent];
  Pose before = parent.in_link * joint.at;  // constant, up to the next motion
  int last = parent.link;
  joint.q = model.coordinates;
  joint.v = model.velocities;
  for (const Motion& motion : motions_of(joint)) {
    Link link;
    link.kind = motion.kind;
    link.parent = last;
    link.body = joint.child;
    link.rotation = before.rotation * motion.axes;
    link.offset = before.position;
    last = add_link(model, link);
    if (joint.first_link < 0) joint.first_link = last;
    joint.last_link = last;
    before = {transposed(motion.axes), {}};
  }
  joint.q_count = model.coordinates - joint.q;
  joint.v_count = model.velocities - joint.v;
  Body& child = model.bodies[joint.child];
  child.link = last;
  child.in_link = before * inverse(joint.in_child);
  if (last >= 0) lump(child, model.links[last]);
}

int last_dof(const Link& link) { return link.v + velocity_count(link.kind) - 1; }

// Which coordinate the k-th velocity of a link is the rate of; −1 for the turning of a quaternion.
int coordinate_of(const Link& link, int k) {
  switch (link.kind) {
    case LinkKind::turn:
    case LinkKind::slide:
      return link.q + k;
    case LinkKind::ball:
      return -1;
    case LinkKind::floating:
      return k < 3 ? link.q + k : -1;
  }
  return -1;
}

void add_dofs(ModelDraft& draft, int joint_index) {
  Model& model = draft.model;
  const Joint& joint = draft.joint(joint_index);
  const std::vector<DofDescription>& written = draft.written_joints[joint_index]->dofs;
  const Subject subject{"joint", joint.name, joint.where};
  if (!written.empty() && static_cast<int>(written.size()) != joint.v_count)
    refuse(subject, fmt::format("{} degrees of freedom are described; a {} joint has {}", written.size(),
                                name(joint.kind), joint.v_count));
  for (int l = joint.first_link; l >= 0 && l <= joint.last_link; ++l) {
    const Link& link = model.links[l];
    for (int k = 0; k < velocity_count(link.kind); ++k) {
      Dof dof;
      dof.joint = joint_index;
      dof.link = l;
      dof.coordinate = coordinate_of(link, k);
      const int v = link.v + k;
      if (k > 0)
        dof.parent = v - 1;
      else if (link.parent >= 0)
        dof.parent = last_dof(model.links[link.parent]);
      if (!written.empty()) dof.properties = written[v - joint.v];
      dof.properties.where = known(dof.properties.where, subject);
      model.dofs.push_back(std::move(dof));
      const std::string full_name = dof_name(model, v);
      const Subject dof_subject{"joint", full_name, joint.where};
      check_dof(dof_subject, model.dofs.back(), model.warnings);
    }
  }
  if (joint.kind == JointKind::free) check_free_armature(subject, written);
}

bool is_finite(const Vector3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

// Numbers that are finite each may overflow together.
void check_range(const ModelDraft& draft, const Joint& joint) {
  const Body& body = draft.body(joint.child);
  bool fits = is_finite(body.in_link.position);
  if (body.link >= 0) {
    const Link& link = draft.model.links[body.link];
    const Symmetric3& s = link.inertia;
    fits = fits && is_finite(link.offset) && std::isfinite(link.mass) && is_finite(link.moment) &&
           std::isfinite(s.xx + s.yy + s.zz) && std::isfinite(s.xy + s.xz + s.yz);
  }
  if (!fits)
    refuse({"body", body.name, draft.written_bodies[joint.child - 1]->where},
           "its place or inertia exceeds the range of numbers", "check the units of masses and lengths");
}

}  // namespace

int require_dof(const ModelDraft& draft, const Subject& subject, const std::string& joint, int dof,
                const Location& where) {
  const Joint& found = draft.joint(draft.joints.require(joint, subject, where));
  if (found.v_count == 0)
    refuse(subject, where, fmt::format("joint '{}' is fixed: nothing moves along it", found.name),
           "name a joint that moves");
  if (dof < 0 || dof >= found.v_count)
    refuse(subject, where, fmt::format("joint '{}' has no degree of freedom {}", found.name, dof),
           fmt::format("they are numbered 0 to {}", found.v_count - 1));
  return found.v + dof;
}

void build_links(ModelDraft& draft) {
  Model& model = draft.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    add_links(model, model.joints[i]);
    check_range(draft, model.joints[i]);
    add_dofs(draft, static_cast<int>(i));
  }
}

}  // namespace routh::internal
