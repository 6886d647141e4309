// What a run is reported for: limits on both sides, and words that name the amount.
#include "routh/record/run_warnings.h"

#include <gtest/gtest.h>

namespace {

using routh::EnergyAccount;
using routh::Warning;

// Of 200 J, half was lost.
EnergyAccount account(double corrected) {
  EnergyAccount energy;
  energy.initial = 200;
  energy.kinetic = 60;
  energy.potential = 40 + corrected;
  energy.dissipated = 100;
  energy.corrected = corrected;
  return energy;
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RunWarnings, CorrectionsThatAddAreToldBeyondRounding) {
  EXPECT_EQ(account(0).turnover(), 200);
  EXPECT_EQ(routh::correction_sentence(account(0), 1e-10), "");
  EXPECT_EQ(routh::correction_sentence(account(1.9e-6), 1e-10), "");  // of 200 J
  const std::string told = routh::correction_sentence(account(2.1e-6), 1e-10);
  EXPECT_TRUE(tells(told, "added 2.1e-06 J")) << told;
  EXPECT_NE(routh::correction_sentence(account(2.1e-6), 1e-14), "");  // never finer than 1e-8
  EXPECT_EQ(routh::correction_sentence(account(1.9e-6), 1e-14), "");
}

TEST(RunWarnings, CorrectionsThatTakeAreToldBeyondAMillionth) {
  EXPECT_EQ(routh::correction_sentence(account(-1.9e-4), 1e-10), "");
  const std::string told = routh::correction_sentence(account(-2.1e-4), 1e-10);
  EXPECT_TRUE(tells(told, "took 0.00021 J")) << told;
  EXPECT_TRUE(tells(told, "1e-06 of the energy")) << told;
  // However loose the tolerance was.
  EXPECT_NE(routh::correction_sentence(account(-2.1e-4), 1e-3), "");
  EXPECT_NE(routh::correction_sentence(account(2.1e-4), 1e-3), "");
}

TEST(RunWarnings, ACorrectionIsNoImbalance) {
  EnergyAccount energy = account(-5);
  EXPECT_EQ(energy.balance(), 0);
  EXPECT_EQ(routh::balance_sentence(energy, 1e-10), "");
  energy.corrected = 0;
  EXPECT_TRUE(tells(routh::balance_sentence(energy, 1e-10), "off by 5 J of 200 J"));
}

TEST(RunWarnings, NothingMoves) {
  EnergyAccount energy;
  energy.corrected = energy.kinetic = 1e-15;
  EXPECT_EQ(routh::correction_sentence(energy, 1e-10), "");
  energy.corrected = energy.potential = 1;  // from nothing
  EXPECT_TRUE(tells(routh::correction_sentence(energy, 1e-10), "added 1 J"));
}

TEST(RunWarnings, UnsolvedStepsAreCounted) {
  routh::RunData run;
  run.outcome.statistics.steps = 400;
  run.outcome.statistics.largest_residual = 0.025;
  EXPECT_TRUE(routh::run_warnings(run, routh::EventWarnings::all).empty());
  run.outcome.statistics.unsolved_steps = 3;
  const std::vector<std::string> told = routh::run_warnings(run, routh::EventWarnings::shortcuts);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(tells(told[0], "3 of 400 steps") && tells(told[0], "0.025")) << told[0];
}

TEST(RunWarnings, EnergyFirstThenEveryKindOfWarning) {
  routh::RunData run;
  run.info.tolerance = 1e-10;
  run.outcome.energy = account(-5);
  run.outcome.energy.gained = 0.5;
  run.events.resize(4);
  for (const std::size_t k : {0u, 1u, 3u})
    run.events[k].warnings = static_cast<std::uint32_t>(Warning::friction_changed);
  run.events[2].warnings = static_cast<std::uint32_t>(Warning::recompression);
  const std::vector<std::string> told = routh::run_warnings(run, routh::EventWarnings::all);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_TRUE(tells(told[0], "0.5 J"));
  EXPECT_TRUE(tells(told[1], "corrections took 5 J"));
  EXPECT_EQ(told[2], std::string("1 event: ") + explain(Warning::recompression));
  EXPECT_EQ(told[3], std::string("3 events: ") + explain(Warning::friction_changed));
  EXPECT_EQ(routh::run_warnings(run, routh::EventWarnings::shortcuts),
            (std::vector<std::string>{told[0], told[1], told[3]}));
}

// Every shortcut is one, and no warning of a single impact is.
TEST(RunWarnings, Shortcuts) {
  int shortcuts = 0;
  for (unsigned k = 0; k < routh::warning_count; ++k) shortcuts += routh::is_shortcut(static_cast<Warning>(1u << k));
  EXPECT_EQ(shortcuts, 10);
  EXPECT_TRUE(routh::is_shortcut(Warning::rounding_widened));
  EXPECT_FALSE(routh::is_shortcut(Warning::bilateral_velocity));
}

}  // namespace
