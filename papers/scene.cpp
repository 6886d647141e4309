#include "papers/scene.h"

#include <fmt/format.h>

#include "routh/base/error.h"

namespace routh {

Scene read_paper_scene(const PaperFiles& files, const std::string& name) {
  const PaperFile& file = files.file(name);
  return read_scene_text(file.text, file.path);
}

Contact first_contact(const Scene& scene, Workspace& workspace) {
  const TouchReport report = find_touches(scene.model, scene.state, scene.touch, workspace);
  if (report.touches.empty()) throw InputError({scene.model.name}, "nothing touches in this scene");
  return report.touches.front().contact;
}

ContactDiagnosis diagnose_first(const Scene& scene) {
  Workspace workspace(scene.model);
  DiagnosisOptions options;
  options.search_postures = false;
  const SceneDiagnosis diagnosis = diagnose_scene(scene.model, scene.state, scene.touch, options, workspace);
  if (diagnosis.contacts.empty()) throw InputError({scene.model.name}, "nothing touches in this scene");
  return diagnosis.contacts.front().diagnosis;
}

ContactProbe::ContactProbe(const Scene& scene)
    : scene_(scene), workspace_(scene.model), contact_(first_contact(scene, workspace_).id), builder_(scene.model) {}

AccelerationProblem ContactProbe::at(const State& state) {
  if (builder_.prepare_forces(scene_.model, state, workspace_) >= 0)
    throw RuntimeFailure("the mass matrix is singular");
  const std::optional<Contact> contact = find_contact(scene_.model, workspace_, state.q, contact_);
  if (!contact) throw RuntimeFailure("the contact is lost in this posture");
  return builder_.force_problem(scene_.model, workspace_, *contact);
}

MapVariable find_variable(const std::vector<MapVariable>& variables, const std::string& name) {
  for (const MapVariable& variable : variables)
    if (variable.name == name) return variable;
  throw RuntimeFailure(fmt::format("the machine has no variable '{}'", name));
}

void set_regions(MapFigure& figure, const VerdictMap& map) {
  figure.x = {map.x.low, map.x.high};
  figure.y = {map.y.low, map.y.high};
  figure.columns = map.x.points;
  figure.rows = map.y.points;
  figure.kinds = map.kinds;
}

}  // namespace routh
