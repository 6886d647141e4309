#include "routh/scene/robot_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "routh/scene/robot_lift.h"
#include "routh/scene/state_reader.h"

namespace routh::internal {

namespace {

const ShapeDescription* find_ground(const ModelDescription& description) {
  const auto found =
      std::find_if(description.shapes.begin(), description.shapes.end(), [](const ShapeDescription& shape) {
        return shape.body == world_name && (shape.kind == ShapeKind::half_space || shape.kind == ShapeKind::strip);
      });
  return found == description.shapes.end() ? nullptr : &*found;
}

template <class Thing>
std::string free_name(const std::vector<Thing>& things) {
  std::string name = "floor";
  const auto taken = [&](const Thing& thing) { return thing.name == name; };
  for (int k = 2; std::any_of(things.begin(), things.end(), taken); ++k) name = fmt::format("floor_{}", k);
  return name;
}

void add_floor(ModelDescription& description, double friction) {
  SurfaceDescription surface;
  surface.name = free_name(description.surfaces);
  surface.properties.friction = {friction, friction};
  surface.where = description.where;
  ShapeDescription shape;
  shape.name = free_name(description.shapes);
  shape.kind = ShapeKind::half_space;
  shape.surface = surface.name;
  shape.where = shape.body_where = shape.surface_where = description.where;
  description.surfaces.push_back(surface);
  description.shapes.push_back(shape);
}

bool is_free(const Joint& joint) { return joint.kind == JointKind::free || joint.kind == JointKind::planar; }

// Whether something outside the tree that hangs from `base` can act on it.
bool meets_others(const Model& model, const ModelDescription& description, int base) {
  const auto inside = [&](int body) { return base_of(model, body) == base; };
  const auto crosses = [&](const auto& tie) { return inside(tie.body_a) != inside(tie.body_b); };
  const auto touches = [&](bool within) {
    return std::any_of(model.shapes.begin(), model.shapes.end(),
                       [&](const Shape& shape) { return inside(shape.body) == within; });
  };
  return (touches(true) && touches(false)) || std::any_of(model.loops.begin(), model.loops.end(), crosses) ||
         std::any_of(model.springs.begin(), model.springs.end(), crosses) || !description.forces.empty();
}

// Between what hangs from a free base and what stands still; infinite where nothing can meet.
double lowest_gap(const Model& model, const Workspace& workspace, const State& state) {
  std::vector<Contact> contacts;
  constexpr double any = std::numeric_limits<double>::max();
  find_contacts(model, workspace, state.q, any, contacts);
  double gap = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts) {
    if (contact.kind == ContactKind::limit) continue;
    const int a = base_of(model, contact.body_a), b = base_of(model, contact.body_b), base = std::max(a, b);
    const bool meets_ground = base >= 0 && std::min(a, b) < 0;
    if (meets_ground && model.joints[static_cast<std::size_t>(base)].kind == JointKind::free)
      gap = std::min(gap, contact.gap);
  }
  return gap;
}

void raise_bases(RobotFile& robot, const Model& model, const State& start, double height) {
  for (const Joint& joint : model.joints) {
    if (joint.kind != JointKind::free) continue;
    const Vector3 step = transpose_times(joint.at.rotation, Vector3{0, 0, height});
    auto found = std::find_if(robot.start.begin(), robot.start.end(),
                              [&](const RobotStart& each) { return each.joint == joint.name; });
    if (found == robot.start.end()) found = robot.start.insert(robot.start.end(), RobotStart{joint.name, {}, {}});
    const auto q = start.q.segment(joint.q, joint.q_count);
    found->position.assign(q.begin(), q.end());
    found->position[0] += step.x;
    found->position[1] += step.y;
    found->position[2] += step.z;
  }
}

}  // namespace

void put_on_floor(RobotFile& robot, const RobotGround& ground) {
  if (!ground.wanted()) return;
  const ShapeDescription* known = find_ground(robot.description);
  if (known && ground.friction)
    throw InputError(known->where, fmt::format("the robot's file has a floor already: '{}'", known->name),
                     "leave out `--floor`");
  if (!known) add_floor(robot.description, ground.friction.value_or(RobotGround::usual_friction));
  const Model model = build_model(robot.description);
  Workspace workspace(model);
  const State start = robot_start(robot, model, workspace);
  compute_kinematics(model, start.q, workspace);
  const double gap = lowest_gap(model, workspace, start);
  if (gap < std::numeric_limits<double>::infinity()) {
    const double rise = ground.drop ? *ground.drop - gap : std::max(-gap, 0.0);
    if (rise != 0) raise_bases(robot, model, start, rise);
  } else if (ground.drop) {
    const bool free = std::any_of(model.joints.begin(), model.joints.end(),
                                  [](const Joint& joint) { return joint.kind == JointKind::free; });
    throw InputError(robot.description.where,
                     free ? "there is nothing to drop: no body that is free has a shape" : "the robot's base is fixed",
                     free ? "see the warnings about collision shapes" : "let it go by `--base floating`");
  }
}

std::string free_fall_warning(const Scene& scene) {
  const ModelDescription& description = scene.draft.description;
  if (norm(description.gravity) == 0) return {};
  for (std::size_t k = 0; k < scene.model.joints.size(); ++k) {
    const Joint& joint = scene.model.joints[k];
    if (!is_free(joint) || base_of(scene.model, static_cast<int>(k) + 1) != static_cast<int>(k)) continue;
    if (meets_others(scene.model, description, static_cast<int>(k))) continue;
    const bool robot = scene.draft.origin == SceneOrigin::robot || is_robot_file(joint.where.file);
    return warning_at(joint.where,
                      fmt::format("'{}' falls freely: there is nothing that it could strike; {}", joint.name,
                                  robot ? "--floor puts a floor under a robot"
                                        : "give the world a shape, for instance `floor: {kind: half_space}`"));
  }
  return {};
}

}  // namespace routh::internal
