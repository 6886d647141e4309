// Where a robot begins: loops closed, within its limits, so that every word about it names the robot's own file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/scene/draft.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/state_reader.h"

namespace routh::internal {

namespace {

// A motion by closing loops that is worth a word [m, rad].
constexpr double noticed = 1e-9;

void warn(RobotFile& robot, const Location& where, const std::string& message) {
  robot.warnings.push_back(
      fmt::format("{}:{}:{}: warning: {}", printable(where.file, 200), where.line, where.column, message));
}

SceneDraft draft_of(const RobotFile& robot, const Model& model) {
  SceneDraft draft;
  draft.state = rest_state(model);
  take_start(robot.start, model, draft.state);
  draft.given.given_position.assign(static_cast<std::size_t>(model.velocities), false);
  draft.given.given_velocity = draft.given.given_position;
  for (const RobotStart& start : robot.start)
    if (const auto index = model.find_joint(start.joint)) {
      const Joint& joint = model.joints[static_cast<std::size_t>(*index)];
      const auto mark = [&](std::vector<bool>& given) {
        for (int i = 0; i < joint.v_count; ++i) given[static_cast<std::size_t>(joint.v + i)] = true;
      };
      if (!start.position.empty()) mark(draft.given.given_position);
      if (!start.velocity.empty()) mark(draft.given.given_velocity);
    }
  return draft;
}

void warn_of_motion(RobotFile& robot, const Model& model, const SceneDraft& draft, const State& closed) {
  Eigen::VectorXd change(model.velocities);
  difference(model, draft.state.q, closed.q, change);
  int most = -1;
  for (int i = 0; i < change.size(); ++i)
    if (draft.given.given_position[static_cast<std::size_t>(i)] &&
        std::abs(change[i]) > (most < 0 ? noticed : std::abs(change[most])))
      most = i;
  if (most >= 0)
    warn(robot, model.loops.front().where,
         fmt::format("closing the loops moved '{}' by {:.3g}", dof_name(model, most), change[most]));
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
    warn(robot, limits.where,
         fmt::format("with the loops closed '{}' is at {:.9g}, outside its limits [{:.9g}, {:.9g}]: they are widened",
                     dof_name(model, i), value, limits.lower, limits.upper));
    limits.lower = std::min(limits.lower, value);
    limits.upper = std::max(limits.upper, value);
    widened = true;
  }
  return widened;
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

}  // namespace

// What it says of the motion comes before what was said when the file was read.
void settle_start(RobotFile& robot) {
  const auto read = static_cast<std::ptrdiff_t>(robot.warnings.size());
  Model model = build_model(robot.description);
  const SceneDraft draft = draft_of(robot, model);
  if (model.loops.empty()) {
    build_state(draft, model);
    return;
  }
  State state = draft.state;
  Workspace workspace(model);
  if (assemble(model, state, workspace, draft.given).closed && widen_limits(robot, model, state, draft.touch.tolerance))
    model = build_model(robot.description);
  state = build_state(draft, model);
  warn_of_motion(robot, model, draft, state);
  robot.start = starts_of(model, state);
  std::rotate(robot.warnings.begin(), robot.warnings.begin() + read, robot.warnings.end());
}

}  // namespace routh::internal
