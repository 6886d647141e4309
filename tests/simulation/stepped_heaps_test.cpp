// Heaps in fixed steps: whatever falls on whatever, and crowds of contacts that sweeps solve.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Trial;

SimulationOptions heap_steps(double h) {
  SimulationOptions options = testing_support::by(EngineKind::stepping);
  options.step = h;
  return options;
}

// Heaps of whatever shapes between walls: they all end, and no step gains.
class Heaps {
 public:
  explicit Heaps(unsigned seed) : random_(seed) {}

  std::string scene() {
    const int bodies = 2 + static_cast<int>(4 * at());
    std::string text = fmt::format(R"(
surfaces: {{s: {{friction: {}, restitution: {}}}}}
world:
  shapes:
    f: {{kind: half_space, surface: s}}
    l: {{kind: half_space, at: [-0.5, 0, 0], normal: [1, 0, 0.1], surface: s}}
    r: {{kind: half_space, at: [0.5, 0, 0], normal: [-1, 0, 0.1], surface: s}}
    a: {{kind: half_space, at: [0, -0.5, 0], normal: [0, 1, 0.1], surface: s}}
    b: {{kind: half_space, at: [0, 0.5, 0], normal: [0, -1, 0.1], surface: s}}
bodies:
)",
                                   at() < 0.2 ? 0.0 : 1.2 * at(), at() < 0.3 ? 0.0 : at());
    std::string state = "state:\n  position:\n", rates = "  velocity:\n";
    for (int k = 0; k < bodies; ++k) {
      const double m = std::exp(3 * at() - 1.5), a = 0.06 + 0.1 * at(), b = 0.06 + 0.1 * at(), c = 0.06 + 0.1 * at();
      const double kind = at();
      const std::string shape = kind < 0.35   ? fmt::format("kind: box, size: [{}, {}, {}]", 2 * a, 2 * b, 2 * c)
                                : kind < 0.55 ? fmt::format("kind: sphere, radius: {}", a)
                                : kind < 0.8  ? fmt::format("kind: capsule, radius: {}, length: {}", 0.5 * a, 2 * b)
                                              : fmt::format("kind: cylinder, radius: {}, length: {}", a, 2 * b);
      text += fmt::format(
          "  b{}: {{mass: {}, inertia: [{}, {}, {}], joint: {{kind: free}}, shapes: {{s{}: {{{}, surface: s}}}}}}\n", k,
          m, m / 3 * (b * b + c * c), m / 3 * (a * a + c * c), m / 3 * (a * a + b * b), k, shape);
      state += fmt::format("    b{}: {{position: [{}, {}, {}], rotation: {{axis: [{}, {}, 1], angle: {}}}}}\n", k,
                           0.3 * at() - 0.15, 0.3 * at() - 0.15, 0.4 + 0.5 * k, at(), at(), 3 * at());
      rates += fmt::format("    b{}: [{}, {}, {}, {}, {}, {}]\n", k, at() - 0.5, at() - 0.5, -2 * at(), 4 * at() - 2,
                           4 * at() - 2, 4 * at() - 2);
    }
    return text + state + rates;
  }

 private:
  double at() { return random_.uniform(); }
  testing_support::Random random_;
};

TEST(SteppedHeaps, RandomHeapsNeverGain) {
  const int count = testing_support::scaled(40);
  int rough = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Trial run(Heaps(static_cast<unsigned>(seed)).scene(), heap_steps(1e-3));
    ASSERT_EQ(run.simulator.status(), SimulationStatus::ready) << seed << run.simulator.message();
    double before = run.simulator.energy().total();
    for (int k = 1; k <= 1000; ++k) {
      ASSERT_EQ(run.to(1e-3 * k), SimulationStatus::ready) << seed << run.simulator.message();
      const EnergyAccount energy = run.simulator.energy();
      // What is lifted out of overlaps is told; flights are good to the third power of the step.
      EXPECT_LT(energy.total() - energy.corrected, before + 1e-4 * std::max(1.0, energy.kinetic))
          << seed << " at " << k;
      before = energy.total() - energy.corrected;
    }
    const EnergyAccount energy = run.simulator.energy();
    EXPECT_EQ(energy.gained, 0) << seed;
    EXPECT_LT(energy.corrected, 2e-3 * energy.turnover()) << seed;
    EXPECT_LT(run.simulator.statistics().largest_gap, 2e-4) << seed;
    rough += run.simulator.statistics().largest_residual > 1e-4 ? 1 : 0;
  }
  EXPECT_LE(rough, count / 100);  // of a thousand scenes some have one hard step
}

// Spheres poured into a box: one island of hundreds of contacts, solved by sweeps.
std::string poured(int layers) {
  std::string text = R"(
surfaces: {s: {friction: 0.5, restitution: 0}}
world:
  shapes:
    f: {kind: half_space, surface: s}
    l: {kind: half_space, at: [-0.25, 0, 0], normal: [1, 0, 0], surface: s}
    r: {kind: half_space, at: [0.25, 0, 0], normal: [-1, 0, 0], surface: s}
    a: {kind: half_space, at: [0, -0.25, 0], normal: [0, 1, 0], surface: s}
    b: {kind: half_space, at: [0, 0.25, 0], normal: [0, -1, 0], surface: s}
bodies:
)",
              state = "state:\n  position:\n";
  for (int k = 0; k < 16 * layers; ++k) {
    const int layer = k / 16;
    text += fmt::format(
        "  b{0}: {{mass: 0.5, inertia: [5e-4, 5e-4, 5e-4], joint: {{kind: free}}, shapes: {{s{0}: "
        "{{kind: sphere, radius: 0.05, surface: s}}}}}}\n",
        k);
    state += fmt::format("    b{}: {{position: [{}, {}, {}]}}\n", k, -0.18 + 0.115 * (k % 4) + 0.013 * (layer % 3),
                         -0.18 + 0.115 * (k / 4 % 4) + 0.007 * (layer % 2), 0.06 + 0.115 * layer);
  }
  return text + state;
}

TEST(SteppedHeaps, APouredHeapSettles) {
  const std::string scene = poured(6);
  SimulationOptions options = heap_steps(5e-3);
  Trial run(scene, options);
  double before = run.simulator.energy().total();
  std::size_t most = 0;
  const int count = testing_support::scaled(400, 100);
  for (int k = 1; k <= count; ++k) {
    ASSERT_EQ(run.to(5e-3 * k), SimulationStatus::ready) << run.simulator.message();
    const EnergyAccount energy = run.simulator.energy();
    EXPECT_LT(energy.total() - energy.corrected, before + 1e-4 * std::max(1.0, energy.kinetic)) << k;
    before = energy.total() - energy.corrected;
    most = std::max(most, run.simulator.active().size());
  }
  if (count < 400) return;  // still falling
  EXPECT_GT(most, 150u);
  EXPECT_EQ(run.simulator.energy().gained, 0);
  EXPECT_LT(run.simulator.statistics().largest_gap, 1e-4);
  EXPECT_LT(run.simulator.energy().kinetic, 0.3);  // they fell by some decimetres: 20 J
  for (const ActiveContact& each : run.simulator.active()) {
    EXPECT_GE(each.force.n, 0);
    EXPECT_LE(std::hypot(each.force.t1, each.force.t2), 0.5 * each.force.n + 1e-6);
  }
  // A residual asked for is a residual reached, and costs.
  options.residual = 1e-2;
  Trial rough(scene, options);
  ASSERT_EQ(rough.to(1), SimulationStatus::ready);
  EXPECT_LT(rough.simulator.statistics().largest_residual, 1e-2);
}

}  // namespace
