// Contacts that friction wedges one by way of the other, on the edge of a jam, or at once.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/simulation/moment.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Trial;

std::string free_body(const std::string& inertia, const std::string& shape, const std::string& floor,
                      const std::string& state) {
  return fmt::format(R"(
surfaces: {{s: {}}}
bodies: {{b: {{mass: 1, inertia: {}, joint: {{kind: free}}, shapes: {{o: {{{}, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {}
)",
                     floor, inertia, shape, state);
}

// The contact impulse of an egg that stands upright and slides acts at its lowest point: moment of momentum about that
// point stays, and the point halts.
TEST(Wedge, InfiniteFrictionHaltsSlipAtOnce) {
  Trial run(free_body("[0.02, 0.03, 0.04]", "kind: ellipsoid, size: [0.5, 0.4, 0.3]", "{friction: inf, restitution: 0}",
                      "{position: {b: {position: [0, 0, 0.15]}}, velocity: {b: [1, 0.2, 0, 1, 2, 3]}}"));
  ASSERT_EQ(run.to(1e-9), SimulationStatus::ready) << run.simulator.message();
  const std::vector<Event> jams = run.all(EventKind::tangential_impact);
  ASSERT_EQ(jams.size(), 1u);
  const double h = 0.15, turn_x = (0.02 * 1 - h * 0.2) / (0.02 + h * h), turn_y = (0.03 * 2 + h * 1) / (0.03 + h * h);
  const Eigen::VectorXd& v = jams[0].velocity_after;
  EXPECT_NEAR(v[3], turn_x, 1e-9);
  EXPECT_NEAR(v[4], turn_y, 1e-9);
  EXPECT_NEAR(v[5], 3, 1e-9);
  EXPECT_NEAR(v[0], turn_y * h, 1e-9);
  EXPECT_NEAR(v[1], -turn_x * h, 1e-9);
  EXPECT_NEAR(v[2], 0, 1e-9);
  const ContactVector& i = jams[0].contacts[0].impulse;
  EXPECT_NEAR(i.n, 0, 1e-9);
  EXPECT_NEAR(std::hypot(i.t1, i.t2), std::hypot(v[0] - 1, v[1] - 0.2), 1e-9);
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();  // it rolls
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
}

// μ = 2 is where the leading edge of this cube begins to jam. It trips over the edge: moment of momentum about it
// stays.
TEST(Wedge, OnTheEdgeOfTheJam) {
  for (const double e : {0.0, 0.3}) {
    Trial run(free_body("[0.01, 0.01, 0.01]", "kind: box, size: [0.2, 0.2, 0.2]",
                        fmt::format("{{friction: 2, restitution: {}}}", e),
                        "{position: {b: {position: [0, 0, 0.1]}}, velocity: {b: [1, 0, 0, 0, 0, 0]}}"));
    ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
    const std::vector<Event> jams = run.all(EventKind::tangential_impact);
    ASSERT_FALSE(jams.empty());
    EXPECT_EQ(jams[0].time, 0);
    const double turn = 0.1 / (0.01 + 0.02);
    EXPECT_NEAR(jams[0].velocity_after[4], turn, 1e-2 * turn) << e;
    EXPECT_LE(jams[0].energy.normal_work + jams[0].energy.tangential_work, 0);
  }
}

// A box that slides down a groove until its two corners wedge each other; neither jams alone.
TEST(Wedge, BoxInAGroove) {
  Trial run(R"(
surfaces: {s: {friction: 1, restitution: 0.2, law: poisson}}
bodies: {b: {mass: 0.5874818404329928, inertia: [0.0023403996009214527, 0.0025744395610135984, 0.002808479521105743],
    joint: {kind: free}, shapes: {o: {kind: box, size: [0.19959413902955325, 0.2, 0.15], surface: s}}}}
world:
  shapes:
    l: {kind: half_space, at: [-0.6, 0, 0], normal: [1, 0, 0.2]}
    r: {kind: half_space, at: [0.6, 0, 0], normal: [-1, 0, 0.1]}
    v: {kind: half_space, at: [0, 0.6, 0], normal: [0, -1, 0.1]}
state:
  position: {b: {position: [-0.017305737659760678, -0.17450090150968395, 1.1],
      rotation: {rpy: [0.7742289714693742, -0.5845848551995267, -2.4011876622444928]}}}
  velocity: {b: [0.2693884511943865, 0.5285710043806922, -1.8246109077251902, 2.1204976959514514, 1.7995430214730792,
      -3.9476598899294615]}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  bool together = false;
  for (const Event& each : run.all(EventKind::tangential_impact))
    together = together || (each.contacts.size() > 1 && each.rule == ImpactRule::together);
  EXPECT_TRUE(together);
  EXPECT_EQ(run.simulator.energy().gained, 0);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8);
}

// From ice to a rough floor: friction begins as the first corner reaches it, and stops the box in the end.
TEST(Wedge, OverTheBorderOfTwoFloors) {
  Trial run(R"(
dimension: planar
surfaces: {ice: {friction: 0, restitution: 0}, mat: {friction: 0.5, restitution: 0}}
bodies: {b: {mass: 1, inertia: 0.02, joint: {kind: planar}, shapes: {o: {kind: box, size: [0.4, 0.2]}}}}
world:
  shapes:
    ice: {kind: strip, at: [-2, 0], width: 4, surface: ice}
    mat: {kind: strip, at: [2, 0], width: 4, surface: mat}
state: {position: {b: [-1, 0.1, 0]}, velocity: {b: [2.5, 0, 0]}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.first(EventKind::slip), 0.8 / 2.5, 1e-9);
  EXPECT_NEAR(run.v(0), 0, 1e-12);
  EXPECT_NEAR(run.simulator.energy().dissipated, 0.5 * 2.5 * 2.5, 1e-9);
}

// Between planes it cannot slip on, a ball is held by forces that change from step to step by orders of magnitude:
// steps that would open its contacts are made shorter.
TEST(Wedge, NoDriftInAFunnelOfInfiniteFriction) {
  Trial run(R"(
surfaces: {s: {friction: inf, restitution: 0.6}}
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], joint: {kind: free},
    shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}}
world:
  shapes:
    p0: {kind: half_space, normal: [0.5618216129209471, 0.056370187302942146, 0.8253356149096783]}
    p1: {kind: half_space, normal: [-0.32972882068090836, 0.45836669553321674, 0.8253356149096783]}
    p2: {kind: half_space, normal: [-0.23209279224003904, -0.5147368828361587, 0.8253356149096783]}
state: {position: {ball: {position: [0.1, 0.05, 0.6]}}, velocity: {ball: [0, 0.5, 0, 3, 5, -20]}}
)");
  ASSERT_EQ(run.to(1.9), SimulationStatus::ready) << run.simulator.message();
  EXPECT_LT(run.simulator.statistics().largest_gap, 1e-9);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-7);
}

// Where no forces obey Coulomb's law, a moment of load makes the velocities jump, and never by a gain of energy; where
// they do not jump, there are forces.
TEST(Wedge, AMomentOfLoadJamsWhereForcesDoNot) {
  testing_support::Random random(17);
  int none = 0, unanswered = 0;
  for (int k = 0; k < 3000; ++k) {
    ModesProblem problem;
    const int contacts = 1 + k % 3;
    const Eigen::MatrixXd half =
        Eigen::MatrixXd::NullaryExpr(2 * contacts + 1, 2 * contacts, [&](auto, auto) { return random.uniform(-1, 1); });
    problem.inertia = half.transpose() * half;
    problem.free_acceleration.resize(2 * contacts);
    problem.velocity.setZero(2 * contacts);
    for (int c = 0; c < contacts; ++c) {
      problem.free_acceleration[2 * c] = random.uniform(-1, 0.3);
      problem.free_acceleration[2 * c + 1] = random.uniform(-1, 1);
      if (random.chance(0.5)) problem.velocity[2 * c + 1] = random.uniform(-1, 1);
      const double mu = random.uniform(0, 2);
      problem.friction.push_back({mu, mu});
    }
    const Moment moment = press_for_a_moment(problem);
    if (!moment.answered) {
      ++unanswered;
      continue;
    }
    EXPECT_TRUE(moment.result.energy.consistent) << k;
    if (!examine_modes(problem).solutions.empty()) continue;
    ++none;
    EXPECT_TRUE(moment.jams) << k;
  }
  EXPECT_GT(none, 50);
  EXPECT_LT(unanswered, 30);
}

}  // namespace
