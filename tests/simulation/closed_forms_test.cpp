// Balls that bounce, slide, roll and strike each other, in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double g = 9.81;

// Bounces from the height h at t₀(1 + 2e + 2e² + …), t₀ = √(2h/g), and rests at t₀(1 + e)/(1 − e).
void expect_bounces(Trial& run, double h, double e, int count) {
  ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_GE(static_cast<int>(impacts.size()), count);
  const double fall = std::sqrt(2 * h / g);
  double time = fall;
  for (int k = 0; k < count; ++k) {
    EXPECT_NEAR(impacts[k].time, time, 1e-10) << k;
    EXPECT_NEAR(impacts[k].contacts.at(0).velocity_after.n, g * fall * std::pow(e, k + 1), 1e-9) << k;
    time += 2 * fall * std::pow(e, k + 1);
  }
  const auto zeno = run.all(EventKind::zeno);
  ASSERT_EQ(zeno.size(), 1u);
  EXPECT_NEAR(zeno[0].time, fall * (1 + e) / (1 - e), 1e-6);
  EXPECT_LE(zeno[0].error_bound, 1e-3);
  ASSERT_EQ(run.simulator.active().size(), 1u);
  EXPECT_NEAR(run.simulator.active()[0].force.n, 2 * g, 1e-9);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
}

TEST(ClosedForms, BallBouncesInThePlane) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.3, restitution: 0.8}}
bodies: {ball: {mass: 2, inertia: 0.01, joint: {kind: planar}, shapes: {ball: {kind: sphere, radius: 0.1, surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 1.1, 0]}}
)");
  expect_bounces(run, 1, 0.8, 25);
  EXPECT_NEAR(run.all(EventKind::zeno)[0].time, 4.063712769, 1e-6);
  EXPECT_NEAR(run.q(1), 0.1, 1e-9);
}

// So many bounces in a row that the last are not all followed: hundreds in a hundredth of a second.
TEST(ClosedForms, LivelyBallRestsOnTime) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.3, restitution: 0.95}}
bodies: {ball: {mass: 2, inertia: 0.01, joint: {kind: planar}, shapes: {ball: {kind: sphere, radius: 0.1, surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 0.11, 0]}}
)");
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  const auto zeno = run.all(EventKind::zeno);
  ASSERT_EQ(zeno.size(), 1u);
  EXPECT_NEAR(zeno[0].time, std::sqrt(2 * 0.01 / g) * 1.95 / 0.05, 1e-6);
  EXPECT_GT(run.all(EventKind::impact).size(), 100u);
  EXPECT_LE(zeno[0].error_bound, 1.5e-4);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
}

TEST(ClosedForms, SpinningBallBouncesInSpace) {
  Trial run(R"(
surfaces: {s: {friction: 0.3, restitution: 0.8}}
bodies:
  ball: {mass: 2, inertia: [0.01, 0.01, 0.01], joint: {kind: free},
      shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: {position: [0, 0, 1.1]}}, velocity: {ball: [0, 0, 0, 0, 0, 4]}}
)");
  expect_bounces(run, 1, 0.8, 25);
  EXPECT_NEAR(run.v(5), 4, 1e-12);
}

// Slides until v = v₀ − μ g t meets ω r = 5/2 μ g t: at 2 v₀/(7 μ g), after 12 v₀²/(49 μ g).
TEST(ClosedForms, DiscBeginsToRoll) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.2, restitution: 0}}
bodies:
  ball: {mass: 1.7, inertia: 0.0272, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 0.2, 0]}, velocity: {ball: [3, 0, 0]}}
)");
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  const auto halts = run.all(EventKind::stick);
  ASSERT_EQ(halts.size(), 1u);
  EXPECT_NEAR(halts[0].time, 0.436871997, 1e-9);
  EXPECT_NEAR(halts[0].position[0], 1.123385134, 1e-9);
  EXPECT_NEAR(run.v(0), 15.0 / 7, 1e-10);
  EXPECT_NEAR(run.v(2), -15.0 / 7 / 0.2, 1e-9);
  EXPECT_NEAR(run.simulator.active()[0].force.t1, 0, 1e-10);
}

TEST(ClosedForms, SphereBeginsToRollWithAnySideSpin) {
  for (const double spin : {0.0, 7.0, -31.0}) {
    Trial run(fmt::format(R"(
surfaces: {{s: {{friction: 0.2, restitution: 0}}}}
bodies:
  ball: {{mass: 1.7, inertia: [0.0272, 0.0272, 0.0272], joint: {{kind: free}},
          shapes: {{b: {{kind: sphere, radius: 0.2, surface: s}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{ball: {{position: [0, 0, 0.2]}}}}, velocity: {{ball: [1.8, 2.4, 0, 0, 0, {}]}}}}
)",
                          spin));
    ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
    const auto halts = run.all(EventKind::stick);
    ASSERT_EQ(halts.size(), 1u) << spin;
    // The last of the slip is cut off where nothing is left of the way; the ball is where it would be without.
    EXPECT_NEAR(halts[0].time, 0.436871997, 2e-7) << spin;
    const double way = 108 / (49 * 0.2 * g) + 15.0 / 7 * (1 - 6 / (7 * 0.2 * g));
    EXPECT_NEAR(std::hypot(run.q(0), run.q(1)), way, 1e-9) << spin;
    EXPECT_NEAR(run.v(0), 1.8 * 5 / 7, 1e-9) << spin;
    EXPECT_NEAR(run.v(1), 2.4 * 5 / 7, 1e-9) << spin;
    EXPECT_NEAR(run.q(0) / run.q(1), 0.75, 1e-9) << spin;
  }
}

// A ball with slip across its way curves along a parabola until it rolls: the slip u₀ = v₀ + r ẑ × ω₀ keeps its
// direction and ends after 2 |u₀|/(7 μ g) at the velocity v₀ − 2/7 u₀.
TEST(ClosedForms, MasseShotCurves) {
  Trial run(R"(
surfaces: {s: {friction: 0.25, restitution: 0}}
bodies:
  ball: {mass: 1, inertia: [0.016, 0.016, 0.016], joint: {kind: free},
      shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: {position: [0, 0, 0.2]}}, velocity: {ball: [2, 0, 0, 12, -4, 0]}}
)");
  // Velocity of the lowest point: v + ω × (−r ẑ) = (v_x − r ω_y, v_y + r ω_x).
  const double ux = 2 + 0.2 * 4, uy = 0.2 * 12, u = std::hypot(ux, uy);
  ASSERT_EQ(run.to(1.5), SimulationStatus::ready) << run.simulator.message();
  const auto halts = run.all(EventKind::stick);
  ASSERT_EQ(halts.size(), 1u);
  const double t = 2 * u / (7 * 0.25 * g);
  EXPECT_NEAR(halts[0].time, t, 1e-8);
  EXPECT_NEAR(halts[0].position[0], 2 * t - 0.5 * 0.25 * g * ux / u * t * t, 1e-8);
  EXPECT_NEAR(halts[0].position[1], -0.5 * 0.25 * g * uy / u * t * t, 1e-8);
  EXPECT_NEAR(run.v(0), 2 - 2.0 / 7 * ux, 1e-8);
  EXPECT_NEAR(run.v(1), -2.0 / 7 * uy, 1e-8);
}

// A bouncing, sliding ball rolls when its normal impulse has reached 2 m v₀/(7 μ), be it in a bounce …
TEST(ClosedForms, BouncingBallRollsAfterItsShareOfImpulse) {
  const double m = 1.3, v0 = 3, mu = 0.1, e = 0.7, h = 0.3;
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.1, restitution: 0.7}}
bodies:
  ball: {mass: 1.3, inertia: 0.0208, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 0.5, 0]}, velocity: {ball: [3, 0, 0]}}
)");
  ASSERT_EQ(run.to(4), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_GE(impacts.size(), 12u);
  double speed = std::sqrt(2 * g * h), normal = 0;
  int sliding = 0;
  for (std::size_t k = 0; k < 12; ++k, speed *= e) {
    normal += m * speed * (1 + e);
    const double expected = std::max(5.0 / 7 * v0, v0 - mu * normal / m);
    if (normal < 2 * m * v0 / (7 * mu)) ++sliding;
    EXPECT_NEAR(impacts[k].velocity_after[0], expected, 1e-10) << k;
    EXPECT_NEAR(impacts[k].contacts[0].impulse.n, m * speed * (1 + e), 1e-9) << k;
  }
  EXPECT_EQ(sliding, 2);
  EXPECT_NEAR(run.v(0), 5.0 / 7 * v0, 1e-9);
}

// … or after the last of infinitely many: as if it had never bounced, since ∫N dt = m g t.
TEST(ClosedForms, BallSlidesOnAfterItsLastBounce) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.1, restitution: 0.4}}
bodies:
  ball: {mass: 1.3, inertia: 0.0208, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 0.25, 0]}, velocity: {ball: [3, 0, 0]}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  const double fall = std::sqrt(2 * 0.05 / g);
  EXPECT_NEAR(run.first(EventKind::zeno), fall * 1.4 / 0.6, 1e-6);
  EXPECT_NEAR(run.first(EventKind::stick), 2 * 3 / (7 * 0.1 * g), 1e-6);
  EXPECT_NEAR(run.v(0), 15.0 / 7, 1e-6);
}

// Balls in one line, without gravity: one strikes the next, that one the third.
TEST(ClosedForms, BallsInLine) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
surfaces: {s: {friction: 0.3, restitution: 0.6}}
bodies:
  a: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {a: {kind: sphere, radius: 0.5, surface: s}}}
  b: {mass: 2, inertia: 0.1, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.5, surface: s}}}
  c: {mass: 3, inertia: 0.1, joint: {kind: planar}, shapes: {c: {kind: sphere, radius: 0.5, surface: s}}}
state: {position: {a: [0, 0, 0], b: [2, 0, 0], c: [4, 0, 0]}, velocity: {a: [2, 0, 0]}}
)");
  ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_GE(impacts.size(), 2u);
  // Momentum and v_b − v_a = 0.6 · 2.
  const double vb = 2 * 1.6 / 3, va = vb - 1.2;
  EXPECT_NEAR(impacts[0].time, 0.5, 1e-11);
  EXPECT_NEAR(impacts[0].velocity_after[0], va, 1e-12);
  EXPECT_NEAR(impacts[0].velocity_after[3], vb, 1e-12);
  EXPECT_NEAR(impacts[1].time, 0.5 + 1 / vb, 1e-10);
  EXPECT_NEAR(impacts[1].velocity_after[6], vb * 2 * 1.6 / 5, 1e-11);
  const Eigen::VectorXd& v = run.simulator.state().v;
  EXPECT_NEAR(v[0] + 2 * v[3] + 3 * v[6], 2, 1e-11);
  EXPECT_EQ(v[1], 0);
}

// Into a groove of two smooth planes at right angles: both strike at once and turn the velocity into −e of itself.
TEST(ClosedForms, BallInAGroove) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 0.8}}
bodies: {ball: {mass: 2, inertia: 0.01, joint: {kind: planar}, shapes: {ball: {kind: sphere, radius: 0.1, surface: s}}}}
world:
  shapes:
    left: {kind: half_space, normal: [1, 1], surface: s}
    right: {kind: half_space, normal: [-1, 1], surface: s}
state: {position: {ball: [0, 1.1414213562373095, 0]}}
)");
  ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
  const double fall = std::sqrt(2 / g);
  double time = fall;
  std::vector<double> times;
  for (const Event& each : run.all(EventKind::impact))
    if (times.empty() || each.time > times.back() + 1e-9) times.push_back(each.time);
  ASSERT_GE(times.size(), 10u);
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(times[k], time, 1e-8) << k;
    time += 2 * fall * std::pow(0.8, k + 1);
  }
  EXPECT_NEAR(run.q(0), 0, 1e-7);
  EXPECT_NEAR(run.q(1), 0.1 * std::sqrt(2.0), 1e-6);
  ASSERT_EQ(run.simulator.active().size(), 2u);
  for (const ActiveContact& each : run.simulator.active()) EXPECT_NEAR(each.force.n, 2 * g / std::sqrt(2.0), 1e-8);
}

// Into a corner of floor and wall, without bounce.
TEST(ClosedForms, BallStopsInACorner) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 0}}
bodies: {ball: {mass: 2, inertia: 0.01, joint: {kind: planar}, shapes: {ball: {kind: sphere, radius: 0.1, surface: s}}}}
world:
  shapes:
    floor: {kind: half_space, surface: s}
    wall: {kind: half_space, normal: [-1, 0], at: [1, 0], surface: s}
state: {position: {ball: [0, 0.6, 0]}, velocity: {ball: [1.5, 0, 3]}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_EQ(impacts.size(), 2u);
  EXPECT_NEAR(impacts[0].time, std::sqrt(2 * 0.5 / g), 1e-11);
  EXPECT_NEAR(impacts[1].time, 0.6, 1e-11);
  EXPECT_NEAR(run.q(0), 0.9, 1e-10);
  EXPECT_NEAR(run.q(1), 0.1, 1e-10);
  EXPECT_NEAR(run.v(2), 3, 1e-14);
}

}  // namespace
