#include <algorithm>
#include <cstdio>
#include <string>

#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "simulation.h"
#include "timing.h"

// Dropped on four feet and coming to rest: the whole, and what is left once it stands.
void bench::run_quadruped() {
  constexpr double duration = 2;  // [s]
  const routh::Scene scene = routh::read_scene_file(std::string(ROUTH_EXAMPLES) + "/quadruped_stand.yaml");
  std::printf("quadruped, %d degrees of freedom, dropped on four feet, %g s\n", static_cast<int>(scene.state.v.size()),
              duration);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    routh::SimulationOptions options;
    options.tolerance = tolerance;
    double best = 1e30;
    for (int round = 0; round < 5; ++round) {
      const double start = cpu_seconds();
      routh::Simulator simulator(scene.model, scene.state, options);
      const routh::SimulationStatus status = simulator.advance(duration);
      best = std::min(best, cpu_seconds() - start);
      if (round > 0) continue;
      const routh::SimulationStatistics& counts = simulator.statistics();
      std::printf("  tolerance %.0e   %s, %zu feet down, K %.0e J; %ld steps, %ld events, balance %.0e J\n", tolerance,
                  name(status), simulator.active().size(), simulator.energy().kinetic, counts.steps, counts.events,
                  simulator.energy().balance());
    }
    std::printf("  tolerance %.0e   %.0f simulated seconds per CPU second\n", tolerance, duration / best);
  }
  std::printf("\n");
}
