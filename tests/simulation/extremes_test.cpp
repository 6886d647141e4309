// Scales from millimetres to kilometres, stiff springs, absurd speeds, and a stiff benchmark of seven bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::ball;
using testing_support::Trial;

constexpr double g = 9.81;

// The same bouncing at the scale of watches and of asteroids.
TEST(Extremes, ScalesFromMillimetresToKilometres) {
  for (const double length : {1e-3, 1e-2, 1.0, 100.0, 1e4}) {
    Trial run(ball(0.1 * length, length, 0.5, 1000 * length * length * length));
    const double fall = std::sqrt(2 * length / g);
    ASSERT_EQ(run.to(4 * fall), SimulationStatus::ready) << length << run.simulator.message();
    EXPECT_NEAR(run.first(EventKind::impact) / fall, 1, 1e-9) << length;
    EXPECT_NEAR(run.first(EventKind::zeno) / fall, 3, 1e-4) << length;
    EXPECT_NEAR(run.q(1) / length, 0.1, 1e-6) << length;
  }
}

// m = 1, k = 1e8, c = 1e6: rates −100.01 and −1e6 of which only the slow one is seen. x = (r₁ e^{r₂t} − r₂ e^{r₁t})/(r₁
// − r₂).
TEST(Extremes, StiffSpringIsTakenOverByTheImplicitMethod) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {m: {mass: 1, inertia: 0, joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 1.0e8}, damping: 1.0e6}}}
state: {position: {m: 1}}
)");
  ASSERT_EQ(run.to(0.02), SimulationStatus::ready) << run.simulator.message();
  const double root = std::sqrt(1e12 - 4e8), fast = (-1e6 - root) / 2, slow = 1e8 / fast;
  EXPECT_NEAR(run.q(0), (slow * std::exp(fast * 0.02) - fast * std::exp(slow * 0.02)) / (slow - fast), 1e-7);
  EXPECT_GT(run.simulator.statistics().implicit_steps, 10);
  EXPECT_LT(run.simulator.statistics().steps, 3000);
}

// An undamped one swings: ω = 1e4.
TEST(Extremes, StiffSpringSwings) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {m: {mass: 1, inertia: 0, joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 1.0e8}}}}
state: {position: {m: 0.001}}
)");
  ASSERT_EQ(run.to(0.01), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), 0.001 * std::cos(100.0), 1e-9);
}

// A pressed contact with a stiff drive: a press of k = 1e7 N/m with damping on a box against the floor.
TEST(Extremes, StiffDrivePressesOnAContact) {
  Trial run(
      "dimension: planar\nsurfaces: {s: {friction: 0.5, restitution: 0}}\n"
      "bodies: {m: {mass: 1, inertia: 0.1, joint: {kind: prismatic, axis: [0, 1], drive: {stiffness: 1.0e7, damping: "
      "1.0e4, position: -0.0001}}, shapes: {tip: {kind: point, surface: s}}}}\n"
      "world: {shapes: {floor: {kind: half_space, surface: s}}}\n"
      "state: {position: {m: 0.01}}\n");
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready) << run.simulator.message();
  ASSERT_EQ(run.simulator.active().size(), 1u);
  EXPECT_NEAR(run.simulator.active()[0].force.n, 1000 + g, 1e-4);
}

TEST(Extremes, AbsurdSpeedsAndMassesEndWithoutNaN) {
  SimulationOptions options;
  options.max_steps = 3000;
  const auto scene = [](double speed) {
    return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0.3, restitution: 0.5}}}}
bodies:
  a: {{mass: 1.0e-9, inertia: 1.0e-12, joint: {{kind: planar}},
      shapes: {{a: {{kind: sphere, radius: 0.1, surface: s}}}}}}
  b: {{mass: 1.0e+9, inertia: 1.0e+7, joint: {{kind: planar}},
      shapes: {{b: {{kind: sphere, radius: 0.1, surface: s}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{a: [0, 0.5, 0], b: [0.5, 0.1, 0]}}, velocity: {{a: [{}, -1, {}]}}}}
)",
                       speed, speed);
  };
  for (const double speed : {1e8, 1e150}) {
    Trial run(scene(speed), options);
    const SimulationStatus status = run.to(0.01);
    EXPECT_TRUE(run.simulator.state().q.allFinite() && run.simulator.state().v.allFinite()) << speed << name(status);
    EXPECT_FALSE(std::isnan(run.simulator.energy().kinetic)) << speed;
    EXPECT_FALSE(std::isnan(run.simulator.energy().balance())) << speed;
  }
  EXPECT_THROW(Trial(scene(1e300), options), InputError);  // its kinetic energy is no number
}

// Andrews' squeezing mechanism [Hairer & Wanner 1996; IVP test set]: seven bodies, three loops, a torque of 0.033 N m.
TEST(Extremes, AndrewsSqueezer) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies:
  k1: {mass: 0.04325, com: [0.00092, 0], inertia: 2.194e-6, joint: {kind: revolute, effort: 0.033}}
  k2: {mass: 0.00365, com: [-0.0115, 0], inertia: 4.410e-7, joint: {kind: revolute, parent: k1, at: [0.007, 0]}}
  k3: {mass: 0.02373, com: [0.01043, -0.01874], inertia: 5.255e-6, joint: {kind: revolute, at: [-0.03635, 0.03273]}}
  k5: {mass: 0.07050, com: [0.02308, 0.00916], inertia: 1.169e-5, joint: {kind: revolute, at: [-0.06934, -0.00227]}}
  k4: {mass: 0.00706, com: [0, -0.00579], inertia: 5.667e-7, joint: {kind: revolute, parent: k5, at: [0.04, 0]}}
  k7: {mass: 0.05498, com: [-0.00449, -0.01228], inertia: 1.912e-5, joint: {kind: revolute, at: [-0.06934, -0.00227]}}
  k6: {mass: 0.00706, com: [0.00579, 0], inertia: 5.667e-7, joint: {kind: revolute, parent: k7, at: [0, -0.04]}}
loops:
  p3: {kind: point, bodies: [k2, k3], at: [[-0.028, 0], [0, -0.035]]}
  p4: {kind: point, bodies: [k2, k4], at: [[-0.028, 0], [0, -0.02]]}
  p6: {kind: point, bodies: [k2, k6], at: [[-0.028, 0], [0.02, 0]]}
springs: {s: {bodies: [world, k3], at: [[0.014, 0.072], [0.02, -0.018]], stiffness: 4530, rest_length: 0.07785}}
state:
  position: {k1: -0.06171389001427645, k2: 0, k3: 0.4552798191630704, k4: 0.2226683901658859, k5: 0.48736497954384255,
    k6: -0.2226683901658859, k7: 1.2305474445498212}
)");
  ASSERT_EQ(run.to(0.03), SimulationStatus::ready) << run.simulator.message();
  // In the order of the bodies above.
  const double expected[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
                             -0.5347301163226948, 1.048080741042263,  0.5347301163226948};
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(run.q(k), expected[k], 1e-8) << k;
  EXPECT_LE(run.simulator.statistics().largest_loop, 1e-9);
}

}  // namespace
