// Infinitely many bounces: everything they do to the machine is in their sum. Friction goes with the load, so that
// until slip ends, whatever the restitution,
//
//   v_x(t) = v_x(0) − μ (v_z(t) − v_z(0) + g t)        x(t) = x(0) + v_x(0) t − μ (z(t) − z(0) − v_z(0) t + g t²/2)
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double fall = 9.81;  // [m/s²]

struct Throw {
  double e, mu, speed, height, spin;
};

// A sphere of radius r slides as long as v_x − r ω > 0; r ω grows by 5/2 of what v_x loses.
void check_sphere(Trial& run, const Throw& it, int x, int height, int spin, double sense) {
  const double r = 0.1, roll = 2 * (it.speed - r * it.spin) / (7 * it.mu * fall), end = roll + 0.2;
  const double rolling = it.speed - it.mu * fall * roll;
  ASSERT_EQ(run.to(end), SimulationStatus::ready) << run.simulator.message();
  ASSERT_FALSE(run.all(EventKind::zeno).empty());
  ASSERT_LT(run.all(EventKind::zeno).back().time, roll) << "bounces must end while it slides";
  EXPECT_NEAR(run.all(EventKind::stick).back().time, roll, 1e-10);
  EXPECT_NEAR(run.v(x), rolling, 1e-10);
  EXPECT_NEAR(sense * run.v(spin), rolling / r, 1e-10);
  EXPECT_NEAR(run.q(height), r, 1e-12);
  const double lost = it.mu * (-it.height + fall * roll * roll / 2);
  EXPECT_NEAR(run.q(x), it.speed * roll - lost + rolling * (end - roll), 1e-10);
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_NEAR(energy.balance(), 0, 1e-10);
  EXPECT_LE(energy.corrected, 1e-12);
  EXPECT_GT(energy.corrected, -1e-9);
}

TEST(BounceSum, SphereRollsWhenItMustInSpace) {
  for (const Throw& it : {Throw{0.6, 0.1, 8, 0.5, 0}, Throw{0.3, 0.2, 9, 0.4, 10}, Throw{0.8, 0.05, 12, 0.2, -30}}) {
    Trial run(fmt::format(R"(
surfaces: {{s: {{friction: {}, restitution: {}}}}}
bodies: {{ball: {{mass: 1, inertia: [0.004, 0.004, 0.004], joint: {{kind: free}},
    shapes: {{b: {{kind: sphere, radius: 0.1, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, normal: [0, 0, 1], surface: s}}}}}}
gravity: [0, 0, -9.81]
state: {{position: {{ball: {{position: [0, 0, {}]}}}}, velocity: {{ball: [{}, 0, 0, 0, {}, 0]}}}}
)",
                          it.mu, it.e, it.height + 0.1, it.speed, it.spin));
    check_sphere(run, it, 0, 2, 4, 1);
  }
}

TEST(BounceSum, SphereRollsWhenItMustInThePlane) {
  for (const Throw& it : {Throw{0.6, 0.1, 8, 0.5, 0}, Throw{0.45, 0.15, 10, 0.3, 20}}) {
    Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: {}}}}}
bodies: {{ball: {{mass: 1, inertia: 0.004, joint: {{kind: planar}},
    shapes: {{b: {{kind: sphere, radius: 0.1, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, normal: [0, 1], surface: s}}}}}}
state: {{position: {{ball: [0, {}, 0]}}, velocity: {{ball: [{}, 0, {}]}}}}
)",
                          it.mu, it.e, it.height + 0.1, it.speed, -it.spin));
    check_sphere(run, it, 0, 1, 2, -1);
    // How far it turned: r θ grows by 5/2 of what friction takes from x.
    const double roll = 2 * (it.speed - 0.1 * it.spin) / (7 * it.mu * fall), rolling = it.speed - it.mu * fall * roll;
    const double given = 2.5 / 0.1 * it.mu * (-it.height + fall * roll * roll / 2);
    EXPECT_NEAR(-run.q(2), it.spin * roll + given + 0.2 * rolling / 0.1, 1e-10);
  }
}

// On a belt the same, relative to it; what the belt supplied is what its friction did.
TEST(BounceSum, BeltSuppliesWhatItsFrictionDoes) {
  const double mu = 0.2, belt = 6, height = 0.3;
  Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: 0.5}}}}
)",
                        mu) +
            testing_support::particle() +
            fmt::format(R"(
world: {{shapes: {{floor: {{kind: half_space, normal: [0, 1], surface: s, belt: {{velocity: [{}, 0]}}}}}}}}
state: {{position: {{lift: {}}}}}
)",
                        belt, height));
  const double halt = belt / (mu * fall);
  ASSERT_EQ(run.to(halt + 0.1), SimulationStatus::ready);
  ASSERT_LT(run.all(EventKind::zeno).back().time, halt);
  EXPECT_NEAR(run.all(EventKind::stick).back().time, halt, 1e-10);
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_NEAR(energy.supplied, belt * belt, 1e-9);  // its speed times the momentum it gave
  EXPECT_NEAR(energy.dissipated, fall * height + 0.5 * belt * belt, 1e-9);
  EXPECT_NEAR(energy.balance(), 0, 1e-10);
}

}  // namespace
