// What must not change a run: mirrors, the order of names in the file, repetition, checkpoints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::Trial;

bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

// A symmetric jumper: body with two legs that swing against each other, dropped flat.
constexpr const char* jumper = R"(
dimension: planar
surfaces: {s: {friction: 0.6, restitution: 0.4}}
bodies:
  trunk: {mass: 3, inertia: 0.2, joint: {kind: planar}}
  left: {mass: 1, com: [0, -0.3], inertia: 0.03,
      joint: {kind: revolute, parent: trunk, at: [-0.4, 0], spring: {stiffness: 15}},
    shapes: {lf: {kind: point, at: [0, -0.6], surface: s}}}
  right: {mass: 1, com: [0, -0.3], inertia: 0.03,
      joint: {kind: revolute, parent: trunk, at: [0.4, 0], spring: {stiffness: 15}},
    shapes: {rf: {kind: point, at: [0, -0.6], surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state:
  position: {trunk: [0, 0.8, 0], left: -0.3, right: 0.3}
  velocity: {trunk: [0, -1, 0], left: -0.4, right: 0.4}
)";

TEST(Symmetry, MirrorSymmetricSceneStaysSymmetric) {
  Trial run(jumper);
  double worst = 0;
  run.simulator.on_sample(0.01, 0, [&](const Sample& sample) {
    const Eigen::VectorXd& q = sample.state.q;
    worst = std::max({worst, std::abs(q[0]), std::abs(q[2]), std::abs(q[3] + q[4])});
  });
  ASSERT_EQ(run.to(0.6), SimulationStatus::ready) << run.simulator.message();
  EXPECT_GE(run.all(EventKind::impact).size(), 1u);
  EXPECT_LE(worst, 1e-8);
}

// x → −x: angles and horizontal velocities change their sign, nothing else.
TEST(Symmetry, MirroredSceneGivesTheMirroredRun) {
  const auto text = [](double sign) {
    return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {{static: 0.5, kinetic: 0.4}}, restitution: 0.5}}}}
bodies:
  body: {{mass: 2, com: [{0}, 0.05], inertia: 0.06, joint: {{kind: planar}},
      shapes: {{b: {{kind: box, size: [0.5, 0.3], surface: s}}}}}}
  arm: {{mass: 0.7, com: [{1}, 0], inertia: 0.01, joint: {{kind: revolute, parent: body, at: [{1}, 0.1], damping: 0.1}},
    shapes: {{hand: {{kind: point, at: [{2}, 0], surface: s}}}}}}
world:
  shapes:
    belt: {{kind: half_space, surface: s, belt: {{velocity: [{0}, 0]}}}}
    wall: {{kind: half_space, normal: [{3}, 0.2], at: [{4}, 0], surface: s}}
state:
  position: {{body: [0, 0.5, {5}], arm: {0}}}
  velocity: {{body: [{2}, -1, {6}], arm: {6}}}
)",
                       0.1 * sign, 0.2 * sign, 0.5 * sign, -sign, 0.6 * sign, 0.4 * sign, -2 * sign);
  };
  Trial right(text(1)), left(text(-1));
  for (const double time : {0.1, 0.2, 0.3, 0.4}) {
    ASSERT_EQ(right.to(time), SimulationStatus::ready) << right.simulator.message();
    ASSERT_EQ(left.to(time), SimulationStatus::ready) << left.simulator.message();
    const double tolerance = 1e-7;
    EXPECT_NEAR(right.q(0), -left.q(0), tolerance) << time;
    EXPECT_NEAR(right.q(1), left.q(1), tolerance) << time;
    EXPECT_NEAR(right.q(2), -left.q(2), tolerance) << time;
    EXPECT_NEAR(right.q(3), -left.q(3), tolerance) << time;
    EXPECT_NEAR(right.v(3), -left.v(3), 100 * tolerance) << time;
  }
  EXPECT_GE(right.simulator.statistics().impacts, 2);
}

// Two machines side by side, in either order, with shapes in either order.
TEST(Symmetry, OrderInTheFileDoesNotMatter) {
  const std::string head = "dimension: planar\nsurfaces: {s: {friction: 0.3, restitution: 0.6}}\n";
  const std::string ball =
      "  ball: {mass: 1, inertia: 0.004, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.1, surface: "
      "s}}}\n";
  const std::string box1 =
      "  box: {mass: 2, inertia: 0.05, joint: {kind: planar}, shapes: {c1: {kind: point, at: [0.3, -0.1], surface: s}, "
      "c2: {kind: point, at: [-0.3, -0.1], surface: s}, top: {kind: strip, width: 0.6, at: [0, 0.1], surface: s}}}\n";
  const std::string box2 =
      "  box: {mass: 2, inertia: 0.05, joint: {kind: planar}, shapes: {top: {kind: strip, width: 0.6, at: [0, 0.1], "
      "surface: s}, "
      "c2: {kind: point, at: [-0.3, -0.1], surface: s}, c1: {kind: point, at: [0.3, -0.1], surface: s}}}\n";
  const std::string rest =
      "world: {shapes: {floor: {kind: half_space, surface: s}}}\n"
      "state: {position: {ball: [0.05, 0.6, 0], box: [0, 0.2, 0.1]}, velocity: {ball: [0.3, 0, 2]}}\n";
  Trial one(head + "bodies:\n" + ball + box1 + rest), two(head + "bodies:\n" + box2 + ball + rest);
  ASSERT_EQ(one.to(0.3), SimulationStatus::ready) << one.simulator.message();
  ASSERT_EQ(two.to(0.3), SimulationStatus::ready) << two.simulator.message();
  EXPECT_GE(one.simulator.statistics().impacts, 2);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(one.q(k), two.q((k + 3) % 6), 1e-9) << k;
}

// A turned world: gravity and all planes turned by the same angle give the turned run.
TEST(Symmetry, TurnedWorldGivesTheTurnedRun) {
  const auto text = [](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return fmt::format(R"(
dimension: planar
gravity: [{:.17g}, {:.17g}]
surfaces: {{s: {{friction: 0.4, restitution: 0.5}}}}
bodies: {{box: {{mass: 2, inertia: 0.05, joint: {{kind: planar}},
    shapes: {{b: {{kind: box, size: [0.5, 0.3], surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, at: {{rotation: {:.17g}}}, surface: s}}}}}}
state: {{position: {{box: [{:.17g}, {:.17g}, {:.17g}]}}, velocity: {{box: [{:.17g}, {:.17g}, 2]}}}}
)",
                       9.81 * s, -9.81 * c, angle, -0.6 * s, 0.6 * c, angle + 0.3, 1.5 * c, 1.5 * s);
  };
  Trial flat(text(0)), turned(text(0.7));
  ASSERT_EQ(flat.to(0.5), SimulationStatus::ready) << flat.simulator.message();
  ASSERT_EQ(turned.to(0.5), SimulationStatus::ready) << turned.simulator.message();
  const double c = std::cos(0.7), s = std::sin(0.7);
  EXPECT_NEAR(turned.q(0), c * flat.q(0) - s * flat.q(1), 1e-8);
  EXPECT_NEAR(turned.q(1), s * flat.q(0) + c * flat.q(1), 1e-8);
  EXPECT_NEAR(turned.q(2), flat.q(2) + 0.7, 1e-8);
}

TEST(Symmetry, TwoRunsGiveTheSameBits) {
  for (const char* file : {"kane.yaml", "four_bar.yaml", "walker.yaml", "two_bodies.yaml", "liu_arm.yaml"}) {
    Trial one(example(file)), two(example(file));
    one.simulator.on_sample(0.007, 0, [](const Sample&) {});  // samples do not change the steps
    ASSERT_EQ(one.to(1), SimulationStatus::ready) << file << one.simulator.message();
    ASSERT_EQ(two.to(1), SimulationStatus::ready) << file << two.simulator.message();
    EXPECT_TRUE(same_bits(one.simulator.state().q, two.simulator.state().q)) << file;
    EXPECT_TRUE(same_bits(one.simulator.state().v, two.simulator.state().v)) << file;
    EXPECT_EQ(one.simulator.events().size(), two.simulator.events().size()) << file;
  }
}

// A checkpoint taken anywhere, in flight, among bounces, in contact, continues with the same bits.
TEST(Symmetry, ResumedRunHasTheSameBits) {
  for (const char* file : {"kane.yaml", "four_bar.yaml", "walker.yaml", "two_bodies.yaml", "liu_arm.yaml"}) {
    Trial whole(example(file));
    ASSERT_EQ(whole.to(1.5), SimulationStatus::ready) << file << whole.simulator.message();
    for (const double cut : {0.003, 0.11, 0.3, 0.62, 0.9}) {
      Trial part(example(file));
      ASSERT_EQ(part.to(cut), SimulationStatus::ready) << file;
      const Checkpoint checkpoint = part.simulator.checkpoint();
      EXPECT_LE(checkpoint.state.time, cut);
      Simulator resumed(part.scene.model, checkpoint);
      ASSERT_EQ(resumed.advance(1.5), SimulationStatus::ready) << file << " " << cut << resumed.message();
      EXPECT_TRUE(same_bits(resumed.state().q, whole.simulator.state().q))
          << file << " cut at " << cut << " differs by " << (resumed.state().q - whole.simulator.state().q).norm();
      EXPECT_TRUE(same_bits(resumed.state().v, whole.simulator.state().v)) << file << " cut at " << cut;
      EXPECT_EQ(resumed.energy().dissipated, whole.simulator.energy().dissipated) << file << " cut at " << cut;
    }
  }
}

// Asking in pieces gives the same motion as asking once, to the tolerance.
TEST(Symmetry, PiecesGiveTheSameRun) {
  for (const char* file : {"kane.yaml", "walker.yaml", "liu_arm.yaml"}) {
    Trial whole(example(file)), pieces(example(file));
    ASSERT_EQ(whole.to(0.8), SimulationStatus::ready) << file;
    for (int k = 1; k <= 80; ++k) ASSERT_EQ(pieces.to(0.01 * k), SimulationStatus::ready) << file;
    EXPECT_LE((whole.simulator.state().q - pieces.simulator.state().q).norm(), 1e-6) << file;
  }
}

}  // namespace
