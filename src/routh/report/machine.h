// The machine of a run, made again from the scene that the run file holds, and how a page draws it.
#pragma once

#include "routh/record/run_file.h"
#include "routh/report/json_writer.h"
#include "routh/report/placed_machine.h"
#include "routh/scene/scene.h"

namespace routh::internal {

namespace machine_detail {
struct SceneOfRun {
  Scene scene;
};
}  // namespace machine_detail

class RunMachine : private machine_detail::SceneOfRun, public PlacedMachine {
 public:
  // Throws InputError when the scene cannot be read or is not the run's.
  explicit RunMachine(const RunData& run);

  const std::vector<std::string>& warnings() const { return scene.warnings; }
};

// `dimension`, `gravity`, `bodies`, `shapes`, `bones`, `joints`, `springs`.
void write_machine(const Model& model, JsonWriter& json);

}  // namespace routh::internal
