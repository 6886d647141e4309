#include "routh/scene/scene.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "routh/base/error_list.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/scene/description_reader.h"
#include "routh/scene/draft.h"
#include "routh/scene/robot_floor.h"
#include "routh/scene/robot_reader.h"
#include "routh/scene/set_down.h"
#include "routh/scene/simulation_settings.h"
#include "routh/scene/state_reader.h"
#include "routh/text/document.h"

namespace routh {

namespace {

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

void close_loops(const Model& model, const AssemblyOptions& given, State& state, std::vector<std::string>& warnings,
                 Workspace& workspace) {
  const State before = state;
  const AssemblyReport report = assemble(model, state, workspace, given);
  if (!report.closed) refuse_open_loops(model, report);
  const auto warn = [&](const std::string& message) {
    warnings.push_back(warning_at(model.loops.front().where, message));
  };
  Eigen::VectorXd change(model.velocities);
  difference(model, before.q, state.q, change);
  if (const auto dof = most_changed(change, given.given_position))
    warn(fmt::format("closing the loops moved '{}' by {:.3g}", dof_name(model, *dof), change[*dof]));
  change = state.v - before.v;
  if (const auto dof = most_changed(change, given.given_velocity))
    warn(fmt::format("the loops forbid the velocity: '{}' changed by {:.3g}", dof_name(model, *dof), change[*dof]));
}

void warn_of_past_impulses(const SceneDraft& draft, double start, std::vector<std::string>& warnings) {
  for (const ImpulseDescription& blow : draft.description.impulses)
    if (blow.time < start)
      warnings.push_back(
          warning_at(blow.where, fmt::format("the impulse '{}' never acts: it comes at {:g} s, before the "
                                             "time of the state, {:g} s",
                                             blow.name, blow.time, start)));
}

[[noreturn]] void refuse_inertia(const Model& model, int dof, const char* what, const char* remedy) {
  const int joint = model.dofs[static_cast<std::size_t>(dof)].joint;
  throw InputError(model.joints[static_cast<std::size_t>(joint)].where,
                   fmt::format("the degree of freedom '{}' has {}", dof_name(model, dof), what), remedy);
}

MassFactor finite_mass(const Model& model, const State& state, Workspace& workspace) {
  MassFactor factor(model);
  factor.load(state.q, workspace);
  if (const int dof = factor.non_finite(); dof >= 0)
    refuse_inertia(model, dof, "an inertia beyond the range of numbers",
                   "check the units of masses, lengths and positions");
  return factor;
}

// A machine may lose a degree of freedom in one posture only: a point mass on the axis it is to turn about.
void check_mass(const Model& model, const State& state, Workspace& workspace) {
  if (const int dof = finite_mass(model, state, workspace).decompose(); dof >= 0)
    refuse_inertia(model, dof, "no inertia in this posture",
                   "give the bodies it moves mass and inertia, or the joint an `armature`");
}

// Whatever follows from speeds or places whose squares have no number is none either. The energy of springs has the
// squares of all coordinates in it, also where their stiffness is zero.
void check_energy(const Node* root, const Model& model, const State& state, Workspace& workspace) {
  const Energy energy = compute_energy(model, state, workspace);
  const bool moves = std::isfinite(energy.kinetic);
  if (moves && std::isfinite(energy.potential)) return;
  const auto section = root ? root->find("state") : std::nullopt;
  const auto part = section ? section->find(moves ? "position" : "velocity") : std::nullopt;
  throw InputError(
      part ? part->where() : model.joints.front().where,
      fmt::format("the {} energy at the start leaves the range of numbers", moves ? "potential" : "kinetic"),
      fmt::format("check the units of {}, lengths and masses", moves ? "springs, positions" : "velocities"));
}

double read_tolerance(const Node& root, double otherwise) {
  const auto contacts = root.find("contacts");
  return contacts ? read_positive_or(*contacts, "tolerance", otherwise) : otherwise;
}

}  // namespace

bool is_scene(const Document& document) { return document.root().find("routh").has_value(); }

namespace {

// `root`, where there is one, gives messages about limits their place.
State complete_state(const SceneDraft& draft, const Model& model, double tolerance, const Node* root,
                     std::vector<std::string>& warnings) {
  State state = draft.state;
  Workspace workspace(model);
  check_mass(model, state, workspace);
  set_down(draft.resting, model, state, workspace);
  if (!model.loops.empty()) {
    close_loops(model, draft.given, state, warnings, workspace);
    check_mass(model, state, workspace);
  }
  check_limits(root, model, state, tolerance);
  check_energy(root, model, state, workspace);
  return state;
}

// A scene whose draft and model are there becomes whole.
void complete(Scene& scene, const Node* root) {
  scene.warnings = scene.draft.warnings;
  scene.warnings.insert(scene.warnings.end(), scene.model.warnings.begin(), scene.model.warnings.end());
  scene.state = complete_state(scene.draft, scene.model, scene.touch.tolerance, root, scene.warnings);
  warn_of_past_impulses(scene.draft, scene.state.time, scene.warnings);
}

}  // namespace

Scene read_scene(const Document& document) {
  const Node root = document.root();
  Scene scene;
  ErrorList errors;
  const Dimension dimension = read_heading(root);
  errors.attempt([&] { scene.touch.tolerance = read_tolerance(root, scene.touch.tolerance); });
  const bool started = errors.attempt([&] {
    scene.draft = read_sections(root, dimension);
    scene.model = build_model(scene.draft.description);
    read_state(root, scene.model, scene.draft);
  });
  const double start = started ? scene.draft.state.time : -std::numeric_limits<double>::infinity();
  errors.attempt([&] { scene.simulation = read_simulation(root, start); });
  errors.finish();
  complete(scene, &root);
  return scene;
}

Scene scene_of_robot(RobotFile robot, const RobotGround& ground) {
  settle_start(robot);
  put_on_floor(robot, ground);
  exclude_overlaps(robot);
  Scene scene;
  scene.model = build_model(robot.description);
  scene.draft = draft_of(std::move(robot), scene.model);
  complete(scene, nullptr);
  return scene;
}

void internal::rebuild(Scene& scene) {
  scene.draft.origin = SceneOrigin::changed;
  scene.model = build_model(scene.draft.description);
  complete(scene, nullptr);
}

void internal::check_range(const Scene& scene) {
  Workspace workspace(scene.model);
  finite_mass(scene.model, scene.state, workspace);
  check_energy(nullptr, scene.model, scene.state, workspace);
}

void internal::begin_in(Scene& scene, const State& state) {
  scene.state = scene.draft.state = state;
  scene.draft.resting.clear();  // nothing is set down any more
  scene.draft.given.given_position.assign(static_cast<std::size_t>(scene.model.velocities), true);
  scene.draft.given.given_velocity = scene.draft.given.given_position;
  scene.draft.origin = SceneOrigin::changed;
}

State internal::build_state(const SceneDraft& draft, const Model& model, const TouchOptions& touch) {
  std::vector<std::string> warnings;
  return complete_state(draft, model, touch.tolerance, nullptr, warnings);
}

Scene read_scene_text(std::string text, const std::string& name) {
  return read_scene(Document::from_text(std::move(text), name));
}

Scene read_scene_file(const std::string& path) { return read_scene(Document::from_file(path)); }

}  // namespace routh
