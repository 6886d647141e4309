#include "routh/recording/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/contact/contact.h"
#include "routh/recording/tolerances.h"
#include "routh/scene/draft.h"
#include "routh/scene/robot_lift.h"

namespace routh::internal {

namespace {

// Measured starts overlap the ground by their errors: the body is put upon it.
void lift(const Model& model, const TouchOptions& touch, Workspace& workspace, State& state) {
  for (int round = 0; round < tolerances::start_lifts_max; ++round) {
    const TouchReport report = find_touches(model, state, touch, workspace);
    const auto deepest = std::min_element(report.overlaps.begin(), report.overlaps.end(),
                                          [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
    if (deepest == report.overlaps.end()) return;
    const Vector3 out = deepest->body_a == 0 ? -deepest->normal : deepest->normal;
    const int slides = model.dimension == Dimension::planar ? 2 : 3;
    const double step[] = {out.x, out.y, out.z};
    for (int k = 0; k < slides; ++k) state.q[k] -= deepest->gap * step[k];
  }
}

// The angle between two poses, at most π, from the step that leads from one to the other.
double turn_between(const Model& model, const Eigen::VectorXd& step) {
  if (model.dimension == Dimension::spatial) return step.tail<3>().norm();
  const double full = 2 * std::numbers::pi, turns = std::floor(step[2] / full + 0.5);
  return std::abs(step[2] - turns * full);
}

}  // namespace

ThrowParameter parse_parameter(const std::string& text, const Location& where) {
  ThrowParameter out;
  out.text = text;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    out.paths.push_back(parse_path(std::string_view(text).substr(begin, end - begin), where));
    begin = end + 1;
  }
  return out;
}

Scene with_values(Scene scene, const std::vector<std::pair<ThrowParameter, double>>& values) {
  for (const auto& [parameter, value] : values)
    for (const StudyPath& path : parameter.paths)
      find_scene_parameter(path, scene.draft, scene.model).set(scene.draft, value);
  if (!values.empty()) scene.model = build_model(scene.draft.description);
  return scene;
}

ThrowScene::ThrowScene(const Scene& scene, std::vector<ThrowParameter> parameters, std::optional<Law> law)
    : draft_(scene.draft),
      options_(simulation_options(scene.simulation, scene.touch)),
      model_(std::make_shared<Model>(scene.model)) {
  if (!scene.simulation.tolerance) options_.tolerance = tolerances::replay_tolerance;
  if (law) options_.law = law;
  for (const ThrowParameter& parameter : parameters) {
    std::vector<SceneParameter> together;
    for (const StudyPath& path : parameter.paths) {
      if (path[0].is("state"))
        refuse(path, "the start of a throw comes from its recording", "seek numbers of surfaces, bodies or shapes");
      together.push_back(find_scene_parameter(path, draft_, *model_));
    }
    parameters_.push_back(std::move(together));
  }
  length_ = characteristic_length(*model_, thrown_joint(*model_, draft_.description.where));
}

std::shared_ptr<const Model> ThrowScene::at(const std::vector<double>& values) const {
  if (values.empty()) return model_;
  SceneDraft draft = draft_;
  for (std::size_t k = 0; k < values.size(); ++k)
    for (const SceneParameter& each : parameters_[k]) each.set(draft, values[k]);
  return std::make_shared<Model>(build_model(draft.description));
}

ThrowRun ThrowScene::run(const Model& model, const State& start, const std::vector<double>& times,
                         std::vector<Eigen::VectorXd>& poses) const {
  State state = start;
  Workspace workspace(model);
  lift(model, {options_.touch}, workspace, state);
  Simulator simulator(model, state, options_);
  poses.clear();
  ThrowRun out{true};
  for (const double time : times) {
    if (out.sound && time > 0) out.sound = simulator.advance(start.time + time) == SimulationStatus::ready;
    const State& now = simulator.state();
    poses.push_back(now.q.allFinite() ? now.q : (poses.empty() ? state.q : poses.back()));
  }
  for (const Event& event : simulator.events())
    if (event.kind == EventKind::tangential_impact) ++out.jams;
  return out;
}

ThrowError ThrowScene::error(const std::vector<Eigen::VectorXd>& poses,
                             const std::vector<Eigen::VectorXd>& measured) const {
  ThrowError out;
  Eigen::VectorXd off(model_->velocities);
  const int slides = model_->dimension == Dimension::planar ? 2 : 3;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    difference(*model_, measured[k], poses[k], off);
    const double p = off.head(slides).norm(), angle = turn_between(*model_, off);
    out.mean += p * p / length_ + angle * angle;
    out.position += p;
    out.rotation += angle;
  }
  const auto n = static_cast<double>(poses.size());
  out.mean /= n;
  out.position /= n;
  out.rotation /= n;
  return out;
}

}  // namespace routh::internal
