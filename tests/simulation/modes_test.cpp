// Contacts that stick, slip, break away, tip and wedge: when, and with which accelerations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::particle;
using testing_support::Trial;

constexpr double g = 9.81;

// A box of 2 kg, 0.4 m × 0.2 m, on a plane inclined by φ, in a frame along the plane: gravity is turned instead.
std::string box_on_incline(double phi, double us, double uk, double speed) {
  return fmt::format(R"(
dimension: planar
gravity: [{:.17g}, {:.17g}]
surfaces: {{s: {{friction: {{static: {}, kinetic: {}}}, restitution: 0}}}}
bodies: {{box: {{mass: 2, inertia: 0.03, joint: {{kind: planar}},
    shapes: {{b: {{kind: box, size: [0.4, 0.2], surface: s}}}}}}}}
world: {{shapes: {{plane: {{kind: half_space, surface: s}}}}}}
state: {{position: {{box: [0, 0.1, 0]}}, velocity: {{box: [{}, 0, 0]}}}}
)",
                     g * std::sin(phi), -g * std::cos(phi), us, uk, speed);
}

TEST(Modes, InclineBelowAndAboveTheAngleOfFriction) {
  for (const double mu : {0.1, 0.3, 0.7}) {
    const double phi = std::atan(mu);
    Trial sticks(box_on_incline(phi - 1e-6, mu, mu, 0)), slips(box_on_incline(phi + 1e-3, mu, mu, 0));
    ASSERT_EQ(sticks.to(1), SimulationStatus::ready) << sticks.simulator.message();
    EXPECT_NEAR(sticks.q(0), 0, 1e-13) << mu;
    ASSERT_EQ(slips.to(1), SimulationStatus::ready) << slips.simulator.message();
    const double a = g * (std::sin(phi + 1e-3) - mu * std::cos(phi + 1e-3));
    EXPECT_NEAR(slips.q(0), a / 2, 1e-10) << mu;
    EXPECT_NEAR(slips.v(0), a, 1e-10) << mu;
    EXPECT_NEAR(slips.q(2), 0, 1e-10) << mu;
    EXPECT_NEAR(slips.simulator.acceleration()[0], a, 1e-10);
    double normal = 0, moment = 0;
    for (const ActiveContact& each : slips.simulator.active()) {
      normal += each.force.n;
      moment += each.force.n * (each.contact.point.x - slips.q(0));
    }
    EXPECT_NEAR(normal, 2 * g * std::cos(phi + 1e-3), 1e-9);
    EXPECT_NEAR(std::abs(moment), 0.1 * mu * normal, 1e-9);
  }
}

// The same on a plane that is really inclined, in space, down its diagonal.
TEST(Modes, InclineInSpace) {
  const double phi = 0.5, mu = 0.3, psi = 0.7;
  for (const double tilt : {phi, 0.28}) {
    Trial run(fmt::format(R"(
gravity: [{:.17g}, {:.17g}, {:.17g}]
surfaces: {{s: {{friction: 0.3, restitution: 0}}}}
bodies: {{box: {{mass: 2, inertia: [0.03, 0.04, 0.05], joint: {{kind: free}},
  shapes: {{b: {{kind: box, size: [0.6, 0.5, 0.2], surface: s}}}}}}}}
world: {{shapes: {{plane: {{kind: half_space, surface: s}}}}}}
state: {{position: {{box: {{position: [0, 0, 0.1]}}}}}}
)",
                          g * std::sin(tilt) * std::cos(psi), g * std::sin(tilt) * std::sin(psi), -g * std::cos(tilt)));
    ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
    const double a = tilt == phi ? g * (std::sin(phi) - mu * std::cos(phi)) : 0;
    EXPECT_NEAR(run.q(0), a / 8 * std::cos(psi), 1e-8) << tilt;
    EXPECT_NEAR(run.q(1), a / 8 * std::sin(psi), 1e-8) << tilt;
    EXPECT_NEAR(run.v(5), 0, 1e-7) << tilt;
    EXPECT_NEAR(run.q(2), 0.1, 1e-10) << tilt;
  }
}

// Up the incline with 2 m/s: stops after v/(g (sin φ + μ cos φ)), then stays (tan φ < μ_s) or slides back.
TEST(Modes, SlipStopsOnAnIncline) {
  const double phi = 0.3, v = 2;
  for (const double mu : {0.2, 0.4}) {
    Trial run(box_on_incline(phi, mu, mu, -v));
    ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
    const double up = g * (std::sin(phi) + mu * std::cos(phi)), down = g * (std::sin(phi) - mu * std::cos(phi));
    const double stop = v / up, far = v * v / (2 * up);
    double halt = -1;
    for (const Event& each : run.simulator.events())
      if (each.time > 0 && halt < 0 && each.kind == (mu < std::tan(phi) ? EventKind::slip : EventKind::stick))
        halt = each.time;
    EXPECT_NEAR(halt, stop, 1e-10) << mu;
    const double back = mu < std::tan(phi) ? down / 2 * (2 - stop) * (2 - stop) : 0;
    EXPECT_NEAR(run.q(0), -far + back, 1e-9) << mu;
  }
}

// A force that grows by 3 N/s moves a particle of 1 kg at μ_s g/3; from there x = (μ_s − μ_k) g s²/2 + s³/2.
TEST(Modes, BreaksAwayUnderARampAtTheRightTime) {
  for (const bool box : {false, true}) {
    const std::string bodies =
        box ? "bodies: {slide: {mass: 1, inertia: 0.05, joint: {kind: planar}, shapes: {tip: {kind: box, size: [0.8, "
              "0.2], surface: s}}}}\nstate: {position: {slide: [0, 0.1, 0]}}\n"
            : particle();
    Trial run("dimension: planar\nsurfaces: {s: {friction: {static: 0.6, kinetic: 0.4}, restitution: 0}}\n" + bodies +
              "world: {shapes: {floor: {kind: half_space, surface: s}}}\n"
              "forces: {push: {body: slide, force: [1, 0], scale: {table: [[0, 0], [10, 30]]}}}\n");
    ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
    const double time = 0.6 * g / 3, s = 3 - time;
    EXPECT_NEAR(run.first(EventKind::slip), time, 1e-10) << box;
    const int x = box ? 0 : 1;
    EXPECT_NEAR(run.q(x), 0.1 * g * s * s + s * s * s / 2, 1e-8) << box;
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8) << box;
  }
}

// Box of width w pushed at the height z above the floor by F: slides if F > μ m g, tips if F z > m g w/2.
TEST(Modes, PushedBoxSlidesOrTips) {
  const double m = 2, w = 0.4, mu = 0.5;
  struct Case {
    double z, factor;
    bool slides, tips;
  };
  const double tip_low = m * g * w / 2 / 0.2, tip_high = m * g * w / 2 / 0.6;  // 19.62 and 6.54 N
  const double slide = mu * m * g;                                             // 9.81 N
  for (const Case& c : {Case{0.2, slide * 0.999, false, false}, Case{0.2, slide * 1.001, true, false},
                        Case{0.6, tip_high * 0.999, false, false}, Case{0.6, tip_high * 1.001, false, true}}) {
    ASSERT_GT(tip_low, slide);
    Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0.5, restitution: 0}}}}
bodies: {{box: {{mass: 2, inertia: 0.1, joint: {{kind: planar}},
    shapes: {{b: {{kind: box, size: [0.4, 0.8], surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
forces: {{push: {{body: box, at: [0, {:.17g}], force: [{:.17g}, 0]}}}}
state: {{position: {{box: [0, 0.4, 0]}}}}
)",
                          c.z - 0.4, c.factor));
    const double end = 0.01;
    ASSERT_EQ(run.to(end), SimulationStatus::ready) << run.simulator.message();
    EXPECT_EQ(run.simulator.active().size(), c.tips ? 1u : 2u) << c.z << " " << c.factor;
    const bool moved = std::abs(run.v(0)) > 1e-9;
    EXPECT_EQ(moved, c.slides || c.tips);
    if (c.slides) {
      EXPECT_NEAR(run.v(0), (c.factor - slide) / m * end, 1e-11);
    }
    if (c.tips) {
      // About the right lower corner: (I + m R²) α = F z − m g w/2.
      const double alpha = (c.factor * c.z - m * g * w / 2) / (0.1 + m * (0.04 + 0.16));
      EXPECT_NEAR(run.v(2) / (-alpha * end), 1, 1e-3);
      EXPECT_LT(run.v(2), 0);
    }
  }
}

// Box in space on four corners, pushed by a ramp above its centre: breaks away at once with all four.
TEST(Modes, BoxOnFourCornersInSpaceBreaksAway) {
  Trial run(R"(
surfaces: {s: {friction: 0.5, restitution: 0}}
bodies: {box: {mass: 2, inertia: [0.1, 0.1, 0.1], joint: {kind: free},
    shapes: {b: {kind: box, size: [0.8, 0.6, 0.2], surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
forces: {push: {body: box, at: [0, 0, 0.05], force: [0.6, 0.8, 0], frame: world, scale: {table: [[0, 0], [10, 50]]}}}
state: {position: {box: {position: [0, 0, 0.1]}}}
)");
  ASSERT_EQ(run.to(2.4), SimulationStatus::ready) << run.simulator.message();
  const double time = 0.5 * 2 * g / 5, s = 2.4 - time;
  EXPECT_NEAR(run.first(EventKind::slip), time, 1e-6);
  EXPECT_NEAR(run.q(0), 0.6 * 5 * s * s * s / 12, 1e-6);
  EXPECT_NEAR(run.q(1), 0.8 * 5 * s * s * s / 12, 1e-6);
}

// Four legs, the load off the middle: the forces balance weight and moment, none pulls. Then a push slides the table.
TEST(Modes, TableOfUnequalLoad) {
  Trial run(R"(
surfaces: {s: {friction: 0.4, restitution: 0}}
bodies:
  table:
    mass: 10
    com: [0.2, 0.1, 0]
    inertia: [1, 1, 1]
    joint: {kind: free}
    shapes:
      a: {kind: point, at: [0.5, 0.5, -0.3], surface: s}
      b: {kind: point, at: [-0.5, 0.5, -0.3], surface: s}
      c: {kind: point, at: [-0.5, -0.5, -0.3], surface: s}
      d: {kind: point, at: [0.5, -0.5, -0.3], surface: s}
world: {shapes: {floor: {kind: half_space, surface: s}}}
forces: {push: {body: table, at: [0.2, 0.1, -0.3], force: [1, 0, 0], scale: {table: [[0, 0], [1, 0], [1.001, 60]]}}}
state: {position: {table: {position: [0, 0, 0.3]}}}
)");
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
  double normal = 0, mx = 0, my = 0, tangential = 0;
  for (const ActiveContact& each : run.simulator.active()) {
    EXPECT_GE(each.force.n, -1e-9);
    normal += each.force.n;
    mx += each.force.n * each.contact.point.x;
    my += each.force.n * each.contact.point.y;
    tangential += std::hypot(each.force.t1, each.force.t2);
  }
  EXPECT_NEAR(normal, 10 * g, 1e-8);
  EXPECT_NEAR(mx, 2 * g, 1e-8);
  EXPECT_NEAR(my, 1 * g, 1e-8);
  EXPECT_LE(tangential, 0.4 * 10 * g);
  EXPECT_NEAR(run.simulator.state().v.norm(), 0, 1e-10);
  // The line of the push goes below the centre of mass; whatever friction does, the sum of forces is 60 − 0.4 · 98.1.
  ASSERT_EQ(run.to(1.4), SimulationStatus::ready) << run.simulator.message();
  EXPECT_GT(run.v(0), 0.3);
}

// A belt that speeds up by 1 m/s², then by 6 m/s²: a particle with μ = 0.4 is carried, then slips by g μ.
TEST(Modes, BeltWithSpeedProfile) {
  Trial run("dimension: planar\nsurfaces: {s: {friction: 0.4, restitution: 0}}\n" + particle() + R"(
world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [1, 0], speed: {table: [[0, 0], [1, 1],
    [2, 7]]}}}}}
)");
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.q(1), 0.5, 1e-10);
  EXPECT_NEAR(run.v(1), 1, 1e-10);
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  const double a = 0.4 * g;
  EXPECT_NEAR(run.v(1), 1 + a, 1e-9);
  EXPECT_NEAR(run.q(1), 0.5 + 1 + a / 2, 1e-9);
  EXPECT_NEAR(run.first(EventKind::slip), 1, 1e-10);
  ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
  // The belt stays at 7 m/s: it is reached (7 − 1 − a)/a after 2 s.
  const auto sticks = run.all(EventKind::stick);
  ASSERT_FALSE(sticks.empty());
  EXPECT_NEAR(sticks.back().time, 2 + (6 - a) / a, 1e-9);
  EXPECT_NEAR(run.v(1), 7, 1e-9);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8);
  // The belt did the work F v_belt: all that was supplied.
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_NEAR(energy.supplied, 24.5 + energy.dissipated, 1e-8);
}

// A particle lifted by a growing force leaves the floor at F = m g, and not before.
TEST(Modes, DetachesWhenTheLoadIsGone) {
  Trial run("dimension: planar\nsurfaces: {s: {friction: 0.4, restitution: 0}}\n" + particle() + R"(
world: {shapes: {floor: {kind: half_space, surface: s}}}
forces: {lift: {body: slide, force: [0, 1], scale: {table: [[0, 0], [10, 40]]}}}
)");
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.first(EventKind::detach), g / 4, 1e-10);
  const double s = 3 - g / 4;
  EXPECT_NEAR(run.q(0), 4 * s * s * s / 6, 1e-10);
  EXPECT_TRUE(run.simulator.active().empty());
}

// A particle slides off the top of a fixed sphere, without friction, and leaves it at cos θ = 2/3 of its height.
TEST(Modes, LeavesASphereAtTwoThirds) {
  Trial run("dimension: planar\nsurfaces: {s: {friction: 0, restitution: 0}}\n" + particle() + R"(
world: {shapes: {hill: {kind: sphere, radius: 1, surface: s}}}
state: {position: {lift: 0.9999500004166653, slide: 0.009999833334166664}}
)");
  ASSERT_EQ(run.to(2.5), SimulationStatus::ready) << run.simulator.message();
  const auto gone = run.all(EventKind::detach);
  ASSERT_EQ(gone.size(), 1u);
  const double top = 0.9999500004166653;
  EXPECT_NEAR(gone[0].position[0], 2.0 / 3 * top, 1e-9);
  EXPECT_NEAR(gone[0].velocity_after.squaredNorm(), 2 * g * top / 3, 1e-8);
}

// A ladder against a smooth wall on a smooth floor leaves the wall when its top has come down to 2/3 of its height.
TEST(Modes, LadderLeavesTheWallAtTwoThirds) {
  const double start = 1.2, L = 2;  // angle with the floor, length
  Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0, restitution: 0}}}}
bodies:
  ladder: {{mass: 3, inertia: 1, joint: {{kind: planar}},
    shapes: {{foot: {{kind: point, at: [1, 0], surface: s}}, top: {{kind: point, at: [-1, 0], surface: s}}}}}}
world:
  shapes: {{floor: {{kind: half_space, surface: s}}, wall: {{kind: half_space, normal: [1, 0], surface: s}}}}
contacts: {{exclude: [[foot, wall], [top, floor]]}}
state: {{position: {{ladder: [{:.17g}, {:.17g}, {:.17g}]}}}}
)",
                        L / 2 * std::cos(start), L / 2 * std::sin(start), -start));
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  const auto gone = run.all(EventKind::detach);
  ASSERT_GE(gone.size(), 1u);
  EXPECT_NEAR(gone[0].position[1], 2.0 / 3 * std::sin(start), 1e-9);
  EXPECT_EQ(gone[0].contacts[0].name, "top on wall");
}

// [Liu 2007]: the arm jams on the belt at once. The tangential impact changes the energy by +0.382 J, of which the
// belt supplies 0.472 J.
TEST(Modes, LiuArmJamsAtOnce) {
  Trial run(example("liu_arm.yaml"));
  ASSERT_EQ(run.to(0.02), SimulationStatus::ready) << run.simulator.message();
  ASSERT_FALSE(run.simulator.events().empty());
  const Event& first = run.simulator.events().front();
  EXPECT_EQ(first.kind, EventKind::tangential_impact);
  EXPECT_EQ(first.time, 0);
  EXPECT_NEAR(first.energy.change, 0.382, 5e-4);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
  // What the belt gives is −p_t v_s: belt velocity −0.4 along x.
  const EventContact& contact = first.contacts.at(0);
  EXPECT_NEAR(std::abs(contact.impulse.t1) * 0.4, 0.472, 5e-4);
}

}  // namespace
