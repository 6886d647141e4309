#include "routh/scene/description_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/tolerances.h"
#include "routh/robot/robot_reading.h"
#include "routh/scene/machine_parts.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh {

namespace {

constexpr std::string_view section_keys[] = {
    "routh", "name",     "dimension", "gravity", "surfaces", "surface_pairs", "robot", "bodies",
    "world", "contacts", "loops",     "springs", "forces",   "impulses",      "state", "simulation"};

// The mass matrix has the square of this many entries.
constexpr int max_velocities = 60'000;

Symmetric3 read_inertia_matrix(const Node& node) {
  for (const Node row : node) expect_entries(row, 3, "a row of three numbers");
  const auto entry = [&](std::size_t r, std::size_t c) { return node.child(r).child(c).number(); };
  double largest = 0;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) largest = std::max(largest, std::abs(entry(r, c)));
  const auto mean = [&](std::size_t r, std::size_t c) {
    if (!(std::abs(entry(r, c) / 2 - entry(c, r) / 2) <= tolerances::symmetry_relative * largest))
      node.fail(fmt::format("{}: not symmetric: [{}][{}] = {} but [{}][{}] = {}", node.path(), r, c, entry(r, c), c, r,
                            entry(c, r)));
    return entry(r, c) / 2 + entry(c, r) / 2;
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), mean(0, 1), mean(0, 2), mean(1, 2)};
}

Symmetric3 read_inertia(const Node& node, Dimension dimension) {
  if (dimension == Dimension::planar) {
    if (!node.is_scalar())
      node.fail(fmt::format("{}: found {}; in the plane the inertia is one number", node.path(), node.describe()),
                "give the moment of inertia about the centre of mass");
    return {.zz = node.number()};
  }
  const std::size_t count = node.is_sequence() ? node.size() : 0;
  if (count == 3 && node.child(0).is_sequence()) return read_inertia_matrix(node);
  if (count != 3 && count != 6)
    node.fail(fmt::format("{}: found {} where the inertia in space is expected", node.path(), node.describe()),
              "write [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or a 3×3 matrix");
  double v[6] = {};
  std::size_t i = 0;
  for (const Node entry : node) v[i++] = entry.number();
  return {v[0], v[1], v[2], v[3], v[4], v[5]};
}

BodyDescription read_body(const Node& node, Dimension dimension) {
  BodyDescription body;
  body.name = read_key_name(node);
  body.where = body.mass_where = body.com_where = body.inertia_where = node.key_where();
  if (body.name == world_name)
    throw InputError(body.where, "a body cannot be called 'world', the name of what everything stands on",
                     "give the body another name; shapes that do not move stand in the section `world`");
  ErrorList errors;
  // What a misspelt key stands for is not missed as well.
  const bool known = errors.attempt([&] { node.allow_keys({"mass", "com", "inertia", "joint", "shapes"}); });
  if (known || node.find("mass"))
    errors.attempt([&] {
      const Node mass = node.require("mass");
      body.mass = mass.number();
      body.mass_where = mass.where();
    });
  if (const auto com = node.find("com"))
    errors.attempt([&] {
      body.com = read_vector(*com, dimension);
      body.com_where = com->where();
    });
  errors.attempt([&] {
    const auto inertia = node.find("inertia");
    if (inertia) {
      body.inertia = read_inertia(*inertia, dimension);
      body.inertia_where = inertia->where();
    } else if (body.mass != 0 && known) {
      node.fail(fmt::format("{}: 'inertia' is missing", node.path()),
                dimension == Dimension::planar
                    ? "add `inertia: …` about the centre of mass, 0 for a point mass"
                    : "add `inertia: [xx, yy, zz]` about the centre of mass, zeros for a point mass");
    }
  });
  errors.finish();
  return body;
}

JointDescription read_joint_of(const Node& body, const std::string& name, Dimension dimension) {
  const auto joint = body.find("joint");
  if (!joint)
    body.fail(fmt::format("{}: 'joint' is missing", body.path()),
              dimension == Dimension::planar
                  ? "say how the body hangs, for instance `joint: {kind: planar}` for one that is free"
                  : "say how the body hangs, for instance `joint: {kind: free}`");
  return read_joint(*joint, name, dimension);
}

void read_bodies(const Node& node, Dimension dimension, ModelDescription& model) {
  node.expect_map();
  if (node.size() == 0) node.fail("bodies: a scene needs at least one body", "add `name: {mass: …, joint: …}`");
  ErrorList errors;
  for (const Node entry : node) {
    const std::string name(entry.key());
    errors.attempt([&] { model.bodies.push_back(read_body(entry, dimension)); });
    errors.attempt([&] { model.joints.push_back(read_joint_of(entry, name, dimension)); });
    if (const auto shapes = entry.find("shapes"))
      errors.attempt([&] { read_shapes(*shapes, name, entry.key_where(), dimension, model.shapes); });
  }
  errors.finish();
}

void check_size(const Node& node, const ModelDescription& model) {
  int velocities = 0;
  for (const JointDescription& joint : model.joints) velocities += velocity_count(joint.kind);
  if (velocities > max_velocities)
    node.fail(fmt::format("bodies: found {} degrees of freedom; at most {} are allowed", velocities, max_velocities),
              "make the scene smaller");
}

template <class Thing>
void append(std::vector<Thing>& to, std::vector<Thing> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void read_world(const Node& node, Dimension dimension, ModelDescription& model) {
  node.allow_keys({"shapes"});
  if (const auto shapes = node.find("shapes"))
    read_shapes(*shapes, world_name, node.key_where(), dimension, model.shapes);
}

void read_contacts(const Node& node, ModelDescription& model) {
  node.allow_keys({"exclude", "include", "tolerance"});
  if (const auto pairs = node.find("exclude")) read_filters(*pairs, FilterDescription::Rule::exclude, model.filters);
  if (const auto pairs = node.find("include")) read_filters(*pairs, FilterDescription::Rule::include, model.filters);
}

}  // namespace

Dimension internal::read_heading(const Node& root) {
  root.expect_map();
  const auto version = root.find("routh");
  if (!version && root.find("study"))
    root.fail("this is a study, not a scene", "`routh sweep` runs it, in Python `routh.sweep`");
  if (!version)
    root.fail("'routh' is missing: this is not a scene", fmt::format("begin it with `routh: {}`", scene_version));
  if (version->raw() != std::to_string(scene_version) || version->quoted())
    version->fail(
        fmt::format("routh: found {}; this program reads scenes of version {}", version->describe(), scene_version),
        fmt::format("write `routh: {}`", scene_version));
  const auto dimension = root.find("dimension");
  return dimension ? dimension->choice<Dimension>() : Dimension::spatial;
}

SceneDraft internal::read_sections(const Node& root, Dimension dimension) {
  SceneDraft draft;
  ErrorList errors;
  const auto read = [&](const char* key, auto&& read_section) {
    const auto section = root.find(key);
    return !section || errors.attempt([&] { read_section(*section); });
  };
  errors.attempt([&] { root.allow_keys(section_keys); });
  ModelDescription& model = draft.description;
  model.where = model.gravity_where = root.where();
  model.dimension = dimension;
  read("name", [&](const Node& node) { model.name = node.text(); });
  if (dimension == Dimension::planar) model.gravity = {0, -9.81, 0};
  const bool robot = root.find("robot").has_value();
  bool tree = read("robot", [&](const Node& node) {
    RobotFile file = read_robot_section(node, dimension);
    draft.origin = SceneOrigin::scene_with_robot;
    model.gravity = file.description.gravity;
    model.gravity_where = file.description.gravity_where;
    take_robot(file.description, model);
    draft.start = std::move(file.start);
    draft.warnings = std::move(file.warnings);
  });
  read("gravity", [&](const Node& node) {
    model.gravity = read_vector(node, dimension);
    model.gravity_where = node.where();
  });
  read("surfaces", [&](const Node& node) { append(model.surfaces, read_surfaces(node)); });
  read("surface_pairs", [&](const Node& node) { append(model.surface_pairs, read_surface_pairs(node)); });
  tree = errors.attempt([&] {
    const auto bodies = robot ? root.find("bodies") : root.require("bodies");
    if (bodies) read_bodies(*bodies, dimension, model);
    check_size(bodies ? *bodies : root.require("robot"), model);
  }) && tree;
  read("world", [&](const Node& node) { read_world(node, dimension, model); });
  order_shapes(model);  // those of a robot stand among those of the scene
  read("contacts", [&](const Node& node) { read_contacts(node, model); });
  // Couplings and impulses name joints: while some of these are not known, nothing can be said of them.
  if (tree) read("loops", [&](const Node& node) { append(model.loops, read_loops(node, model.joints, dimension)); });
  read("springs", [&](const Node& node) { append(model.springs, read_springs(node, dimension)); });
  read("forces", [&](const Node& node) { append(model.forces, read_forces(node, dimension)); });
  if (tree)
    read("impulses", [&](const Node& node) { append(model.impulses, read_impulses(node, model.joints, dimension)); });
  errors.finish();
  return draft;
}

}  // namespace routh
