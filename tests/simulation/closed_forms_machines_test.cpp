// Machines whose motion is known in closed form: stick-slip, walking, rocking, oscillators with stops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulation/trial.h"

namespace {

using namespace routh;
using std::numbers::pi;
using testing_support::Trial;

constexpr double g = 9.81;

// Mass 1 on a belt, held by a spring. Sticks from x_k − a to x_k + a, a = (μ_s − μ_k) g/k, in 2a/v; slips back in
// 2/ω (π − arctan(a ω/v)).
TEST(ClosedFormMachines, StickSlipOnABelt) {
  const double k = 40, v = 0.3, us = 0.5, uk = 0.3, w = std::sqrt(k), a = (us - uk) * g / k;
  for (const bool box : {false, true}) {
    const std::string body =
        box ? "bodies: {slide: {mass: 1, inertia: 0.05, joint: {kind: planar, dofs: {x: {spring: "
              "{stiffness: 40}}}}, shapes: {tip: {kind: box, size: [0.8, 0.2], surface: s}}}}\n"
              "state: {position: {slide: [0, 0.1, 0]}, velocity: {slide: [0.3, 0, 0]}}\n"
            : testing_support::particle(", spring: {stiffness: 40}") + "state: {velocity: {slide: 0.3}}\n";
    Trial run("dimension: planar\nsurfaces: {s: {friction: {static: 0.5, kinetic: 0.3}, restitution: 0}}\n" + body +
              "world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [0.3, 0]}}}}\n");
    ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
    const double slip = 2 / w * (pi - std::atan(a * w / v)), period = 2 * a / v + slip;
    const double begin = us * g / k / v;
    std::vector<double> slips, sticks;
    for (const Event& each : run.simulator.events()) {
      std::vector<double>* const list = each.kind == EventKind::slip    ? &slips
                                        : each.kind == EventKind::stick ? &sticks
                                                                        : nullptr;
      if (list && each.time > 0.01 && (list->empty() || each.time > list->back() + 1e-6)) list->push_back(each.time);
    }
    ASSERT_GE(slips.size(), 5u) << box;
    ASSERT_GE(sticks.size(), 5u) << box;
    for (int n = 0; n < 5; ++n) {
      EXPECT_NEAR(slips[n], begin + n * period, 1e-8) << box << " period " << n;
      EXPECT_NEAR(sticks[n], begin + slip + n * period, 1e-8) << box << " period " << n;
    }
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8) << box;
  }
}

// Rimless wheel, eight spokes of 1 m, hub inertia 1/4 m l², down a slope of 0.08 rad. Angular momentum about the new
// foot: ω⁺/ω⁻ = (cos 2α + 1/4)/(1 + 1/4); energy over a step gives the limit cycle.
TEST(ClosedFormMachines, RimlessWheelWalksItsLimitCycle) {
  std::string spokes;
  for (int k = 0; k < 8; ++k)
    spokes += fmt::format("      s{}: {{kind: point, at: [{:.17g}, {:.17g}], surface: s}}\n", k,
                          std::cos(-pi / 2 + k * pi / 4), std::sin(-pi / 2 + k * pi / 4));
  Trial run(
      fmt::format("dimension: planar\nsurfaces: {{s: {{friction: 2, restitution: 0}}}}\nbodies:\n  wheel:\n"
                  "    mass: 1.5\n    inertia: 0.375\n    joint: {{kind: planar}}\n    shapes:\n{}"
                  "world: {{shapes: {{slope: {{kind: half_space, at: {{rotation: -0.08}}, surface: s}}}}}}\n"
                  "state: {{position: {{wheel: [{:.17g}, {:.17g}, -0.08]}}, velocity: {{wheel: [{:.17g}, {:.17g}, "
                  "-1]}}}}\n",
                  spokes, std::sin(0.08), std::cos(0.08), std::cos(0.08), -std::sin(0.08)));
  ASSERT_EQ(run.to(40), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_GE(impacts.size(), 45u);
  const double ratio = (std::cos(pi / 4) + 0.25) / 1.25;
  for (const Event& each : impacts) EXPECT_NEAR(each.velocity_after[2] / each.velocity_before[2], ratio, 1e-8);
  const Event& last = impacts.back();
  EXPECT_NEAR(-last.velocity_after[2], 1.166370980, 1e-8);
  EXPECT_NEAR(last.time - impacts[impacts.size() - 2].time, 0.813872197, 1e-8);
}

// Housner's block: θ'' = −p² sin(α − θ), p² = 3g/(4R); over an impact ω⁺/ω⁻ = 1 − 3/2 sin²α.
TEST(ClosedFormMachines, RockingBlock) {
  const double b = 0.25, h = 1, alpha = std::atan2(b, h), R = std::hypot(b, h), start = 0.6 * alpha;
  // Box of mass 12 (width 2b, height 2h) on its right lower corner, tilted clockwise by `start`, at rest.
  const double inertia = 12 * (R * R) / 3;
  const double lean = alpha - start;  // of the line from the pivot to the centre, to the left of the vertical
  Trial run(
      fmt::format("dimension: planar\nsurfaces: {{s: {{friction: 1.5, restitution: 0}}}}\n"
                  "bodies: {{block: {{mass: 12, inertia: {:.17g}, joint: {{kind: planar}}, "
                  "shapes: {{b: {{kind: box, size: [0.5, 2], surface: s}}}}}}}}\n"
                  "world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}\n"
                  "state: {{position: {{block: [{:.17g}, {:.17g}, {:.17g}]}}}}\n",
                  inertia, -R * std::sin(lean), R * std::cos(lean), -start));
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::impact);
  ASSERT_GE(impacts.size(), 3u);
  // Quarter period by classical Runge-Kutta; the steps are halved where they would pass through θ = 0.
  const double p2 = 3 * g / (4 * R);
  const auto f = [&](double x) { return -p2 * std::sin(alpha - x); };
  double quarter = 0, angle = start, rate = 0;
  for (double dt = 1e-3; dt > 1e-13;) {
    const double k1 = f(angle), k2 = f(angle + dt / 2 * rate), k3 = f(angle + dt / 2 * rate + dt * dt / 4 * k1),
                 k4 = f(angle + dt * rate + dt * dt / 2 * k2);
    const double next = angle + dt * rate + dt * dt / 6 * (k1 + k2 + k3);
    if (next < 0) {
      dt /= 2;
      continue;
    }
    rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    angle = next;
    quarter += dt;
  }
  EXPECT_NEAR(impacts[0].time, quarter, 1e-9);
  const double before = std::sqrt(2 * p2 * (std::cos(alpha - start) - std::cos(alpha)));
  EXPECT_NEAR(std::abs(impacts[0].velocity_before[2]), before, 1e-9);
  const double ratio = 1 - 1.5 * std::pow(std::sin(alpha), 2);
  EXPECT_NEAR(impacts[0].velocity_after[2] / impacts[0].velocity_before[2], ratio, 1e-9);
  EXPECT_NEAR(impacts[1].velocity_after[2] / impacts[1].velocity_before[2], ratio, 1e-9);
  // Over half a period the energy is kept: it comes down as fast as it went up.
  EXPECT_NEAR(impacts[1].velocity_before[2], -impacts[0].velocity_after[2], 1e-8);
}

// A block broader than √2 times its height stops flat: both corners hold it.
TEST(ClosedFormMachines, FlatBlockDoesNotRock) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 1.5, restitution: 0}}
bodies: {block: {mass: 3, inertia: 1.0625, joint: {kind: planar}, shapes: {b: {kind: box, size: [2, 0.5], surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {block: [-0.9701997918, 0.3969204235, -0.15]}}
)");
  // Height of the centre over the pivot: R sin(φ), φ = atan(1/4) + 0.15.
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(1), 0.25, 1e-8);
  EXPECT_NEAR(run.q(2), 0, 1e-8);
  EXPECT_NEAR(run.simulator.state().v.norm(), 0, 1e-9);
  EXPECT_EQ(run.simulator.active().size(), 2u);
}

// A mass on a spring against a stop at its position of rest: bounces at T/4 + k T/2 with speeds A ω eᵏ.
TEST(ClosedFormMachines, ImpactOscillator) {
  const double e = 0.8, w = 10, amplitude = 0.5;
  const std::string wall =
      "surfaces: {s: {friction: 0.4, restitution: 0.8}}\n"
      "world: {shapes: {wall: {kind: half_space, normal: [1, 0], surface: s}}}\n";
  const std::string limit = "";
  SimulationOptions options;
  options.tolerance = 1e-11;  // relative to L/T, ten times as fast as the last of these impacts
  for (const bool joint : {false, true}) {
    Trial run(std::string("dimension: planar\ngravity: [0, 0]\n") + (joint ? limit : wall) +
                  "bodies: {m: {mass: 2, inertia: 0, joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 200}" +
                  (joint ? ", limits: {lower: 0, restitution: 0.8}}}}\n" : "}, shapes: {tip: {kind: point}}}}\n") +
                  "state: {position: {m: 0.5}}\n",
              options);
    ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
    const auto impacts = run.all(joint ? EventKind::limit : EventKind::impact);
    ASSERT_GE(impacts.size(), 15u) << joint;
    for (int k = 0; k < 15; ++k) {
      EXPECT_NEAR(impacts[k].time, pi / w * (0.5 + k), 1e-10) << joint << k;
      EXPECT_NEAR(impacts[k].velocity_after[0], amplitude * w * std::pow(e, k + 1), 1e-9) << joint << k;
    }
  }
}

// The stop stands in the way at x = −d: the mass comes to it from the amplitude A at arccos(−d/A)/ω.
TEST(ClosedFormMachines, ImpactOscillatorWithStopBeyondRest) {
  const double e = 0.5, w = 10, d = 0.2;
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {m: {mass: 2, inertia: 0, joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 200},
         limits: {lower: -0.2, restitution: 0.5}}}}
state: {position: {m: 0.5}}
)");
  ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
  const auto impacts = run.all(EventKind::limit);
  double A = 0.5, time = 0;
  std::size_t k = 0;
  while (A > d) {
    time += std::acos(-d / A) / w;
    ASSERT_LT(k, impacts.size());
    EXPECT_NEAR(impacts[k].time, time, 1e-9) << k;
    const double speed = e * w * std::sqrt(A * A - d * d);
    EXPECT_NEAR(impacts[k].velocity_after[0], speed, 1e-9) << k;
    A = std::hypot(d, speed / w);
    time += std::acos(-d / A) / w;  // from the stop to the far end
    if (++k == 8) break;
  }
}

}  // namespace
