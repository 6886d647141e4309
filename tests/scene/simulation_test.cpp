// The section `simulation`: plain values, absent unless given.
#include <gtest/gtest.h>

#include "routh/scene/simulation_settings.h"
#include "scene/samples.h"

namespace routh {
namespace {

using testing_support::content;
using testing_support::planar_scene;
using testing_support::refusal;
using testing_support::repository;

SimulationSettings read(const std::string& section) {
  return read_scene_text(planar_scene("{kind: revolute}", section + "\n"), "f").simulation;
}

void expect_absent(const SimulationSettings& simulation) {
  EXPECT_FALSE(simulation.until || simulation.tolerance || simulation.sample_interval || simulation.law ||
               simulation.integrator || simulation.max_step || simulation.seed);
}

TEST(SceneSimulation, IsAbsentUnlessGiven) {
  expect_absent(read(""));
  expect_absent(read("simulation: {}"));
}

TEST(SceneSimulation, EveryKey) {
  const std::string text = content(repository("tests/data/scenes/good/every_key_planar.yaml"));
  const SimulationSettings simulation = read_scene_text(text, "f").simulation;
  EXPECT_EQ(simulation.until, 2.5);
  EXPECT_EQ(simulation.tolerance, 1e-9);
  EXPECT_EQ(simulation.sample_interval, 0.01);
  EXPECT_EQ(simulation.law, Law::poisson);
  EXPECT_EQ(simulation.integrator, Integrator::radau);
  EXPECT_EQ(simulation.max_step, 0.1);
  EXPECT_EQ(simulation.seed, 7);
}

TEST(SceneSimulation, EveryLawAndIntegrator) {
  for (const Integrator each : all_values<Integrator>)
    EXPECT_EQ(read("simulation: {integrator: " + std::string(name(each)) + "}").integrator, each);
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

TEST(SimulationSettings, TheFirstWhoSpeaksIsHeard) {
  SimulationSettings first, second;
  first.tolerance = 1e-6;
  second.tolerance = 1e-8;
  second.law = Law::newton;
  const SimulationSettings both = overlay(first, second);
  EXPECT_EQ(both.tolerance, 1e-6);
  EXPECT_EQ(both.law, Law::newton);
  const SimulationOptions options = simulation_options(both, TouchOptions{.tolerance = 3e-5});
  EXPECT_EQ(options.tolerance, 1e-6);
  EXPECT_EQ(options.touch, 3e-5);
  EXPECT_EQ(options.max_step, SimulationOptions{}.max_step);
}

// What a run file keeps, and what the text of a scene says, read back as they were.
TEST(SimulationSettings, SurviveTheirTexts) {
  SimulationSettings all;
  all.until = 2.5;
  all.tolerance = 1e-9;
  all.engine = EngineKind::stepping;
  all.step = 0.002;
  all.residual = 1e-5;
  all.resolution = 0.0005;
  all.law = Law::unified;
  all.integrator = Integrator::radau;
  all.max_step = 0.125;
  const std::optional<SimulationSettings> kept = read_options_json(options_json(simulation_options(all, {}), 2.5));
  ASSERT_TRUE(kept);
  all.sample_interval = 0.01;
  all.seed = 7;
  const SimulationSettings written = read(simulation_section(all));
  for_each_setting([&](const auto& setting) {
    if (setting.kept == KeptByRun::yes) {
      EXPECT_EQ((*kept).*setting.member, all.*setting.member) << setting.scene;
    }
    if (*setting.scene != 0) {
      EXPECT_EQ(written.*setting.member, all.*setting.member) << setting.scene;
    }
    if (*setting.scene != 0) {
      EXPECT_TRUE(all.*setting.member) << setting.scene << ": say something in this test";
    }
  });
  EXPECT_FALSE(read_options_json("none"));
}

}  // namespace
}  // namespace routh
