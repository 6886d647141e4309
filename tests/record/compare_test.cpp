// Comparing runs: one changed number is found and named, whatever it is; what should be equal is.
#include "routh/record/run_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "random_run.h"

namespace {

using namespace testing_support;
using routh::CompareReport;
using routh::RunData;

// A run with tame numbers: times that grow, values about one.
RunData tame_run(Random& random) {
  RunData run = random_run(random, {3, 2, 50, 12, 4});
  run.info.coordinate_names = {"hip", "knee", "foot"};
  run.info.velocity_names = {"hip", "knee"};
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    routh::Sample& sample = run.samples[k];
    sample.state.time = 0.1 * static_cast<double>(k);
    for (double& x : sample.state.q) x = random.uniform(-1, 1);
    for (double& x : sample.state.v) x = random.uniform(-1, 1);
    sample.energy = {random.uniform(), random.uniform(), random.uniform(), random.uniform(), random.uniform(), 0, 1};
    for (routh::ActiveContact& active : sample.active) {
      active.force = {random.uniform(1, 2), random.uniform(), random.uniform()};
      active.contact.gap = random.uniform();
      active.contact.point = {random.uniform(), random.uniform(), random.uniform()};
      active.contact.normal = {0, 0.6, 0.8};
    }
  }
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    run.events[k].time = 0.4 * static_cast<double>(k) + 0.05;
    run.events[k].error_bound = random.uniform();
    run.events[k].velocity_after = Eigen::Vector2d(random.uniform(), random.uniform());
    run.events[k].energy.tangential_work = random.uniform();
    run.events[k].contacts.resize(1);
    run.events[k].contacts[0].name = "tip on floor";
    run.events[k].contacts[0].impulse = {random.uniform(0, 2), random.uniform(-1, 1), 0};
    run.events[k].contacts[0].friction = random.uniform(0.5, 1);
  }
  return run;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CompareRuns, EqualRuns) {
  Random random(8401);
  const RunData run = tame_run(random);
  const CompareReport report = routh::compare_runs(run, run, {0, 0});
  EXPECT_TRUE(report.equal);
  EXPECT_EQ(report.largest_difference, 0);
  EXPECT_EQ(report.first_difference, "");
  EXPECT_TRUE(report.notes.empty());
  EXPECT_TRUE(routh::compare_runs(RunData(), RunData(), {}).equal);
}

// `corrected` is rounding in a good run: it is measured by the energies, not by itself.
TEST(CompareRuns, CorrectionsOnTheScaleOfTheEnergies) {
  Random random(8409);
  RunData run = tame_run(random), other = run;
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    run.samples[k].energy.corrected = 1e-10 * random.normal();
    other.samples[k].energy.corrected = 1e-10 * random.normal();
  }
  EXPECT_TRUE(routh::compare_runs(run, other, {}).equal);
  EXPECT_FALSE(routh::compare_runs(run, other, {0, 0}).equal);
}

TEST(CompareRuns, WarningsOfEventsAndTheirCounts) {
  Random random(8410);
  const RunData run = tame_run(random);
  RunData other = run;
  other.events[4].warnings ^= static_cast<std::uint32_t>(routh::Warning::plastic_end);
  const CompareReport report = routh::compare_runs(run, other, {});
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(contains(report.first_difference, "warnings of event 4")) << report.first_difference;
  EXPECT_TRUE(contains(report.first_difference, "plastic_end")) << report.first_difference;
  other = run;
  ++other.outcome.statistics.warnings[9];
  const CompareReport counted = routh::compare_runs(run, other, {});
  EXPECT_FALSE(counted.equal);
  EXPECT_TRUE(contains(counted.first_difference, "events with the warning friction_changed"))
      << counted.first_difference;
}

// Other phases with the same impulse are noted once, and no difference: rounding may decide them.
TEST(CompareRuns, PhasesAreNoted) {
  Random random(8412);
  RunData run = tame_run(random);
  for (routh::Event& event : run.events) event.contacts[0].phases.resize(2);
  RunData other = run;
  for (const std::size_t k : {3u, 4u})
    other.events[k].contacts[0].phases[1].kind = run.events[k].contacts[0].phases[1].kind == routh::PhaseKind::jam
                                                     ? routh::PhaseKind::stick
                                                     : routh::PhaseKind::jam;
  const CompareReport report = routh::compare_runs(run, other, {});
  EXPECT_TRUE(report.equal) << report.first_difference;
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "(event 3)")) << report.notes[0];
  other.info.schema = 2;
  EXPECT_TRUE(routh::compare_runs(run, other, {}).notes.empty());
}

// A run that was recorded before there were corrections is compared in what it has.
TEST(CompareRuns, OlderSchema) {
  Random random(8411);
  const RunData run = tame_run(random);
  RunData other = run;
  other.info.schema = 1;
  for (routh::Sample& sample : other.samples) sample.energy.corrected = 0;
  for (routh::Event& event : other.events) event.contacts[0].friction = 0, event.warnings = 0;
  other.outcome.statistics.warnings = {};
  const CompareReport report = routh::compare_runs(run, other, {});
  EXPECT_TRUE(report.equal) << report.first_difference;
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "without corrections"));
  other.samples[7].energy.supplied += 1e-3;
  EXPECT_FALSE(routh::compare_runs(other, run, {}).equal);
}

// The first contact of the first sample that has one.
routh::ActiveContact& with_contact(RunData& run) {
  for (routh::Sample& sample : run.samples)
    if (!sample.active.empty()) return sample.active.front();
  throw std::runtime_error("the run has no contact");
}

TEST(CompareRuns, OneChangedNumber) {
  Random random(8402);
  const RunData run = tame_run(random);
  struct Change {
    const char* what;
    const char* when;
    double* (*at)(RunData&);
  };
  const Change changes[] = {
      {"position of 'knee'", "t = 0.7", [](RunData& r) { return &r.samples[7].state.q[1]; }},
      {"velocity of 'hip'", "t = 4.9", [](RunData& r) { return &r.samples[49].state.v[0]; }},
      {"sample time", "sample 3", [](RunData& r) { return &r.samples[3].state.time; }},
      {"kinetic energy", "t = 0 s", [](RunData& r) { return &r.samples[0].energy.kinetic; }},
      {"supplied energy", "t = 0.1 s", [](RunData& r) { return &r.samples[1].energy.supplied; }},
      {"corrected energy", "t = 0.2 s", [](RunData& r) { return &r.samples[2].energy.corrected; }},
      {"gained energy", "sample 3", [](RunData& r) { return &r.samples[3].energy.gained; }},
      {"initial energy", "t = 0.4 s", [](RunData& r) { return &r.samples[4].energy.initial; }},
      {"normal force", "sample", [](RunData& r) { return &with_contact(r).force.n; }},
      {"second tangential force", "sample", [](RunData& r) { return &with_contact(r).force.t2; }},
      {"gap", "sample", [](RunData& r) { return &with_contact(r).contact.gap; }},
      {"point (y)", "sample", [](RunData& r) { return &with_contact(r).contact.point.y; }},
      {"normal (z)", "sample", [](RunData& r) { return &with_contact(r).contact.normal.z; }},
      {"velocity_after of 'hip'", "event 2", [](RunData& r) { return &r.events[2].velocity_after[0]; }},
      {"tangential_work", "event 4", [](RunData& r) { return &r.events[4].energy.tangential_work; }},
      {"error_bound", "event 4", [](RunData& r) { return &r.events[4].error_bound; }},
      {"time of event 5", "tip on floor", [](RunData& r) { return &r.events[5].time; }},
      {"normal impulse of 'tip on floor'", "event 2", [](RunData& r) { return &r.events[2].contacts[0].impulse.n; }},
      {"friction of 'tip on floor'", "event 3", [](RunData& r) { return &r.events[3].contacts[0].friction; }},
  };
  for (const Change& change : changes) {
    RunData other = run;
    const double before = *change.at(other);
    *change.at(other) += 1e-6;
    const CompareReport report = routh::compare_runs(run, other, {});
    EXPECT_FALSE(report.equal) << change.what;
    EXPECT_TRUE(contains(report.first_difference, change.what)) << report.first_difference;
    EXPECT_TRUE(contains(report.first_difference, change.when)) << report.first_difference;
    EXPECT_TRUE(contains(report.first_difference, fmt::format("{} against {}", before, *change.at(other))))
        << report.first_difference;
    EXPECT_GT(report.largest_difference, 1e-7);
    EXPECT_LT(report.largest_difference, 1.1e-5);
    EXPECT_TRUE(routh::compare_runs(run, other, {1e-4, 0}).equal) << change.what;
    EXPECT_TRUE(routh::compare_runs(run, other, {0, 2e-6}).equal) << change.what;
    EXPECT_FALSE(routh::compare_runs(other, run, {0, 0.9e-6}).equal) << change.what;
    *change.at(other) = std::nan("");
    EXPECT_FALSE(routh::compare_runs(run, other, {1, 1}).equal) << change.what;
    EXPECT_TRUE(std::isfinite(routh::compare_runs(run, other, {1, 1}).largest_difference));
  }
}

TEST(CompareRuns, TheEarliestDifferenceIsTold) {
  Random random(8403);
  const RunData run = tame_run(random);
  RunData other = run;
  other.samples[30].state.q[0] += 1;
  other.samples[20].energy.potential += 1;
  other.events[4].contacts[0].impulse.t1 += 1;  // at 1.65 s
  EXPECT_TRUE(contains(routh::compare_runs(run, other, {}).first_difference, "tangential impulse"));
  other.samples[16].state.v[1] += 1;
  EXPECT_TRUE(contains(routh::compare_runs(run, other, {}).first_difference, "velocity of 'knee' at t = 1.6"));
}

// Relative to the largest value in either run, not to the value itself.
TEST(CompareRuns, ScaleOfAQuantity) {
  Random random(8404);
  RunData run = tame_run(random), other;
  run.samples[10].state.q[2] = -1e6;
  run.samples[11].state.q[2] = 0;
  other = run;
  other.samples[11].state.q[2] = 1e-4;
  EXPECT_TRUE(routh::compare_runs(run, other, {1e-9, 0}).equal);
  EXPECT_FALSE(routh::compare_runs(run, other, {1e-11, 0}).equal);
  EXPECT_NEAR(routh::compare_runs(run, other, {}).largest_difference, 1e-10, 1e-14);
}

TEST(CompareRuns, CoordinatesByName) {
  Random random(8405);
  const RunData run = tame_run(random);
  RunData other = run;
  std::swap(other.info.coordinate_names[0], other.info.coordinate_names[2]);
  EXPECT_FALSE(routh::compare_runs(run, other, {}).equal);
  for (routh::Sample& sample : other.samples) std::swap(sample.state.q[0], sample.state.q[2]);
  for (routh::Event& event : other.events)
    if (event.position.size() > 0) std::swap(event.position[0], event.position[2]);
  EXPECT_TRUE(routh::compare_runs(run, other, {0, 0}).equal);
  other.info.coordinate_names[1] = "ankle";
  const CompareReport report = routh::compare_runs(run, other, {});
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(contains(report.first_difference, "'ankle'")) << report.first_difference;
}

TEST(CompareRuns, NumbersAndKinds) {
  Random random(8406);
  const RunData run = tame_run(random);
  RunData other = run;
  other.samples.pop_back();
  EXPECT_TRUE(contains(routh::compare_runs(run, other, {}).first_difference, "50 samples against 49"));
  other = run;
  other.events.pop_back();
  EXPECT_TRUE(contains(routh::compare_runs(other, run, {}).first_difference, "11 events against 12"));
  other = run;
  other.events[3].contacts[0].name = "heel on floor";
  const CompareReport report = routh::compare_runs(run, other, {});
  EXPECT_TRUE(contains(report.first_difference, "event 3")) << report.first_difference;
  EXPECT_TRUE(contains(report.first_difference, "'heel on floor'")) << report.first_difference;
  other = run;
  other.events[3].kind =
      other.events[3].kind == routh::EventKind::slip ? routh::EventKind::stick : routh::EventKind::slip;
  EXPECT_FALSE(routh::compare_runs(run, other, {}).equal);
  other = run;
  other.info.program_version = "9.9";
  EXPECT_TRUE(routh::compare_runs(run, other, {}).equal);
  EXPECT_EQ(routh::compare_runs(run, other, {}).notes.size(), 1u);
}

}  // namespace
