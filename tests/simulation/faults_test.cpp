// Starts and limits at the edge: what the simulator says, and that it goes on where it can.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::ball;
using testing_support::example;
using testing_support::particle;
using testing_support::Trial;

constexpr double g = 9.81;

TEST(Faults, OverlapAtTheStartIsSaid) {
  Trial run(ball(0.1, -0.01, 0.5));
  EXPECT_EQ(run.simulator.status(), SimulationStatus::overlapping);
  EXPECT_EQ(run.to(1), SimulationStatus::overlapping);
  EXPECT_NE(run.simulator.message().find("b on floor"), std::string::npos) << run.simulator.message();
  EXPECT_EQ(run.q(1), 0.1 - 0.01);
  EXPECT_EQ(run.simulator.state().time, 0);
}

// A point that flies below the top of a strip strikes its side.
TEST(Faults, SideOfAStripIsStruck) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
surfaces: {s: {friction: 0.3, restitution: 0.5}}
bodies:
  dot:
    mass: 1
    inertia: 1
    joint: {kind: planar}
    shapes: {tip: {kind: point, surface: s}}
world:
  shapes: {shelf: {kind: strip, width: 1, at: [2, 0], surface: s}}
state: {position: {dot: [0, -0.2, 0]}, velocity: {dot: [1, -0.1, 0]}}
)",
            testing_support::by(EngineKind::events));
  EXPECT_EQ(run.to(4), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.first(EventKind::impact), 1.5, 1e-9);
  EXPECT_NEAR(run.v(0), -0.5, 1e-12);
  EXPECT_NEAR(run.v(1), 0, 1e-12);
}

TEST(Faults, LimitsOfEventsAndSteps) {
  SimulationOptions options;
  options.max_events = 5;
  Trial events(ball(0.1, 1, 0.8), options);
  EXPECT_EQ(events.to(5), SimulationStatus::event_limit);
  EXPECT_LE(events.simulator.events().size(), 7u);
  EXPECT_NE(events.simulator.message().find("impact"), std::string::npos);
  EXPECT_EQ(events.to(6), SimulationStatus::event_limit);

  SimulationOptions few;
  few.max_steps = 10;
  Trial steps(example("kane.yaml"), few);
  EXPECT_EQ(steps.to(5), SimulationStatus::step_limit);
  EXPECT_LE(steps.simulator.statistics().steps, 10);
}

TEST(Faults, UserEventStopsAndTheRunGoesOn) {
  Trial run(ball(0.1, 1, 0.8)), plain(ball(0.1, 1, 0.8));
  run.simulator.add_user_event({"half way", [](const State& state) { return state.q[1] - 0.6; },
                                UserEvent::Direction::falling, UserEvent::Action::stop});
  run.simulator.add_user_event(
      {"top", [](const State& state) { return state.v[1]; }, UserEvent::Direction::falling, UserEvent::Action::note});
  ASSERT_EQ(run.to(0.9), SimulationStatus::user_stop);
  EXPECT_NEAR(run.simulator.state().time, std::sqrt(2 * 0.5 / g), 1e-10);
  EXPECT_NEAR(run.q(1), 0.6, 1e-10);
  const double fall = std::sqrt(2 / g);
  EXPECT_EQ(run.to(1.6 * fall), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.to(2), SimulationStatus::user_stop) << run.simulator.message();  // down again after the first bounce
  // Rises to 0.64 at (1 + 0.8) t₀ and falls through 0.5 m after √(2 · 0.14/g).
  EXPECT_NEAR(run.simulator.state().time, 1.8 * fall + std::sqrt(2 * 0.14 / g), 1e-9);
  int tops = 0;
  for (const Event& each : run.all(EventKind::user))
    if (each.label == "top") {
      EXPECT_NEAR(each.time, 1.8 * fall, 1e-8);
      ++tops;
    }
  EXPECT_EQ(tops, 1);
  ASSERT_EQ(plain.to(2), SimulationStatus::ready);
  while (run.simulator.state().time < 2) ASSERT_FALSE(failed(run.to(2)));
  EXPECT_NEAR(run.q(1), plain.q(1), 1e-8);
}

TEST(Faults, InterruptStopsAndTheRunGoesOnWithTheSameBits) {
  Trial run(example("kane.yaml")), plain(example("kane.yaml"));
  int calls = 0;
  run.simulator.interrupt_by([&] { return ++calls == 7; });
  ASSERT_EQ(run.to(1), SimulationStatus::stopped);
  EXPECT_LT(run.simulator.state().time, 1);
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  ASSERT_EQ(plain.to(1), SimulationStatus::ready);
  EXPECT_EQ(run.q(0), plain.q(0));
  EXPECT_EQ(run.v(1), plain.v(1));
}

// 3 N along x on a particle of 1 kg with μ = 0.2: sticks without it, then 3 − 0.2 g, then slows down and stops.
TEST(Faults, ForceOfTheUserActsFromNowOn) {
  Trial run("dimension: planar\nsurfaces: {s: {friction: 0.2, restitution: 0}}\n" + particle() +
            "world: {shapes: {floor: {kind: half_space, surface: s}}}\n");
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready);
  EXPECT_EQ(run.v(1), 0);
  run.simulator.set_force(Eigen::Vector2d(0, 3));
  ASSERT_EQ(run.to(1.5), SimulationStatus::ready) << run.simulator.message();
  const double a = 3 - 0.2 * g;
  EXPECT_NEAR(run.v(1), a, 1e-10);
  EXPECT_NEAR(run.simulator.energy().supplied, 3 * a / 2, 1e-9);
  run.simulator.set_force(Eigen::Vector2d(0, 0));
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(1), a / 2 + a * a / (2 * 0.2 * g), 1e-9);
  EXPECT_EQ(run.v(1), 0);
  run.simulator.set_force(Eigen::Vector2d(20, 0));  // lifts it
  ASSERT_EQ(run.to(4), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), (20 - g) / 2, 1e-9);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8);
}

// A pendulum released at −α reaches the wall at +α with no speed left: a hair's breadth decides, and does so stably.
TEST(Faults, GrazingPendulum) {
  for (const double excess : {-1e-3, -1e-6, -1e-8, 0.0, 1e-8, 1e-6, 1e-3}) {
    Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0.3, restitution: 0.5}}}}
bodies: {{bob: {{mass: 1, com: [0, -1], inertia: 0, joint: {{kind: revolute}},
    shapes: {{tip: {{kind: point, at: [0, -1], surface: s}}}}}}}}
world: {{shapes: {{wall: {{kind: half_space, normal: [-1, 0], at: [{:.17g}, 0], surface: s}}}}}}
state: {{position: {{bob: -0.6}}}}
)",
                          std::sin(0.6) - excess));
    ASSERT_EQ(run.to(8), SimulationStatus::ready) << excess << run.simulator.message();
    const std::size_t strikes = run.all(EventKind::impact).size();
    if (excess < 0) {
      EXPECT_EQ(strikes, 0u) << excess;
    }
    if (excess > 0) {
      EXPECT_GE(strikes, 1u) << excess;
    }
    EXPECT_LE(strikes, 10u) << excess;
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8) << excess;
    for (const Event& each : run.all(EventKind::impact)) EXPECT_GE(each.time, 0.9) << excess;
  }
}

// Slides along the floor on a rail: the gap is zero for ever, and nothing presses.
TEST(Faults, GapThatStaysAtZero) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0.5}}
bodies: {m: {mass: 1, inertia: 0, joint: {kind: prismatic, axis: [1, 0]}, shapes: {tip: {kind: point, surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {velocity: {m: 2}}
)");
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), 6, 1e-10);
  EXPECT_LE(run.simulator.events().size(), 3u);
}

// One degree of freedom along an oblique line: the inertia of the contact has rank 1, and many forces hold it.
TEST(Faults, ObliqueSlideRestsOnTheFloor) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0}}
bodies: {b: {mass: 1, inertia: 0, joint: {kind: prismatic, at: [0, 0.5], axis: [0.3, 1]},
    shapes: {p: {kind: point, surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.first(EventKind::impact), std::sqrt(2 * 0.5 * 1.09 / g), 1e-10);  // falls with g/(1 + 0.3²)
  EXPECT_NEAR(run.q(0), -0.5 * std::sqrt(1.09), 1e-10);
  EXPECT_EQ(run.v(0), 0);
  ASSERT_EQ(run.simulator.active().size(), 1u);
  // Along the line: N + 0.3 T = m g, inside the cone. The contact's tangent points along x.
  const ContactVector force = run.simulator.active()[0].force;
  EXPECT_NEAR(force.n + 0.3 * force.t1, g, 1e-9);
  EXPECT_LE(std::abs(force.t1), 0.5 * force.n);
}

// Touches without load and without motion.
TEST(Faults, TouchingWithoutLoad) {
  Trial run("dimension: planar\ngravity: [0, 0]\nsurfaces: {s: {friction: 0.5, restitution: 0.5}}\n" + particle() +
            "world: {shapes: {floor: {kind: half_space, surface: s}}}\nstate: {velocity: {slide: 1}}\n");
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(1), 3, 1e-10);
  EXPECT_LE(run.simulator.events().size(), 3u);
}

TEST(Faults, UntilTheTimeOfAnEvent) {
  const double fall = std::sqrt(2 / g);
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    Trial run(ball(0.1, 1, 0.5));
    ASSERT_EQ(run.to(fall + shift), SimulationStatus::ready) << run.simulator.message();
    EXPECT_EQ(run.simulator.state().time, fall + shift);
    ASSERT_EQ(run.to(fall + shift), SimulationStatus::ready);  // nothing to do
    ASSERT_EQ(run.to(1.5 * fall), SimulationStatus::ready) << run.simulator.message();
    EXPECT_EQ(run.all(EventKind::impact).size(), 1u) << shift;
    EXPECT_NEAR(run.q(1), 0.1 + 0.25, 1e-9) << shift;
  }
}

TEST(Faults, NothingMoves) {
  Trial run("dimension: planar\nbodies: {b: {mass: 1, inertia: 1, joint: {kind: fixed}}}\n");
  EXPECT_EQ(run.to(7), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.simulator.state().time, 7);
  EXPECT_EQ(run.simulator.events().size(), 0u);
  EXPECT_EQ(run.simulator.energy().balance(), 0);
}

TEST(Faults, NothingTouches) {
  Trial run(
      "bodies: {b: {mass: 1, inertia: [1, 2, 2.5], joint: {kind: free}}}\nstate: {velocity: {b: [1, 2, 3, 0, 0, "
      "1]}}\n");
  ASSERT_EQ(run.to(100), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), 100, 1e-8);
  EXPECT_NEAR(run.q(2), 300 - 0.5 * g * 1e4, 1e-6);
  EXPECT_NEAR(std::abs(run.q(3)), std::abs(std::cos(50.0)), 1e-7);
}

}  // namespace
