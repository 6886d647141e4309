// Slip in space: on moving faces, through halts, across the borders of tangent frames; and samples of what is stiff.
#include <gtest/gtest.h>

#include <cmath>

#include "trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

SimulationOptions tolerated(double tolerance) {
  SimulationOptions options;
  options.tolerance = tolerance;
  return options;
}

// A box slides to rest on another, which stands: v² / 2 μ g.
TEST(Sliding, BoxOnABox) {
  for (const double tolerance : {1e-4, 1e-8, 1e-10})
    for (const double angle : {0.0, 0.7, 1.5707963267948966}) {
      Trial trial(fmt::format(R"(
surfaces: {{g: {{friction: {{static: 0.4, kinetic: 0.3}}, restitution: 0.3}}}}
world: {{shapes: {{f: {{kind: half_space, surface: g}}}}}}
bodies:
  lower: {{mass: 2, inertia: [0.075, 0.075, 0.075], joint: {{kind: free}}, shapes: {{l: {{kind: box, size: [0.6, 0.6, 0.3], surface: g}}}}}}
  upper: {{mass: 2, inertia: [0.017, 0.017, 0.017], joint: {{kind: free}}, shapes: {{u: {{kind: box, size: [0.25, 0.25, 0.2], surface: g}}}}}}
state: {{position: {{lower: [0, 0, 0.15, 1, 0, 0, 0], upper: [0.02, 0, 0.4, 1, 0, 0, 0]}},
  velocity: {{upper: [{:.17g}, {:.17g}, 0, 0, 0, 0]}}}}
)",
                              0.5 * std::cos(angle), 0.5 * std::sin(angle)),
                  tolerated(tolerance));
      ASSERT_EQ(trial.to(1), SimulationStatus::ready);
      const double way = 0.25 / (2 * 0.3 * 9.81), near = std::max(1e-12, tolerance);
      EXPECT_NEAR(trial.q(7), 0.02 + way * std::cos(angle), near) << tolerance << ", " << angle;
      EXPECT_NEAR(trial.q(8), way * std::sin(angle), near);
      EXPECT_NEAR(trial.q(0), 0, near);
      EXPECT_NEAR(trial.v(6), 0, 1e-20);
    }
}

// Every half swing loses 2 μ_k m g / k; where the spring no longer overcomes static friction, it stays.
TEST(Sliding, OscillatorSticksWhereItMust) {
  const double step = 2 * 0.1 * 2 * 9.81 / 50;
  for (const double start : {0.9, 0.5, 0.1178, 1.37}) {
    double rest = start;
    int swings = 0;
    for (; std::abs(rest) * 50 > 0.3 * 2 * 9.81; ++swings) rest = -std::copysign(std::abs(rest) - step, rest);
    for (const char axis : {'x', 'y'})
      for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
        Trial trial(fmt::format(R"(
surfaces: {{g: {{friction: {{static: 0.3, kinetic: 0.1}}, restitution: 0}}}}
world: {{shapes: {{f: {{kind: half_space, surface: g}}}}}}
bodies: {{b: {{mass: 2, inertia: [0.1, 0.1, 0.1], joint: {{kind: free, dofs: {{{}: {{spring: {{stiffness: 50}}}}}}}},
  shapes: {{s: {{kind: point, surface: g}}}}}}}}
state: {{position: {{b: [{:.17g}, {:.17g}, 0, 1, 0, 0, 0]}}}}
)",
                                axis, axis == 'x' ? start : 0, axis == 'y' ? start : 0),
                    tolerated(tolerance));
        ASSERT_EQ(trial.to(12), SimulationStatus::ready);
        EXPECT_NEAR(trial.q(axis == 'x' ? 0 : 1), rest, std::max(1e-8, 30 * tolerance)) << start << axis << tolerance;
        if (swings > 0) {
          EXPECT_NEAR(trial.first(EventKind::stick), swings * 3.14159265358979 / 5, std::max(1e-7, 30 * tolerance));
        }
      }
  }
}

// Down a great circle of a ball, with friction: the tangents of the contact jump on one of the ways and not on the
// other.
TEST(Sliding, AcrossTheBorderOfTangentFrames) {
  const auto run = [](double angle, double tolerance) {
    const double c = std::cos(angle), s = std::sin(angle);
    Trial trial(fmt::format(R"(
surfaces: {{g: {{friction: 0.2, restitution: 0}}}}
gravity: [{:.17g}, {:.17g}, 0]
world: {{shapes: {{ball: {{kind: sphere, radius: 1, surface: g}}}}}}
bodies: {{b: {{mass: 1, inertia: [0.1, 0.1, 0.1], joint: {{kind: free}}, shapes: {{s: {{kind: point, surface: g}}}}}}}}
state: {{position: {{b: [{:.17g}, {:.17g}, 0, 1, 0, 0, 0]}}, velocity: {{b: [0, 0, 1.6, 0, 0, 0]}}}}
)",
                            -9.81 * c, -9.81 * s, c, s),
                tolerated(tolerance));
    EXPECT_EQ(trial.to(0.6), SimulationStatus::ready);
    const double x = trial.q(0), y = trial.q(1);
    return Eigen::Vector3d(c * x + s * y, -s * x + c * y, trial.q(2));  // turned back
  };
  for (const double tolerance : {1e-6, 1e-10}) {
    const Eigen::Vector3d across = run(0, tolerance), beside = run(1.2, tolerance),
                          far = run(1.5707963267948966, tolerance);
    EXPECT_LT(across[0], 0.8);  // it went over the border
    EXPECT_LT((across - beside).norm(), 100 * tolerance);
    EXPECT_LT((across - far).norm(), 100 * tolerance);
  }
}

// Samples on both sides of a change of the method, against a run that stops there.
TEST(Sliding, SamplesWhereTheMethodChanges) {
  const std::string text = R"(
dimension: planar
bodies:
  s: {mass: 1, inertia: 1, joint: {kind: prismatic, axis: [1, 0], drive: {damping: 1e4, limit: 10,
    velocity: {table: [[0, 0], [1, 1], [1.5, 20], [5, 20]]}}}}
  p: {mass: 1, inertia: 0.1, com: [0, -1], joint: {kind: revolute, at: [0, 5]}}
state: {position: {p: 1}}
)";
  Trial trial(text), other(text);
  std::vector<Sample> samples;
  trial.simulator.on_sample(0.01, 0, [&](const Sample& sample) { samples.push_back(sample); });
  ASSERT_EQ(trial.to(4), SimulationStatus::ready);
  EXPECT_GT(trial.simulator.statistics().implicit_steps, 0);
  EXPECT_LT(trial.simulator.statistics().implicit_steps, trial.simulator.statistics().steps);
  ASSERT_GE(samples.size(), 400u);
  for (const Sample& sample : samples) {
    other.to(sample.state.time);
    ASSERT_NEAR(sample.state.q[0], other.q(0), 1e-7) << sample.state.time;
    ASSERT_NEAR(sample.state.q[1], other.q(1), 1e-7) << sample.state.time;
  }
  EXPECT_EQ(other.simulator.state().q, trial.simulator.state().q);
}

}  // namespace
