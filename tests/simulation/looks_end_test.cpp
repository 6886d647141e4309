// Scenes at which the event locator looked at two shapes twice as often with every halving of a step, without end.
#include <gtest/gtest.h>

#include <filesystem>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

TEST(Looks, ComeToAnEnd) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROUTH_TEST_DATA "/scenes/looks")) {
    SCOPED_TRACE(entry.path());
    Trial run(read_scene_file(entry.path().string()));
    EXPECT_EQ(run.to(0.1), SimulationStatus::ready) << run.simulator.message();
    EXPECT_LT(run.simulator.energy().balance(), 1e-6);  // steps through crowds may lose some, none gains
    ++scenes;
  }
  EXPECT_EQ(scenes, 2);
}

}  // namespace
