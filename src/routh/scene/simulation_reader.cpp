#include "routh/scene/simulation_reader.h"

#include <fmt/format.h>

#include "routh/problem/surface_reader.h"
#include "routh/scene/values.h"

namespace routh::internal {

namespace {

constexpr long long max_seed = 9'007'199'254'740'991;  // 2⁵³ − 1: what every reader of JSON keeps exactly

double read_until(const Node& node, double start) {
  const double until = node.number();
  if (!(until > start))
    node.fail(fmt::format("{} = {} must exceed the time of the state, {}", node.path(), until, start));
  return until;
}

double read_tolerance(const Node& node) {
  const double tolerance = node.number();
  if (!(tolerance >= smallest_tolerance && tolerance <= largest_tolerance))
    node.fail(
        fmt::format("{} = {} must lie in [{:g}, {:g}]", node.path(), tolerance, smallest_tolerance, largest_tolerance));
  return tolerance;
}

}  // namespace

SceneSimulation read_simulation(const Node& root, double start) {
  SceneSimulation simulation;
  const auto node = root.find("simulation");
  if (!node) return simulation;
  static constexpr std::string_view keys[] = {"until",    "tolerance", "sample_interval", "law", "integrator",
                                              "max_step", "seed"};
  node->allow_keys(keys);
  if (const auto until = node->find("until")) simulation.until = read_until(*until, start);
  if (const auto tolerance = node->find("tolerance")) simulation.tolerance = read_tolerance(*tolerance);
  if (const auto interval = node->find("sample_interval")) simulation.sample_interval = read_positive(*interval);
  if (const auto law = node->find("law")) simulation.law = read_law(*law);
  if (const auto integrator = node->find("integrator"))
    simulation.integrator = std::string(integrator_names[integrator->choice(integrator_names)]);
  if (const auto max_step = node->find("max_step")) simulation.max_step = read_positive(*max_step);
  if (const auto seed = node->find("seed")) simulation.seed = seed->integer(0, max_seed);
  return simulation;
}

}  // namespace routh::internal
