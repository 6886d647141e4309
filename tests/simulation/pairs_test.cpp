// Bodies that act on each other, and bodies that roll: motions in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double g = 9.81;

// A disc or a sphere with I = k m r² on an incline rolls with g sin φ/(1 + k) as long as tan φ ≤ μ (1 + 1/k), and
// otherwise slides with g (sin φ − μ cos φ), turning with μ g cos φ/(k r).
TEST(Pairs, RollsOrSlidesDownAnIncline) {
  const double r = 0.2, k = 0.4, mu = 0.2;
  for (const bool spatial : {false, true})
    for (const double phi : {0.3, 0.55, 0.65, 1.0}) {  // the bound is arctan 0.7 = 0.61
      const std::string text =
          spatial ? fmt::format(
                        "gravity: [{:.17g}, 0, {:.17g}]\n"
                        "bodies: {{b: {{mass: 3, inertia: [0.048, 0.048, 0.048], joint: {{kind: free}}, shapes: "
                        "{{b: {{kind: sphere, radius: 0.2, surface: s}}}}}}}}\n"
                        "state: {{position: {{b: {{position: [0, 0, 0.2]}}}}}}\n",
                        g * std::sin(phi), -g * std::cos(phi))
                  : fmt::format(
                        "dimension: planar\ngravity: [{:.17g}, {:.17g}]\n"
                        "bodies: {{b: {{mass: 3, inertia: 0.048, joint: {{kind: planar}}, shapes: {{b: {{kind: "
                        "sphere, radius: 0.2, surface: s}}}}}}}}\nstate: {{position: {{b: [0, 0.2, 0]}}}}\n",
                        g * std::sin(phi), -g * std::cos(phi));
      Trial run(text +
                "surfaces: {s: {friction: 0.2, restitution: 0}}\n"
                "world: {shapes: {plane: {kind: half_space, surface: s}}}\n");
      ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
      const bool rolls = std::tan(phi) < mu * (1 + 1 / k);
      const double a = rolls ? g * std::sin(phi) / (1 + k) : g * (std::sin(phi) - mu * std::cos(phi));
      const double turn = rolls ? a / r : mu * g * std::cos(phi) / (k * r);
      EXPECT_NEAR(run.v(0), a * 0.5, 1e-8) << spatial << phi;
      EXPECT_NEAR(run.q(0), a * 0.125, 1e-8) << spatial << phi;
      // In space the axis is y, in the plane −z.
      EXPECT_NEAR(spatial ? run.v(4) : -run.v(2), turn * 0.5, 1e-7) << spatial << phi;
      EXPECT_NEAR(run.simulator.energy().dissipated > 1e-6, !rolls, 0) << spatial << phi;
    }
}

// A block of m slides on a plank of M on a smooth floor until both move with m v₀/(m + M), after v₀/(μ g (1 + m/M)).
TEST(Pairs, BlockOnAPlank) {
  Trial run(R"(
dimension: planar
surfaces: {rough: {friction: 0.3, restitution: 0}, ice: {friction: 0, restitution: 0}}
bodies:
  plank: {mass: 4, inertia: 1, joint: {kind: planar}, shapes: {under: {kind: box, size: [4, 0.2], surface: ice},
    top: {kind: strip, width: 4, at: [0, 0.1], surface: rough}}}
  block: {mass: 1, inertia: 0.02, joint: {kind: planar}, shapes: {l: {kind: point, at: [-0.3, -0.1], surface: rough},
    r: {kind: point, at: [0.3, -0.1], surface: rough}}}
world: {shapes: {floor: {kind: half_space, surface: ice}}}
contacts: {exclude: [[l, under], [r, under], [l, floor], [r, floor]]}
state: {position: {plank: [0, 0.1, 0], block: [0, 0.3, 0]}, velocity: {block: [2, 0, 0]}}
)");
  ASSERT_EQ(run.to(1.5), SimulationStatus::ready) << run.simulator.message();
  const double stop = 2 / (0.3 * g * 1.25);
  const auto sticks = run.all(EventKind::stick);
  ASSERT_FALSE(sticks.empty());
  EXPECT_NEAR(sticks.back().time, stop, 1e-9);
  EXPECT_NEAR(run.v(0), 0.4, 1e-9);
  EXPECT_NEAR(run.v(3), 0.4, 1e-9);
  EXPECT_NEAR(run.q(3) - run.q(0), stop, 1e-8);  // half of v₀ · stop
  EXPECT_NEAR(run.simulator.energy().dissipated, 0.5 * 4 - 0.5 * 5 * 0.16, 1e-8);
}

// Atwood's machine as a coupling of two slides: (m₁ − m₂) g/(m₁ + m₂ ), and a strike at a limit that stops both.
TEST(Pairs, AtwoodMachineRunsIntoItsLimit) {
  Trial run(R"(
dimension: planar
bodies:
  heavy: {mass: 3, inertia: 0, joint: {kind: prismatic, axis: [0, 1], limits: {lower: -0.5, restitution: 0.4}}}
  light: {mass: 2, inertia: 0, joint: {kind: prismatic, axis: [0, 1], at: [1, 0]}}
loops: {rope: {kind: coupling, terms: {heavy: 1, light: 1}}}
)");
  const double a = g / 5, hit = std::sqrt(2 * 0.5 / a);
  ASSERT_EQ(run.to(hit + 0.1), SimulationStatus::ready) << run.simulator.message();
  const auto strikes = run.all(EventKind::limit);
  ASSERT_EQ(strikes.size(), 1u);
  EXPECT_NEAR(strikes[0].time, hit, 1e-10);
  EXPECT_NEAR(strikes[0].velocity_after[0], 0.4 * a * hit, 1e-9);
  EXPECT_NEAR(strikes[0].velocity_after[1], -0.4 * a * hit, 1e-9);
  EXPECT_NEAR(run.q(0), -0.5 + 0.4 * a * hit * 0.1 - a * 0.005, 1e-9);
  EXPECT_NEAR(run.q(0) + run.q(1), 0, 1e-13);
  ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(0), -0.5, 1e-9);
}

// A rod falls flat on one end: impulse at the end of a free rod, m_eff = 1/(1/m + (l/2)²/I) = m/4 for I = m l²/12.
TEST(Pairs, RodStrikesWithOneEnd) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
surfaces: {s: {friction: 0, restitution: 0.5}}
bodies: {rod: {mass: 6, inertia: 2, joint: {kind: planar}, shapes: {end: {kind: point, at: [1, 0], surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {rod: [0, 0.3, 0]}, velocity: {rod: [0.7, -2, 0]}}
)");
  ASSERT_EQ(run.to(0.3), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].time, 0.15, 1e-12);
  EXPECT_NEAR(impacts[0].contacts[0].impulse.n, 1.5 * 2 * 1.5, 1e-10);
  EXPECT_NEAR(run.v(0), 0.7, 1e-14);
  EXPECT_NEAR(run.v(1), -2 + 4.5 / 6, 1e-10);
  EXPECT_NEAR(run.v(2), 4.5 / 2, 1e-10);
}

// A double-decker: a small ball on a large one, dropped together with a hair of gap, e = 1, m ≪ M: rises 9 times as
// high in the limit; for finite masses v = (3M − m)/(M + m) v₀.
TEST(Pairs, SmallBallOnALargeOne) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 1}}
bodies:
  large: {mass: 5, inertia: 0.02, joint: {kind: planar}, shapes: {a: {kind: sphere, radius: 0.1, surface: s}}}
  small: {mass: 0.1, inertia: 0.0001, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.04, surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {large: [0, 1.1, 0], small: [0, 1.24001, 0]}}
)");
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_EQ(impacts.size(), 2u);
  const double v0 = std::sqrt(2 * g);
  EXPECT_NEAR(impacts[1].velocity_after[4], (15 - 0.1) / 5.1 * v0, 1e-3);
  // Exactly: the large one rises, the small one falls, until they meet: the gap closes with 2 v₀ (both have fallen
  // alike).
  EXPECT_NEAR(impacts[1].time - impacts[0].time, 1e-5 / (2 * v0), 1e-10);
  EXPECT_NEAR(run.simulator.energy().dissipated, 0, 1e-9);
}

// A conveyor in space that runs across: a ball put down on it rolls with 2/7 of its speed, whatever the friction is.
TEST(Pairs, BallPutOnAConveyor) {
  Trial run(R"(
surfaces: {s: {friction: 0.15, restitution: 0}}
bodies: {b: {mass: 1, inertia: [0.016, 0.016, 0.016], joint: {kind: free},
    shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}}
world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [1.2, -0.9, 0]}}}}
state: {position: {b: {position: [0, 0, 0.2]}}}
)");
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  const auto sticks = run.all(EventKind::stick);
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0].time, 2 * 1.5 / (7 * 0.15 * g), 2e-7);
  EXPECT_NEAR(run.v(0), 1.2 * 2 / 7, 1e-8);
  EXPECT_NEAR(run.v(1), -0.9 * 2 / 7, 1e-8);
  // The belt does μ m g · 1.5 · t, of which friction takes what the ball does not keep.
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_NEAR(energy.supplied, 1.5 * 1.5 * 2 / 7, 1e-6);
  EXPECT_NEAR(energy.balance(), 0, 1e-9);
}

}  // namespace
