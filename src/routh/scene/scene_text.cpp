#include "routh/scene/scene_text.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "routh/impact/result.h"
#include "routh/scene/description_reader.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/scene_text_parts.h"

namespace routh::internal {

namespace {

using text::list;
using text::number;
using text::quoted_name;

std::string title(const std::string& name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string friction(const Friction& f) {
  const auto value = [](double mu) { return std::isinf(mu) ? std::string("inf") : number(mu); };
  if (f.static_coefficient == f.kinetic_coefficient) return value(f.static_coefficient);
  return fmt::format("{{static: {}, kinetic: {}}}", value(f.static_coefficient), value(f.kinetic_coefficient));
}

std::string restitution(const SurfaceProperties& properties) {
  const Restitution& r = properties.restitution;
  std::string form;
  switch (r.kind) {
    case RestitutionKind::constant:
      if (r.tangential == 0) return number(r.normal);
      form = fmt::format("normal: {}", number(r.normal));
      break;
    case RestitutionKind::linear:
      form = fmt::format("alpha: {}", number(r.alpha));
      break;
    case RestitutionKind::table: {
      std::vector<std::string> points;
      for (const auto& [speed, e] : properties.table) points.push_back(list({speed, e}));
      form = fmt::format("table: [{}]", fmt::join(points, ", "));
      break;
    }
  }
  return fmt::format("{{{}{}}}", form, r.tangential == 0 ? "" : fmt::format(", tangential: {}", number(r.tangential)));
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

void write_contacts(const SceneText& scene, std::string& out) {
  const auto pairs = [&](FilterDescription::Rule rule) {
    std::vector<std::string> names;
    for (const FilterDescription& filter : scene.description.filters)
      if (filter.rule == rule)
        names.push_back(fmt::format("\n    - [{}, {}]", quoted_name(filter.first), quoted_name(filter.second)));
    return fmt::format("{}", fmt::join(names, ""));
  };
  const std::string exclude = pairs(FilterDescription::Rule::exclude),
                    include = pairs(FilterDescription::Rule::include);
  if (exclude.empty() && include.empty() && !scene.touch_tolerance) return;
  out += "contacts:\n";
  if (!exclude.empty()) out += "  exclude:" + exclude + "\n";
  if (!include.empty()) out += "  include:" + include + "\n";
  if (scene.touch_tolerance) out += fmt::format("  tolerance: {}\n", number(*scene.touch_tolerance));
}

std::string values(const std::vector<double>& numbers) {
  return numbers.size() == 1 ? number(numbers.front()) : list(numbers);
}

void write_state(const SceneText& scene, std::string& out) {
  if (scene.start.empty() && scene.time == 0) return;
  std::string positions, velocities;
  for (const RobotStart& start : scene.start) {
    if (!start.position.empty())
      positions += fmt::format("    {}: {}\n", quoted_name(start.joint), values(start.position));
    if (!start.velocity.empty())
      velocities += fmt::format("    {}: {}\n", quoted_name(start.joint), values(start.velocity));
  }
  out += "state:\n";
  if (scene.time != 0) out += fmt::format("  time: {}\n", number(scene.time));
  if (!positions.empty()) out += "  position:\n" + positions;
  if (!velocities.empty()) out += "  velocity:\n" + velocities;
}

void write_simulation(const SceneSimulation& simulation, std::string& out) {
  std::string lines;
  const auto add = [&](const char* key, const std::string& value) { lines += fmt::format("  {}: {}\n", key, value); };
  if (simulation.until) add("until", number(*simulation.until));
  if (simulation.tolerance) add("tolerance", number(*simulation.tolerance));
  if (simulation.sample_interval) add("sample_interval", number(*simulation.sample_interval));
  if (simulation.law) add("law", name(*simulation.law));
  if (simulation.integrator) add("integrator", *simulation.integrator);
  if (simulation.max_step) add("max_step", number(*simulation.max_step));
  if (simulation.seed) add("seed", fmt::format("{}", *simulation.seed));
  if (!lines.empty()) out += "simulation:\n" + lines;
}

}  // namespace

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

std::string scene_text(const SceneText& scene) {
  const ModelDescription& model = scene.description;
  std::string out;
  for (const std::string& remark : scene.remarks) out += "# " + printable(remark, 2000) + "\n";
  out += fmt::format("routh: {}\n", scene_version);
  if (!model.name.empty()) out += fmt::format("name: {}\n", title(model.name));
  out += fmt::format("dimension: {}\n", model.dimension == Dimension::planar ? "planar" : "spatial");
  out += fmt::format("gravity: {}\n", text::vector(model.gravity, model.dimension));
  write_surfaces(model, out);
  text::write_bodies(model, out);
  write_contacts(scene, out);
  text::write_loops(model, out);
  text::write_loads(model, out);
  write_state(scene, out);
  write_simulation(scene.simulation, out);
  return out;
}

SceneText scene_of_robot(RobotFile robot, const std::string& path) {
  settle_start(robot);  // refuses with the places of the robot's file
  exclude_overlaps(robot);
  SceneText scene;
  scene.description = std::move(robot.description);
  scene.start = std::move(robot.start);
  scene.warnings = std::move(robot.warnings);
  scene.remarks.push_back("From " + path);
  return scene;
}

SceneText without_robot(const Document& document) {
  const Node root = document.root();
  const Scene read = read_scene(document);
  SceneText scene;
  SceneParts parts = read_sections(root, read_heading(root));
  scene.description = std::move(parts.description);
  scene.warnings = std::move(parts.warnings);
  scene.time = read.state.time;
  if (const auto contacts = root.find("contacts"); contacts && contacts->find("tolerance"))
    scene.touch_tolerance = read.touch.tolerance;
  scene.simulation = read.simulation;
  for (const Joint& joint : read.model.joints) {
    const auto q = read.state.q.segment(joint.q, joint.q_count);
    const auto v = read.state.v.segment(joint.v, joint.v_count);
    if (joint.v_count == 0) continue;
    RobotStart start{joint.name, std::vector<double>(q.begin(), q.end()), {}};
    if (!v.isZero(0)) start.velocity.assign(v.begin(), v.end());
    scene.start.push_back(std::move(start));
  }
  scene.remarks.push_back("From " + document.name());
  return scene;
}

}  // namespace routh::internal
