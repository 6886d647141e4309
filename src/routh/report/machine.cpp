#include "routh/report/machine.h"

#include "routh/base/error.h"
#include "routh/dynamics/dynamics.h"

namespace routh::internal {

namespace {

Scene scene_of(const RunData& run) {
  const RunInfo& info = run.info;
  Scene scene = read_scene_text(info.scene_text, info.scene_path.empty() ? "the scene of the run" : info.scene_path);
  const auto size = [](const std::vector<std::string>& names) { return static_cast<int>(names.size()); };
  if (size(info.coordinate_names) != scene.model.coordinates || size(info.velocity_names) != scene.model.velocities)
    throw InputError({info.scene_path}, "the coordinates of the run are not those of its scene",
                     "simulate the scene again");
  return scene;
}

}  // namespace

RunMachine::RunMachine(const RunData& run) : scene_(scene_of(run)), workspace_(scene_.model) {}

bool RunMachine::place(const State& state) {
  if (state.q.size() != model().coordinates || state.v.size() != model().velocities) return false;
  if (!state.q.allFinite() || !state.v.allFinite()) return false;
  compute_velocities(model(), state.q, state.v, workspace_);
  return true;
}

bool RunMachine::has(ContactId id) const {
  if (id.pair >= 0) return id.pair < static_cast<int>(model().pairs.size());
  const int dof = -1 - id.pair;
  return dof < model().velocities && model().dofs[static_cast<std::size_t>(dof)].coordinate >= 0 &&
         (id.feature == 0 || id.feature == 1);
}

std::optional<Contact> RunMachine::contact(const State& state, ContactId id) const {
  if (!has(id)) return std::nullopt;
  return find_contact(model(), workspace_, state.q, id);
}

Vector3 RunMachine::shown_at(const Contact& contact) const {
  if (contact.kind == ContactKind::surfaces) return contact.point;
  const Joint& joint =
      model().joints[static_cast<std::size_t>(model().dofs[static_cast<std::size_t>(contact.dof)].joint)];
  return pose(joint.child) * joint.in_child.position;
}

}  // namespace routh::internal
