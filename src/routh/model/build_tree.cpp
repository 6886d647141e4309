// Bodies and joints: names, references, one joint for each body, and a tree without cycles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error_list.h"
#include "routh/math/elementary.h"
#include "routh/model/draft.h"
#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

Subject subject_of(const BodyDescription& body) { return {"body", body.name, body.where}; }
Subject subject_of(const JointDescription& joint) { return {"joint", joint.name, joint.where}; }

// The tree as written: indices in the description.
struct WrittenTree {
  std::vector<int> joint;   // of each body
  std::vector<int> parent;  // of each body; −1: the world
};

NameIndex index_bodies(const ModelDescription& description) {
  NameIndex index("body", "bodies");
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const BodyDescription& body = description.bodies[i];
    if (body.name == world_name)
      refuse(subject_of(body), "this is the name of the body everything stands on", "choose another name");
    index.add(subject_of(body), static_cast<int>(i));
  }
  return index;
}

int require_body(const NameIndex& bodies, const std::string& name, const Subject& subject, const Location& place) {
  return name == world_name ? -1 : bodies.require(name, subject, place);
}

WrittenTree read_tree(const ModelDescription& description, const NameIndex& bodies) {
  WrittenTree tree{std::vector<int>(description.bodies.size(), -1), std::vector<int>(description.bodies.size(), -1)};
  ErrorList errors;
  const auto hang = [&](std::size_t i) {
    const JointDescription& joint = description.joints[i];
    const Subject subject = subject_of(joint);
    const int child = require_body(bodies, joint.child, subject, joint.where);
    if (child < 0) refuse(subject, "the world cannot hang from a body", "swap parent and child");
    int& joint_of_child = tree.joint[child];
    if (joint_of_child >= 0)
      refuse(subject,
             fmt::format("body '{}' hangs from the joint '{}' already", joint.child,
                         printable(description.joints[joint_of_child].name)),
             "a body has one joint; close a loop under `loops`");
    joint_of_child = static_cast<int>(i);
    const int parent = require_body(bodies, joint.parent, subject, joint.parent_where);
    if (parent == child)
      refuse(subject, joint.parent_where, fmt::format("body '{}' hangs from itself", joint.child),
             "name another body, or the world, as its parent");
    tree.parent[child] = parent;
  };
  for (std::size_t i = 0; i < description.joints.size(); ++i) errors.attempt([&] { hang(i); });
  errors.finish();
  for (std::size_t i = 0; i < tree.joint.size(); ++i)
    if (tree.joint[i] < 0)
      refuse(subject_of(description.bodies[i]), "it has no joint",
             "say how it hangs; a joint of kind free lets it fly, one of kind fixed welds it");
  return tree;
}

// `a hangs from b, b from c, c from a`
[[noreturn]] void refuse_cycle(const ModelDescription& description, const WrittenTree& tree, int first) {
  constexpr int most = 12;
  const auto name = [&](int body) { return description.bodies[body].name; };
  std::string text;
  int body = first, told = 0;
  do {
    const int parent = tree.parent[body];
    if (told < most)
      text += told == 0 ? fmt::format("{} hangs from {}", name(body), name(parent))
                        : fmt::format(", {} from {}", name(body), name(parent));
    else if (told == most)
      text += ", …";
    ++told;
    body = parent;
  } while (body != first);
  const JointDescription& joint = description.joints[tree.joint[first]];
  refuse(subject_of(joint), joint.parent_where, "the bodies hang from each other in a ring: " + text,
         "hang one of them from the world, and close the ring under `loops`");
}

// The order of writing, except that the bodies a body hangs from come before it.
std::vector<int> parents_first(const ModelDescription& description, const WrittenTree& tree) {
  enum class Mark : char { open, waiting, placed };
  std::vector<Mark> marks(tree.parent.size(), Mark::open);
  std::vector<int> order, waiting;
  order.reserve(tree.parent.size());
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    int body = static_cast<int>(i);
    while (body >= 0 && marks[body] == Mark::open) {
      marks[body] = Mark::waiting;
      waiting.push_back(body);
      body = tree.parent[body];
    }
    if (body >= 0 && marks[body] == Mark::waiting) refuse_cycle(description, tree, body);
    for (; !waiting.empty(); waiting.pop_back()) {
      marks[waiting.back()] = Mark::placed;
      order.push_back(waiting.back());
    }
  }
  return order;
}

// In the plane machines turn about z and slide within it.
void check_planar_joint(const JointDescription& description, Joint& joint) {
  const Subject subject = subject_of(description);
  const double out_of_plane = std::abs(joint.axis.z), in_plane = elementary::hypot(joint.axis.x, joint.axis.y);
  switch (joint.kind) {
    case JointKind::fixed:
    case JointKind::planar:
      return;
    case JointKind::revolute:
      if (in_plane > tolerances::out_of_plane_component)
        refuse(subject, description.axis_where, "the axis of a revolute joint in a planar model must be z",
               "leave out the axis, or make the model spatial");
      joint.axis = {0, 0, joint.axis.z > 0 ? 1.0 : -1.0};
      return;
    case JointKind::prismatic:
      if (out_of_plane > tolerances::out_of_plane_component)
        refuse(subject, description.axis_where, "the axis of a prismatic joint in a planar model must lie in the plane",
               "give a direction [x, y], or make the model spatial");
      joint.axis = {joint.axis.x / in_plane, joint.axis.y / in_plane, 0};
      return;
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::free:
      refuse(subject, fmt::format("a {} joint leaves the plane", name(joint.kind)),
             "use fixed, revolute, prismatic or planar (which moves freely in the plane), or make the model spatial");
  }
}

void set_axes(const JointDescription& description, Joint& joint) {
  const Subject subject = subject_of(description);
  joint.axis = {0, 0, 1};
  joint.second_axis = {0, 1, 0};
  switch (joint.kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::cylindrical:
      joint.axis = checked_axis(subject, description.axis_where, "axis", description.axis);
      return;
    case JointKind::universal: {
      joint.axis = checked_axis(subject, description.axis_where, "axis", description.axis);
      joint.second_axis = checked_axis(subject, description.axis_where, "second_axis", description.second_axis);
      const double cosine = dot(joint.axis, joint.second_axis);
      if (std::abs(cosine) > tolerances::joint_axes_cosine)
        refuse(subject, description.axis_where,
               fmt::format("axis and second_axis are not perpendicular: the cosine between them is {:.9g}", cosine),
               "turn one of them; the axes of a universal joint stand at a right angle");
      return;
    }
    case JointKind::fixed:
    case JointKind::planar:
    case JointKind::spherical:
    case JointKind::free:
      return;
  }
}

bool is_identity(const Pose& pose) {
  const auto same = [](const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  return same(pose.position, {}) && same(pose.rotation.r0, identity3.r0) && same(pose.rotation.r1, identity3.r1) &&
         same(pose.rotation.r2, identity3.r2);
}

Joint make_joint(const ModelDraft& draft, const JointDescription& description) {
  const Subject subject = subject_of(description);
  const Dimension dimension = draft.description.dimension;
  Joint joint;
  joint.name = description.name;
  joint.kind = description.kind;
  joint.where = description.where;
  joint.parent = draft.bodies.find(description.parent);
  joint.child = static_cast<int>(draft.model.bodies.size());
  joint.at = checked_pose(subject, "at", description.at, dimension);
  joint.in_child = checked_pose(subject, "in_child", description.in_child, dimension);
  set_axes(description, joint);
  if (dimension == Dimension::planar) check_planar_joint(description, joint);
  if (joint.kind == JointKind::free && joint.parent != 0)
    refuse(subject, description.parent_where,
           fmt::format("a free joint hangs from the world, not from '{}'", description.parent),
           "let the parent be the world");
  if (joint.kind == JointKind::free && !is_identity(joint.at))
    refuse(subject, "the frame `at` of a free joint is the world's",
           "leave out `at`, and put the pose of the body into the state");
  return joint;
}

Body make_body(const BodyDescription& description, int joint) {
  Body body;
  body.name = description.name;
  body.mass = description.mass;
  body.com = description.com;
  body.inertia = description.inertia;
  body.joint = joint;
  return body;
}

// `base.x` must not be both a joint and the x of a joint `base`.
void check_dof_names(const ModelDraft& draft) {
  for (const Joint& joint : draft.model.joints) {
    const std::size_t dot_at = joint.name.rfind('.');
    if (dot_at == std::string::npos) continue;
    const int other = draft.joints.find(std::string_view(joint.name).substr(0, dot_at));
    if (other < 0) continue;
    const auto names = dof_names(draft.joint(other).kind);
    if (names.size() > 1 && std::find(names.begin(), names.end(), joint.name.substr(dot_at + 1)) != names.end())
      refuse({"joint", joint.name, joint.where},
             fmt::format("a degree of freedom of the joint '{}' has this name too", draft.joint(other).name),
             "rename one of the joints");
  }
}

}  // namespace

void build_tree(ModelDraft& draft) {
  static const std::string world = world_name;
  const ModelDescription& description = draft.description;
  const NameIndex written = index_bodies(description);
  for (std::size_t i = 0; i < description.joints.size(); ++i)
    draft.joints.add(subject_of(description.joints[i]), static_cast<int>(i));
  const WrittenTree tree = read_tree(description, written);

  draft.model.bodies.reserve(description.bodies.size() + 1);
  draft.model.joints.reserve(description.bodies.size());
  Body& ground = draft.model.bodies.emplace_back();
  ground.name = world;
  draft.bodies.add({"body", world, description.where}, 0);
  NameIndex joints("joint", "joints");
  ErrorList errors;
  for (const int i : parents_first(description, tree)) {
    const BodyDescription& body = description.bodies[i];
    const JointDescription& joint = description.joints[tree.joint[i]];
    errors.attempt([&] { check_body(body, description.dimension); });
    draft.model.joints.push_back(make_joint(draft, joint));
    draft.written_joints.push_back(&joint);
    draft.written_bodies.push_back(&body);
    const int index = static_cast<int>(draft.model.bodies.size());
    draft.bodies.add(subject_of(body), index);
    joints.add(subject_of(joint), index - 1);
    draft.model.bodies.push_back(make_body(body, index - 1));
  }
  errors.finish();
  draft.joints = std::move(joints);
  check_dof_names(draft);
}

}  // namespace routh::internal
