// Scenes that went wrong once: velocities that jumped without an event, strikes that were missed, runs without an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

Scene kept(const std::string& name) {
  return read_scene_file(fmt::format("{}/scenes/kept/{}.json", ROUTH_TEST_DATA, name));
}

TEST(KeptRuns, EndWithTheirAccount) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROUTH_TEST_DATA "/scenes/kept")) {
    SCOPED_TRACE(entry.path().filename().string());
    // Without friction the two bodies hand the same velocity back and forth at one instant: a crowd.
    const bool crowd = entry.path().stem() == "corner_and_edge";
    Trial run(read_scene_file(entry.path().string()),
              testing_support::by(crowd ? EngineKind::automatic : EngineKind::events));
    ASSERT_TRUE(run.scene.simulation.until.has_value());
    EXPECT_EQ(run.to(*run.scene.simulation.until), SimulationStatus::ready) << run.simulator.message();
    const EnergyAccount energy = run.simulator.energy();
    EXPECT_NEAR(energy.balance(), 0, 1e-9 * std::abs(energy.initial));
    EXPECT_NEAR(energy.corrected, 0, 1e-8 * energy.turnover());
    EXPECT_EQ(energy.gained, 0);
    EXPECT_LT(run.simulator.statistics().steps, 2000);
    ++count;
  }
  EXPECT_GE(count, 8);
}

// Scenes in which events once had no end: chattering boxes, a door on its wedge, limits that strike one another, a limp
// robot that settles. By default each reaches its time and gains nothing beyond what its steps tell.
TEST(KeptRuns, CrowdsAreStepped) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROUTH_TEST_DATA "/scenes/kept_crowds")) {
    SCOPED_TRACE(entry.path().filename().string());
    Trial run(read_scene_file(entry.path().string()));
    ASSERT_TRUE(run.scene.simulation.until.has_value());
    EXPECT_EQ(run.to(*run.scene.simulation.until), SimulationStatus::ready) << run.simulator.message();
    const EnergyAccount energy = run.simulator.energy();
    const SimulationStatistics& told = run.simulator.statistics();
    EXPECT_NEAR(energy.balance(), told.steps_gained - told.steps_lost, 1e-6 * energy.turnover());
    EXPECT_LT(energy.balance(), 5e-3 * energy.turnover());
    EXPECT_EQ(energy.gained, 0);
    ++count;
  }
  EXPECT_GE(count, 4);
}

// Pieces make the whole to the byte, whatever is asked on the way, and so does a run that goes on from a checkpoint.
TEST(KeptRuns, PiecesMakeTheWhole) {
  for (const char* const folder : {"kept", "kept_crowds"})
    for (const auto& entry : std::filesystem::directory_iterator(ROUTH_TEST_DATA "/scenes/" + std::string(folder))) {
      SCOPED_TRACE(entry.path().filename().string());
      Trial whole(read_scene_file(entry.path().string())), pieces(read_scene_file(entry.path().string()));
      const double until = std::min(*whole.scene.simulation.until, 0.4);
      whole.to(until);
      std::optional<Checkpoint> half;
      for (int k = 1; k <= 7; ++k) {
        pieces.to(until * k / 7);
        (void)pieces.simulator.active();
        (void)pieces.simulator.acceleration();
        (void)pieces.simulator.energy();
        if (k == 3) half = pieces.simulator.checkpoint();
      }
      EXPECT_EQ(whole.simulator.state().q, pieces.simulator.state().q);
      EXPECT_EQ(whole.simulator.state().v, pieces.simulator.state().v);
      EXPECT_EQ(whole.simulator.events().size(), pieces.simulator.events().size());
      Simulator resumed(whole.scene.model, *half);
      resumed.advance(until);
      EXPECT_EQ(whole.simulator.state().q, resumed.state().q);
      EXPECT_EQ(whole.simulator.state().v, resumed.state().v);
    }
}

// At a detach nothing jumps.
TEST(KeptRuns, EdgeSlidesOverItsEnd) {
  Trial run(kept("edge_end"));
  ASSERT_EQ(run.to(0.0062), SimulationStatus::ready);
  const Eigen::VectorXd before = run.simulator.state().v;
  ASSERT_EQ(run.to(0.0063), SimulationStatus::ready);
  EXPECT_EQ(run.all(EventKind::detach).size(), 1u);
  EXPECT_LT((run.simulator.state().v - before).norm(), 1e-2);
}

// The times are those of steps of at most a millisecond.
TEST(KeptRuns, RimComesBackAfterABounce) {
  Trial run(kept("rim_returns"));
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready) << run.simulator.message();
  SimulationOptions options;
  options.max_step = 1e-3;
  Trial careful(kept("rim_returns"), options);
  ASSERT_EQ(careful.to(0.1), SimulationStatus::ready);
  const auto impacts = run.all(EventKind::impact), expected = careful.all(EventKind::impact);
  ASSERT_EQ(impacts.size(), 4u);
  ASSERT_EQ(expected.size(), 4u);
  for (std::size_t i = 0; i < impacts.size(); ++i) EXPECT_NEAR(impacts[i].time, expected[i].time, 1e-9);
}

// A box that has come to rest needs no further steps, with a corner about to slip as well.
TEST(KeptRuns, RestOnCornersIsRest) {
  Trial run(kept("rest_on_corners"));
  ASSERT_EQ(run.to(3), SimulationStatus::ready);
  const long steps = run.simulator.statistics().steps;
  ASSERT_EQ(run.to(3e5), SimulationStatus::ready);
  EXPECT_LT(run.simulator.statistics().steps, steps + 10);
}

}  // namespace
