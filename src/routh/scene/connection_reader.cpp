#include "routh/scene/machine_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/base/nearest_word.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_loops = 1000;
constexpr std::size_t max_springs = 10000;
constexpr std::size_t max_forces = 10000;

constexpr std::size_t max_impulses = 10000;

// The joint and the degree of freedom that a word names: `knee`, or `base.x` where a joint has several. Names may hold
// dots themselves, so the whole word is tried as a joint first.
struct Coordinate {
  const JointDescription* joint = nullptr;
  int dof = 0;
  std::string_view part;  // the name of `dof`
};

Coordinate find_coordinate(std::string_view key, const Location& where, std::span<const JointDescription> joints) {
  const auto find = [&](std::string_view name) {
    const auto it = std::find_if(joints.begin(), joints.end(), [&](const auto& joint) { return joint.name == name; });
    return it == joints.end() ? nullptr : &*it;
  };
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    throw InputError(where, message, remedy);
  };
  const JointDescription* joint = find(key);
  const std::size_t dot = key.rfind('.');
  std::string_view part;
  if (!joint && dot != std::string_view::npos) {
    joint = find(key.substr(0, dot));
    part = key.substr(dot + 1);
  }
  if (!joint) {
    refuse(fmt::format("there is no joint '{}'", printable(std::string(key))),
           nearest_hint(key.substr(0, dot), joints, "give the name of a joint, or joint.dof"));
  }
  const auto names = dof_names(joint->kind);
  const std::string choices = fmt::format("its degrees of freedom are {}", fmt::join(names, ", "));
  if (names.empty()) refuse(fmt::format("the joint '{}' is fixed and has no coordinate", joint->name), "remove it");
  if (part.empty() && names.size() > 1)
    refuse(fmt::format("the joint '{}' has several degrees of freedom", joint->name),
           fmt::format("write `{}.{}`; {}", joint->name, names.front(), choices));
  if (part.empty()) return {joint, 0, names.front()};
  const auto it = std::find(names.begin(), names.end(), part);
  if (it == names.end())
    refuse(fmt::format("the joint '{}' has no degree of freedom '{}'", joint->name, printable(std::string(part))),
           choices);
  return {joint, static_cast<int>(it - names.begin()), part};
}

void read_coupling(const Node& node, LoopDescription& loop, std::span<const JointDescription> joints) {
  const Node terms = node.require("terms");
  terms.expect_map();
  if (terms.size() == 0) terms.fail(fmt::format("{}: a coupling needs at least one term", terms.path()));
  bool angles = true;
  for (const Node term : terms) {
    const Coordinate coordinate = find_coordinate(term.key(), term.key_where(), joints);
    if (turns_quaternion(coordinate.part))
      throw InputError(term.key_where(),
                       fmt::format("'{}' turns by a quaternion; it has no coordinate to couple", term.key()),
                       "couple joints whose coordinates are numbers");
    const double coefficient = term.number();
    if (coefficient == 0) term.fail(fmt::format("{} = 0: such a term says nothing", term.path()), "remove it");
    angles = angles && dof_measure(coordinate.part) == Measure::angle;
    loop.terms.push_back({coordinate.joint->name, coordinate.dof, coefficient, term.key_where()});
  }
  if (const auto constant = node.find("constant"))
    loop.constant = read_measure(*constant, angles ? Measure::angle : Measure::number);
  loop.body_a = world_name;
}

void read_loop_keys(const Node& node, LoopKind kind) {
  static constexpr std::string_view plain[] = {"kind", "bodies", "at"};
  static constexpr std::string_view distance[] = {"kind", "bodies", "at", "distance"};
  static constexpr std::string_view coupling[] = {"kind", "terms", "constant"};
  switch (kind) {
    case LoopKind::point:
    case LoopKind::hinge:
    case LoopKind::weld:
      return node.allow_keys(plain);
    case LoopKind::distance:
      return node.allow_keys(distance);
    case LoopKind::coupling:
      return node.allow_keys(coupling);
  }
}

// `bodies`, and `at` with a place for each, read by `read_place`.
template <class Part, class ReadPlace>
void read_ends(const Node& node, const char* places, Part& part, ReadPlace read_place) {
  const NamePair bodies = read_name_pair(node.require("bodies"));
  part.body_a = bodies.first;
  part.body_b = bodies.second;
  part.body_a_where = bodies.first_where;
  part.body_b_where = bodies.second_where;
  const auto at = node.find("at");
  if (!at) return;
  expect_entries(*at, 2, places);
  part.at_a = read_place(at->child(0));
  part.at_b = read_place(at->child(1));
}

LoopDescription read_loop(const Node& node, std::span<const JointDescription> joints, Dimension dimension) {
  LoopDescription loop;
  loop.name = read_key_name(node);
  loop.where = loop.body_a_where = loop.body_b_where = node.key_where();
  node.expect_map();
  loop.kind = node.require("kind").choice<LoopKind>();
  read_loop_keys(node, loop.kind);
  if (loop.kind == LoopKind::coupling) {
    read_coupling(node, loop, joints);
    return loop;
  }
  read_ends(node, "a pair of places, one for each body,", loop,
            [&](const Node& place) { return read_pose(place, dimension); });
  if (loop.kind == LoopKind::distance) loop.distance = read_positive(node.require("distance"));
  return loop;
}

void read_spring_force(const Node& node, SpringDescription& spring) {
  const auto stiffness = node.find("stiffness"), rest = node.find("rest_length"), damping = node.find("damping");
  if (!stiffness && !damping)
    node.fail(fmt::format("{}: both stiffness and damping are missing", node.path()),
              "add `stiffness: …` with `rest_length: …`, or `damping: …`");
  if (stiffness && !rest)
    node.fail(fmt::format("{}: 'rest_length' is missing", node.path()), "add `rest_length: …`; 0 is allowed");
  if (stiffness) spring.stiffness = stiffness->number();
  spring.rest_length = read_non_negative_or(node, "rest_length", 0);
  spring.damping = read_non_negative_or(node, "damping", 0);
}

SpringDescription read_spring(const Node& node, Dimension dimension) {
  SpringDescription spring;
  spring.name = read_key_name(node);
  spring.where = node.key_where();
  node.allow_keys({"bodies", "at", "stiffness", "rest_length", "damping"});
  read_ends(node, "a pair of points, one for each body,", spring,
            [&](const Node& place) { return read_vector(place, dimension); });
  read_spring_force(node, spring);
  return spring;
}

ForceDescription read_force(const Node& node, Dimension dimension) {
  ForceDescription force;
  force.name = read_key_name(node);
  force.where = node.key_where();
  node.allow_keys({"body", "at", "force", "torque", "frame", "scale"});
  const Node body = node.require("body");
  force.body = read_reference(body);
  force.body_where = body.where();
  if (!node.find("force") && !node.find("torque"))
    node.fail(fmt::format("{}: both 'force' and 'torque' are missing", node.path()), "add one of them");
  if (const auto at = node.find("at")) force.at = read_vector(*at, dimension);
  if (const auto value = node.find("force")) force.force = read_vector(*value, dimension);
  if (const auto value = node.find("torque")) {
    if (dimension == Dimension::planar)
      force.torque.z = value->number();
    else
      force.torque = read_vector(*value, dimension);
  }
  if (const auto frame = node.find("frame")) force.frame = frame->choice<ForceFrame>();
  if (const auto scale = node.find("scale")) force.scale = read_profile(*scale, Measure::number);
  return force;
}

// Of a point of a body, or of a coordinate of a joint, whose unit is that of its velocity's conjugate.
ImpulseDescription read_impulse(const Node& node, std::span<const JointDescription> joints, Dimension dimension) {
  ImpulseDescription blow;
  blow.name = read_key_name(node);
  blow.where = node.key_where();
  node.allow_keys({"time", "body", "at", "impulse", "angular_impulse", "frame", "joint"});
  blow.time = node.require("time").number();
  const auto joint = node.find("joint");
  if (joint.has_value() == node.find("body").has_value())
    node.fail(joint ? fmt::format("{}: it has both 'body' and 'joint'", node.path())
                    : fmt::format("{}: both 'body' and 'joint' are missing", node.path()),
              "name one of them: what is struck");
  if (joint) {
    for (const char* const word : {"at", "angular_impulse", "frame"})
      if (const auto other = node.find(word))
        throw InputError(other->key_where(), fmt::format("{}: an impulse along a joint has no '{}'", node.path(), word),
                         "give `impulse`, one number, in N s or N m s");
    const std::string word = read_reference(*joint);
    const Coordinate coordinate = find_coordinate(word, joint->where(), joints);
    blow.joint = coordinate.joint->name;
    blow.dof = coordinate.dof;
    blow.target_where = joint->where();
    blow.along_dof = node.require("impulse").number();
    return blow;
  }
  const Node body = node.require("body");
  blow.body = read_reference(body);
  blow.target_where = body.where();
  if (!node.find("impulse") && !node.find("angular_impulse"))
    node.fail(fmt::format("{}: both 'impulse' and 'angular_impulse' are missing", node.path()), "add one of them");
  if (const auto at = node.find("at")) blow.at = read_vector(*at, dimension);
  if (const auto value = node.find("impulse")) blow.impulse = read_vector(*value, dimension);
  if (const auto value = node.find("angular_impulse")) {
    if (dimension == Dimension::planar)
      blow.angular_impulse.z = value->number();
    else
      blow.angular_impulse = read_vector(*value, dimension);
  }
  if (const auto frame = node.find("frame")) blow.frame = frame->choice<ForceFrame>();
  return blow;
}

}  // namespace

std::vector<LoopDescription> read_loops(const Node& node, std::span<const JointDescription> joints,
                                        Dimension dimension) {
  return read_named(node, max_loops, [&](const Node& entry) { return read_loop(entry, joints, dimension); });
}

std::vector<SpringDescription> read_springs(const Node& node, Dimension dimension) {
  return read_named(node, max_springs, [&](const Node& entry) { return read_spring(entry, dimension); });
}

std::vector<ForceDescription> read_forces(const Node& node, Dimension dimension) {
  return read_named(node, max_forces, [&](const Node& entry) { return read_force(entry, dimension); });
}

std::vector<ImpulseDescription> read_impulses(const Node& node, std::span<const JointDescription> joints,
                                              Dimension dimension) {
  return read_named(node, max_impulses, [&](const Node& entry) { return read_impulse(entry, joints, dimension); });
}

}  // namespace routh::internal
