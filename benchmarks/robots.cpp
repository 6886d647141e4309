// Robots from files: how long one takes to load, and a humanoid that is dropped on its feet.
#include <algorithm>
#include <cstdio>
#include <string>

#include "bench.h"
#include "routh/model/model.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "timing.h"

namespace {

const std::string folder = std::string(ROUTH_EXAMPLES) + "/robots/";

// The least of several rounds [s].
template <class Work>
double least_time(int rounds, const Work& work) {
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const double start = bench::cpu_seconds();
    work();
    best = std::min(best, bench::cpu_seconds() - start);
  }
  return best;
}

void measure_load() {
  routh::RobotOptions options;
  options.base = routh::RobotBase::floating;
  int dofs = 0;
  const double seconds = least_time(50, [&] {
    dofs = routh::build_model(routh::read_robot_file(folder + "humanoid.urdf", options).description).velocities;
  });
  std::printf("  load a URDF of %d degrees of freedom   %.2f ms   (aim 5)\n", dofs, 1e3 * seconds);
  const double scene = least_time(50, [] { routh::read_scene_file(folder + "humanoid.yaml"); });
  std::printf("  load a scene that takes it and adds drives, surfaces and a state   %.2f ms\n", 1e3 * scene);
}

void measure_drop(const routh::Scene& scene, double tolerance) {
  constexpr double duration = 2;  // [s]
  routh::SimulationOptions options;
  options.tolerance = tolerance;
  const auto run = [&] {
    routh::Simulator simulator(scene.model, scene.state, options);
    simulator.advance(duration);
    return simulator;
  };
  const double best = least_time(5, run);
  routh::Simulator simulator = run();
  std::printf(
      "  dropped on its feet, tolerance %.0e   %.1f simulated seconds per CPU second   (aim 20; %s, %zu contacts, K "
      "%.0e J, balance %.0e J; %ld steps, %ld evaluations)\n",
      tolerance, duration / best, name(simulator.status()), simulator.active().size(), simulator.energy().kinetic,
      simulator.energy().balance(), simulator.statistics().steps, simulator.statistics().evaluations);
}

}  // namespace

void bench::run_robots() {
  std::printf("robots\n");
  measure_load();
  const routh::Scene scene = routh::read_scene_file(folder + "humanoid.yaml");
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) measure_drop(scene, tolerance);
  std::printf("\n");
}
