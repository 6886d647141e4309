// Steps against closed forms and the event engine: toys of the literature, what holds itself up, what a run tells of
// its own error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::Trial;

SimulationOptions at_step(double h) {
  SimulationOptions options = testing_support::by(EngineKind::stepping);
  options.step = h;
  return options;
}

double off(const Scene& scene, double until, double h) {
  Trial exact(scene, testing_support::by(EngineKind::events));
  Trial run(scene, at_step(h));
  EXPECT_EQ(exact.to(until), SimulationStatus::ready);
  EXPECT_EQ(run.to(until), SimulationStatus::ready);
  return (run.simulator.state().q - exact.simulator.state().q).norm();
}

// A ball between four walls without friction and loss: the walls' mirror images, whatever the step.
TEST(StepMachines, Billiard) {
  const std::string table =
      "dimension: planar\ngravity: [0, 0]\nsurfaces: {s: {friction: 0, restitution: 1}}\n"
      "world: {shapes: {a: {kind: half_space, at: [-1, 0], normal: [1, 0], surface: s}, "
      "b: {kind: half_space, at: [1, 0], normal: [-1, 0], surface: s}, "
      "c: {kind: half_space, at: [0, -0.5], normal: [0, 1], surface: s}, "
      "d: {kind: half_space, at: [0, 0.5], normal: [0, -1], surface: s}}}\n"
      "bodies: {ball: {mass: 1, inertia: 0.001, joint: {kind: planar}, "
      "shapes: {o: {kind: sphere, radius: 0.05, surface: s}}}}\n"
      "state: {velocity: {ball: [1.7, 0.9, 0]}}\n";
  const auto folded = [](double way, double half) {
    const double period = 4 * half, x = way + half - period * std::floor((way + half) / period);
    return x <= 2 * half ? x - half : 3 * half - x;
  };
  for (const double h : {1e-2, 1e-3}) {
    Trial run(table, at_step(h));
    ASSERT_EQ(run.to(20), SimulationStatus::ready);
    EXPECT_NEAR(run.q(0), folded(1.7 * 20, 0.95), 1e-9);
    EXPECT_NEAR(run.q(1), folded(0.9 * 20, 0.45), 1e-9);
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-11);
  }
}

// Housner's block and McGeer's wheel, by the event engine's answer.
TEST(StepMachines, RockingBlock) {
  const Scene scene = example("rocking_block.yaml");
  const double coarse = off(scene, 1, 2e-3), fine = off(scene, 1, 5e-4);
  EXPECT_LT(fine, 0.4 * coarse);
}

TEST(StepMachines, RimlessWheel) {
  const Scene scene = example("rimless_wheel.yaml");
  const double coarse = off(scene, 1, 2e-3), fine = off(scene, 1, 5e-4);
  EXPECT_LT(fine, 0.4 * coarse);
}

// Two rods that lean on each other by their round heads, 20° from the vertical: H = ½ m g L sin θ / (r + L cos θ) is
// less than μ m g.
TEST(StepMachines, TwoCardsStand) {
  const double angle = 20 * std::numbers::pi / 180, r = 0.02, length = 1;
  const double foot = r + length * std::sin(angle), head = r + length * std::cos(angle);
  std::string bodies = "bodies:\n", places = "state:\n  position:\n";
  for (const int side : {-1, 1}) {
    const char* const card = side < 0 ? "left" : "right";
    bodies += fmt::format(
        "  {0}: {{mass: 1, inertia: {1:.17g}, joint: {{kind: planar}}, shapes: {{{0}_head: {{kind: sphere, radius: "
        "{2}, "
        "at: [0, {3}], surface: s}}, {0}_foot: {{kind: sphere, radius: {2}, at: [0, -{3}], surface: s}}}}}}\n",
        card, 1.0 / 12, r, 0.5 * length);
    places += fmt::format("    {}: [{:.17g}, {:.17g}, {:.17g}]\n", card, side * 0.5 * (r + foot), 0.5 * (r + head),
                          side * angle);
  }
  Trial run(
      "dimension: planar\nsurfaces: {s: {friction: 0.3, restitution: 0}}\n"
      "world: {shapes: {f: {kind: half_space, surface: s}}}\n" +
          bodies + places,
      at_step(1e-3));
  const Eigen::VectorXd first = run.simulator.state().q;
  ASSERT_EQ(run.to(5), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - first).norm(), 1e-6);
  const double load = 0.5 * 9.81 * length * std::sin(angle) / head;
  for (const ActiveContact& each : run.simulator.active())
    if (std::abs(each.contact.point.x) < 0.01) {
      EXPECT_NEAR(each.force.n, load, 1e-5 * load);
    }
}

// A box that tumbles over its corners: what is lifted out of the floor is m g δ at most, each time.
TEST(StepMachines, CorrectionsAreOfTheOverlap) {
  Trial run(
      "dimension: planar\nsurfaces: {s: {friction: 0.6, restitution: 0.1}}\n"
      "world: {shapes: {f: {kind: half_space, surface: s}}}\n"
      "bodies: {b: {mass: 2, inertia: 0.03, joint: {kind: planar}, "
      "shapes: {x: {kind: box, size: [0.3, 0.3], surface: s}}}}\n"
      "state: {position: {b: [0, 0.4, 0.3]}, velocity: {b: [3, 0, -6]}}\n",
      at_step(1e-3));
  double last = 0, most = 0;
  for (int k = 1; k <= 1500; ++k) {
    ASSERT_EQ(run.to(1e-3 * k), SimulationStatus::ready);
    const double corrected = run.simulator.energy().corrected;
    most = std::max(most, corrected - last);
    last = corrected;
  }
  EXPECT_GT(most, 0);
  EXPECT_LE(most, 2 * 9.81 * run.simulator.statistics().largest_gap);
}

// What sliding contacts take is friction's; gravity along the way h v⁺, where K changes by that along h (v + v⁺)/2, is
// the step's own error: ½ h² a g_t in each, lost where the particle gets faster, gained where it slows down.
TEST(StepMachines, OwnErrorOnASlopeIsTold) {
  constexpr double along = 3, across = 9, h = 1e-3;
  constexpr int steps = 1000;
  for (const double friction : {0.2, 0.5}) {
    Trial run(fmt::format("dimension: planar\ngravity: [{}, -{}]\nsurfaces: {{s: {{friction: {}, restitution: 0}}}}\n"
                          "world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}\n",
                          along, across, friction) +
                  testing_support::particle() + "state: {velocity: {slide: 3}}\n",
              at_step(h));
    ASSERT_EQ(run.to(steps * h), SimulationStatus::ready);
    const double acceleration = along - friction * across, error = steps * 0.5 * h * h * along * acceleration;
    const SimulationStatistics& told = run.simulator.statistics();
    EXPECT_EQ(told.steps, steps);
    EXPECT_NEAR(told.steps_lost, std::max(0.0, error), 1e-6 * std::abs(error));
    EXPECT_NEAR(told.steps_gained, std::max(0.0, -error), 1e-6 * std::abs(error));
    EXPECT_EQ(told.unsolved_steps, 0);
  }
}

// Stiff springs are taken at the end of the step: E⁺ = E / (1 + h²ω²).
TEST(StepMachines, OwnErrorOfAStiffSpringIsTold) {
  constexpr double h = 1e-3, stiffness = 1e6, energy = 0.5;
  constexpr int steps = 5;
  Trial run(
      fmt::format("dimension: planar\ngravity: [0, 0]\nbodies: {{b: {{mass: 1, inertia: 0, joint: {{kind: prismatic, "
                  "axis: [1, 0], spring: {{stiffness: {}}}}}}}}}\nstate: {{velocity: {{b: 1}}}}\n",
                  stiffness),
      at_step(h));
  ASSERT_EQ(run.to(steps * h), SimulationStatus::ready);
  const SimulationStatistics& told = run.simulator.statistics();
  EXPECT_NEAR(told.steps_lost, energy * (1 - std::pow(1 + h * h * stiffness, -steps)), 1e-12);
  EXPECT_EQ(told.steps_gained, 0);
}

// Steps take gravity at q + ½ h q̇, and a pendulum's at the turned angle: ΔV − h w V′ is (h w)³ V‴/24 − h³ w V′V″/4I,
// gained while it falls and lost while it rises, from rest at θ₀ to the bottom h² (m g l)²/I times
// (1 − cos θ₀)²/24 + sin²θ₀/8.
TEST(StepMachines, OwnErrorOfAPendulumIsTold) {
  constexpr double h = 1e-3, gravity = 9.81, length = 0.7, mass = 2, own = 0.05, highest = 1.2;
  constexpr double inertia = own + mass * length * length, torque = mass * gravity * length;
  double a = 1, b = std::cos(0.5 * highest);  // Gauss: the period by the mean of both means
  while (std::abs(a - b) > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2 * std::numbers::pi * std::sqrt(inertia / torque) / a;
  Trial run(fmt::format("dimension: planar\nbodies: {{b: {{mass: {}, inertia: {}, com: [0, -{}], joint: {{kind: "
                        "revolute}}}}}}\nstate: {{position: {{b: {}}}}}\n",
                        mass, own, length, highest),
            at_step(h));
  ASSERT_EQ(run.to(period), SimulationStatus::ready);
  const double shape = std::pow(1 - std::cos(highest), 2) / 24 + std::pow(std::sin(highest), 2) / 8;
  const double error = h * h * torque * torque * shape / inertia;
  const SimulationStatistics& told = run.simulator.statistics();
  EXPECT_NEAR(told.steps_gained, 2 * error, 0.01 * error);
  EXPECT_NEAR(told.steps_lost, 2 * error, 0.01 * error);
}

}  // namespace
