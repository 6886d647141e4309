#include "routh/scene/machine_parts.h"

#include <fmt/format.h>

#include "routh/problem/surface_reader.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_surfaces = 1000;
constexpr std::size_t max_listed = 10000;  // pairs

// The keys that say how large a shape is and where it points.
std::vector<std::string_view> own_keys(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::point:
      return {};
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return {"radius"};
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      return {"radius", "length"};
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      return {"size"};
    case ShapeKind::mesh:
      return {"file", "scale", "corners", "vertices"};
    case ShapeKind::half_space:
      return {"normal"};
    case ShapeKind::strip:
      return {"width", "depth", "normal"};
  }
  return {};
}

ShapeKind read_kind(const Node& node, Dimension dimension) {
  static constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
      {"disc", "sphere"},      {"disk", "sphere"},       {"circle", "sphere"}, {"ball", "sphere"},
      {"rectangle", "box"},    {"square", "box"},        {"cube", "box"},      {"plane", "half_space"},
      {"floor", "half_space"}, {"ground", "half_space"}, {"segment", "strip"}, {"wall", "half_space"}};
  for (const auto& [word, kind] : synonyms)
    if (node.text() == word)
      node.fail(fmt::format("{}: '{}' is not the name of a shape here", node.path(), word),
                fmt::format("write `kind: {}`{}", kind, kind == "sphere" ? ", which is a disc in the plane" : ""));
  const auto kind = node.choice<ShapeKind>();
  if (dimension == Dimension::planar && kind == ShapeKind::cylinder)
    node.fail(fmt::format("{}: a cylinder is for scenes in space", node.path()), "write `kind: sphere` for a disc");
  if (dimension == Dimension::planar && kind == ShapeKind::mesh)
    node.fail(fmt::format("{}: a mesh is for scenes in space", node.path()), "write `kind: box`, or several shapes");
  return kind;
}

Vector3 read_half_extents(const Node& node, Dimension dimension) {
  const Vector3 size = read_vector(node, dimension);
  for (const Node entry : node) read_positive(entry);
  return {size.x / 2, size.y / 2, size.z / 2};
}

void read_size(const Node& node, ShapeDescription& shape, Dimension dimension) {
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::half_space:
      return;
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      shape.radius = read_positive(node.require("radius"));
      return;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      shape.radius = read_positive(node.require("radius"));
      shape.length = read_positive(node.require("length"));
      return;
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      shape.half_extents = read_half_extents(node.require("size"), dimension);
      return;
    case ShapeKind::mesh:
      shape.mesh = read_mesh(node);
      return;
    case ShapeKind::strip:
      shape.half_extents.x = read_positive(node.require("width")) / 2;
      if (const auto depth = node.find("depth"); depth && dimension == Dimension::planar)
        throw InputError(depth->key_where(), fmt::format("{}: a strip in the plane has no depth", node.path()),
                         "remove it");
      if (dimension == Dimension::spatial) shape.half_extents.y = read_positive_or(node, "depth", unlimited) / 2;
      return;
  }
}

void read_place(const Node& node, ShapeDescription& shape, Dimension dimension) {
  const auto at = node.find("at");
  if (at) shape.at = read_pose(*at, dimension);
  const auto normal = node.find("normal");
  if (!normal) return;
  if (at && at->find("rotation"))
    throw InputError(normal->key_where(), fmt::format("{}: found both 'normal' and a rotation in 'at'", node.path()),
                     "keep one of them");
  shape.at.rotation = rotation_from_up(dimension, read_direction(*normal, dimension));
}

void read_belt(const Node& node, ShapeDescription& shape, Dimension dimension) {
  node.allow_keys({"velocity", "speed"});
  shape.belt = read_vector(node.require("velocity"), dimension);
  const auto speed = node.find("speed");
  shape.belt_speed = speed ? read_profile(*speed, Measure::number) : Profile::constant(1);
}

ShapeDescription read_shape(const Node& node, Dimension dimension) {
  ShapeDescription shape;
  shape.name = read_key_name(node);
  shape.where = shape.surface_where = node.key_where();
  node.expect_map();
  shape.kind = read_kind(node.require("kind"), dimension);
  std::vector<std::string_view> keys = {"kind", "at", "surface", "belt"};
  for (const std::string_view key : own_keys(shape.kind)) keys.push_back(key);
  node.allow_keys(keys);
  read_place(node, shape, dimension);
  read_size(node, shape, dimension);
  if (const auto surface = node.find("surface")) {
    shape.surface = read_reference(*surface);
    shape.surface_where = surface->where();
  }
  if (const auto belt = node.find("belt")) read_belt(*belt, shape, dimension);
  return shape;
}

SurfaceProperties read_properties(const Node& node) {
  const auto require = [&](std::string_view key, const char* remedy) {
    if (const auto entry = node.find(key)) return *entry;
    node.fail(fmt::format("{}: '{}' is missing", node.path(), key), remedy);
  };
  const Node friction = require("friction", "add `friction: 0.5`, or 0 for a smooth surface");
  const Node restitution = require("restitution", "add `restitution: 0.7`, or 0 for none");
  SurfaceProperties properties;
  ErrorList errors;
  errors.attempt([&] {
    properties.friction = read_friction(friction);
    check_friction(friction, properties.friction);
  });
  errors.attempt([&] {
    read_restitution(restitution, properties.restitution, properties.table);
    check_restitution(restitution, properties.restitution, properties.table);
  });
  if (const auto law = node.find("law")) errors.attempt([&] { properties.law = read_law(*law); });
  errors.finish();
  return properties;
}

}  // namespace

std::vector<SurfaceDescription> read_surfaces(const Node& node) {
  return read_named(node, max_surfaces, [](const Node& entry) {
    const std::string name = read_key_name(entry);
    entry.allow_keys({"friction", "restitution", "law"});
    return SurfaceDescription{name, read_properties(entry), entry.key_where()};
  });
}

std::vector<SurfacePairDescription> read_surface_pairs(const Node& node) {
  node.expect_sequence();
  expect_at_most(node, max_listed);
  std::vector<SurfacePairDescription> pairs;
  ErrorList errors;
  for (const Node entry : node)
    errors.attempt([&] {
      entry.allow_keys({"between", "friction", "restitution", "law"});
      const Node between = entry.require("between");
      const NamePair names = read_name_pair(between);
      pairs.push_back({names.first, names.second, read_properties(entry), between.where()});
    });
  errors.finish();
  return pairs;
}

void read_shapes(const Node& node, const std::string& body, const Location& body_where, Dimension dimension,
                 std::vector<ShapeDescription>& shapes) {
  node.expect_map();
  ErrorList errors;
  for (const Node entry : node)
    errors.attempt([&] {
      shapes.push_back(read_shape(entry, dimension));
      shapes.back().body = body;
      shapes.back().body_where = body_where;
    });
  errors.finish();
}

void read_filters(const Node& node, FilterDescription::Rule rule, std::vector<FilterDescription>& filters) {
  node.expect_sequence();
  expect_at_most(node, max_listed);
  ErrorList errors;
  for (const Node entry : node)
    errors.attempt([&] {
      const NamePair names = read_name_pair(entry);
      filters.push_back({rule, names.first, names.second, entry.where()});
    });
  errors.finish();
}

}  // namespace routh::internal
