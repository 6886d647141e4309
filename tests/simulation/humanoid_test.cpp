// A humanoid from a robot's file lands on both soles and stands: eight corners, 24 rows of rank 12.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::Trial;

constexpr double weight = 71 * 9.81;  // 71 kg, the sum of the masses in the file

// Turned about the vertical by `yaw` before it is dropped: nothing else changes.
Scene humanoid(double yaw) {
  Scene scene = example("robots/humanoid.yaml");
  scene.state.q[3] = std::cos(yaw / 2);
  scene.state.q[6] = std::sin(yaw / 2);
  return scene;
}

void expect_standing(Trial& run, double until) {
  ASSERT_EQ(run.to(until), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.all(EventKind::impact).size(), 1u);
  ASSERT_EQ(run.simulator.active().size(), 8u);
  double carried = 0;
  for (const ActiveContact& each : run.simulator.active()) {
    EXPECT_EQ(each.mode, ContactMode::stick);
    EXPECT_GT(each.force.n, 0);
    carried += each.force.n;
  }
  EXPECT_NEAR(carried, weight, 0.05 * weight);  // it still sways
  EXPECT_LT(run.simulator.energy().kinetic, 0.5);
}

TEST(Humanoid, StandsWhateverTheToleranceAndTheMethod) {
  for (const Integrator integrator : {Integrator::automatic, Integrator::dormand_prince, Integrator::radau})
    for (const double tolerance : {1e-5, 1e-8}) {
      // The engine that these are settings of, whatever its steps cost.
      SimulationOptions options = testing_support::by(EngineKind::events);
      options.integrator = integrator;
      options.tolerance = tolerance;
      Trial run(humanoid(0), options);
      expect_standing(run, 1);
      EXPECT_LT(std::abs(run.simulator.energy().balance()), 640 * 10 * tolerance) << tolerance;
    }
}

// At any heading the rows of neighbouring corners nearly agree in another way.
TEST(Humanoid, StandsAtAnyHeading) {
  Trial straight(humanoid(0));
  expect_standing(straight, 0.5);
  for (const double yaw : {1e-12, 1e-9, 1e-6, 0.3, 2.0}) {
    Trial run(humanoid(yaw));
    expect_standing(run, 0.5);
    EXPECT_NEAR(run.simulator.state().q[2], straight.simulator.state().q[2], 1e-8) << yaw;
    EXPECT_NEAR(run.simulator.energy().kinetic, straight.simulator.energy().kinetic, 1e-6) << yaw;
  }
}

}  // namespace
