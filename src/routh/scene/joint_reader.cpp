#include "routh/scene/machine_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "routh/impact/surface_check.h"
#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

constexpr std::string_view dof_keys[] = {"limits", "spring", "damping", "armature", "drive", "effort"};
constexpr std::string_view turning_keys[] = {"damping", "armature", "effort"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

JointKind read_kind(const Node& node, Dimension dimension) {
  const auto kind = node.choice<JointKind>();
  if (dimension == Dimension::spatial) return kind;
  switch (kind) {
    case JointKind::fixed:
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::planar:
      return kind;
    case JointKind::free:
      node.fail(fmt::format("{}: a free joint leaves the plane", node.path()),
                "write `kind: planar`, which lets a body move along x and y and turn");
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
      node.fail(fmt::format("{}: a {} joint leaves the plane", node.path(), node.raw()),
                "in the plane joints are fixed, revolute, prismatic or planar");
  }
  return kind;
}

std::vector<std::string_view> axis_keys(JointKind kind, Dimension dimension) {
  switch (kind) {
    case JointKind::revolute:
      if (dimension == Dimension::planar) return {};
      return {"axis"};
    case JointKind::prismatic:
    case JointKind::cylindrical:
      return {"axis"};
    case JointKind::universal:
      return {"axis", "second_axis"};
    case JointKind::fixed:
    case JointKind::planar:
    case JointKind::spherical:
    case JointKind::free:
      return {};
  }
  return {};
}

// Refuses keys that this kind of joint does not have, with the reason where another joint has them.
void check_keys(const Node& node, JointKind kind, Dimension dimension) {
  std::vector<std::string_view> allowed = {"kind", "parent", "in_child", "name"};
  if (kind != JointKind::free) allowed.push_back("at");
  const std::size_t dofs = dof_names(kind).size();
  for (const std::string_view key : axis_keys(kind, dimension)) allowed.push_back(key);
  if (dofs == 1) allowed.insert(allowed.end(), std::begin(dof_keys), std::end(dof_keys));
  if (dofs > 1) allowed.push_back("dofs");
  const std::string_view word = name(kind);
  for (const Node entry : node) {
    const std::string_view key = entry.key();
    if (contains(allowed, key)) continue;
    const auto refuse = [&](const std::string& why, const std::string& remedy) {
      throw InputError(entry.key_where(), fmt::format("{}: '{}' is not a key of {}", node.path(), key, why), remedy);
    };
    if (key == "at")
      refuse("a free joint, which moves against the world's frame", "put the body's pose into `position` of `state`");
    if (key == "axis" && kind == JointKind::revolute)
      refuse("a revolute joint in the plane", "remove it: the joint turns about z");
    if (key == "axis" || key == "second_axis")
      refuse(fmt::format("a {} joint", word), "remove it; turn the joint's frame by `rotation` in `at` if need be");
    if (contains(dof_keys, key) && dofs > 1)
      refuse(fmt::format("a {} joint, which has several degrees of freedom", word),
             fmt::format("write `dofs: {{{}: {{{}: …}}}}`", dof_names(kind).front(), key));
    if (contains(dof_keys, key)) refuse("a fixed joint, which does not move", "remove it");
    if (key == "dofs" && dofs == 1)
      refuse(fmt::format("a {} joint, which has one degree of freedom", word), "write its entries into the joint");
  }
  node.allow_keys(allowed);
}

void read_limits(const Node& node, Measure measure, DofDescription& dof) {
  if (node.is_sequence()) {
    expect_entries(node, 2, "a pair [lower, upper]");
    dof.lower = read_measure(node.child(0), measure);
    dof.upper = read_measure(node.child(1), measure);
  } else {
    node.allow_keys({"lower", "upper", "restitution"});
    const auto lower = node.find("lower"), upper = node.find("upper");
    if (!lower && !upper)
      node.fail(fmt::format("{}: both limits are missing", node.path()), "add `lower: …`, `upper: …` or both");
    if (lower) dof.lower = read_measure(*lower, measure);
    if (upper) dof.upper = read_measure(*upper, measure);
    if (const auto restitution = node.find("restitution")) {
      dof.limit_restitution = restitution->number();
      if (const SurfaceViolation found = check_restitution(dof.limit_restitution); found.rule)
        restitution->fail(fmt::format("{} = {} {}", restitution->path(), found.value, found.rule));
    }
  }
  if (!(dof.lower < dof.upper))
    node.fail(fmt::format("{}: the lower limit {} is not below the upper limit {}", node.path(), dof.lower, dof.upper),
              "write the lower one first; for a joint that does not move, `kind: fixed`");
}

void read_spring(const Node& node, Measure measure, DofDescription& dof) {
  node.allow_keys({"stiffness", "rest"});
  dof.stiffness = node.require("stiffness").number();
  if (const auto rest = node.find("rest")) dof.rest = read_measure(*rest, measure);
}

DriveDescription read_drive(const Node& node, Measure measure) {
  node.allow_keys({"stiffness", "damping", "position", "velocity", "limit"});
  if (!node.find("stiffness") && !node.find("damping"))
    node.fail(fmt::format("{}: a drive without gains does nothing", node.path()), "add `stiffness: …` or `damping: …`");
  DriveDescription drive;
  drive.stiffness = read_non_negative_or(node, "stiffness", 0);
  drive.damping = read_non_negative_or(node, "damping", 0);
  if (const auto position = node.find("position")) drive.position = read_profile(*position, measure);
  if (const auto velocity = node.find("velocity"))
    drive.velocity = read_profile(*velocity, measure == Measure::angle ? Measure::rate : Measure::speed);
  drive.limit = read_positive_or(node, "limit", unlimited);
  return drive;
}

// `node` holds the entries of `dof_keys`, and possibly others that were looked at elsewhere.
DofDescription read_dof(const Node& node, std::string_view dof, DofDescription result) {
  const Measure measure = dof_measure(dof);
  result.where = node.key_where();
  if (const auto limits = node.find("limits")) read_limits(*limits, measure, result);
  if (const auto spring = node.find("spring")) read_spring(*spring, measure, result);
  result.damping = read_non_negative_or(node, "damping", result.damping);
  result.armature = read_non_negative_or(node, "armature", result.armature);
  if (const auto drive = node.find("drive")) result.drive = read_drive(*drive, measure);
  if (const auto effort = node.find("effort")) result.effort = read_profile(*effort, Measure::number);
  return result;
}

// `before` is what the scene changes; empty when it changes nothing.
std::vector<DofDescription> read_dofs(const Node& joint, JointKind kind, const std::vector<DofDescription>& before) {
  const auto names = dof_names(kind);
  const auto start = [&](std::size_t i) { return i < before.size() ? before[i] : DofDescription(); };
  if (names.size() == 1) return {read_dof(joint, names[0], start(0))};
  const auto node = joint.find("dofs");
  if (!node) return before;
  node->allow_keys(names);
  std::vector<DofDescription> dofs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    DofDescription dof = start(i);
    dof.where = node->key_where();
    if (const auto entry = node->find(names[i])) {
      entry->allow_keys(turns_quaternion(names[i]) ? std::span<const std::string_view>(turning_keys) : dof_keys);
      dof = read_dof(*entry, names[i], std::move(dof));
    }
    dofs.push_back(std::move(dof));
  }
  return dofs;
}

void read_axes(const Node& node, JointDescription& joint, Dimension dimension) {
  joint.axis_where = joint.where;
  for (const std::string_view key : axis_keys(joint.kind, dimension)) {
    const Node axis = node.require(key);
    (key == "axis" ? joint.axis : joint.second_axis) = read_direction(axis, dimension);
    if (key == "axis") joint.axis_where = axis.where();
  }
  if (joint.kind == JointKind::universal &&
      std::abs(dot(joint.axis, joint.second_axis)) > tolerances::joint_axes_cosine) {
    const Node second = node.require("second_axis");
    second.fail(fmt::format("{}: the axes of a universal joint must be perpendicular", second.path()));
  }
}

}  // namespace

Measure dof_measure(std::string_view dof) { return dof.starts_with("angle") ? Measure::angle : Measure::length; }

bool turns_quaternion(std::string_view dof) { return dof.starts_with('w'); }

JointDescription read_joint(const Node& node, const std::string& child, Dimension dimension) {
  node.expect_map();
  JointDescription joint;
  joint.kind = read_kind(node.require("kind"), dimension);
  check_keys(node, joint.kind, dimension);
  joint.child = child;
  joint.where = joint.parent_where = node.key_where();
  const auto name = node.find("name");
  joint.name = name ? read_reference(*name) : child;
  if (const auto parent = node.find("parent")) {
    joint.parent = read_reference(*parent);
    joint.parent_where = parent->where();
  }
  if (const auto at = node.find("at")) joint.at = read_pose(*at, dimension);
  if (const auto in_child = node.find("in_child")) joint.in_child = read_pose(*in_child, dimension);
  read_axes(node, joint, dimension);
  joint.dofs = read_dofs(node, joint.kind, {});
  return joint;
}

void change_joint(const Node& node, JointDescription& joint) {
  const std::size_t dofs = dof_names(joint.kind).size();
  if (dofs == 0)
    throw InputError(node.key_where(), fmt::format("the joint '{}' is fixed and does not move", joint.name),
                     "remove it");
  static constexpr std::string_view several[] = {"dofs"};
  node.allow_keys(dofs == 1 ? std::span<const std::string_view>(dof_keys) : several);
  joint.dofs = read_dofs(node, joint.kind, joint.dofs);
}

}  // namespace routh::internal
