// What samples tell of the way between two steps, where a step ends at a place at which rates are not defined.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

std::vector<Sample> sampled(Trial& run, double until, double interval) {
  std::vector<Sample> samples;
  run.simulator.on_sample(interval, 0, [&](const Sample& sample) { samples.push_back(sample); });
  EXPECT_EQ(run.to(until), SimulationStatus::ready) << run.simulator.message();
  return samples;
}

// A box that slides in space until it halts, in steps as long as they can be. Beside the halt, the direction in which
// friction acts on its corners is that of rounding.
TEST(Samples, OnTheWayToAHalt) {
  constexpr double mu = 0.9, g = 9.81;
  Trial run(R"(
surfaces: {s: {friction: 0.9, restitution: 0}}
bodies: {b: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free},
  shapes: {c: {kind: box, size: [0.2, 0.2, 0.2], surface: s}}}}
world: {shapes: {f: {kind: half_space}}}
state: {position: {b: {position: [0, 0, 0.1]}}, velocity: {b: [1, 0.2, 0, 0, 0, 0]}}
)");
  const double speed = std::hypot(1, 0.2);
  const std::vector<Sample> samples = sampled(run, 0.12, 1e-3);
  ASSERT_GT(samples.size(), 100U);
  for (const Sample& sample : samples) {
    SCOPED_TRACE(sample.state.time);
    const double left = std::max(0.0, speed - mu * g * sample.state.time), kinetic = 0.5 * left * left;
    EXPECT_NEAR(sample.energy.kinetic, kinetic, 1e-7);
    EXPECT_NEAR(sample.energy.dissipated, 0.5 * speed * speed - kinetic, 1e-7);
  }
}

// A rhombus of four links dropped on the floor, its shapes not touching each other: it folds flat, where its loop loses
// its rank, on one side and on the other.
TEST(Samples, ThroughSingularPostures) {
  const auto link = [](const std::string& name, const std::string& joint) {
    return fmt::format(
        "  {0}: {{mass: 1, inertia: 0.020833333333333332, com: [0.25, 0], joint: {1}, shapes: {{p{0}: {{kind: capsule, "
        "radius: 0.02, length: 0.4, at: {{position: [0.25, 0], rotation: 1.5707963267948966}}, surface: s}}}}}}\n",
        name, joint);
  };
  Trial run("dimension: planar\nsurfaces: {s: {friction: 0.3, restitution: 0.5}}\nbodies:\n" +
            link("a", "{kind: planar}") + link("b", "{kind: revolute, parent: a, at: [0.5, 0]}") +
            link("c", "{kind: revolute, parent: b, at: [0.5, 0]}") +
            link("d", "{kind: revolute, parent: c, at: [0.5, 0]}") + R"(
loops: {l: {kind: point, bodies: [d, a], at: [[0.5, 0], [0, 0]]}}
world: {shapes: {f: {kind: half_space}}}
state: {position: {a: [0, 1, 0.8853981633974483], b: 1.5707963267948966, c: 1.5707963267948966, d: 1.5707963267948966}}
)");
  for (const Sample& sample : sampled(run, 1.5, 2e-3)) {
    SCOPED_TRACE(sample.state.time);
    ASSERT_NEAR(sample.energy.balance(), 0, 1e-3);
  }
}

}  // namespace
