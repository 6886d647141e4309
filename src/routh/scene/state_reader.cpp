#include "routh/scene/state_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/nearest_word.h"
#include "routh/scene/machine_parts.h"

#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

// The joint that an entry of `position` or `velocity` is for.
const Joint& find_joint(const Node& node, const Model& model) {
  if (const auto index = model.find_joint(node.key())) return model.joints[static_cast<std::size_t>(*index)];
  std::vector<std::string_view> names;
  for (const Joint& joint : model.joints) names.push_back(joint.name);
  std::string remedy = nearest_hint(node.key(), names);
  if (!remedy.empty()) remedy += ' ';
  if (names.size() > 10) names.resize(10);
  remedy += fmt::format("joints: {}{}", fmt::join(names, ", "), names.size() < model.joints.size() ? ", …" : "");
  throw InputError(node.key_where(), fmt::format("there is no joint '{}'", printable(std::string(node.key()))), remedy);
}

void set_quaternion(Eigen::VectorXd& q, int first, const Quaternion& value) {
  q.segment<4>(first) << value.w, value.x, value.y, value.z;
}

void set_position(Eigen::VectorXd& q, int first, const Vector3& value) {
  q.segment<3>(first) << value.x, value.y, value.z;
}

// [x, y, z, w, x, y, z], or {position, rotation}.
void read_free_position(const Node& node, const Joint& joint, State& state) {
  if (node.is_map()) {
    const Pose pose = read_pose(node, Dimension::spatial);
    set_position(state.q, joint.q, pose.position);
    set_quaternion(state.q, joint.q + 3, quaternion_from_matrix(pose.rotation));
    return;
  }
  expect_entries(node, 7, "a list [x, y, z, w, x, y, z] or a map {position, rotation}");
  double values[7];
  std::size_t i = 0;
  for (const Node entry : node) values[i++] = entry.number();
  set_position(state.q, joint.q, {values[0], values[1], values[2]});
  set_quaternion(state.q, joint.q + 3, checked_quaternion(node, {values[3], values[4], values[5], values[6]}));
}

void read_ball_position(const Node& node, const Joint& joint, State& state) {
  set_quaternion(
      state.q, joint.q,
      node.is_map() ? quaternion_from_matrix(read_rotation(node, Dimension::spatial)) : read_quaternion(node));
}

// Of a joint whose coordinates are numbers: one number, or a list of them.
void read_plain_position(const Node& node, const Joint& joint, State& state) {
  const auto names = dof_names(joint.kind);
  if (names.size() == 1) {
    state.q[joint.q] = read_measure(node, dof_measure(names[0]));
    return;
  }
  expect_entries(node, names.size(), fmt::format("a list [{}]", fmt::join(names, ", ")));
  int i = 0;
  for (const Node entry : node) {
    state.q[joint.q + i] = read_measure(entry, dof_measure(names[static_cast<std::size_t>(i)]));
    ++i;
  }
}

void read_position(const Node& node, const Joint& joint, State& state) {
  switch (joint.kind) {
    case JointKind::fixed:
      return;
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::cylindrical:
    case JointKind::planar:
    case JointKind::universal:
      return read_plain_position(node, joint, state);
    case JointKind::spherical:
      return read_ball_position(node, joint, state);
    case JointKind::free:
      return read_free_position(node, joint, state);
  }
}

void read_velocity(const Node& node, const Joint& joint, State& state) {
  const auto names = dof_names(joint.kind);
  const auto measure = [](std::string_view dof) {
    return dof_measure(dof) == Measure::angle || turns_quaternion(dof) ? Measure::rate : Measure::speed;
  };
  if (names.size() == 1) {
    state.v[joint.v] = read_measure(node, measure(names[0]));
    return;
  }
  expect_entries(node, names.size(), fmt::format("a list of the velocities of {}", fmt::join(names, ", ")));
  int i = 0;
  for (const Node entry : node) {
    state.v[joint.v + i] = read_measure(entry, measure(names[static_cast<std::size_t>(i)]));
    ++i;
  }
}

// Calls `read(entry, joint)` for every entry of a map by joints and marks the joint's degrees of freedom as given.
template <class Read>
void read_entries(const Node& node, const Model& model, std::vector<bool>& given, Read&& read) {
  node.expect_map();
  ErrorList errors;
  for (const Node entry : node)
    errors.attempt([&] {
      const Joint& joint = find_joint(entry, model);
      if (joint.v_count == 0)
        throw InputError(entry.key_where(), fmt::format("the joint '{}' is fixed and has no state", joint.name),
                         "remove it");
      read(entry, joint);
      std::fill_n(given.begin() + joint.v, joint.v_count, true);
    });
  errors.finish();
}

// {JOINT: SHAPE, …}
void read_resting(const Node& node, const Model& model, std::vector<RestingStart>& resting) {
  node.expect_map();
  ErrorList errors;
  for (const Node entry : node)
    errors.attempt([&] {
      const Joint& joint = find_joint(entry, model);
      const std::string on(entry.text());
      if (!model.find_shape(on))
        entry.fail(fmt::format("there is no shape '{}'", printable(on)),
                   nearest_hint(on, model.shapes, "`resting` names a joint and the shape it is to stand on"));
      resting.push_back({joint.name, on, entry.where()});
    });
  errors.finish();
}

}  // namespace

void take_start(std::span<const RobotStart> starts, const Model& model, State& state) {
  for (const RobotStart& start : starts) {
    const auto index = model.find_joint(start.joint);
    if (!index) continue;
    const Joint& joint = model.joints[static_cast<std::size_t>(*index)];
    if (static_cast<int>(start.position.size()) == joint.q_count)
      std::copy(start.position.begin(), start.position.end(), state.q.data() + joint.q);
    if (static_cast<int>(start.velocity.size()) == joint.v_count)
      std::copy(start.velocity.begin(), start.velocity.end(), state.v.data() + joint.v);
  }
}

std::vector<RobotStart> starts_of(const Model& model, const State& state) {
  std::vector<RobotStart> starts;
  for (const Joint& joint : model.joints) {
    if (joint.v_count == 0) continue;
    const auto q = state.q.segment(joint.q, joint.q_count);
    const auto v = state.v.segment(joint.v, joint.v_count);
    RobotStart start{joint.name, std::vector<double>(q.begin(), q.end()), {}};
    if (!v.isZero(0)) start.velocity.assign(v.begin(), v.end());
    starts.push_back(std::move(start));
  }
  return starts;
}

void read_state(const Node& root, const Model& model, SceneDraft& draft) {
  State& state = draft.state;
  AssemblyOptions& given = draft.given;
  state = rest_state(model);
  take_start(draft.start, model, state);
  given.given_position.assign(static_cast<std::size_t>(model.velocities), false);
  given.given_velocity = given.given_position;
  const auto node = root.find("state");
  if (!node) return;
  ErrorList errors;
  errors.attempt([&] { node->allow_keys({"time", "position", "velocity", "resting"}); });
  if (const auto time = node->find("time")) errors.attempt([&] { state.time = time->number(); });
  if (const auto positions = node->find("position"))
    errors.attempt([&] {
      read_entries(*positions, model, given.given_position,
                   [&](const Node& entry, const Joint& joint) { read_position(entry, joint, state); });
    });
  if (const auto velocities = node->find("velocity"))
    errors.attempt([&] {
      read_entries(*velocities, model, given.given_velocity,
                   [&](const Node& entry, const Joint& joint) { read_velocity(entry, joint, state); });
    });
  if (const auto resting = node->find("resting")) errors.attempt([&] { read_resting(*resting, model, draft.resting); });
  errors.finish();
}

std::optional<int> most_changed(const Eigen::VectorXd& change, const std::vector<bool>& given) {
  std::optional<int> most;
  for (int i = 0; i < change.size(); ++i)
    if (given[static_cast<std::size_t>(i)] &&
        std::abs(change[i]) > (most ? std::abs(change[*most]) : tolerances::assembly_motion_reported))
      most = i;
  return most;
}

std::string warning_at(const Location& where, const std::string& message) {
  return fmt::format("{}:{}:{}: warning: {}", printable(where.file, 200), where.line, where.column, message);
}

void check_limits(const Node* root, const Model& model, const State& state, double tolerance) {
  const auto section = root ? root->find("state") : std::nullopt;
  const auto positions = section ? section->find("position") : std::nullopt;
  for (int i = 0; i < model.velocities; ++i) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(i)];
    if (dof.coordinate < 0) continue;
    const double value = state.q[dof.coordinate], lower = dof.properties.lower, upper = dof.properties.upper;
    if (value >= lower - tolerance && value <= upper + tolerance) continue;
    const auto entry =
        positions ? positions->find(model.joints[static_cast<std::size_t>(dof.joint)].name) : std::nullopt;
    throw InputError(
        entry ? entry->where() : dof.properties.where,
        fmt::format("'{}' is at {}, outside its limits [{}, {}]", dof_name(model, i), value, lower, upper),
        entry ? "change its position or its limits" : "give its position in `state`, or change its limits");
  }
}

}  // namespace routh::internal
