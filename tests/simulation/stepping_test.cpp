// The engine of fixed steps against closed forms, the event engine, and what must hold whatever happens in a step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::ball;
using testing_support::example;
using testing_support::Trial;

constexpr double fall = 9.81;  // [m/s²], the default of scenes

SimulationOptions steps(double h = 1e-3) {
  SimulationOptions options;
  options.engine = EngineKind::stepping;
  options.step = h;
  return options;
}

double deepest(const Trial& run) { return run.simulator.statistics().largest_gap; }

TEST(Stepping, FlightIsAParabola) {
  Trial run(ball(0.1, 2, 0.5), steps(1e-2));
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready);
  EXPECT_NEAR(run.q(1), 2.1 - 0.5 * fall * 0.25, 1e-13);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-12);
}

// Halving the step divides the error of a tumbling flight by four; its energy drifts by less still.
TEST(Stepping, FlightIsOfOrderTwo) {
  const std::string top = R"(
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: [0.01, 0.02, 0.025], joint: {kind: free}}}
state: {velocity: {b: [0, 0, 0, 3, 5, 0.2]}}
)";
  Trial exact(top);
  ASSERT_EQ(exact.to(1), SimulationStatus::ready);
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Trial run(top, steps(1e-2 / (k + 1)));
    ASSERT_EQ(run.to(1), SimulationStatus::ready);
    errors[k] = (run.simulator.state().v - exact.simulator.state().v).norm();
  }
  EXPECT_LT(errors[0], 0.05);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.8);
}

// What spins fast keeps its energy, however many turns it takes: a slender body and a coin, 0.1 to 0.3 rad a step.
TEST(Stepping, SpinKeepsItsEnergy) {
  for (const char* const inertia : {"[1e-3, 1e-3, 2.5e-5]", "[1e-4, 1e-4, 1.9e-4]", "[1e-3, 7e-4, 4e-4]"})
    for (const double spin : {100.0, 300.0}) {
      SCOPED_TRACE(testing::Message() << inertia << " at " << spin << " rad/s");
      Trial run(fmt::format("gravity: [0, 0, 0]\nbodies: {{b: {{mass: 1, inertia: {}, joint: {{kind: free}}}}}}\n"
                            "state: {{velocity: {{b: [0.3, 0, 0, {}, 20, {}]}}}}\n",
                            inertia, 0.1 * spin, spin),
                steps());
      const double before = run.simulator.energy().total();
      ASSERT_EQ(run.to(5), SimulationStatus::ready);
      EXPECT_NEAR(run.simulator.energy().total(), before, 1e-5 * before);
    }
}

// A whip of forty links, let go level in the plane, cracks and winds itself up: K + V stays, whatever a step does to
// angles.
TEST(Stepping, AWhipKeepsItsEnergy) {
  std::string text = "dimension: planar\nbodies:\n";
  for (int k = 0; k < 40; ++k)
    text += fmt::format("  c{}: {{mass: 0.05, com: [0.02, 0], inertia: 6.67e-6, joint: {{kind: revolute{}}}}}\n", k,
                        k == 0 ? "" : fmt::format(", parent: c{}, at: [0.04, 0]", k - 1));
  Trial run(text, steps());
  double kinetic = 0;
  for (int k = 1; k <= 60; ++k) {
    ASSERT_EQ(run.to(0.05 * k), SimulationStatus::ready);
    kinetic = std::max(kinetic, run.simulator.energy().kinetic);
  }
  EXPECT_GT(kinetic, 10);
  EXPECT_NEAR(run.simulator.energy().total(), 0, 0.05 * kinetic);
}

// A snake of forty limp links falls, tilted, and folds onto the floor. Nothing drives it: what K + V rises by, step by
// step, is the error of steps.
TEST(Stepping, ALimpChainThatLandsDoesNotGain) {
  std::string text =
      "surfaces: {s: {friction: 0.6, restitution: 0.2}}\n"
      "world: {shapes: {f: {kind: half_space, surface: s}}}\nbodies:\n";
  for (int k = 0; k < 40; ++k)
    text += fmt::format(
        "  c{0}: {{mass: 0.1, com: [0.03, 0, 0], inertia: [2e-5, 4e-5, 4e-5], joint: {{{1}}}, shapes: "
        "{{k{0}: {{kind: sphere, radius: 0.02, at: [0.03, 0, 0], surface: s}}}}}}\n",
        k,
        k == 0 ? std::string("kind: free")
               : fmt::format("kind: revolute, axis: [0, {}, {}], parent: c{}, at: [0.06, 0, 0], "
                             "limits: [-1.5, 1.5]",
                             k % 2, (k + 1) % 2, k - 1));
  text += "state: {position: {c0: {position: [0, 0, 0.5], rotation: {axis: [1, -0.9, 0], angle: 0.6}}}}\n";
  Trial run(text, steps());
  double last = run.simulator.energy().total(), risen = 0;
  const double first = last;
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(run.to(1e-3 * k), SimulationStatus::ready);
    const double now = run.simulator.energy().total();
    risen += std::max(0.0, now - last);
    last = now;
  }
  EXPECT_LT(last, 0.3 * first);
  EXPECT_LT(risen, 0.01 * first);
}

// A ball strikes at √(2H/g); each bounce lasts e times as long. Then it rests, at its radius.
TEST(Stepping, BallBouncesByItsRestitution) {
  const double height = 0.5, e = 0.6, first = std::sqrt(2 * height / fall);
  Trial run(ball(0.1, height, e), steps());
  ASSERT_EQ(run.to(3), SimulationStatus::ready);
  const std::vector<Event> strikes = run.all(EventKind::impact);
  ASSERT_GT(strikes.size(), 6u);
  double time = first, flight = 2 * e * first;
  for (int k = 0; k < 5; ++k, time += flight, flight *= e)
    EXPECT_NEAR(strikes[static_cast<std::size_t>(k)].time, time, 1e-9);
  EXPECT_NEAR(run.q(1), 0.1, 1e-6);
  EXPECT_LT(std::abs(run.v(1)), 1e-12);
  EXPECT_NEAR(run.simulator.energy().dissipated, fall * height, 1e-2);
}

// Slip that turns into rolling, at 2 v / (7 μ g): to the order of the step.
TEST(Stepping, SphereRollsWhenItMust) {
  const std::string scene = R"(
dimension: planar
surfaces: {s: {friction: 0.2, restitution: 0}}
bodies: {ball: {mass: 1, inertia: 0.004, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {ball: [0, 0.1, 0]}, velocity: {ball: [2, 0, 0]}}
)";
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Trial run(scene, steps(h));
    ASSERT_EQ(run.to(1), SimulationStatus::ready);
    EXPECT_NEAR(run.v(0), 2 * 5.0 / 7, 1e-9);
    EXPECT_NEAR(run.v(2), -2 * 5.0 / 7 / 0.1, 1e-8);
    const double roll = 4 / (7 * 0.2 * fall), exact = 2 * roll - 0.1 * fall * roll * roll + (1 - roll) * 10.0 / 7;
    EXPECT_NEAR(run.q(0), exact, 2 * h);
  }
}

std::string slope(double mu, double angle) {
  return fmt::format(R"(
surfaces: {{s: {{friction: {}, restitution: 0}}}}
world: {{shapes: {{floor: {{kind: half_space, normal: [{}, 0, {}], surface: s}}}}}}
bodies: {{box: {{mass: 3, inertia: [0.02, 0.03, 0.04], joint: {{kind: free}},
  shapes: {{b: {{kind: box, size: [0.4, 0.3, 0.2], surface: s}}}}}}}}
state: {{position: {{box: {{position: [{}, 0, {}], rotation: {{axis: [0, 1, 0], angle: {}}}}}}}}}
)",
                     mu, std::sin(angle), std::cos(angle), 0.1 * std::sin(angle), 0.1 * std::cos(angle), angle);
}

// Less than a micrometre in an hour.
TEST(Stepping, BoxOnASlopeDoesNotCreep) {
  Trial run(slope(0.5, 0.4), steps());
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(36), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-8);
  EXPECT_LT(deepest(run), 1e-6);
}

TEST(Stepping, BoxSlidesDownASteepSlope) {
  const double mu = 0.3, angle = 0.5;
  Trial run(slope(mu, angle), steps());
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  const double speed = std::hypot(run.v(0), run.v(2));
  EXPECT_NEAR(speed, fall * (std::sin(angle) - mu * std::cos(angle)), 1e-6);
}

std::string tower(int boxes, double ratio) {
  std::string text = R"(
surfaces: {s: {friction: 0.5, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
)",
              state = "state:\n  position:\n";
  double mass = 1;
  for (int k = 0; k < boxes; ++k, mass *= ratio) {
    text += fmt::format(
        "  b{}: {{mass: {:.17g}, inertia: [{:.17g}, {:.17g}, {:.17g}], joint: {{kind: free}}, shapes: "
        "{{s{}: {{kind: box, size: [0.2, 0.2, 0.2], surface: s}}}}}}\n",
        k, mass, mass / 150, mass / 150, mass / 150, k);
    state += fmt::format("    b{}: {{position: [{}, 0, {}]}}\n", k, 0.01 * (k % 2), 0.1 + 0.2 * k);
  }
  return text + state;
}

TEST(Stepping, TowerOfTenStays) {
  Trial run(tower(10, 1), steps());
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-6);
}

TEST(Stepping, HeavyOnLightStays) {
  Trial run(tower(3, 1000), steps());
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-5);
}

// A pellet of 1 cm at 100 m/s goes 0.1 m in a step; the wall is a millimetre thick.
TEST(Stepping, NothingPassesThroughAThinWall) {
  for (const double e : {0.0, 0.4})
    for (const double offset : {0.0, 0.0123, 0.0317, 0.0749}) {
      Trial run(fmt::format(R"(
gravity: [0, 0, 0]
surfaces: {{s: {{friction: 0.3, restitution: {}}}}}
world: {{shapes: {{wall: {{kind: box, size: [0.001, 1, 1], surface: s}}}}}}
bodies: {{pellet: {{mass: 0.01, inertia: [1e-6, 1e-6, 1e-6], joint: {{kind: free}},
  shapes: {{p: {{kind: sphere, radius: 0.005, surface: s}}}}}}}}
state: {{position: {{pellet: {{position: [{}, 0, 0]}}}}, velocity: {{pellet: [100, 3, 0, 0, 0, 0]}}}}
)",
                            e, -0.5 - offset),
                steps());
      ASSERT_EQ(run.to(0.05), SimulationStatus::ready);
      EXPECT_LT(run.q(0), -0.0055 + 1e-9);
      EXPECT_NEAR(run.v(0), -100 * e, 1e-6);
    }
}

// It passes the wall's edge at a distance: nothing stops it.
TEST(Stepping, WhatPassesBesideIsNotStopped) {
  Trial run(R"(
gravity: [0, 0, 0]
surfaces: {s: {friction: 0.3, restitution: 0}}
world: {shapes: {wall: {kind: box, size: [0.02, 0.2, 0.2], surface: s}}}
bodies: {pellet: {mass: 0.01, inertia: [1e-6, 1e-6, 1e-6], joint: {kind: free},
  shapes: {p: {kind: sphere, radius: 0.005, surface: s}}}}
state: {position: {pellet: {position: [-0.5, 0.11, 0]}}, velocity: {pellet: [60, 0, 0, 0, 0, 0]}}
)",
            steps());
  ASSERT_EQ(run.to(0.05), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 60, 1e-9);
  EXPECT_NEAR(run.q(0), 2.5, 1e-9);
}

// 10 kHz and overdamped: explicit forces would explode at a millisecond.
TEST(Stepping, StiffDriveHolds) {
  Trial run(R"(
dimension: planar
bodies: {arm: {mass: 1, inertia: 0.01, com: [0.5, 0], joint: {kind: revolute, drive: {stiffness: 1e7, damping: 1e5, position: 0.3}}}}
state: {position: {arm: 0}}
)",
            steps());
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_NEAR(run.q(0), 0.3 - fall * 0.5 * std::cos(0.3) / 1e7, 1e-9);
  EXPECT_LT(std::abs(run.v(0)), 1e-9);
}

TEST(Stepping, DriveGivesNoMoreThanItsLimit) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {arm: {mass: 1, inertia: 1, joint: {kind: revolute, drive: {stiffness: 1e6, damping: 1e3, position: 100, limit: 2}}}}
)",
            steps());
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 2, 1e-9);
}

TEST(Stepping, BeltCarriesItsLoad) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.4, restitution: 0}}
world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [1.5, 0]}}}}
bodies: {box: {mass: 2, inertia: 0.01, joint: {kind: planar}, shapes: {b: {kind: box, size: [0.3, 0.1], surface: s}}}}
state: {position: {box: [0, 0.05, 0]}}
)",
            steps());
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 1.5, 1e-9);
  // Half of what the belt does becomes motion, half heat.
  EXPECT_NEAR(run.simulator.energy().supplied, 2 * 1.5 * 1.5, 0.02);
  EXPECT_NEAR(run.simulator.energy().dissipated, 1.5 * 1.5, 0.02);
}

// Static friction holds what kinetic friction would not.
TEST(Stepping, StaticFrictionHolds) {
  const auto scene = [](double push) {
    return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {{static: 0.6, kinetic: 0.3}}, restitution: 0}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
bodies: {{box: {{mass: 1, inertia: 0.01, joint: {{kind: planar}}, shapes: {{b: {{kind: box, size: [0.3, 0.1], surface: s}}}}}}}}
forces: {{push: {{body: box, force: [{}, 0]}}}}
state: {{position: {{box: [0, 0.05, 0]}}}}
)",
                       push);
  };
  Trial held(scene(0.59 * fall), steps()), slips(scene(0.61 * fall), steps());
  ASSERT_EQ(held.to(1), SimulationStatus::ready);
  ASSERT_EQ(slips.to(1), SimulationStatus::ready);
  EXPECT_LT(std::abs(held.v(0)), 1e-12);
  EXPECT_NEAR(slips.v(0), 0.31 * fall, 1e-6);
}

// Loops stay closed and move as the event engine has them, to the order of the step.
TEST(Stepping, LoopsStayClosed) {
  Trial exact(example("four_bar.yaml"));
  ASSERT_EQ(exact.to(0.4), SimulationStatus::ready);
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Trial run(example("four_bar.yaml"), steps(1e-3 / (k + 1)));
    ASSERT_EQ(run.to(0.4), SimulationStatus::ready);
    EXPECT_LT(run.simulator.statistics().largest_loop, 2e-4);
    errors[k] = (run.simulator.state().q - exact.simulator.state().q).norm();
  }
  EXPECT_LT(errors[0], 0.02);
  EXPECT_LT(errors[1], 0.65 * errors[0]);
}

// Towards the event engine's answer with the first power of the step: a rod that strikes with one end, then the other.
TEST(Stepping, ConvergesToTheEvents) {
  Trial exact(testing_support::dropped_rod);
  const double end = 0.8;
  ASSERT_EQ(exact.to(end), SimulationStatus::ready);
  double errors[3];
  for (int k = 0; k < 3; ++k) {
    Trial run(testing_support::dropped_rod, steps(std::ldexp(1e-3, -2 * k)));
    ASSERT_EQ(run.to(end), SimulationStatus::ready);
    errors[k] = (run.simulator.state().q - exact.simulator.state().q).norm();
  }
  EXPECT_LT(errors[0], 0.02);
  EXPECT_LT(errors[2], 0.15 * errors[0]);
}

// Painlevé's rod jams and leaves the ground: no end of forces ends the run.
TEST(Stepping, GoesThroughThePainleveParadox) {
  Trial run(example("painleve_rod.yaml"), steps());
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  EXPECT_LE(run.simulator.energy().total(), run.simulator.energy().initial);
  EXPECT_LT(std::abs(run.simulator.energy().balance()), 0.01 * run.simulator.energy().initial);
}

bool bitwise_equal(const State& a, const State& b) { return a.q == b.q && a.v == b.v && a.time == b.time; }

TEST(Stepping, PiecesAndResumedRunsHaveTheSameBits) {
  Trial whole(example("quadruped.yaml"), steps()), cut(example("quadruped.yaml"), steps());
  ASSERT_EQ(whole.to(1), SimulationStatus::ready);
  for (const double t : {0.1, 0.20035, 0.3, 0.77777}) {
    ASSERT_EQ(cut.to(t), SimulationStatus::ready);
    EXPECT_EQ(cut.simulator.state().time, t);
  }
  const Checkpoint checkpoint = cut.simulator.checkpoint();
  ASSERT_EQ(cut.to(1), SimulationStatus::ready);
  EXPECT_TRUE(bitwise_equal(whole.simulator.state(), cut.simulator.state()));
  EXPECT_EQ(whole.simulator.energy().dissipated, cut.simulator.energy().dissipated);
  Simulator resumed(cut.scene.model, checkpoint, steps());
  ASSERT_EQ(resumed.advance(1), SimulationStatus::ready);
  EXPECT_TRUE(bitwise_equal(whole.simulator.state(), resumed.state()));
  EXPECT_EQ(whole.simulator.energy().dissipated, resumed.energy().dissipated);
}

TEST(Stepping, UserEventsStopBetweenSteps) {
  Trial run(ball(0.1, 2, 0.5), steps(0.01));
  run.simulator.add_user_event({.name = "half way",
                                .value = [](const State& state) { return state.q[1] - 1.1; },
                                .action = UserEvent::Action::stop});
  ASSERT_EQ(run.to(2), SimulationStatus::user_stop);
  EXPECT_NEAR(run.simulator.state().time, std::sqrt(2 / fall), 1e-4);
  ASSERT_EQ(run.all(EventKind::user).size(), 1u);
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  Trial other(ball(0.1, 2, 0.5), steps(0.01));
  ASSERT_EQ(other.to(2), SimulationStatus::ready);
  EXPECT_TRUE(bitwise_equal(run.simulator.state(), other.simulator.state()));
}

TEST(Stepping, SamplesAreWhereTheyWereAskedFor) {
  Trial run(ball(0.1, 1, 0), steps(1e-3));
  std::vector<double> times;
  double load = 0;
  run.simulator.on_sample(0.0125, 0, [&](const Sample& sample) {
    times.push_back(sample.state.time);
    if (!sample.active.empty()) load = sample.active.front().force.n;
  });
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  ASSERT_EQ(times.size(), 81u);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 0.0125 * static_cast<double>(k), 1e-12);
  EXPECT_NEAR(load, fall, 1e-7);
}

// The force of a controller acts from when it is set, also within a step.
TEST(Stepping, ForcesActFromWhenTheyAreSet) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {cart: {mass: 2, inertia: 1, joint: {kind: prismatic, axis: [1, 0]}}}
)",
            steps(1e-3));
  ASSERT_EQ(run.to(0.2503), SimulationStatus::ready);
  run.simulator.set_force(Eigen::VectorXd::Constant(1, 4));
  ASSERT_EQ(run.to(0.7503), SimulationStatus::ready);
  run.simulator.set_force(Eigen::VectorXd::Zero(1));
  ASSERT_EQ(run.to(1.7503), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 1, 1e-12);
  EXPECT_NEAR(run.q(0), 0.25 + 1, 1e-12);
  EXPECT_NEAR(run.simulator.energy().supplied, 1, 1e-9);
}

// The account notices what no force did.
TEST(Stepping, LimpQuadrupedFalls) {
  Trial run(example("quadruped.yaml"), steps());
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_EQ(energy.gained, 0);
  EXPECT_LT(energy.balance(), 1e-3 * energy.turnover());
  EXPECT_GT(energy.balance(), -0.02 * energy.turnover());
  EXPECT_LT(std::abs(energy.corrected), 1e-3 * energy.turnover());
  EXPECT_LT(deepest(run), 2e-5);
}

// A mirrored scene has the mirrored motion, to the residual of the contact problems until chaos.
TEST(Stepping, SymmetricStaysSymmetric) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.6, restitution: 0.3}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
  body: {mass: 5, inertia: 0.2, joint: {kind: planar}, shapes: {trunk: {kind: box, size: [0.6, 0.1], surface: s}}}
  left: {mass: 1, inertia: 0.01, com: [0, -0.2], joint: {kind: revolute, parent: body, at: [-0.3, 0], limits: [-1.5, 1.5]},
    shapes: {l: {kind: sphere, radius: 0.03, at: [0, -0.4], surface: s}}}
  right: {mass: 1, inertia: 0.01, com: [0, -0.2], joint: {kind: revolute, parent: body, at: [0.3, 0], limits: [-1.5, 1.5]},
    shapes: {r: {kind: sphere, radius: 0.03, at: [0, -0.4], surface: s}}}
state: {position: {body: [0, 0.8, 0], left: -0.3, right: 0.3}}
)",
            steps());
  ASSERT_EQ(run.to(0.6), SimulationStatus::ready);
  EXPECT_NEAR(run.q(2), 0, 1e-8);
  EXPECT_NEAR(run.q(3), -run.q(4), 1e-8);
}

// Two balls fall as one, the upper one along a wall that bears it, so that it goes by v⁺, the lower one free: at its
// mean velocity it would lag behind by ½ g h², 0.12 mm, and the upper one enter it.
TEST(Stepping, WhatFallsUnderATouchedBallIsNotEntered) {
  Trial run(R"(
gravity: [-0.5, 0, -9.81]
surfaces: {s: {friction: 0, restitution: 0}}
world: {shapes: {wall: {kind: half_space, normal: [1, 0, 0], surface: s}}}
bodies:
  upper: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}, shapes: {a: {kind: sphere, radius: 0.1, surface: s}}}
  lower: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}, shapes: {b: {kind: sphere, radius: 0.09, surface: s}}}
state: {position: {upper: {position: [0.1, 0, 1]}, lower: {position: [0.1, 0, 0.81]}}}
)",
            steps(5e-3));
  ASSERT_EQ(run.to(5e-3), SimulationStatus::ready);
  EXPECT_LT(deepest(run), 1e-6);
  EXPECT_NEAR(run.q(2) - run.q(9), 0.19, 1e-6);
}

// A ball that strikes another throws it upon a third within the step: what was out of reach of the one at rest is seen.
TEST(Stepping, AStruckBallDoesNotEnterTheNext) {
  Trial run(R"(
gravity: [0, 0, 0]
surfaces: {s: {friction: 0, restitution: 0}}
bodies:
  a: {mass: 8, inertia: [1, 1, 1], joint: {kind: free}, shapes: {a: {kind: sphere, radius: 0.1, surface: s}}}
  b: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}, shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}
  c: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}, shapes: {c: {kind: sphere, radius: 0.1, surface: s}}}
state:
  position: {a: {position: [0, 0, 0]}, b: {position: [0.205, 0, 0]}, c: {position: [0.42, 0, 0]}}
  velocity: {a: [9, 0, 0, 0, 0, 0]}
)",
            steps(5e-3));
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(run.to(5e-3 * k), SimulationStatus::ready);
    EXPECT_GT(run.q(7) - run.q(0), 0.2 - 1e-9) << k;
    EXPECT_GT(run.q(14) - run.q(7), 0.2 - 1e-9) << k;
  }
  EXPECT_NEAR(run.simulator.state().v[12], 7.2, 1e-9);  // all together: 8 · 9 / 10
}

}  // namespace
