// A long run keeps its events and its outline. No scene and no simulator: samples made up.
#include "routh/report/decimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::Decimation;
using routh::RunData;

RunData wavy_run(std::size_t count) {
  RunData run;
  for (std::size_t k = 0; k < count; ++k) {
    routh::Sample sample;
    const double t = 1e-3 * static_cast<double>(k);
    sample.state = {Eigen::Vector2d(std::sin(3 * t), std::cos(0.7 * t)), Eigen::Vector2d(1, t), t};
    sample.energy.kinetic = std::sin(t) * std::sin(t);
    sample.energy.potential = 1 - sample.energy.kinetic;
    sample.energy.initial = 1;
    run.samples.push_back(sample);
  }
  return run;
}

void add_event(RunData& run, double time) {
  routh::Event event;
  event.time = time;
  run.events.push_back(event);
}

bool keeps(const Decimation& kept, std::size_t sample) {
  return std::binary_search(kept.samples.begin(), kept.samples.end(), sample);
}

TEST(Decimate, AShortRunStaysWhole) {
  RunData run = wavy_run(4000);
  add_event(run, 1.2345);
  const Decimation kept = routh::decimate(run, {});
  EXPECT_EQ(kept.samples.size(), 4000u);
  EXPECT_EQ(kept.samples[1234], 1234u);
  EXPECT_EQ(kept.events.size(), 1u);
  EXPECT_EQ(kept.sample_after(run, run.events[0]), 1235u);
  EXPECT_TRUE(routh::decimate({}, {}).samples.empty());
}

TEST(Decimate, ALongRunKeepsEventsEndsAndSpikes) {
  Random random(9101);
  RunData run = wavy_run(100000);
  // One sample alone stands out, in each channel.
  run.samples[31417].state.q[1] = 40;
  run.samples[31418].state.q[0] = -40;
  run.samples[59001].energy.kinetic = 7;
  run.samples[70003].energy.supplied = 3;
  run.samples[80001].energy.dissipated = -3;
  std::vector<double> times;
  for (int k = 0; k < 300; ++k) times.push_back(random.uniform(0, 99.9));
  std::sort(times.begin(), times.end());
  for (const double time : times) add_event(run, time);
  const Decimation kept = routh::decimate(run, {});
  EXPECT_LE(kept.samples.size(), 4000u);
  EXPECT_GE(kept.samples.size(), 3000u);
  EXPECT_TRUE(std::is_sorted(kept.samples.begin(), kept.samples.end()));
  EXPECT_TRUE(keeps(kept, 0) && keeps(kept, 99999));
  for (const std::size_t spike : {31417u, 31418u, 59001u, 70003u, 80001u}) EXPECT_TRUE(keeps(kept, spike)) << spike;
  EXPECT_EQ(kept.events.size(), 300u);
  EXPECT_EQ(kept.bare_events, 0u);
  for (const routh::Event& event : run.events) {
    const auto after = static_cast<std::size_t>(std::floor(event.time * 1e3 + 1e-9)) + 1;
    EXPECT_TRUE(keeps(kept, after - 1) && keeps(kept, after)) << event.time;
    EXPECT_EQ(kept.samples[kept.sample_after(run, event)], after);
  }
  // Between two kept samples nothing of the smooth motion is lost: the outline is that of the run.
  for (std::size_t k = 0; k + 1 < kept.samples.size(); ++k) EXPECT_LT(kept.samples[k + 1] - kept.samples[k], 1000u);
}

TEST(Decimate, ManyEventsAreThinnedLast) {
  RunData run = wavy_run(60000);
  for (int k = 0; k < 30000; ++k) add_event(run, 1e-3 * (k + 0.5));
  routh::DecimationLimits limits;
  const Decimation kept = routh::decimate(run, limits);
  EXPECT_EQ(kept.events.size(), 20000u);
  EXPECT_EQ(kept.events.front(), 0u);
  EXPECT_EQ(kept.events.back(), 29999u);
  EXPECT_EQ(kept.bare_events, 10000u);
  EXPECT_LE(kept.samples.size(), 22000u);
  // The second half has no events: it is not left without samples.
  const auto late = std::count_if(kept.samples.begin(), kept.samples.end(), [](std::size_t k) { return k > 31000; });
  EXPECT_GT(late, 500);
  for (std::size_t k = 1; k < kept.events.size(); ++k) EXPECT_LT(kept.events[k - 1], kept.events[k]);
}

TEST(Decimate, SamplesAboutAnEvent) {
  RunData run = wavy_run(10);
  routh::Event event;
  event.time = 0.0035;
  EXPECT_EQ(routh::samples_about(run.samples, event).before, 3u);
  EXPECT_EQ(routh::samples_about(run.samples, event).after, 4u);
  event.time = run.samples[4].state.time;  // one sample alone: the state before
  EXPECT_EQ(routh::samples_about(run.samples, event).before, 4u);
  EXPECT_EQ(routh::samples_about(run.samples, event).after, 5u);
  event.velocity_before = Eigen::Vector2d(9, 9);
  event.velocity_after = run.samples[4].state.v;  // unless its velocities are those after
  EXPECT_EQ(routh::samples_about(run.samples, event).after, 4u);
  run.samples[5].state.time = run.samples[4].state.time;  // two: before and after
  EXPECT_EQ(routh::samples_about(run.samples, event).before, 4u);
  EXPECT_EQ(routh::samples_about(run.samples, event).after, 5u);
  event.time = 5;  // beyond the end
  EXPECT_EQ(routh::samples_about(run.samples, event).after, 9u);
  event.time = -5;
  EXPECT_EQ(routh::samples_about(run.samples, event).before, 0u);
  EXPECT_EQ(routh::samples_about({}, event).after, 0u);
}

}  // namespace
