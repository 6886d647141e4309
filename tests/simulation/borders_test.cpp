// Contacts that pass borders: from face to edge, from rim to rim, beside one another.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double g = 9.81, R = 0.07, start = -0.1;

// A round body that does not turn slides off the border of a table at x = 0, from `start`.
std::string slider(const std::string& shape, const std::string& table, double friction, double speed) {
  return fmt::format(R"(
surfaces: {{s: {{friction: {}, restitution: 0}}}}
world: {{shapes: {{table: {{{}, surface: s}}}}}}
bodies: {{b: {{mass: 1, inertia: [1e6, 1e6, 1e6], joint: {{kind: free}}, shapes: {{e: {{{}, surface: s}}}}}}}}
state: {{position: {{b: {{position: [{}, 0, {}], rotation: {{axis: [1, 0, 0], angle: 90 deg}}}}}}, velocity: {{b: [{}, 0, 0, 0, 0, 0]}}}}
)",
                     friction, table, shape, start, R, speed);
}

// Its centre goes round the border at the distance R until N = m (g cos θ − R θ'²) is zero: R θ'' = g sin θ − μ N/m.
struct Exact {
  double time = 0, vx = 0, vz = 0;  // at the border's end
};
Exact off_the_border(double friction, double speed) {
  const double at_border = std::sqrt(speed * speed - 2 * friction * g * -start);
  double t = friction > 0 ? (speed - at_border) / (friction * g) : -start / speed, angle = 0, rate = at_border / R;
  const auto force = [&](double theta, double omega) { return g * std::cos(theta) - R * omega * omega; };
  const auto acceleration = [&](double theta, double omega) {
    return (g * std::sin(theta) - friction * force(theta, omega)) / R;
  };
  const double h = 1e-6;
  while (force(angle, rate) > 0) {
    const double middle = rate + 0.5 * h * acceleration(angle, rate), there = angle + 0.5 * h * rate;
    angle += h * middle;
    rate += h * acceleration(there, middle);
    t += h;
  }
  return {t, R * rate * std::cos(angle), -R * rate * std::sin(angle)};
}

class RoundBorder : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RoundBorder, IsLeftWhenTheForceIsGone) {
  const auto [shape, table] = GetParam();
  for (const double friction : {0.0, 0.5}) {
    const double speed = friction > 0 ? 1.2 : 0.5;
    Trial run(slider(shape, table, friction, speed));
    const Exact exact = off_the_border(friction, speed);
    ASSERT_EQ(run.to(exact.time), SimulationStatus::ready) << run.simulator.message();
    EXPECT_NEAR(run.v(0), exact.vx, 1e-5);
    EXPECT_NEAR(run.v(2), exact.vz, 2e-5);
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-7);
    ASSERT_EQ(run.to(exact.time + 0.001), SimulationStatus::ready);
    EXPECT_TRUE(run.simulator.active().empty());
  }
}

constexpr const char* box = "kind: box, size: [2, 2, 0.2], at: [-1, 0, -0.1]";
constexpr const char* mesh =
    "kind: mesh, vertices: [[-2, -1, -0.2], [0, -1, -0.2], [-2, 1, -0.2], [0, 1, -0.2], [-2, -1, 0], [0, -1, 0], [-2, "
    "1, 0], [0, 1, 0]]";
constexpr const char* plate = "kind: cylinder, radius: 1, length: 0.2, at: [-1, 0, -0.1]";
constexpr const char* stripe = "kind: strip, width: 2, depth: 2, at: [-1, 0, 0]";
constexpr const char* ball = "kind: sphere, radius: 0.07";
constexpr const char* roller = "kind: cylinder, radius: 0.07, length: 0.3";
constexpr const char* pill = "kind: capsule, radius: 0.07, length: 0.3";
constexpr const char* egg = "kind: ellipsoid, size: [0.14, 0.14, 0.14]";

INSTANTIATE_TEST_SUITE_P(Borders, RoundBorder,
                         testing::Values(std::pair{ball, box}, std::pair{ball, mesh}, std::pair{ball, plate},
                                         std::pair{roller, box}, std::pair{roller, mesh}, std::pair{pill, box},
                                         std::pair{pill, mesh}, std::pair{egg, box}, std::pair{egg, mesh},
                                         std::pair{egg, plate}, std::pair{ball, stripe}, std::pair{roller, stripe},
                                         std::pair{pill, stripe}, std::pair{egg, stripe}));

// On whatever is flat below, a cylinder does the same.
TEST(Borders, FarFromThemDoNotMatter) {
  const auto run_on = [](const std::string& table) {
    Trial run(fmt::format(R"(
surfaces: {{s: {{friction: 0.2, restitution: 0.3}}}}
world: {{shapes: {{table: {{{}, surface: s}}}}}}
bodies: {{b: {{mass: 1, inertia: [0.002, 0.0025, 0.003], joint: {{kind: free}}, shapes: {{c: {{kind: cylinder, radius: 0.07, length: 0.12, surface: s}}}}}}}}
state: {{position: {{b: {{position: [0.03, 0.02, 0.14], rotation: {{axis: [1, 0.3, 0.2], angle: 0.15}}}}}}, velocity: {{b: [0.9, 0.33, -0.3, 0.4, 0.6, 1]}}}}
)",
                          table));
    EXPECT_EQ(run.to(0.4), SimulationStatus::ready) << run.simulator.message();
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
    return run.simulator.state();
  };
  const State half_space = run_on("kind: half_space");
  for (const char* table :
       {"kind: box, size: [4, 4, 0.2], at: [0, 0, -0.1]", "kind: cylinder, radius: 2, length: 0.2, at: [0, 0, -0.1]",
        "kind: mesh, vertices: [[-2, -2, -1], [2, -2, -1], [-2, 2, -1], [2, 2, -1], [-2, -2, 0], [2, -2, 0], [-2, 2, "
        "0], [2, 2, 0]]"}) {
    const State other = run_on(table);
    EXPECT_LT((other.q - half_space.q).norm(), 1e-7) << table;
    EXPECT_LT((other.v - half_space.v).norm(), 1e-5) << table;
  }
}

// A can that slides over the border of a table tips on two points of its rim: nothing is gained, and of a box and of
// the same box as a mesh the runs are the same.
TEST(Borders, HoldACapThatLiesAcross) {
  std::vector<State> ends;
  for (const char* table : {"kind: box, size: [0.5, 0.6, 0.2], at: [0, 0, -0.1]",
                            "kind: mesh, vertices: [[-0.25, -0.3, -0.2], [0.25, -0.3, -0.2], [-0.25, 0.3, -0.2], "
                            "[0.25, 0.3, -0.2], [-0.25, -0.3, 0], [0.25, -0.3, 0], [-0.25, 0.3, 0], [0.25, 0.3, 0]]"}) {
    Trial run(fmt::format(R"(
surfaces: {{s: {{friction: 0.2, restitution: 0}}}}
world: {{shapes: {{table: {{{}, surface: s}}}}}}
bodies: {{b: {{mass: 1, inertia: [0.002, 0.0025, 0.003], joint: {{kind: free}}, shapes: {{c: {{kind: cylinder, radius: 0.07, length: 0.12, surface: s}}}}}}}}
state: {{position: {{b: {{position: [0.03, 0.02, 0.14], rotation: {{axis: [1, 0.3, 0.2], angle: 0.15}}}}}}, velocity: {{b: [0.9, 0.33, -0.3, 0.4, 0.6, 1]}}}}
)",
                          table));
    ASSERT_EQ(run.to(0.34), SimulationStatus::ready) << run.simulator.message();
    ends.push_back(run.simulator.state());
    // Fifty impacts of several contacts later every digit counts.
    ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8);
    EXPECT_EQ(run.simulator.energy().gained, 0);
  }
  EXPECT_LT((ends[0].q - ends[1].q).norm(), 1e-7);
}

// Two boxes flush beside each other, one of them a hundredth of the other's mass: their contacts come and go with
// rounding, and a step to the time asked for may not be possible to repeat.
TEST(Borders, OfFlushBoxesLeaveTheTimeAskedForAsItIs) {
  Trial run(R"(
dimension: planar
gravity: [0.01, -9.81]
surfaces: {s: {friction: 0, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
  a: {mass: 0.01, inertia: 1e-4, joint: {kind: planar}, shapes: {sa: {kind: box, size: [0.2, 0.2], surface: s}}}
  b: {mass: 100, inertia: 1, joint: {kind: planar}, shapes: {sb: {kind: box, size: [0.2, 0.2], surface: s}}}
state: {position: {a: [0, 0.1, 0], b: [0.2, 0.1, 0]}, velocity: {a: [0.1, 0, 0], b: [0.1, 0, 0]}}
)");
  for (int k = 1; k <= 150; ++k) {
    const double t = 0.043 * k;
    ASSERT_EQ(run.to(t), SimulationStatus::ready) << run.simulator.message();
    ASSERT_NEAR(run.q(0), 0.1 * t + 0.005 * t * t, 1e-9) << t;
  }
  EXPECT_LT(run.simulator.statistics().steps, 400);
  EXPECT_TRUE(run.simulator.events().empty());
}

}  // namespace
