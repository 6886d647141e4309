// Shapes of a robot that overlap before it has moved.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "routh/contact/contact.h"
#include "routh/scene/robot_lift.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

const ShapeDescription* find_shape(const RobotFile& robot, const std::string& name) {
  const auto& shapes = robot.description.shapes;
  const auto found =
      std::find_if(shapes.begin(), shapes.end(), [&](const ShapeDescription& shape) { return shape.name == name; });
  return found == shapes.end() ? nullptr : &*found;
}

Location place_of(const RobotFile& robot, const std::string& shape) {
  const ShapeDescription* found = find_shape(robot, shape);
  return found ? found->where : robot.description.where;
}

int moving_joints(const Model& model, int body) {
  int count = 0;
  for (int b = body; b > 0; b = model.joints[static_cast<std::size_t>(b - 1)].parent)
    if (model.joints[static_cast<std::size_t>(b - 1)].kind != JointKind::fixed) ++count;
  return count;
}

enum class Meaning { own_shapes, foundation, mistake };

// How far the overlap is from where the robot hangs, against all its shapes: 0 to 1.
double share_of_reach(const Model& model, const Workspace& workspace, int base, const Vector3& point) {
  const Joint& joint = model.joints[static_cast<std::size_t>(base)];
  const Vector3 anchor = body_pose(model, workspace, joint.parent) * joint.at.position;
  double reach = 0;
  for (const Shape& shape : model.shapes)
    if (base_of(model, shape.body) == base)
      reach = std::max(reach, norm(body_pose(model, workspace, shape.body) * shape.at.position - anchor));
  return reach > 0 ? norm(point - anchor) / reach : 0;
}

// A robot that is bolted to a table stands in it with its first links, a cart in its rail. Anything else that overlaps
// what stands still would fall through the floor if it did not touch.
Meaning meaning_of(const Model& model, const Workspace& workspace, const Contact& contact) {
  const int base_a = base_of(model, contact.body_a), base_b = base_of(model, contact.body_b);
  const int body = base_a >= 0 ? contact.body_a : contact.body_b, base = std::max(base_a, base_b);
  if (base < 0 || (base_a >= 0 && base_b >= 0)) return Meaning::own_shapes;
  if (motion_out_of(model, workspace, contact)) return Meaning::mistake;
  const bool foundation = moving_joints(model, body) == 1 ||
                          share_of_reach(model, workspace, base, contact.point) <= tolerances::foundation_share;
  return foundation ? Meaning::foundation : Meaning::mistake;
}

std::string verdict(Meaning meaning, double depth) {
  switch (meaning) {
    case Meaning::own_shapes:
      return "overlap where the robot begins: they do not touch";
    case Meaning::foundation:
      return fmt::format("overlap by {:.3g} m where the robot begins, which stands there: they do not touch", depth);
    case Meaning::mistake:
      return fmt::format(
          "overlap by {:.3g} m where the robot begins, and its base cannot be moved out: begin elsewhere, by a "
          "keyframe or `state` of a scene",
          depth);
  }
  return {};
}

}  // namespace

std::string overlap_warning(const RobotFile& robot, const std::string& first, const std::string& second,
                            const std::string& what) {
  const Location where = place_of(robot, second);
  return fmt::format("{}:{}:{}: warning: the shapes '{}' and '{}' {}", printable(where.file, 200), where.line,
                     where.column, first, second, what);
}

void exclude_overlaps(RobotFile& robot) {
  ModelDescription& description = robot.description;
  if (description.shapes.size() < 2) return;
  const Model model = build_model(description);
  std::vector<std::string> warnings = lift_bases(robot, model);
  Workspace workspace(model);
  const State state = robot_start(robot, model, workspace);
  std::map<std::pair<int, int>, Contact> deepest;
  for (const Contact& contact : find_touches(model, state, {}, workspace).overlaps) {
    if (contact.kind == ContactKind::limit) continue;
    const auto [entry, added] = deepest.emplace(std::pair(contact.shape_a, contact.shape_b), contact);
    if (!added && contact.gap < entry->second.gap) entry->second = contact;
  }
  const auto written = [&](int shape) { return model.shapes[static_cast<std::size_t>(shape)].name; };
  for (const auto& [pair, contact] : deepest) {
    const Meaning meaning = meaning_of(model, workspace, contact);
    const std::string first = written(pair.first), second = written(pair.second);
    warnings.push_back(overlap_warning(robot, first, second, verdict(meaning, -contact.gap)));
    if (meaning != Meaning::mistake)
      description.filters.push_back({FilterDescription::Rule::exclude, first, second, place_of(robot, second)});
  }
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
}

}  // namespace routh::internal
