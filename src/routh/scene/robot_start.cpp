// Where a robot begins: loops closed, within its limits, so that every word about it names the robot's own file.
#include <fmt/format.h>

#include <algorithm>

#include "routh/scene/draft.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/state_reader.h"

namespace routh::internal {

namespace {

void warn_of_motion(RobotFile& robot, const Model& model, const SceneDraft& draft, const State& closed) {
  Eigen::VectorXd change(model.velocities);
  difference(model, draft.state.q, closed.q, change);
  if (const auto most = most_changed(change, draft.given.given_position))
    robot.warnings.push_back(warning_at(model.loops.front().where, fmt::format("closing the loops moved '{}' by {:.3g}",
                                                                               dof_name(model, *most), change[*most])));
}

// A loop that closes only beyond a limit shows that the file does not mean the limit strictly.
bool widen_limits(RobotFile& robot, const Model& model, const State& state, double tolerance) {
  bool widened = false;
  for (int i = 0; i < model.velocities; ++i) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(i)];
    if (dof.coordinate < 0) continue;
    const double value = state.q[dof.coordinate];
    if (value >= dof.properties.lower - tolerance && value <= dof.properties.upper + tolerance) continue;
    const Joint& joint = model.joints[static_cast<std::size_t>(dof.joint)];
    const auto written = std::find_if(robot.description.joints.begin(), robot.description.joints.end(),
                                      [&](const JointDescription& other) { return other.name == joint.name; });
    if (written == robot.description.joints.end()) continue;
    DofDescription& limits = written->dofs[static_cast<std::size_t>(i - joint.v)];
    robot.warnings.push_back(warning_at(
        limits.where,
        fmt::format("with the loops closed '{}' is at {:.9g}, outside its limits [{:.9g}, {:.9g}]: they are widened",
                    dof_name(model, i), value, limits.lower, limits.upper)));
    limits.lower = std::min(limits.lower, value);
    limits.upper = std::max(limits.upper, value);
    widened = true;
  }
  return widened;
}

}  // namespace

SceneDraft draft_of(RobotFile robot, const Model& model) {
  SceneDraft draft;
  draft.origin = SceneOrigin::robot;
  draft.state = rest_state(model);
  take_start(robot.start, model, draft.state);
  draft.given.given_position.assign(static_cast<std::size_t>(model.velocities), false);
  draft.given.given_velocity = draft.given.given_position;
  for (const RobotStart& start : robot.start)
    if (const auto index = model.find_joint(start.joint)) {
      const Joint& joint = model.joints[static_cast<std::size_t>(*index)];
      const auto mark = [&](std::vector<bool>& given) { std::fill_n(given.begin() + joint.v, joint.v_count, true); };
      if (!start.position.empty()) mark(draft.given.given_position);
      if (!start.velocity.empty()) mark(draft.given.given_velocity);
    }
  draft.description = std::move(robot.description);
  draft.start = std::move(robot.start);
  draft.warnings = std::move(robot.warnings);
  return draft;
}

// What it says of the motion comes before what was said when the file was read.
void settle_start(RobotFile& robot) {
  const auto read = static_cast<std::ptrdiff_t>(robot.warnings.size());
  Model model = build_model(robot.description);
  const SceneDraft draft = draft_of(robot, model);
  if (model.loops.empty()) {
    build_state(draft, model, {});
    return;
  }
  State state = draft.state;
  Workspace workspace(model);
  if (assemble(model, state, workspace, draft.given).closed &&
      widen_limits(robot, model, state, TouchOptions{}.tolerance))
    model = build_model(robot.description);
  state = build_state(draft, model, {});
  warn_of_motion(robot, model, draft, state);
  robot.start = starts_of(model, state);
  std::rotate(robot.warnings.begin(), robot.warnings.begin() + read, robot.warnings.end());
}

}  // namespace routh::internal
