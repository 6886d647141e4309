// Steps of fixed length through many contacts: what they cost is bounded, what comes out is physics all the same.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Trial;

SimulationOptions crowded_steps() {
  SimulationOptions options = testing_support::by(EngineKind::stepping);
  options.step = 1e-3;
  return options;
}

std::string dominoes(int count) {
  std::string text = R"(
surfaces: {s: {friction: 0.3, restitution: 0.1}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
)",
              state = "state:\n  velocity: {d0: [0.15, 0, 0, 0, 6, 0]}\n  position:\n";
  for (int k = 0; k < count; ++k) {
    text += fmt::format(
        "  d{0}: {{mass: 0.02, inertia: [4.8e-6, 3.9467e-6, 1.0667e-6], joint: {{kind: free}}, shapes: "
        "{{s{0}: {{kind: box, size: [0.008, 0.024, 0.048], surface: s}}}}}}\n",
        k);
    state += fmt::format("    d{}: {{position: [{}, 0, 0.024]}}\n", k, 0.02 * k);
  }
  return text + state;
}

// Each falls after the one before it, at a pace that does not change along the row; none of them gains energy from
// contacts. Leaning dominoes overlap by what a step's curvature leaves, which must not cut the steps to pieces.
TEST(CrowdedSteps, DominoesFallInTurn) {
  const int count = 14;
  Trial run(dominoes(count), crowded_steps());
  std::vector<double> leaned(count, -1);
  const double start = run.simulator.energy().initial;
  for (int k = 1; k <= 160; ++k) {
    ASSERT_EQ(run.to(5e-3 * k), SimulationStatus::ready);
    EXPECT_LT(run.simulator.energy().total() - run.simulator.energy().corrected, start * (1 + 1e-3));
    for (int i = 0; i < count; ++i)
      if (leaned[i] < 0 && run.q(7 * i + 2) < 0.0235 && run.q(7 * i) > 0.02 * i + 0.006) leaned[i] = 5e-3 * k;
  }
  for (int i = 1; i < count; ++i) EXPECT_GT(leaned[i], leaned[i - 1] - 1e-9) << i;
  const double early = leaned[7] - leaned[3], late = leaned[11] - leaned[7];
  EXPECT_GT(early, 0);
  EXPECT_NEAR(late / early, 1, 0.35);
  EXPECT_LT(run.simulator.statistics().largest_gap, 1e-5);
}

// Newton's cradle: five equal balls of restitution one in a row, and only the last leaves, as fast as the first came.
TEST(CrowdedSteps, ACradlePassesItsSpeedOn) {
  std::string text = "dimension: planar\ngravity: [0, 0]\nsurfaces: {s: {friction: 0, restitution: 1}}\nbodies:\n";
  for (int k = 0; k < 5; ++k)
    text += fmt::format(
        "  b{0}: {{mass: 0.3, inertia: 1e-4, joint: {{kind: prismatic, axis: [1, 0], at: [{1}, 0]}}, shapes: {{s{0}: "
        "{{kind: sphere, radius: 0.05, surface: s}}}}}}\n",
        k, 0.1002 * k);
  Trial run(text + "state: {velocity: {b0: 1}}\n", crowded_steps());
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(run.v(k), 0, 1e-12) << k;
  EXPECT_NEAR(run.v(4), 1, 1e-12);
}

// A hundred links over a smooth pulley, 44 on the left, 32 on the right. With x half the difference of the sides the
// chain moves by ẍ = (2g/L) x: x = x₀ cosh ωt, and all of it at the speed x₀ ω sinh ωt. It lies on the pulley as the
// polygon that touches it.
TEST(CrowdedSteps, AChainRunsOverAPulley) {
  constexpr double up = 1.5707963267948966, link = 0.02, radius = 0.15, thickness = 0.004, mass = 0.01;
  constexpr int links = 100, left = 44, on_pulley = 24;
  const double reach = radius + thickness, half_angle = std::atan(0.5 * link / reach);
  std::vector<double> angle(links, up);
  for (int k = left; k < links; ++k)
    angle[k] = k < left + on_pulley ? (on_pulley - 1 - 2 * (k - left)) * half_angle : -up;
  // The middle of the first link on the pulley touches it.
  const double first = angle[left], x = -reach * std::sin(first) - 0.5 * link * std::cos(first),
               y = reach * std::cos(first) - 0.5 * link * std::sin(first) - left * link;
  std::string text = fmt::format(
                  "dimension: planar\ngravity: [0, -9.81]\nsurfaces: {{s: {{friction: 0, restitution: 0}}}}\n"
                  "world: {{shapes: {{pulley: {{kind: sphere, radius: {}, surface: s}}}}}}\nbodies:\n",
                  radius),
              state = fmt::format("state: {{position: {{c0: [{:.17g}, {:.17g}, {:.17g}]", x, y, angle[0]);
  for (int k = 0; k < links; ++k) {
    const std::string joint =
        k == 0 ? "{kind: planar}" : fmt::format("{{kind: revolute, parent: c{}, at: [{}, 0]}}", k - 1, link);
    text += fmt::format(
        "  c{0}: {{mass: {1}, com: [{2}, 0], inertia: {3:.17g}, joint: {4}, shapes: {{s{0}: {{kind: sphere, at: [{2}, "
        "0], radius: {5}, surface: s}}}}}}\n",
        k, mass, 0.5 * link, mass * link * link / 12, joint, thickness);
    if (k > 0) state += fmt::format(", c{}: {:.17g}", k, angle[k] - angle[k - 1]);
  }
  Trial run(text + state + "}}\n", crowded_steps());
  const auto difference = [&] {
    double direction = 0, height = 0;
    for (int k = 0; k < links; ++k) height += link * std::sin(direction += run.q(2 + k));
    return 0.5 * height;
  };
  const double start = difference(), rate = std::sqrt(2 * 9.81 / (links * link));
  for (const double t : {0.1, 0.2, 0.5}) {
    if (t > 0.1 && testing_support::scaled(2) < 2) break;
    ASSERT_EQ(run.to(t), SimulationStatus::ready);
    const double speed = start * rate * std::sinh(rate * t), grown = start * (std::cosh(rate * t) - 1);
    EXPECT_NEAR(std::hypot(run.v(0), run.v(1)) / speed, 1, 0.02) << t;
    EXPECT_NEAR(std::sqrt(2 * run.simulator.energy().kinetic / (links * mass)) / speed, 1, 0.02) << t;
    EXPECT_NEAR((difference() - start) / grown, 1, 0.02) << t;
    // Normals of the beginning of a step made the chain swing ever more: it gained 2 % of this.
    EXPECT_LT(run.simulator.statistics().steps_gained, 1e-4 * run.simulator.energy().kinetic) << t;
  }
}

// A thousand tonnes on a kilogram: nothing moves, and the floor bears both.
TEST(CrowdedSteps, AMillionTimesTheMassStands) {
  Trial run(R"(
surfaces: {s: {friction: 0.5, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
  light: {mass: 1, inertia: [0.00667, 0.00667, 0.00667], joint: {kind: free}, shapes: {
    a: {kind: box, size: [0.2, 0.2, 0.2], surface: s}}}
  heavy: {mass: 1e6, inertia: [6667, 6667, 6667], joint: {kind: free}, shapes: {
    b: {kind: box, size: [0.2, 0.2, 0.2], surface: s}}}
state: {position: {light: {position: [0, 0, 0.1]}, heavy: {position: [0.01, 0.003, 0.3]}}}
)",
            crowded_steps());
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-4);
  double floor = 0;
  for (const ActiveContact& each : run.simulator.active())
    if (each.contact.point.z < 0.1) floor += each.force.n;
  EXPECT_NEAR(floor / (9.81 * (1e6 + 1)), 1, 1e-3);
}

// Times asked for that stand a rounding beside the end of a step are that end: the bits do not tell how a run was cut.
TEST(CrowdedSteps, CallsLeaveNoTrace) {
  Trial whole(dominoes(4), crowded_steps()), cut(dominoes(4), crowded_steps());
  ASSERT_EQ(whole.to(0.7), SimulationStatus::ready);
  for (int k = 1; k <= 7; ++k) ASSERT_EQ(cut.to(k < 7 ? 0.1 * k : 0.7), SimulationStatus::ready);
  EXPECT_EQ(whole.simulator.state().q, cut.simulator.state().q);
  EXPECT_EQ(whole.simulator.state().v, cut.simulator.state().v);
}

}  // namespace
