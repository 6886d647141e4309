// Runs whose answers are known in closed form: bouncing, rolling, stick-slip, rocking, walking.
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

TEST(ClosedForms, SpinningBallBouncesInSpace) {
  Trial run(R"(
surfaces: {s: {friction: 0.3, restitution: 0.8}}
bodies:
  ball: {mass: 2, inertia: [0.01, 0.01, 0.01], joint: {kind: free}, shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}
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
  ball: {mass: 1, inertia: [0.016, 0.016, 0.016], joint: {kind: free}, shapes: {b: {kind: sphere, radius: 0.2, surface: s}}}
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

// Mass 1 on a belt, held by a spring. Sticks from x_k − a to x_k + a, a = (μ_s − μ_k) g/k, in 2a/v; slips back in
// 2/ω (π − arctan(a ω/v)).
TEST(ClosedForms, StickSlipOnABelt) {
  const double k = 40, v = 0.3, us = 0.5, uk = 0.3, w = std::sqrt(k), a = (us - uk) * g / k;
  for (const bool box : {false, true}) {
    const std::string body = box ? "bodies: {slide: {mass: 1, inertia: 0.05, joint: {kind: planar, dofs: {x: {spring: "
                                   "{stiffness: 40}}}}, shapes: {tip: {kind: box, size: [0.8, 0.2], surface: s}}}}\n"
                                   "state: {position: {slide: [0, 0.1, 0]}, velocity: {slide: [0.3, 0, 0]}}\n"
                                 : testing_support::particle(", spring: {stiffness: 40}") +
                                       "state: {velocity: {slide: 0.3}}\n";
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
TEST(ClosedForms, RimlessWheelWalksItsLimitCycle) {
  std::string spokes;
  for (int k = 0; k < 8; ++k)
    spokes += fmt::format("      s{}: {{kind: point, at: [{:.17g}, {:.17g}], surface: s}}\n", k,
                          std::cos(-pi / 2 + k * pi / 4), std::sin(-pi / 2 + k * pi / 4));
  Trial run(fmt::format("dimension: planar\nsurfaces: {{s: {{friction: 2, restitution: 0}}}}\nbodies:\n  wheel:\n"
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
TEST(ClosedForms, RockingBlock) {
  const double b = 0.25, h = 1, alpha = std::atan2(b, h), R = std::hypot(b, h), start = 0.6 * alpha;
  // Box of mass 12 (width 2b, height 2h) on its right lower corner, tilted clockwise by `start`, at rest.
  const double inertia = 12 * (R * R) / 3;
  const double lean = alpha - start;  // of the line from the pivot to the centre, to the left of the vertical
  Trial run(fmt::format("dimension: planar\nsurfaces: {{s: {{friction: 1.5, restitution: 0}}}}\n"
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
TEST(ClosedForms, FlatBlockDoesNotRock) {
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
TEST(ClosedForms, ImpactOscillator) {
  const double e = 0.8, w = 10, amplitude = 0.5;
  const std::string wall = "surfaces: {s: {friction: 0.4, restitution: 0.8}}\n"
                           "world: {shapes: {wall: {kind: half_space, normal: [1, 0], surface: s}}}\n";
  const std::string limit = "";
  for (const bool joint : {false, true}) {
    Trial run(std::string("dimension: planar\ngravity: [0, 0]\n") + (joint ? limit : wall) +
            "bodies: {m: {mass: 2, inertia: 0, joint: {kind: prismatic, axis: [1, 0], spring: {stiffness: 200}" +
            (joint ? ", limits: {lower: 0, restitution: 0.8}}}}\n" : "}, shapes: {tip: {kind: point}}}}\n") +
            "state: {position: {m: 0.5}}\n");
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
TEST(ClosedForms, ImpactOscillatorWithStopBeyondRest) {
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
