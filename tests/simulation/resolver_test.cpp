// One instant as a function: closed forms of what it answers, and that nothing but what it is given decides the answer.
#include <gtest/gtest.h>

#include <cstring>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/instant.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;

// A scene with what an instant of it takes, in metres, kilograms and seconds.
struct Situation {
  explicit Situation(const std::string& text) : scene(read_scene_text("routh: 1\n" + text, "test")) {
    problem.state = scene.state;
    problem.hints.first = true;
  }
  InstantResult resolve() const {
    InstantWorkspace workspace(scene.model, options, faults);
    return resolve(workspace);
  }
  InstantResult resolve(InstantWorkspace& workspace) const {
    return InstantResolver(scene.model, options, faults).resolve(problem, workspace);
  }

  Scene scene;
  EngineOptions options;
  FaultInjection faults;
  InstantProblem problem;
};

std::string thrown_ball(double e, double mu, double vx, double vy) {
  return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: {}}}}}
bodies: {{ball: {{mass: 2, inertia: 0.008, joint: {{kind: planar}},
    shapes: {{b: {{kind: sphere, radius: 0.1, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{ball: [0, 0.1, 0]}}, velocity: {{ball: [{:.17g}, {:.17g}, 0]}}}}
)",
                     mu, e, vx, vy);
}

// A box of 2 m x 1 m that stands on two corners.
std::string box_on_floor(double mu, double vx, double vy, double push) {
  return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: 0}}}}
bodies: {{box: {{mass: 1, inertia: 0.4166666666666667, joint: {{kind: planar}},
    shapes: {{b: {{kind: box, size: [2, 1], surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
forces: {{push: {{body: box, force: [{:.17g}, 0]}}}}
state: {{position: {{box: [0, 0.5, 0]}}, velocity: {{box: [{:.17g}, {:.17g}, 0]}}}}
)",
                     mu, push, vx, vy);
}

// Painleve's rod, 1 m long, at 1 rad: its tip slides to the right where no force of finite size holds it.
std::string painleve_rod(double mu, double speed) {
  const double angle = 1;
  return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: 0}}}}
bodies: {{rod: {{mass: 1, inertia: 0.08333333333333333, joint: {{kind: planar}},
    shapes: {{tip: {{kind: point, at: [-0.5, 0], surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{rod: [0, {:.17g}, {:.17g}]}}, velocity: {{rod: [{:.17g}, 0, 0]}}}}
)",
                     mu, 0.5 * std::sin(angle), angle, speed);
}

void expect_same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0);
}

void expect_same_answer(const InstantResult& a, const InstantResult& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.trouble, b.trouble);
  expect_same_bits(a.state.q, b.state.q);
  expect_same_bits(a.state.v, b.state.v);
  ASSERT_EQ(a.held.size(), b.held.size());
  for (std::size_t i = 0; i < a.held.size(); ++i) {
    EXPECT_EQ(a.held[i].id, b.held[i].id);
    EXPECT_EQ(a.held[i].mode, b.held[i].mode);
    EXPECT_EQ(a.held[i].direction.t1, b.held[i].direction.t1);
    EXPECT_EQ(a.held[i].direction.t2, b.held[i].direction.t2);
  }
  ASSERT_EQ(a.bounces.size(), b.bounces.size());
  for (std::size_t i = 0; i < a.bounces.size(); ++i) EXPECT_EQ(a.bounces[i].speeds, b.bounces[i].speeds);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].kind, b.events[i].kind);
    EXPECT_EQ(a.events[i].energy.change, b.events[i].energy.change);
    expect_same_bits(a.events[i].velocity_after, b.events[i].velocity_after);
  }
  EXPECT_EQ(a.accounts.dissipated, b.accounts.dissipated);
  EXPECT_EQ(a.accounts.corrected, b.accounts.corrected);
  EXPECT_EQ(a.searches, b.searches);
}

TEST(Resolver, ABallBounces) {
  const double e = 0.6, speed = 3;
  const Situation situation(thrown_ball(e, 0, 0, -speed));
  const InstantResult result = situation.resolve();
  ASSERT_EQ(result.status, SimulationStatus::ready) << result.trouble;
  EXPECT_NEAR(result.state.v[1], e * speed, 1e-14);
  EXPECT_TRUE(result.held.empty());
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].kind, EventKind::impact);
  EXPECT_NEAR(result.events[0].contacts[0].impulse.n, 2 * (1 + e) * speed, 1e-13);
  EXPECT_NEAR(result.events[0].energy.change, -(1 - e * e) * speed * speed, 1e-13);
  ASSERT_EQ(result.bounces.size(), 1u);
  EXPECT_NEAR(result.bounces[0].speeds.at(0), e * speed, 1e-14);
  // What it was given is as it was.
  EXPECT_EQ(situation.problem.state.v[1], -speed);
  EXPECT_TRUE(situation.problem.bounces.empty());
}

TEST(Resolver, ModesOfABoxThatIsPushed) {
  const double weight = 9.81;
  struct Case {
    double push, speed;
    ContactMode mode;
  };
  for (const Case& it : {Case{0.3 * weight, 0, ContactMode::stick}, Case{0.45 * weight, 0, ContactMode::slip},
                         Case{0.3 * weight, 1, ContactMode::slip}}) {
    const InstantResult result = Situation(box_on_floor(0.4, it.speed, 0, it.push)).resolve();
    ASSERT_EQ(result.status, SimulationStatus::ready) << result.trouble;
    ASSERT_EQ(result.held.size(), 2u);
    for (const HeldContact& each : result.held) EXPECT_EQ(each.mode, it.mode) << it.push;
    EXPECT_EQ(result.state.v[0], it.speed);
  }
}

// A box that falls flat stops dead, by two impulses of half of its momentum each.
TEST(Resolver, ABoxFallsFlat) {
  const InstantResult result = Situation(box_on_floor(0.4, 0, -2, 0)).resolve();
  ASSERT_EQ(result.status, SimulationStatus::ready) << result.trouble;
  EXPECT_NEAR(result.state.v.norm(), 0, 1e-13);
  ASSERT_EQ(result.held.size(), 2u);
  ASSERT_FALSE(result.events.empty());
  EXPECT_EQ(result.events[0].kind, EventKind::impact);
  double impulse = 0;
  for (const EventContact& each : result.events[0].contacts) impulse += each.impulse.n;
  EXPECT_NEAR(impulse, 2, 1e-12);
  EXPECT_NEAR(result.events[0].energy.change, -2, 1e-12);
}

// No force holds the rod where a < mu c: a tangential impact stops the tip, and no work is gained.
TEST(Resolver, ARodWedges) {
  const InstantResult result = Situation(painleve_rod(3, -1)).resolve();
  ASSERT_EQ(result.status, SimulationStatus::ready) << result.trouble;
  ASSERT_FALSE(result.events.empty());
  EXPECT_EQ(result.events[0].kind, EventKind::tangential_impact);
  EXPECT_LE(result.events[0].energy.change, 0);
  EXPECT_GE(result.events[0].contacts[0].impulse.n, 0);
}

// In memory that other instants have used, in any order, the answer has the same bits as in memory of its own.
TEST(Resolver, IsAFunction) {
  const int count = testing_support::scaled(60, 10);
  for (int round = 0; round < count; ++round) {
    const auto seed = static_cast<std::uint64_t>(700 + round);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random(seed);
    Situation situation(box_on_floor(random.uniform(0, 1), random.uniform(-1, 1), random.uniform(-1, 0), 0));
    const auto disturb = [&] {
      for (Eigen::Index k = 0; k < 3; ++k) situation.problem.state.v[k] = random.uniform(-1, 1);
      if (random.uniform(0, 1) < 0.3) situation.problem.state.v.setZero();
      situation.problem.force =
          20 * Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 0), random.uniform(-1, 1));
    };
    InstantWorkspace used(situation.scene.model, situation.options, situation.faults);
    for (int k = 0; k < 5; ++k) {
      disturb();
      const InstantResult known = situation.resolve();
      expect_same_answer(situation.resolve(used), known);
      expect_same_answer(situation.resolve(used), known);
      // Resolved again, from where it led to, it changes nothing but rounding.
      if (known.status != SimulationStatus::ready) continue;
      Situation after = situation;
      after.problem.state = known.state;
      after.problem.held = known.held;
      after.problem.hints = {};
      const InstantResult again = after.resolve();
      ASSERT_EQ(again.status, SimulationStatus::ready);
      EXPECT_LE((again.state.v - known.state.v).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

// Two particles on a rod that stands on the floor by one of them, one of which goes along it: the rod halts that first,
// by what closes it with the least energy, ½ (m/2) w². What the floor then does is the law's alone.
TEST(Resolver, LoopsAreClosedInVelocityBeforeAnImpact) {
  constexpr double m = 2, w = 0.3, angle = 0.6;
  const double x = std::cos(angle), y = std::sin(angle);
  Situation rod(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0, restitution: 0.5}}}}
bodies:
  lift_a: {{mass: 0, joint: {{kind: prismatic, axis: [0, 1]}}}}
  a: {{mass: {0}, inertia: 0, joint: {{kind: prismatic, axis: [1, 0], parent: lift_a}},
    shapes: {{tip: {{kind: point, surface: s}}}}}}
  lift_b: {{mass: 0, joint: {{kind: prismatic, axis: [0, 1]}}}}
  b: {{mass: {0}, inertia: 0, joint: {{kind: prismatic, axis: [1, 0], parent: lift_b}}}}
loops: {{rod: {{kind: distance, bodies: [b, a], distance: 1}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{lift_b: {2:.17g}, b: {1:.17g}}}, velocity: {{lift_a: -1, lift_b: -1}}}}
)",
                            m, x, y));
  rod.problem.state.v[2] += w * y;  // b goes along the rod
  rod.problem.state.v[3] += w * x;
  const InstantResult result = rod.resolve();
  ASSERT_EQ(result.status, SimulationStatus::ready) << result.trouble;
  ASSERT_EQ(result.events.size(), 1U);
  const Event& event = result.events[0];
  EXPECT_NEAR(result.accounts.corrected, -0.25 * m * w * w, 1e-12);
  const Eigen::VectorXd &before = event.velocity_before, &after = event.velocity_after;
  EXPECT_NEAR((before[3] - before[1]) * x + (before[2] - before[0]) * y, 0, 1e-14);
  EXPECT_NEAR(event.energy.change, 0.5 * m * (after.squaredNorm() - before.squaredNorm()), 1e-12);
  EXPECT_NEAR(event.energy.change, event.energy.normal_work, 1e-12);
  EXPECT_NEAR(after[0], -0.5 * before[0], 1e-12);
}

}  // namespace
