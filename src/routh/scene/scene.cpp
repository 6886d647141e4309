#include "routh/scene/scene.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/scene/description_reader.h"
#include "routh/scene/simulation_reader.h"
#include "routh/scene/state_reader.h"

namespace routh {

namespace {

// A motion by assembly that is worth a word [m, rad, and per second].
constexpr double noticed = 1e-9;

[[noreturn]] void refuse_open_loops(const Model& model, const AssemblyReport& report) {
  std::string list;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < model.loops.size(); ++i) {
    list +=
        fmt::format("{}'{}' stays open by {:.3g}", i == 0 ? "" : ", ", model.loops[i].name, report.loop_residuals[i]);
    if (report.loop_residuals[i] > report.loop_residuals[worst]) worst = i;
  }
  throw InputError(model.loops[worst].where, "the loops cannot be closed: " + list,
                   "check the lengths, or start nearer to a closed posture in `state`");
}

// Of the degrees of freedom whose value the file gives, the one that was changed most.
std::optional<int> most_changed(const Eigen::VectorXd& change, const std::vector<bool>& given) {
  std::optional<int> most;
  for (int i = 0; i < change.size(); ++i)
    if (given[static_cast<std::size_t>(i)] && std::abs(change[i]) > (most ? std::abs(change[*most]) : noticed))
      most = i;
  return most;
}

void close_loops(Scene& scene, const AssemblyOptions& given, Workspace& workspace) {
  const Model& model = scene.model;
  const State before = scene.state;
  const AssemblyReport report = assemble(model, scene.state, workspace, given);
  if (!report.closed) refuse_open_loops(model, report);
  const auto warn = [&](const std::string& message) {
    const Location& where = model.loops.front().where;
    scene.warnings.push_back(
        fmt::format("{}:{}:{}: warning: {}", printable(where.file, 200), where.line, where.column, message));
  };
  Eigen::VectorXd change(model.velocities);
  difference(model, before.q, scene.state.q, change);
  if (const auto dof = most_changed(change, given.given_position))
    warn(fmt::format("closing the loops moved '{}' by {:.3g}", dof_name(model, *dof), change[*dof]));
  change = scene.state.v - before.v;
  if (const auto dof = most_changed(change, given.given_velocity))
    warn(fmt::format("the loops forbid the velocity: '{}' changed by {:.3g}", dof_name(model, *dof), change[*dof]));
}

// A machine may lose a degree of freedom in one posture only: a point mass on the axis it is to turn about.
void check_mass(const Scene& scene, Workspace& workspace) {
  const Model& model = scene.model;
  compute_mass_matrix(model, scene.state.q, workspace);
  const auto refuse = [&](int dof, const char* what, const char* remedy) {
    const int joint = model.dofs[static_cast<std::size_t>(dof)].joint;
    throw InputError(model.joints[static_cast<std::size_t>(joint)].where,
                     fmt::format("the degree of freedom '{}' has {}", dof_name(model, dof), what), remedy);
  };
  for (int dof = 0; dof < model.velocities; ++dof)
    if (!workspace.mass_matrix.col(dof).allFinite())
      refuse(dof, "an inertia beyond the range of numbers", "check the units of masses, lengths and positions");
  MassFactor factor(model);
  if (const int dof = factor.compute(workspace); dof >= 0)
    refuse(dof, "no inertia in this posture", "give the bodies it moves mass and inertia, or the joint an `armature`");
}

double read_tolerance(const Node& root, double otherwise) {
  const auto contacts = root.find("contacts");
  return contacts ? read_positive_or(*contacts, "tolerance", otherwise) : otherwise;
}

}  // namespace

bool is_scene(const Document& document) { return document.root().find("routh").has_value(); }

Scene read_scene(const Document& document) {
  const Node root = document.root();
  Scene scene;
  const SceneParts parts = read_sections(root, read_heading(root));
  scene.touch.tolerance = read_tolerance(root, scene.touch.tolerance);
  scene.model = build_model(parts.description);
  scene.warnings = parts.warnings;
  scene.warnings.insert(scene.warnings.end(), scene.model.warnings.begin(), scene.model.warnings.end());
  AssemblyOptions given;
  scene.state = read_state(root, scene.model, parts.start, given);
  scene.simulation = read_simulation(root, scene.state.time);
  Workspace workspace(scene.model);
  check_mass(scene, workspace);
  if (!scene.model.loops.empty()) {
    close_loops(scene, given, workspace);
    check_mass(scene, workspace);
  }
  check_limits(root, scene.model, scene.state, scene.touch.tolerance);
  return scene;
}

Scene read_scene_text(std::string text, const std::string& name) {
  return read_scene(Document::from_text(std::move(text), name));
}

Scene read_scene_file(const std::string& path) { return read_scene(Document::from_file(path)); }

}  // namespace routh
