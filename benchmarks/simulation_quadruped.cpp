#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "simulation.h"
#include "timing.h"

namespace {

constexpr double duration = 2;  // [s]

void measure(const routh::Scene& scene, double tolerance) {
  routh::SimulationOptions options;
  options.tolerance = tolerance;
  double best = 1e30;
  const double begin = bench::cpu_seconds();
  for (int round = 0; round < 20 && (round < 3 || bench::cpu_seconds() - begin < 0.5); ++round) {
    const double start = bench::cpu_seconds();
    routh::Simulator simulator(scene.model, scene.state, options);
    simulator.advance(duration);
    best = std::min(best, bench::cpu_seconds() - start);
  }
  routh::Simulator simulator(scene.model, scene.state, options);
  const routh::SimulationStatus status = simulator.advance(duration);
  const routh::SimulationStatistics& counts = simulator.statistics();
  std::printf(
      "    tolerance %.0e   %6.1f simulated seconds per CPU second   (%s, %zu feet down, K %.0e J; %ld steps, %ld "
      "rejected, %ld impacts)\n",
      tolerance, duration / best, name(status), simulator.active().size(), simulator.energy().kinetic, counts.steps,
      counts.rejected, counts.impacts);
}

}  // namespace

// Dropped on four feet and coming to rest; and the same tilted, with feet that bounce, so that they strike one by one.
void bench::run_quadruped() {
  routh::Scene scene = routh::read_scene_file(std::string(ROUTH_EXAMPLES) + "/quadruped_stand.yaml");
  std::printf("quadruped with %d degrees of freedom and driven joints, dropped until it rests, %g s\n",
              static_cast<int>(scene.state.v.size()), duration);
  std::printf("  on four feet at once, e = 0\n");
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) measure(scene, tolerance);
  // The free joint comes first: position, then the quaternion w, x, y, z.
  const double half = 1.5 * std::numbers::pi / 180, part = std::sin(half) / std::numbers::sqrt2;
  scene.state.q[3] = std::cos(half);
  scene.state.q[4] = scene.state.q[5] = part;
  for (routh::SurfaceProperties& meeting : scene.model.pairs.properties()) meeting.restitution.normal = 0.1;
  std::printf("  tilted by 3 deg, e = 0.1\n");
  for (const double tolerance : {1e-6, 1e-10}) measure(scene, tolerance);
  std::printf("\n");
}
