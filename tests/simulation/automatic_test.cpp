// Events while they come one by one, fixed steps through crowds of them.
#include "routh/simulation/automatic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::by;
using testing_support::example;
using testing_support::Trial;
using Recent = Checkpoint::Crowd::Recent;

// Four boxes in the plane, dropped onto one another.
constexpr const char* four_boxes = R"(
dimension: planar
surfaces: {s: {friction: 0.6, restitution: 0.2}}
bodies:
  b0: {mass: 0.085, inertia: 2.75e-05, joint: {kind: planar}, shapes: {s0: {kind: box, size: [0.044, 0.044], surface: s}}}
  b1: {mass: 0.085, inertia: 2.75e-05, joint: {kind: planar}, shapes: {s1: {kind: box, size: [0.044, 0.044], surface: s}}}
  b2: {mass: 0.085, inertia: 2.75e-05, joint: {kind: planar}, shapes: {s2: {kind: box, size: [0.044, 0.044], surface: s}}}
  b3: {mass: 0.085, inertia: 2.75e-05, joint: {kind: planar}, shapes: {s3: {kind: box, size: [0.044, 0.044], surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state:
  position: {b0: [-0.0164, 0.05, 0.9246], b1: [-0.0224, 0.12, 0.4096], b2: [-0.0249, 0.19, -0.5051], b3: [0.0299, 0.26, -0.5812]}
)";

ContactId limit_of(int dof) { return {-1 - dof, 0}; }

TEST(Automatic, WhatACrowdIs) {
  const Scene scene = example("quadruped.yaml");  // after the trunk's six degrees of freedom come the joints
  const auto crowd = [&](int contacts, int times) {
    std::vector<Recent> recent;
    for (int k = 0; k < contacts * times; ++k) recent.push_back({1e-5 * k, limit_of(6 + k % contacts)});
    return internal::is_crowd(scene.model, recent);
  };
  EXPECT_FALSE(crowd(1, 1000));  // one contact's bounces
  EXPECT_FALSE(crowd(2, 1000));  // two that rock
  EXPECT_FALSE(crowd(12, 1));    // all land
  EXPECT_FALSE(crowd(12, 3));
  EXPECT_TRUE(crowd(12, 4));
  EXPECT_TRUE(crowd(3, 4));
  // However many contacts one body has, it is no crowd by itself.
  const Scene one = testing_support::Trial(four_boxes).scene;
  std::vector<Recent> corners;
  for (int k = 0; k < 100; ++k) corners.push_back({1e-5 * k, {0, k % 4}});
  ASSERT_FALSE(one.model.pairs.empty());
  const ShapePair& pair = one.model.pairs[0];
  const bool floor = one.model.shapes[static_cast<std::size_t>(pair.first)].link < 0 ||
                     one.model.shapes[static_cast<std::size_t>(pair.second)].link < 0;
  EXPECT_EQ(internal::is_crowd(one.model, corners), !floor);
}

TEST(Automatic, ResolutionFollowsTheScales) {
  const Scene scene = example("quadruped.yaml");
  const double usual = usual_resolution(scene.model, 1e-10);
  EXPECT_GT(usual, 2e-4);
  EXPECT_LT(usual, 2e-3);
  EXPECT_DOUBLE_EQ(usual_resolution(scene.model, 256e-10), 2 * usual);
}

TEST(Automatic, WithoutACrowdBitsAreThoseOfEvents) {
  for (const char* name : {"rocking_block.yaml", "newton_cradle.yaml", "painleve_rod.yaml", "walker.yaml", "kane.yaml",
                           "woodpecker.yaml", "quadruped_stand.yaml", "rimless_wheel.yaml"}) {
    SCOPED_TRACE(name);
    Trial exact(example(name), by(EngineKind::events)), run(example(name), by(EngineKind::automatic));
    const double until = exact.scene.simulation.until.value_or(2);
    ASSERT_EQ(exact.to(until), SimulationStatus::ready);
    ASSERT_EQ(run.to(until), SimulationStatus::ready);
    EXPECT_EQ(run.simulator.statistics().crowds, 0);
    EXPECT_EQ(run.simulator.state().q, exact.simulator.state().q);
    EXPECT_EQ(run.simulator.state().v, exact.simulator.state().v);
    ASSERT_EQ(run.simulator.events().size(), exact.simulator.events().size());
    for (std::size_t k = 0; k < exact.simulator.events().size(); ++k)
      EXPECT_EQ(run.simulator.events()[k].time, exact.simulator.events()[k].time);
    EXPECT_EQ(run.simulator.energy().dissipated, exact.simulator.energy().dissipated);
    EXPECT_EQ(run.simulator.statistics().steps, exact.simulator.statistics().steps);
  }
}

// The limp quadruped to its rest: ten thousand events.
TEST(Automatic, QuadrupedGoesThroughItsCrowds) {
  Trial run(example("quadruped.yaml"), by(EngineKind::automatic));
  double highest = 1e300, rise = 0;
  run.simulator.on_sample(0.01, 0, [&](const Sample& sample) {
    rise = std::max(rise, sample.energy.total() - highest);
    highest = std::min(highest, sample.energy.total());
  });
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  const EnergyAccount energy = run.simulator.energy();
  const SimulationStatistics& statistics = run.simulator.statistics();
  EXPECT_LT(statistics.events, 1000);
  EXPECT_GT(statistics.crowds, 0);
  EXPECT_LT(run.simulator.state().v.norm(), 1e-6);
  EXPECT_LT(rise, 1e-3 * energy.initial);
  EXPECT_EQ(energy.gained, 0);
  EXPECT_NEAR(energy.balance(), 0, 0.02 * energy.initial);
  EXPECT_NEAR(energy.corrected, 0, 1e-3 * energy.initial);
  double time = 0, lost = 0, last = 0;
  long crowds = 0;
  for (const Event& event : run.simulator.events()) {
    EXPECT_GE(event.time, last);
    last = event.time;
    if (event.kind != EventKind::crowd) continue;
    ++crowds;
    EXPECT_GT(event.duration, 0);
    EXPECT_GE(event.contacts.size(), 3u);
    for (const EventContact& contact : event.contacts) EXPECT_FALSE(contact.name.empty());
    EXPECT_LE(event.energy.tangential_work, 0);
    EXPECT_NEAR(event.energy.change, event.energy.normal_work + event.energy.tangential_work, 0.01 * energy.initial);
    time += event.duration;
    lost -= event.energy.normal_work + event.energy.tangential_work;
  }
  // At rest no passage is under way.
  EXPECT_EQ(crowds, statistics.crowds);
  EXPECT_NEAR(time, statistics.crowd_time, 1e-9);
  EXPECT_NEAR(lost, statistics.crowd_energy, 1e-9 * energy.initial);
}

// Newton: what the floor gave, less the weight, is the change of momentum.
TEST(Automatic, ImpulsesOfACrowdCarryTheWeight) {
  Trial run(four_boxes, by(EngineKind::automatic));
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  const std::vector<Event> crowds = run.all(EventKind::crowd);
  ASSERT_FALSE(crowds.empty());
  constexpr double mass = 0.085, g = 9.81;
  double given = 0, expected = 0, size = 0;
  for (const Event& event : crowds) {
    for (const EventContact& contact : event.contacts)
      if (contact.name.find("on floor") != std::string::npos) given += contact.impulse.n;
    for (int body = 0; body < 4; ++body)
      expected += mass * (event.velocity_after[3 * body + 1] - event.velocity_before[3 * body + 1]);
    expected += 4 * mass * g * event.duration;
    size += 4 * mass * g * event.duration;
  }
  EXPECT_NEAR(given, expected, 0.05 * size);
}

// However it is cut, within crowds or between them.
TEST(Automatic, PiecesEqualTheWhole) {
  Trial whole(example("quadruped.yaml"), by(EngineKind::automatic));
  ASSERT_EQ(whole.to(0.35), SimulationStatus::ready);
  Trial cut(example("quadruped.yaml"), by(EngineKind::automatic));
  int within = 0;
  for (int k = 1; k < 16; ++k) {
    const double time = k * 0.0211;
    ASSERT_EQ(cut.to(time), SimulationStatus::ready);
    EXPECT_EQ(cut.simulator.state().time, time);
    const Checkpoint checkpoint = cut.simulator.checkpoint();
    within += checkpoint.crowd.under_way;
    Simulator resumed(cut.scene.model, checkpoint, by(EngineKind::automatic));
    ASSERT_EQ(resumed.advance(0.35), SimulationStatus::ready);
    EXPECT_EQ(resumed.state().q, whole.simulator.state().q) << time;
    EXPECT_EQ(resumed.state().v, whole.simulator.state().v) << time;
    const std::vector<Event>& all = whole.simulator.events();
    ASSERT_EQ(static_cast<std::size_t>(checkpoint.events) + resumed.events().size(), all.size()) << time;
    for (std::size_t i = 0; i < resumed.events().size(); ++i) {
      const Event &a = resumed.events()[i], &b = all[static_cast<std::size_t>(checkpoint.events) + i];
      EXPECT_EQ(a.time, b.time);
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.duration, b.duration);
      EXPECT_EQ(a.energy.normal_work, b.energy.normal_work);
      ASSERT_EQ(a.contacts.size(), b.contacts.size());
      for (std::size_t c = 0; c < a.contacts.size(); ++c) EXPECT_EQ(a.contacts[c].impulse.n, b.contacts[c].impulse.n);
    }
  }
  EXPECT_GT(within, 3);
  ASSERT_EQ(cut.to(0.35), SimulationStatus::ready);
  EXPECT_EQ(cut.simulator.state().q, whole.simulator.state().q);
  EXPECT_EQ(cut.simulator.events().size(), whole.simulator.events().size());
}

// Samples come once each, in order, at their times.
TEST(Automatic, SamplesGoOnThroughCrowds) {
  Trial run(example("quadruped.yaml"), by(EngineKind::automatic));
  std::vector<double> times;
  run.simulator.on_sample(0.001, 0, [&](const Sample& sample) { times.push_back(sample.state.time); });
  ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
  ASSERT_GT(run.simulator.statistics().crowds, 0);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  for (int k = 0; k < 300; ++k)
    EXPECT_EQ(std::count_if(times.begin(), times.end(), [&](double t) { return std::abs(t - 0.001 * k) < 1e-12; }), 1)
        << k;
}

// A user's event within a crowd stops the run there, and it goes on.
TEST(Automatic, UserEventsWithinCrowds) {
  Trial whole(example("quadruped.yaml"), by(EngineKind::automatic));
  ASSERT_EQ(whole.to(0.3), SimulationStatus::ready);
  const std::vector<Event> crowds = whole.all(EventKind::crowd);
  ASSERT_FALSE(crowds.empty());
  const double middle = crowds[0].time - 0.4 * crowds[0].duration;
  const auto passes = [&](UserEvent::Action action) {
    return UserEvent{.name = "middle", .value = [&](const State& s) { return s.time - middle; }, .action = action};
  };
  Trial noted(example("quadruped.yaml"), by(EngineKind::automatic));
  noted.simulator.add_user_event(passes(UserEvent::Action::note));
  ASSERT_EQ(noted.to(0.3), SimulationStatus::ready);
  Trial run(example("quadruped.yaml"), by(EngineKind::automatic));
  run.simulator.add_user_event(passes(UserEvent::Action::stop));
  ASSERT_EQ(run.to(0.3), SimulationStatus::user_stop);
  EXPECT_NEAR(run.simulator.state().time, middle, 1e-9);
  ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
  EXPECT_EQ(run.all(EventKind::user).size(), 1u);
  EXPECT_EQ(run.simulator.state().q, noted.simulator.state().q);
}

// What ends the event engine by its own fault does not end the run; a limit of the user's does.
TEST(Automatic, GoesOnWhereEventsFail) {
  SimulationOptions strict = by(EngineKind::events);
  strict.max_events_at_once = 1;
  Trial exact(example("newton_cradle.yaml"), strict);
  ASSERT_EQ(exact.to(1), SimulationStatus::event_limit);
  EXPECT_NE(exact.simulator.message().find("the engine automatic would step through it"), std::string::npos);
  strict.engine = EngineKind::automatic;
  Trial run(example("newton_cradle.yaml"), strict);
  EXPECT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.simulator.state().time, 1);
  EXPECT_GT(run.simulator.statistics().crowds, 0);
  SimulationOptions few = by(EngineKind::automatic);
  few.max_events = 5;
  Trial limited(example("quadruped.yaml"), few);
  EXPECT_EQ(limited.to(1), SimulationStatus::event_limit);
  EXPECT_NE(limited.simulator.message().find("more events than allowed"), std::string::npos);
}

// A start that neither engine would begin from is refused.
TEST(Automatic, RefusesAStartThatOverlaps) {
  Scene scene = example("quadruped.yaml");
  scene.state.q[2] -= 0.1;
  Simulator simulator(scene.model, scene.state, by(EngineKind::automatic));
  EXPECT_EQ(simulator.status(), SimulationStatus::overlapping);
}

}  // namespace
