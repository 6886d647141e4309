#include "routh/record/run_info.h"

#include <cmath>
#include <nlohmann/json.hpp>

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

const char* name(Integrator integrator) {
  switch (integrator) {
    case Integrator::automatic:
      return "automatic";
    case Integrator::dormand_prince:
      return "dormand_prince";
    case Integrator::radau:
      return "radau";
  }
  return "?";
}

std::string options_json(const SimulationOptions& options, double until) {
  using Json = nlohmann::ordered_json;
  return Json{{"until", until},
              {"tolerance", options.tolerance},
              {"integrator", name(options.integrator)},
              {"law", options.law ? Json(name(*options.law)) : Json(nullptr)},
              {"max_step", options.max_step < 1e300 ? Json(options.max_step) : Json(nullptr)}}
      .dump();
}

double usual_interval(double duration) {
  const double raw = duration / 1000;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double digit = raw / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

}  // namespace routh::internal
