// The section `simulation`: plain values, absent unless given.
#include <gtest/gtest.h>

#include "scene/samples.h"

namespace routh {
namespace {

using testing_support::content;
using testing_support::planar_scene;
using testing_support::refusal;
using testing_support::repository;

SceneSimulation read(const std::string& section) {
  return read_scene_text(planar_scene("{kind: revolute}", section + "\n"), "f").simulation;
}

void expect_absent(const SceneSimulation& simulation) {
  EXPECT_FALSE(simulation.until || simulation.tolerance || simulation.sample_interval || simulation.law ||
               simulation.integrator || simulation.max_step || simulation.seed);
}

TEST(SceneSimulation, IsAbsentUnlessGiven) {
  expect_absent(read(""));
  expect_absent(read("simulation: {}"));
}

TEST(SceneSimulation, EveryKey) {
  const std::string text = content(repository("tests/data/scenes/good/every_key_planar.yaml"));
  const SceneSimulation simulation = read_scene_text(text, "f").simulation;
  EXPECT_EQ(simulation.until, 2.5);
  EXPECT_EQ(simulation.tolerance, 1e-9);
  EXPECT_EQ(simulation.sample_interval, 0.01);
  EXPECT_EQ(simulation.law, Law::poisson);
  EXPECT_EQ(simulation.integrator, "radau");
  EXPECT_EQ(simulation.max_step, 0.1);
  EXPECT_EQ(simulation.seed, 7);
}

TEST(SceneSimulation, EveryLawAndIntegrator) {
  for (const std::string_view word : integrator_names)
    EXPECT_EQ(read("simulation: {integrator: " + std::string(word) + "}").integrator, word);
  EXPECT_EQ(read("simulation: {law: newton}").law, Law::newton);
  EXPECT_EQ(read("simulation: {law: classical}").law, Law::classical);
}

TEST(SceneSimulation, TheEdgesOfTheRanges) {
  EXPECT_EQ(read("simulation: {tolerance: 1e-14}").tolerance, 1e-14);
  EXPECT_EQ(read("simulation: {tolerance: 0.2}").tolerance, 0.2);
  EXPECT_EQ(read("simulation: {seed: 0}").seed, 0);
  EXPECT_EQ(read("simulation: {seed: 9007199254740991}").seed, 9007199254740991);
  EXPECT_EQ(read("state: {time: -3}\nsimulation: {until: -2}").until, -2);
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "state: {time: 1}\nsimulation: {until: 0.5}\n")),
            "f:6:21: error: simulation.until = 0.5 must exceed the time of the state, 1");
}

}  // namespace
}  // namespace routh
