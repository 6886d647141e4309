// Shapes of a robot that overlap before it has moved.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "routh/contact/strike.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/state_reader.h"

namespace routh {

void exclude_overlaps(RobotFile& robot) {
  ModelDescription& description = robot.description;
  if (description.shapes.size() < 2) return;
  const Model model = build_model(description);
  State state = rest_state(model);
  take_start(robot.start, model, state);
  Workspace workspace(model);
  std::set<std::pair<int, int>> pairs;
  for (const Contact& contact : find_touches(model, state, {}, workspace).overlaps)
    if (contact.kind != ContactKind::limit) pairs.emplace(contact.shape_a, contact.shape_b);
  const auto written = [&](int shape) { return model.shapes[static_cast<std::size_t>(shape)].name; };
  for (const auto& [a, b] : pairs) {
    FilterDescription filter{FilterDescription::Rule::exclude, written(a), written(b), description.where};
    const auto found = std::find_if(description.shapes.begin(), description.shapes.end(),
                                    [&](const ShapeDescription& shape) { return shape.name == filter.second; });
    if (found != description.shapes.end()) filter.where = found->where;
    robot.warnings.push_back(fmt::format(
        "{}:{}:{}: warning: the shapes '{}' and '{}' overlap where the robot begins: they do not touch",
        printable(filter.where.file, 200), filter.where.line, filter.where.column, filter.first, filter.second));
    description.filters.push_back(std::move(filter));
  }
}

}  // namespace routh
