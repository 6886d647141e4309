// Bodies that lie on one another: bounces without end, contacts that chatter, contacts that pass from one feature of a
// shape to the next.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

const std::string trough = R"(
dimension: planar
world:
  shapes:
    f: {kind: half_space}
    l: {kind: half_space, at: [-0.6, 0], normal: [1, 0.2]}
    r: {kind: half_space, at: [0.6, 0], normal: [-1, 0.1]}
)";

// Of crowds: what the event engine itself makes of them.
const SimulationOptions by_events = testing_support::by(EngineKind::events);

void expect_rest(Trial& run, double until) {
  ASSERT_EQ(run.to(until), SimulationStatus::ready) << run.simulator.message();
  EXPECT_EQ(run.simulator.energy().gained, 0);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9);
}

// Four bodies in a trough, without friction: contacts let go and close again at one instant.
TEST(Heaps, FrictionlessChatter) {
  Trial run(trough + R"(
surfaces: {s: {friction: 0, restitution: 0.2}}
bodies:
  b0: {mass: 1.5932082096978861, inertia: 0.01865564548120482, joint: {kind: planar},
    shapes: {s0: {kind: capsule, radius: 0.05, length: 0.34219122795865287, surface: s}}}
  b1: {mass: 0.5596806462761635, inertia: 0.0013512835093734397, joint: {kind: planar},
    shapes: {s1: {kind: box, size: [0.155382853876671, 0.3864666849516356], surface: s}}}
  b2: {mass: 2.3262323452985734, inertia: 0.008557134396241707, joint: {kind: planar},
    shapes: {s2: {kind: ellipsoid, size: [0.19179515469300823, 0.3065121893511099], surface: s}}}
  b3: {mass: 0.5768862346082576, inertia: 0.006458113133684547, joint: {kind: planar},
    shapes: {s3: {kind: box, size: [0.33458597794428135, 0.12453116304365279], surface: s}}}
state:
  position:
    b0: [0.04345319925185223, 0.5, 0.7750084094086134]
    b1: [0.040294857015111374, 1.1, 0.5727358573896111]
    b2: [0.01232446310204377, 1.7, -0.8946695342959798]
    b3: [0.1589452362481935, 2.3, 0.9313369716539253]
  velocity:
    b0: [-0.7812577432393446, -1.4392754175714895, 2.956706612335392]
    b1: [0.018012801682155244, -1.6826795323055848, 2.3516853971867917]
    b2: [0.8553786929121527, -1.604479053165043, 1.098399527510141]
    b3: [-0.5362178606398458, -1.059646907006189, 2.3802447063010232]
)",
            by_events);
  expect_rest(run, 1.5);
}

// Friction that wedges a box between eggs: impacts of 1e-7 m/s that never ended, and now come to rest.
TEST(Heaps, WedgedWithoutEnd) {
  Trial run(trough + R"(
surfaces: {s: {friction: 3, restitution: 0.5, law: poisson}}
bodies:
  b0: {mass: 6.02107728302125, inertia: 0.02760426570246848, joint: {kind: planar},
    shapes: {s0: {kind: ellipsoid, size: [0.21411692549065103, 0.27321616574666013], surface: s}}}
  b1: {mass: 9.539134955183291, inertia: 0.05306320877603865, joint: {kind: planar},
    shapes: {s1: {kind: box, size: [0.23585346325715312, 0.127292626817785], surface: s}}}
  b2: {mass: 7.796761823000636, inertia: 0.059391907547527024, joint: {kind: planar},
    shapes: {s2: {kind: ellipsoid, size: [0.27599836117987875, 0.30316170903884454], surface: s}}}
  b3: {mass: 5.8035604430043115, inertia: 0.01733441086837812, joint: {kind: planar},
    shapes: {s3: {kind: ellipsoid, size: [0.1728252871561418, 0.3101346035481207], surface: s}}}
state:
  position:
    b0: [-0.0471611741891263, 0.5, 2.4714285572595864]
    b1: [-0.08269168755200301, 1.1, -0.5111115452729162]
    b2: [-0.055132465762482374, 1.7, -2.9975049095179562]
    b3: [-0.021252341924697854, 2.3, 0.4747707624825921]
  velocity:
    b0: [0.7571137578606488, -0.5525219708675286, -4.439929537798123]
    b1: [0.08790910456202172, -1.8064858615447905, 1.4555303201939065]
    b2: [0.4559063914503365, -1.6598276362951083, 4.068209658087511]
    b3: [0.9657745873806298, -1.5218051188511335, 1.3173207340352118]
)",
            by_events);
  expect_rest(run, 1.12);
}

// A rod that does not turn slides off a post with a round head: from its side to its round end the contact stays
// closed, and then it slides down like a point on a circle until it leaves, where cos θ = (2 + v²/gR)/3.
TEST(Heaps, FromTheSideToTheEnd) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 0.5}}
bodies:
  slide: {mass: 0, inertia: 0, joint: {kind: prismatic, axis: [1, 0]}}
  rod: {mass: 1, inertia: 0.01, joint: {kind: prismatic, parent: slide, axis: [0, 1]},
    shapes: {rod: {kind: capsule, radius: 0.05, length: 0.4, at: {rotation: 90 deg}, surface: s}}}
world: {shapes: {post: {kind: capsule, radius: 0.05, length: 0.4, surface: s}}}
state: {position: {slide: 0, rod: 0.3}, velocity: {slide: 0.3}}
)");
  ASSERT_EQ(run.to(2), SimulationStatus::ready) << run.simulator.message();
  const double radius = 0.1, cosine = (2 + 0.3 * 0.3 / (9.81 * radius)) / 3;
  const std::vector<Event> off = run.all(EventKind::detach);
  ASSERT_EQ(off.size(), 1u);
  EXPECT_TRUE(run.all(EventKind::impact).empty());
  EXPECT_NEAR(off[0].position[1], 0.2 + radius * cosine, 1e-8);
}

}  // namespace
