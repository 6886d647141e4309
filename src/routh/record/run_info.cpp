#include "routh/record/run_info.h"

namespace routh::internal {

void describe_coordinates(const Model& model, RunInfo& info) {
  info.scene_name = model.name;
  info.dimension = model.dimension;
  info.coordinate_units.assign(static_cast<std::size_t>(model.coordinates), "1");  // entries of quaternions
  for (int k = 0; k < model.coordinates; ++k) info.coordinate_names.push_back(coordinate_name(model, k));
  for (int k = 0; k < model.velocities; ++k) {
    const bool turns = is_angular(model, k);
    info.velocity_names.push_back(dof_name(model, k));
    info.velocity_units.emplace_back(turns ? "rad/s" : "m/s");
    if (const int q = model.dofs[static_cast<std::size_t>(k)].coordinate; q >= 0)
      info.coordinate_units[static_cast<std::size_t>(q)] = turns ? "rad" : "m";
  }
}

}  // namespace routh::internal
