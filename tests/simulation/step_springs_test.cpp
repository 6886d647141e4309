// Springs, dampers and drives in steps of fixed length: closed forms, the limit of rigid rods, energy that never grows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Trial;

SimulationOptions by_steps(double h) {
  SimulationOptions options = testing_support::by(EngineKind::stepping);
  options.step = h;
  return options;
}

// Two bodies of 1 and 2 kg on a line, drawn apart by 0.1 m from a spring of 1 m.
std::string pair(double stiffness, double damping = 0, const std::string& more = "gravity: [0, 0, 0]\n") {
  return fmt::format(
      "{}bodies:\n"
      "  a: {{mass: 1, inertia: [0.01, 0.01, 0.01], joint: {{kind: free}}}}\n"
      "  b: {{mass: 2, inertia: [0.01, 0.01, 0.01], joint: {{kind: free}}}}\n"
      "springs: {{s: {{bodies: [a, b], stiffness: {}, rest_length: 1, damping: {}}}}}\n"
      "state: {{position: {{b: {{position: [1.1, 0, 0]}}}}}}\n",
      more, stiffness, damping);
}

double distance(const Trial& run) {
  const Eigen::VectorXd& q = run.simulator.state().q;
  return (q.segment<3>(7) - q.segment<3>(0)).norm();
}

// 1 + 0.1 cos ωt with ω² = k (1/1 + 1/2): of order two where a step resolves it, and of constant energy.
TEST(StepSprings, TwoBodiesOscillate) {
  const double stiffness = 600, omega = std::sqrt(1.5 * stiffness), until = 0.5;
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Trial run(pair(stiffness), by_steps(4e-3 / (k + 1)));
    const double before = run.simulator.energy().total();
    ASSERT_EQ(run.to(until), SimulationStatus::ready);
    EXPECT_NEAR(run.simulator.energy().total(), before, 1e-10 * before);
    errors[k] = distance(run) - 1 - 0.1 * std::cos(omega * until);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
  EXPECT_LT(std::abs(errors[1]), 1e-3);
}

// Beyond, it loses energy and never has more, however stiff: 1e6 N/m at a millisecond gained 54 → 3624 J once.
TEST(StepSprings, StiffOnesAreDamped) {
  for (const double stiffness : {1e5, 1e6, 1e8, 1e12}) {
    SCOPED_TRACE(stiffness);
    Trial run(pair(stiffness), by_steps(1e-3));
    const double first = run.simulator.energy().total();
    double last = first;
    for (int k = 1; k <= 200; ++k) {
      ASSERT_EQ(run.to(1e-3 * k), SimulationStatus::ready);
      const double now = run.simulator.energy().total();
      EXPECT_LE(now, last + 1e-12 * first);
      last = now;
    }
    EXPECT_LT(std::abs(distance(run) - 1), stiffness >= 1e6 ? 1e-6 : 0.2);
  }
}

// A stiff spring is a rod: two bodies that turn about one another keep their distance and their rate.
TEST(StepSprings, AStiffSpringIsARod) {
  const std::string spinning =
      "gravity: [0, 0, 0]\nbodies:\n"
      "  a: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free}}\n"
      "  b: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free}}\n"
      "springs: {s: {bodies: [a, b], stiffness: 1.0e9, rest_length: 1}}\n"
      "state: {position: {a: {position: [-0.5, 0, 0]}, b: {position: [0.5, 0, 0]}},\n"
      "        velocity: {a: [0, -1, 0, 0, 0, 0], b: [0, 1, 0, 0, 0, 0]}}\n";
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Trial run(spinning, by_steps(2e-3 / (k + 1)));
    ASSERT_EQ(run.to(1), SimulationStatus::ready);
    EXPECT_NEAR(distance(run), 1, 1e-5);
    errors[k] = std::abs(std::atan2(run.q(8), run.q(7)) - 2.0);
  }
  EXPECT_LT(errors[0], 0.02);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.4);
}

// A weight on a spring and a damper comes to hang at m g / k below, and two that lie on a floor sink by none.
TEST(StepSprings, AWeightHangsAtItsPlace) {
  for (const double stiffness : {1e3, 1e6, 1e9}) {
    const std::string scene = fmt::format(
        "bodies: {{w: {{mass: 3, inertia: [0.1, 0.1, 0.1], joint: {{kind: free}}}}}}\n"
        "springs: {{s: {{bodies: [w, world], at: [[0, 0, 0], [0, 0, 2]], stiffness: {}, rest_length: 2, damping: "
        "{}}}}}\n",
        stiffness, 2 * std::sqrt(3 * stiffness));
    Trial run(scene, by_steps(1e-3));
    ASSERT_EQ(run.to(2), SimulationStatus::ready);
    EXPECT_NEAR(run.q(2), -3 * 9.81 / stiffness, 1e-9);
    EXPECT_LT(run.simulator.state().v.norm(), 1e-9);
  }
}

// Two boxes on a smooth floor, joined by a spring: contacts act, so the order is one; the oracle is the closed form.
TEST(StepSprings, OnAFloorTheOrderIsOne) {
  const std::string floor =
      "gravity: [0, 0, -9.81]\nsurfaces: {s: {friction: 0, restitution: 0}}\n"
      "world: {shapes: {f: {kind: half_space, surface: s}}}\n";
  const double stiffness = 20, omega = std::sqrt(1.5 * stiffness), until = 1;
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const std::string scene =
        floor + fmt::format(
                    "bodies:\n"
                    "  a: {{mass: 1, inertia: [1, 1, 1], joint: {{kind: free}}, shapes: "
                    "{{x: {{kind: box, size: [0.2, 0.2, 0.2], surface: s}}}}}}\n"
                    "  b: {{mass: 2, inertia: [1, 1, 1], joint: {{kind: free}}, shapes: "
                    "{{y: {{kind: box, size: [0.2, 0.2, 0.2], surface: s}}}}}}\n"
                    "springs: {{s: {{bodies: [a, b], stiffness: {}, rest_length: 1}}}}\n"
                    "state: {{position: {{a: {{position: [0, 0, 0.1]}}, b: {{position: [1.1, 0, 0.1]}}}}}}\n",
                    stiffness);
    Trial run(scene, by_steps(2e-3 / (k + 1)));
    ASSERT_EQ(run.to(until), SimulationStatus::ready);
    errors[k] = distance(run) - 1 - 0.1 * std::cos(omega * until);
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
  EXPECT_LT(std::abs(errors[1]), 2e-3);
}

// A joint's spring far beyond what a step resolves, and its body set in motion: the energy of spring and body together
// once rose by (h ω)² / 4 in the first step.
TEST(StepSprings, AKnockOnAStiffJointGainsNothing) {
  for (const char* const held : {"spring: {stiffness: 1.0e6, rest: 0}", "drive: {stiffness: 1.0e6, damping: 1}"})
    for (const double h : {1e-4, 1e-3, 1e-2}) {
      SCOPED_TRACE(testing::Message() << held << " at " << h);
      Trial run(
          fmt::format("gravity: [0, 0, 0]\nbodies: {{b: {{mass: 1, inertia: [0.01, 0.01, 0.01], com: [0.1, 0, 0],\n"
                      "  joint: {{kind: revolute, axis: [0, 0, 1], {}}}}}}}\nstate: {{velocity: {{b: 5}}}}\n",
                      held),
          by_steps(h));
      const double first = run.simulator.energy().total();
      for (int k = 1; k <= 20; ++k) {
        ASSERT_EQ(run.to(h * k), SimulationStatus::ready);
        EXPECT_LE(run.simulator.energy().total(), first * (1 + 1e-9));
      }
    }
}

// Spheres joined at random by springs of 10 to 1e9 N/m and dampers, thrown onto a floor: a heap of no energy but its
// own.
TEST(StepSprings, RandomNetsNeverGain) {
  constexpr unsigned seed = 7;
  testing_support::Random random(seed);
  const auto between = [&](double a, double b) { return random.uniform(a, b); };
  for (int trial = 0; trial < testing_support::scaled(12); ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", net " << trial);
    const int n = 2 + trial % 5;
    std::string text = fmt::format(
        "surfaces: {{s: {{friction: {}, restitution: {}}}}}\nworld: {{shapes: {{f: {{kind: half_space, surface: "
        "s}}}}}}\n"
        "bodies:\n",
        between(0, 1), trial % 3 * 0.4);
    std::string springs = "springs:\n", places = "state:\n  position:\n", speeds = "  velocity:\n";
    double z[2] = {}, y[2] = {};
    for (int i = 0; i < n; ++i) {
      const double mass = std::pow(10, between(-2, 1));
      text += fmt::format(
          "  b{0}: {{mass: {1}, inertia: [{2}, {2}, {2}], joint: {{kind: free}}, shapes: {{k{0}: {{kind: sphere, "
          "radius: "
          "0.1, surface: s}}}}}}\n",
          i, mass, 0.004 * mass);
      z[0] = z[1], y[0] = y[1];
      z[1] = between(0.15, 0.5), y[1] = between(-0.02, 0.02);
      places += fmt::format("    b{}: {{position: [{}, {:.17g}, {:.17g}]}}\n", i, 0.4 * i, y[1], z[1]);
      speeds += fmt::format("    b{}: [{}, {}, {}, {}, {}, {}]\n", i, between(-2, 2), between(-2, 2), between(-2, 2),
                            between(-2, 2), between(-2, 2), between(-2, 2));
      if (i == 0) continue;
      springs += fmt::format(
          "  s{}: {{bodies: [b{}, b{}], at: [[0, 0.05, 0], [0, 0.05, 0]], stiffness: {:.6e}, rest_length: {:.17g}, "
          "damping: {}}}\n",
          i, i - 1, i, std::pow(10, between(1, 9)), std::hypot(0.4, y[1] - y[0], z[1] - z[0]),
          trial % 2 == 0 ? 0.0 : between(0, 1000));
    }
    Trial run(text + springs + places + speeds, by_steps(1e-3));
    const double first = run.simulator.energy().total();
    double last = first, risen = 0;
    for (int k = 1; k <= 300; ++k) {
      ASSERT_EQ(run.to(1e-3 * k), SimulationStatus::ready);
      const double now = run.simulator.energy().total();
      risen += std::max(0.0, now - last);
      last = now;
    }
    EXPECT_LT(risen, 1e-3 * first);
    EXPECT_LT(last, first);
  }
}

// Trees that a spring joins are one in the factor of M, whatever their order: against a dense solution.
TEST(StepSprings, CoupledTreesHaveOneFactor) {
  std::string text = "gravity: [0, 0]\ndimension: planar\nbodies:\n";
  for (int tree = 0; tree < 3; ++tree)
    for (int k = 0; k < 3; ++k)
      text += fmt::format(
          "  t{0}{1}: {{mass: 1, inertia: 0.1, com: [0.2, 0], joint: {{kind: revolute, at: [{2}, 0]{3}}}}}\n", tree, k,
          k == 0 ? 2.0 * tree : 0.4, k == 0 ? "" : fmt::format(", parent: t{}{}", tree, k - 1));
  text +=
      "springs:\n  x: {bodies: [t02, t21], stiffness: 1, rest_length: 1}\n"
      "  y: {bodies: [t12, t20], stiffness: 1, rest_length: 1}\n";
  const Scene scene = read_scene_text("routh: 1\n" + text, "test");
  const std::vector<std::vector<int>> groups = {{0, 1, 2, 6, 7}, {3, 4, 5, 6}};
  const std::vector<int> parents = coupled_parents(scene.model, groups);
  MassFactor factor(scene.model, parents);
  Workspace workspace(scene.model);
  State state = scene.state;
  for (Eigen::Index k = 0; k < 9; ++k) state.q[k] = 0.3 * static_cast<double>(k);
  factor.load(state.q, workspace);
  compute_mass_matrix(scene.model, state.q, workspace);
  Eigen::MatrixXd dense = workspace.mass_matrix;
  for (const std::vector<int>& group : groups) {
    std::vector<double> x;
    Eigen::VectorXd column = Eigen::VectorXd::Zero(9);
    for (const int dof : group) {
      x.push_back(std::cos(3.0 * dof + static_cast<double>(group.size())));
      column[dof] = x.back();
    }
    factor.add_product(group, x, 7.5);
    dense += 7.5 * column * column.transpose();
  }
  ASSERT_LT(factor.decompose(), 0);
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(9, -1, 2);
  const Eigen::VectorXd expected = dense.inverse() * x;
  EXPECT_NEAR(factor.product(x, x), x.dot(dense * x), 1e-12 * x.dot(dense * x));
  factor.solve(x);
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
}

}  // namespace
