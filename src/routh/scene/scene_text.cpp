#include "routh/scene/scene_text.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "routh/impact/result.h"
#include "routh/problem/json_text.h"
#include "routh/scene/scene_text_parts.h"
#include "routh/scene/simulation_settings.h"
#include "routh/scene/state_reader.h"

namespace routh::internal {

namespace {

using text::list;
using text::number;
using text::quoted_name;

std::string friction(const Friction& f) {
  const auto value = [](double mu) { return std::isinf(mu) ? std::string("inf") : number(mu); };
  if (f.static_coefficient == f.kinetic_coefficient) return value(f.static_coefficient);
  return fmt::format("{{static: {}, kinetic: {}}}", value(f.static_coefficient), value(f.kinetic_coefficient));
}

std::string restitution(const SurfaceProperties& properties) {
  const Restitution& r = properties.restitution;
  std::string value;
  switch (r.kind) {
    case RestitutionKind::constant:
      value = number(r.normal);
      if (r.tangential == 0) return value;
      break;
    case RestitutionKind::linear:
      value = number(r.alpha);
      break;
    case RestitutionKind::table: {
      std::vector<std::string> points;
      for (const auto& [speed, e] : properties.table) points.push_back(list({speed, e}));
      value = fmt::format("[{}]", fmt::join(points, ", "));
      break;
    }
  }
  return fmt::format("{{{}: {}{}}}", name(r.kind), value,
                     r.tangential == 0 ? "" : fmt::format(", tangential: {}", number(r.tangential)));
}

std::string properties_text(const SurfaceProperties& properties) {
  return fmt::format("friction: {}, restitution: {}{}", friction(properties.friction), restitution(properties),
                     properties.law ? fmt::format(", law: {}", name(*properties.law)) : "");
}

void write_surfaces(const ModelDescription& model, std::string& out) {
  if (!model.surfaces.empty()) out += "surfaces:\n";
  for (const SurfaceDescription& surface : model.surfaces)
    out += fmt::format("  {}: {{{}}}\n", quoted_name(surface.name), properties_text(surface.properties));
  if (!model.surface_pairs.empty()) out += "surface_pairs:\n";
  for (const SurfacePairDescription& pair : model.surface_pairs)
    out += fmt::format("  - {{between: [{}, {}], {}}}\n", quoted_name(pair.first), quoted_name(pair.second),
                       properties_text(pair.properties));
}

void write_contacts(const ModelDescription& model, const TouchOptions& touch, std::string& out) {
  const auto pairs = [&](FilterDescription::Rule rule) {
    std::vector<std::string> names;
    for (const FilterDescription& filter : model.filters)
      if (filter.rule == rule)
        names.push_back(fmt::format("\n    - [{}, {}]", quoted_name(filter.first), quoted_name(filter.second)));
    return fmt::format("{}", fmt::join(names, ""));
  };
  const std::string exclude = pairs(FilterDescription::Rule::exclude),
                    include = pairs(FilterDescription::Rule::include);
  const bool tolerance = touch.tolerance != TouchOptions{}.tolerance;
  if (exclude.empty() && include.empty() && !tolerance) return;
  out += "contacts:\n";
  if (!exclude.empty()) out += "  exclude:" + exclude + "\n";
  if (!include.empty()) out += "  include:" + include + "\n";
  if (tolerance) out += fmt::format("  tolerance: {}\n", number(touch.tolerance));
}

std::string values(const std::vector<double>& numbers) {
  return numbers.size() == 1 ? number(numbers.front()) : list(numbers);
}

void write_state(const std::vector<RobotStart>& starts, double time, std::string& out) {
  if (starts.empty() && time == 0) return;
  std::string positions, velocities;
  for (const RobotStart& start : starts) {
    if (!start.position.empty())
      positions += fmt::format("    {}: {}\n", quoted_name(start.joint), values(start.position));
    if (!start.velocity.empty())
      velocities += fmt::format("    {}: {}\n", quoted_name(start.joint), values(start.velocity));
  }
  out += "state:\n";
  if (time != 0) out += fmt::format("  time: {}\n", number(time));
  if (!positions.empty()) out += "  position:\n" + positions;
  if (!velocities.empty()) out += "  velocity:\n" + velocities;
}

// The files of meshes as paths from `folder`; without one as absolute paths.
void place_meshes(ModelDescription& description, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (ShapeDescription& shape : description.shapes) {
    if (shape.mesh.file.empty()) continue;
    const fs::path absolute = fs::absolute(shape.mesh.file, error).lexically_normal();
    shape.mesh.file = folder.empty()
                          ? absolute.string()
                          : absolute.lexically_proximate(fs::absolute(folder, error).lexically_normal()).string();
  }
}

// Everything up to the state.
std::string machine_text(const ModelDescription& model, const TouchOptions& touch) {
  std::string out = fmt::format("routh: {}\n", scene_version);
  if (!model.name.empty()) out += fmt::format("name: {}\n", JsonText(model.name).text());
  out += fmt::format("dimension: {}\n", name(model.dimension));
  out += fmt::format("gravity: {}\n", text::vector(model.gravity, model.dimension));
  write_surfaces(model, out);
  text::write_bodies(model, out);
  write_contacts(model, touch, out);
  text::write_loops(model, out);
  text::write_loads(model, out);
  return out;
}

}  // namespace

std::string scene_text(const ModelDescription& description) { return machine_text(description, {}); }

std::string scene_text(const Scene& scene, const SceneTextOptions& options) {
  ModelDescription description = scene.draft.description;
  if (options.folder) place_meshes(description, *options.folder);
  std::string out;
  if (!options.source.empty()) out += "# From " + printable(options.source, 2000) + "\n";
  out += machine_text(description, scene.touch);
  write_state(scene.draft.origin == SceneOrigin::robot ? scene.draft.start : starts_of(scene.model, scene.state),
              scene.state.time, out);
  out += simulation_section(scene.simulation);
  return out;
}

std::string kept_text(const Scene& scene, std::string text, const std::string& source) {
  return scene.draft.origin == SceneOrigin::scene ? std::move(text) : scene_text(scene, {source, ""});
}

}  // namespace routh::internal
