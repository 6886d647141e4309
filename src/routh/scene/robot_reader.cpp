#include "routh/scene/robot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "routh/base/nearest_word.h"
#include "routh/robot/robot_reading.h"
#include "routh/scene/machine_parts.h"

namespace routh::internal {

namespace {

RobotOptions read_options(const Node& node) {
  RobotOptions options;
  if (const auto base = node.find("base")) options.base = base->choice<RobotBase>();
  if (const auto packages = node.find("packages")) {
    packages->expect_sequence();
    expect_at_most(*packages, 100);
    for (const Node folder : *packages) options.packages.emplace_back(folder.text());
  }
  if (const auto keyframe = node.find("keyframe")) options.keyframe = keyframe->text();
  return options;
}

RobotFile read_file(const Node& node) {
  const Node file = node.require("file");
  const std::string name(file.text());
  const RobotOptions options = read_options(node);
  const std::string path = find_file(name, file.where().file, options);
  if (path.empty())
    file.fail(fmt::format("{}: there is no file '{}'", file.path(), printable(name, 200)),
              "give its path from the folder of this scene, or `package://…` with `packages: [folder]`");
  return read_robot_file(path, options);
}

template <class Thing>
[[noreturn]] void refuse_name(const Node& node, const char* kind, const std::vector<Thing>& things) {
  throw InputError(node.key_where(), fmt::format("the robot has no {} '{}'", kind, printable(std::string(node.key()))),
                   nearest_hint(node.key(), things, "see `routh info` of its file"));
}

// One surface for all shapes, then others for the shapes of some bodies, or for single shapes.
void read_surfaces(const Node& node, ModelDescription& model) {
  const auto give = [](ShapeDescription& shape, const Node& entry) {
    shape.surface = read_reference(entry);
    shape.surface_where = entry.where();
  };
  if (const auto surface = node.find("surface"))
    for (ShapeDescription& shape : model.shapes) give(shape, *surface);
  const auto surfaces = node.find("surfaces");
  if (!surfaces) return;
  surfaces->expect_map();
  for (const Node entry : *surfaces) {
    bool found = false;
    for (ShapeDescription& shape : model.shapes)
      if (shape.name == entry.key() || shape.body == entry.key()) {
        give(shape, entry);
        found = true;
      }
    if (!found) refuse_name(entry, "shape, nor a body with shapes,", model.shapes);
  }
}

void read_added_shapes(const Node& node, ModelDescription& model) {
  const auto shapes = node.find("shapes");
  if (!shapes) return;
  shapes->expect_map();
  for (const Node entry : *shapes) {
    const bool known = std::any_of(model.bodies.begin(), model.bodies.end(),
                                   [&](const BodyDescription& body) { return body.name == entry.key(); });
    if (!known) refuse_name(entry, "body", model.bodies);
    read_shapes(entry, std::string(entry.key()), entry.key_where(), Dimension::spatial, model.shapes);
  }
}

void read_joint_changes(const Node& node, ModelDescription& model) {
  const auto joints = node.find("joints");
  if (!joints) return;
  joints->expect_map();
  for (const Node entry : *joints) {
    const auto found = std::find_if(model.joints.begin(), model.joints.end(),
                                    [&](const JointDescription& joint) { return joint.name == entry.key(); });
    if (found == model.joints.end()) refuse_name(entry, "joint", model.joints);
    change_joint(entry, *found);
  }
}

template <class Thing>
void append(std::vector<Thing>& to, std::vector<Thing>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

RobotFile read_robot_section(const Node& node, Dimension dimension) {
  node.allow_keys({"file", "base", "packages", "keyframe", "surface", "surfaces", "shapes", "joints"});
  if (dimension == Dimension::planar)
    node.fail("robot: a robot is a machine in space", "write `dimension: spatial`, or describe it in `bodies`");
  RobotFile robot = read_file(node);
  exclude_overlaps(robot);
  read_added_shapes(node, robot.description);
  read_surfaces(node, robot.description);
  read_joint_changes(node, robot.description);
  return robot;
}

void take_robot(ModelDescription& taken, ModelDescription& model) {
  if (model.name.empty()) model.name = taken.name;
  append(model.bodies, taken.bodies);
  append(model.joints, taken.joints);
  append(model.loops, taken.loops);
  append(model.springs, taken.springs);
  append(model.forces, taken.forces);
  append(model.impulses, taken.impulses);
  append(model.surfaces, taken.surfaces);
  append(model.surface_pairs, taken.surface_pairs);
  append(model.filters, taken.filters);
  append(model.shapes, taken.shapes);
}

}  // namespace routh::internal
