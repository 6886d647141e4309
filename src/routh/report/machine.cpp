#include "routh/report/machine.h"

#include "routh/base/error.h"

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

RunMachine::RunMachine(const RunData& run) : SceneOfRun{scene_of(run)}, PlacedMachine(scene.model) {}

}  // namespace routh::internal
