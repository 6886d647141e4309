#include "routh/scene/scene.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/scene/description_reader.h"
#include "routh/scene/draft.h"
#include "routh/scene/simulation_reader.h"
#include "routh/scene/state_reader.h"
#include "routh/text/document.h"

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

void close_loops(const Model& model, const AssemblyOptions& given, State& state, std::vector<std::string>& warnings,
                 Workspace& workspace) {
  const State before = state;
  const AssemblyReport report = assemble(model, state, workspace, given);
  if (!report.closed) refuse_open_loops(model, report);
  const auto warn = [&](const std::string& message) {
    const Location& where = model.loops.front().where;
    warnings.push_back(
        fmt::format("{}:{}:{}: warning: {}", printable(where.file, 200), where.line, where.column, message));
  };
  Eigen::VectorXd change(model.velocities);
  difference(model, before.q, state.q, change);
  if (const auto dof = most_changed(change, given.given_position))
    warn(fmt::format("closing the loops moved '{}' by {:.3g}", dof_name(model, *dof), change[*dof]));
  change = state.v - before.v;
  if (const auto dof = most_changed(change, given.given_velocity))
    warn(fmt::format("the loops forbid the velocity: '{}' changed by {:.3g}", dof_name(model, *dof), change[*dof]));
}

// A machine may lose a degree of freedom in one posture only: a point mass on the axis it is to turn about.
void check_mass(const Model& model, const State& state, Workspace& workspace) {
  compute_mass_matrix(model, state.q, workspace);
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

namespace {

// What a file says, and the model it says it of.
struct Drafted {
  SceneDraft draft;
  Model model;
};

Drafted draft_scene(const Node& root) {
  SceneParts parts = read_sections(root, read_heading(root));
  Drafted out;
  SceneDraft& draft = out.draft;
  draft.touch.tolerance = read_tolerance(root, draft.touch.tolerance);
  out.model = build_model(parts.description);
  draft.description = std::move(parts.description);
  draft.warnings = std::move(parts.warnings);
  draft.state = read_state(root, out.model, parts.start, draft.given);
  draft.simulation = read_simulation(root, draft.state.time);
  return out;
}

// `root`, where there is one, gives messages about limits their place.
State complete_state(const SceneDraft& draft, const Model& model, const Node* root,
                     std::vector<std::string>& warnings) {
  State state = draft.state;
  Workspace workspace(model);
  check_mass(model, state, workspace);
  if (!model.loops.empty()) {
    close_loops(model, draft.given, state, warnings, workspace);
    check_mass(model, state, workspace);
  }
  check_limits(root, model, state, draft.touch.tolerance);
  return state;
}

Scene complete(const SceneDraft& draft, Model model, const Node* root) {
  Scene scene;
  scene.touch = draft.touch;
  scene.simulation = draft.simulation;
  scene.model = std::move(model);
  scene.warnings = draft.warnings;
  scene.warnings.insert(scene.warnings.end(), scene.model.warnings.begin(), scene.model.warnings.end());
  scene.state = complete_state(draft, scene.model, root, scene.warnings);
  return scene;
}

}  // namespace

Scene read_scene(const Document& document) {
  const Node root = document.root();
  Drafted drafted = draft_scene(root);
  return complete(drafted.draft, std::move(drafted.model), &root);
}

SceneDraft internal::read_draft(const Document& document) {
  const Node root = document.root();
  Drafted drafted = draft_scene(root);
  complete(drafted.draft, std::move(drafted.model), &root);
  return std::move(drafted.draft);
}

Scene internal::build_scene(const SceneDraft& draft) {
  return complete(draft, build_model(draft.description), nullptr);
}

State internal::build_state(const SceneDraft& draft, const Model& model) {
  std::vector<std::string> warnings;
  return complete_state(draft, model, nullptr, warnings);
}

Scene read_scene_text(std::string text, const std::string& name) {
  return read_scene(Document::from_text(std::move(text), name));
}

Scene read_scene_file(const std::string& path) { return read_scene(Document::from_file(path)); }

}  // namespace routh
