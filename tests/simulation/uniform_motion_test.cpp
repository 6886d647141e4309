// Flights that need no integration: which they are, their parabolas, and what follows from them.
#include "routh/simulation/uniform_motion.h"

#include <gtest/gtest.h>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

bool uniform(const std::string& text) {
  return accelerates_uniformly(read_scene_text("routh: 1\n" + text, "test").model);
}

TEST(UniformMotion, WhereNothingButGravityActs) {
  EXPECT_TRUE(uniform("dimension: planar\nbodies: {a: {mass: 1, inertia: 1, joint: {kind: planar}}}\n"));
  EXPECT_TRUE(
      uniform("dimension: planar\nsurfaces: {s: {friction: 0.1, restitution: 0}}\n" + testing_support::particle()));
  EXPECT_TRUE(uniform("bodies: {a: {mass: 1, inertia: [1, 2, 3], joint: {kind: revolute, axis: [0, 1, 0]}}}\n"));
}

TEST(UniformMotion, NotWhereAccelerationsChange) {
  const std::string planar = "dimension: planar\nbodies: {a: {mass: 1, inertia: 1, ";
  EXPECT_FALSE(uniform(planar + "com: [0.1, 0], joint: {kind: planar}}}\n"));
  EXPECT_FALSE(uniform(planar + "joint: {kind: prismatic, axis: [1, 0], damping: 1}}}\n"));
  EXPECT_FALSE(uniform(planar + "joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 1}}}}\n"));
  EXPECT_FALSE(uniform(planar + "joint: {kind: revolute}},\n  b: {mass: 1, inertia: 1, joint: {kind: prismatic, axis: "
                                "[1, 0], parent: a}}}\n"));
  EXPECT_FALSE(uniform("bodies: {a: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}}\n"));
}

TEST(UniformMotion, IsAParabola) {
  Trial run(R"(
dimension: planar
bodies: {a: {mass: 2, inertia: 0.3, joint: {kind: planar}}}
state: {position: {a: [1, 2, 0.5]}, velocity: {a: [3, 4, 40]}}
)");
  ASSERT_EQ(run.to(3.7), SimulationStatus::ready);
  EXPECT_NEAR(run.q(0), 1 + 3 * 3.7, 1e-13);
  EXPECT_NEAR(run.q(1), 2 + 4 * 3.7 - 0.5 * 9.81 * 3.7 * 3.7, 1e-12);
  EXPECT_NEAR(run.q(2), 0.5 + 40 * 3.7, 1e-12);
  EXPECT_NEAR(run.v(1), 4 - 9.81 * 3.7, 1e-13);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-11);
  EXPECT_LT(run.simulator.statistics().evaluations, 15);
}

SimulationOptions with(Integrator integrator) {
  SimulationOptions options;
  options.integrator = integrator;
  options.tolerance = 1e-12;
  return options;
}

TEST(UniformMotion, StrikesAsTheIntegratedOne) {
  Trial ours(testing_support::dropped_rod), other(testing_support::dropped_rod, with(Integrator::dormand_prince));
  ASSERT_EQ(ours.to(1.2), SimulationStatus::ready);
  ASSERT_EQ(other.to(1.2), SimulationStatus::ready);
  const auto &events = ours.simulator.events(), &theirs = other.simulator.events();
  ASSERT_EQ(events.size(), theirs.size());
  ASSERT_GE(events.size(), 5u);
  for (std::size_t k = 0; k < events.size(); ++k) EXPECT_NEAR(events[k].time, theirs[k].time, 1e-11) << k;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(ours.q(i), other.q(i), 1e-10);
    EXPECT_NEAR(ours.v(i), other.v(i), 1e-10);
  }
  EXPECT_LT(ours.simulator.statistics().evaluations, other.simulator.statistics().evaluations / 5);
}

// However the run is cut, and wherever it is resumed.
TEST(UniformMotion, KeepsItsBits) {
  Trial whole(testing_support::dropped_rod), cut(testing_support::dropped_rod);
  whole.to(1.2);
  for (const double time : {0.1, 0.31, 0.4, 0.77, 1.2}) cut.to(time);
  EXPECT_EQ(whole.simulator.state().q, cut.simulator.state().q);
  EXPECT_EQ(whole.simulator.state().v, cut.simulator.state().v);
  Trial first(testing_support::dropped_rod);
  first.to(0.45);
  Simulator resumed(first.scene.model, first.simulator.checkpoint());
  resumed.advance(1.2);
  EXPECT_EQ(whole.simulator.state().q, resumed.state().q);
  EXPECT_EQ(whole.simulator.state().v, resumed.state().v);
}

}  // namespace
