// What falls below zero for a moment and recovers within a step of the integration is seen.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::scaled;
using testing_support::Trial;

constexpr double pi = std::numbers::pi;

// A particle of 1 kg turns with 1 rad/s at 1 m from a hub that a force F presses onto the floor. Without gravity it
// turns evenly while the hub rests, and the floor carries F − sin φ (Newton's law of the particle): with F below 1 N it
// lets go at sin φ = F, for no longer than the arc above that.
std::string rotor(double force) {
  return fmt::format(R"(
dimension: planar
gravity: [0, 0]
surfaces: {{s: {{friction: 0, restitution: 0}}}}
bodies:
  hub: {{mass: 1, inertia: 1, joint: {{kind: prismatic, axis: [0, 1]}}, shapes: {{tip: {{kind: point, surface: s}}}}}}
  rotor: {{mass: 1, inertia: 0, com: [1, 0], joint: {{kind: revolute, parent: hub}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
forces: {{press: {{body: hub, force: [0, {:.17g}]}}}}
state: {{velocity: {{rotor: 1}}}}
)",
                     -force);
}

TEST(Dips, LiftOffOfARotorForAMoment) {
  for (const double tolerance : {1e-4, 1e-6, 1e-10})
    for (const double excess : {1e-2, 1e-4, 1e-6}) {
      SimulationOptions options;
      options.tolerance = tolerance;
      const double force = 1 - excess;
      Trial run(rotor(force), options);
      ASSERT_EQ(run.to(pi), SimulationStatus::ready) << run.simulator.message();
      ASSERT_FALSE(run.all(EventKind::detach).empty()) << tolerance << ' ' << excess;
      // φ(t) and F are exact; near its top the sine loses half the digits.
      EXPECT_NEAR(run.first(EventKind::detach), std::asin(force), 1e-6 + 2 * tolerance / std::sqrt(excess))
          << tolerance << ' ' << excess;
    }
}

TEST(Dips, NothingHappensJustBelow) {
  for (const double tolerance : {1e-4, 1e-10}) {
    SimulationOptions options;
    options.tolerance = tolerance;
    Trial run(rotor(1 + 1e-3), options);
    ASSERT_EQ(run.to(4 * pi), SimulationStatus::ready) << run.simulator.message();
    EXPECT_TRUE(run.all(EventKind::detach).empty()) << tolerance;
  }
}

// A particle in free flight along x = t: a function of the user's that is negative for x within d of 3 only.
TEST(Dips, FunctionOfTheUser) {
  for (const double d : {0.1, 1e-3, 1e-6}) {
    Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {p: {mass: 1, inertia: 1, joint: {kind: planar}}}
state: {velocity: {p: [1, 0, 0]}}
)");
    int met = 0;
    UserEvent event;
    event.name = "near";
    event.value = [&](const State& state) {
      const double x = state.q[0] - 3;
      return x * x - d * d;
    };
    event.direction = UserEvent::Direction::falling;
    run.simulator.add_user_event(event);
    ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
    for (const Event& each : run.all(EventKind::user)) {
      ++met;
      EXPECT_NEAR(each.time, 3 - d, 1e-9 / d) << d;
    }
    EXPECT_EQ(met, 1) << d;
  }
}

// A pendulum crosses every angle of its swing once in each direction and half swing, and is noted once each time.
TEST(UserEvents, ACrossingIsNotedOnce) {
  for (int k = 0; k < scaled(40, 10); ++k) {
    const double angle = -0.97 + 0.05 * k;
    for (const auto direction :
         {UserEvent::Direction::both, UserEvent::Direction::rising, UserEvent::Direction::falling}) {
      Trial run(R"(
dimension: planar
bodies: {p: {mass: 1, com: [0, -1], inertia: 0.1, joint: {kind: revolute}}}
state: {position: {p: 1}}
)");
      UserEvent event;
      event.name = "angle";
      event.value = [&](const State& state) { return state.q[0] - angle; };
      event.direction = direction;
      event.action = k % 2 == 0 ? UserEvent::Action::note : UserEvent::Action::stop;
      run.simulator.add_user_event(event);
      // Counted by the signs at fine steps.
      double last = run.q(0) - angle;
      std::size_t expected = 0;
      for (double t = 0.01; t < 8; t += 0.01) {
        while (run.to(t) == SimulationStatus::user_stop) continue;
        const double now = run.q(0) - angle;
        const bool rises = last < 0 && now > 0, falls = last > 0 && now < 0;
        expected += (rises && direction != UserEvent::Direction::falling) ||
                    (falls && direction != UserEvent::Direction::rising);
        last = now;
      }
      EXPECT_EQ(run.all(EventKind::user).size(), expected) << angle << ' ' << static_cast<int>(direction);
      EXPECT_GE(expected, 2u);
    }
  }
}

// A joint that bounces off its limit by little comes back to it and is lifted off by springs, all before the next look.
TEST(Dips, ABounceThatComesBack) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: {static: 0.0000, kinetic: 0.0000}, restitution: 0.4893, law: energetic}}
bodies:
  b0:
    mass: 2.0849
    inertia: 0.09197
    joint: {kind: revolute, parent: world, at: [0.0000, 0.5000], spring: {stiffness: 4.991}}
    shapes:
      p0: {kind: capsule, radius: 0.0720, length: 0.1520, surface: s}
  b1:
    mass: 1.4709
    inertia: 0.02178
    com: [0.0804, -0.0647]
    joint: {kind: revolute, parent: b0, at: [-0.1173, 0.6000], limits: {lower: -0.4, upper: 0.5, restitution: 0.045}}
    shapes:
      p1: {kind: capsule, radius: 0.0645, length: 0.2384, surface: s}
  b2:
    mass: 1.1063
    inertia: 0.05060
    com: [-0.0066, 0.0159]
    joint: {kind: revolute, parent: b1, at: [-0.1791, 0.6000], spring: {stiffness: 1.648}, damping: 0.862}
    shapes:
      p2_0: {kind: point, at: [-0.1538, -0.0699], surface: s}
  b3:
    mass: 0.8940
    inertia: 0.01563
    com: [-0.0440, 0.0365]
    joint: {kind: prismatic, parent: b2, at: [0.0679, 0.6000], axis: [-0.2009, 1.0000], spring: {stiffness: 23.703}}
    shapes:
      p3_0: {kind: point, at: [0.0318, -0.0809], surface: s}
      p3_1: {kind: point, at: [-0.1140, -0.1860], surface: s}
world:
  shapes:
    floor: {kind: half_space, at: [0.0000, -0.1000], surface: s}
state:
  position: {b0: -0.0223, b1: 0.1189, b2: 0.0938, b3: -0.2663}
  velocity: {b0: -1.9435, b1: -2.9349, b2: 2.6236, b3: -1.7247}
)");
  double deepest = 0;
  run.simulator.on_sample(1e-4, 0, [&](const Sample& sample) { deepest = std::min(deepest, sample.state.q[1] + 0.4); });
  ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
  EXPECT_GT(deepest, -1e-9);
  const std::vector<Event> bounces = run.all(EventKind::limit);
  ASSERT_GT(bounces.size(), 4U);
  for (const Event& each : bounces)
    EXPECT_NEAR(each.contacts[0].velocity_after.n / -each.contacts[0].velocity_before.n, 0.045, 1e-6);
  EXPECT_EQ(run.all(EventKind::zeno).size(), 1U);
}

}  // namespace
