// Machines at rest, and bounces that fade below the tolerance.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr const char* block = R"(
dimension: planar
surfaces: {s: {friction: 0.4, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {block: {mass: 2, inertia: 0.1, joint: {kind: planar}, shapes: {box: {kind: box, size: [0.4, 0.2], surface: s}}}}
state: {position: {block: [0, 0.1, 0]}}
)";

TEST(Rest, NeedsNoStepsForADecade) {
  Trial run(block);
  constexpr double decade = 3e8;  // [s]
  ASSERT_EQ(run.to(decade), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.simulator.state().time, decade);
  EXPECT_LT(run.simulator.statistics().steps, 1000);
  EXPECT_EQ(run.q(0), 0);
  EXPECT_NEAR(run.q(1), 0.1, 1e-12);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-11);
}

// Friction 0.4 holds 7 N of 19.62 N · 0.4 and lets go at 9 N: (9 − 7.848)/2 m/s² from then on.
TEST(Rest, EndsWhenPushed) {
  Trial run(block);
  ASSERT_EQ(run.to(100), SimulationStatus::ready);
  run.simulator.set_force(Eigen::Vector3d(7, 0, 0));
  ASSERT_EQ(run.to(200), SimulationStatus::ready);
  EXPECT_NEAR(run.q(0), 0, 1e-12);
  run.simulator.set_force(Eigen::Vector3d(9, 0, 0));
  ASSERT_EQ(run.to(202), SimulationStatus::ready);
  EXPECT_NEAR(run.q(0), 0.5 * (9 - 0.4 * 2 * 9.81) / 2 * 4, 1e-8);
}

// The belt stands still for five seconds, then speeds up evenly to 1 m/s within one.
TEST(Rest, EndsWhenTheBeltStarts) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.4, restitution: 0}}
world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [1, 0], speed: {table: [[0, 0], [5, 0], [6, 1]]}}}}}
bodies: {block: {mass: 2, inertia: 0.1, joint: {kind: planar}, shapes: {box: {kind: box, size: [0.4, 0.2], surface: s}}}}
state: {position: {block: [0, 0.1, 0]}}
)");
  ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), 0, 1e-12);
  ASSERT_EQ(run.to(8), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), 0.5 + 2, 1e-8);
  EXPECT_NEAR(run.simulator.energy().supplied, 1, 1e-8);
}

TEST(Rest, IsSampledAndLeftByUserEvents) {
  Trial run(block);
  int samples = 0;
  run.simulator.on_sample(1, 0, [&](const Sample& sample) {
    ++samples;
    EXPECT_NEAR(sample.state.q[1], 0.1, 1e-12);
  });
  ASSERT_EQ(run.to(50), SimulationStatus::ready);
  EXPECT_EQ(samples, 51);
  run.simulator.add_user_event(
      {"noon", [](const State& state) { return state.time - 77.5; }, {}, UserEvent::Action::stop});
  EXPECT_EQ(run.to(100), SimulationStatus::user_stop);
  EXPECT_NEAR(run.simulator.state().time, 77.5, 1e-9);
}

// A pencil on its tip is not at rest, however slowly it begins to fall: θ = 1e-9 cosh(√(3g/2l) t) for a uniform rod.
TEST(Rest, IsNotTheBeginningOfAFall) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 10, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {pencil: {mass: 1, inertia: 0.08333333333333333, joint: {kind: planar}, shapes: {tip: {kind: point, at: [0, -0.5], surface: s}}}}
state: {position: {pencil: [0, 0.5, 1e-9]}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(2), 1e-9 * std::cosh(2 * std::sqrt(1.5 * 9.81)), 1e-8);
}

SimulationOptions with_tolerance(double tolerance) {
  SimulationOptions options;
  options.tolerance = tolerance;
  return options;
}

// Both ends bounce in turns, in no geometric sequence.
TEST(FadingBounces, EndWithinTheTolerance) {
  Trial exact(testing_support::dropped_rod, with_tolerance(1e-12));
  ASSERT_EQ(exact.to(2), SimulationStatus::ready);
  for (const double tolerance : {1e-4, 1e-3, 1e-2}) {
    Trial run(testing_support::dropped_rod, with_tolerance(tolerance));
    ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
    EXPECT_LT((run.simulator.state().q - exact.simulator.state().q).norm(), tolerance);
    EXPECT_LT(run.simulator.state().v.norm(), 1e-9);
    EXPECT_EQ(run.simulator.energy().gained, 0);
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
    const auto zeno = run.all(EventKind::zeno);
    ASSERT_EQ(zeno.size(), 2u);
    for (const Event& each : zeno) EXPECT_LE(each.error_bound, tolerance);
  }
}

// The sum of the bounces left out is exact, however many they are.
TEST(FadingBounces, RestAtTheirAccumulation) {
  for (const double tolerance : {1e-10, 1e-6, 1e-4, 1e-2}) {
    Trial run(testing_support::ball(0.1, 1, 0.8), with_tolerance(tolerance));
    ASSERT_EQ(run.to(5), SimulationStatus::ready);
    EXPECT_NEAR(run.first(EventKind::zeno), std::sqrt(2 / 9.81) * 9, 1e-9) << tolerance;
  }
}

// What does not fade goes on, be it ever so slow.
TEST(FadingBounces, NotWithoutLoss) {
  Trial run(testing_support::ball(0.1, 4e-6, 1), with_tolerance(1e-2));
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
  EXPECT_EQ(run.all(EventKind::zeno).size(), 0u);
  EXPECT_NEAR(static_cast<double>(run.all(EventKind::impact).size()), 0.1 / (2 * std::sqrt(8e-6 / 9.81)), 1);
  EXPECT_NEAR(run.simulator.energy().dissipated, 0, 1e-12);
}

}  // namespace
