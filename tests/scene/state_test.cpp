// The state of a scene: coordinates by joint, loops closed, limits kept.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "scene/samples.h"

namespace routh {
namespace {

using std::numbers::pi;
using testing_support::content;
using testing_support::planar_scene;
using testing_support::refusal;
using testing_support::repository;
using testing_support::spatial_scene;

Scene read(const std::string& text) { return read_scene_text(text, "f"); }

double coordinate(const Scene& scene, const std::string& joint, int entry = 0) {
  return scene.state.q[scene.model.joints[*scene.model.find_joint(joint)].q + entry];
}
double velocity(const Scene& scene, const std::string& joint, int entry = 0) {
  return scene.state.v[scene.model.joints[*scene.model.find_joint(joint)].v + entry];
}

double largest_residual(const Scene& scene) {
  Workspace workspace(scene.model);
  compute_kinematics(scene.model, scene.state.q, workspace);
  Eigen::VectorXd phi(scene.model.loop_rows);
  loop_residual(scene.model, workspace, scene.state.q, phi);
  return phi.cwiseAbs().maxCoeff();
}

TEST(SceneState, DefaultsToRest) {
  const Scene scene = read(spatial_scene("{kind: free}"));
  EXPECT_EQ(scene.state.time, 0);
  EXPECT_EQ(scene.state.q, (Eigen::VectorXd(7) << 0, 0, 0, 1, 0, 0, 0).finished());
  EXPECT_TRUE(scene.state.v.isZero());
  EXPECT_EQ(scene.touch.tolerance, 1e-6);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(SceneState, EveryKindOfJoint) {
  const Scene scene = read(
      "routh: 1\nbodies:\n"
      "  r: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, axis: [0, 0, 1]}}\n"
      "  p: {mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [0, 0, 1]}}\n"
      "  c: {mass: 1, inertia: [1, 1, 1], joint: {kind: cylindrical, axis: [0, 0, 1]}}\n"
      "  l: {mass: 1, inertia: [1, 1, 1], joint: {kind: planar}}\n"
      "  s: {mass: 1, inertia: [1, 1, 1], joint: {kind: spherical}}\n"
      "  t: {mass: 1, inertia: [1, 1, 1], joint: {kind: spherical}}\n"
      "  u: {mass: 1, inertia: [1, 1, 1], joint: {kind: universal, axis: [1, 0, 0], second_axis: [0, 1, 0]}}\n"
      "  f: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}\n"
      "  g: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}\n"
      "contacts: {tolerance: 1e-4}\n"
      "state:\n"
      "  time: 2.5\n"
      "  position: {r: 30 deg, p: 0.2, c: [0.3, 60 deg], l: [1, 2, 90 deg], s: [0.6, 0, 0.8, 0], t: {axis: [0, 0, 1], "
      "angle: 180 deg}, u: [1, 2 deg], f: [1, 2, 3, 0, 0, 0, 1], g: {position: [4, 5, 6], rotation: {rpy: [90 deg, 0, "
      "0]}}}\n"
      "  velocity: {r: 1, p: 2, c: [3, 4], l: [5, 6, 7], s: [8, 9, 10], u: [11, 12], f: [13, 14, 15, 16, 17, 18]}\n");
  EXPECT_EQ(scene.state.time, 2.5);
  EXPECT_EQ(scene.touch.tolerance, 1e-4);
  EXPECT_DOUBLE_EQ(coordinate(scene, "r"), pi / 6);
  EXPECT_EQ(coordinate(scene, "p"), 0.2);
  EXPECT_EQ(coordinate(scene, "c"), 0.3);
  EXPECT_DOUBLE_EQ(coordinate(scene, "c", 1), pi / 3);
  EXPECT_EQ(coordinate(scene, "l", 1), 2);
  EXPECT_DOUBLE_EQ(coordinate(scene, "l", 2), pi / 2);
  EXPECT_DOUBLE_EQ(coordinate(scene, "s"), 0.6);
  EXPECT_DOUBLE_EQ(coordinate(scene, "s", 2), 0.8);
  EXPECT_NEAR(coordinate(scene, "t"), 0, 1e-15);
  EXPECT_NEAR(std::abs(coordinate(scene, "t", 3)), 1, 1e-15);
  EXPECT_EQ(coordinate(scene, "u"), 1);
  EXPECT_EQ(coordinate(scene, "f", 2), 3);
  EXPECT_EQ(coordinate(scene, "f", 6), 1);
  EXPECT_EQ(coordinate(scene, "g", 1), 5);
  EXPECT_NEAR(coordinate(scene, "g", 4), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(velocity(scene, "r"), 1);
  EXPECT_EQ(velocity(scene, "c", 1), 4);
  EXPECT_EQ(velocity(scene, "l", 2), 7);
  EXPECT_EQ(velocity(scene, "s", 1), 9);
  EXPECT_EQ(velocity(scene, "u", 1), 12);
  EXPECT_EQ(velocity(scene, "f", 5), 18);
  EXPECT_EQ(velocity(scene, "t"), 0);
}

TEST(SceneState, WhatIsNotGivenFollowsFromTheLoops) {
  const Scene scene = read(content(repository("tests/data/scenes/good/loops_follow.yaml")));
  // A slider-crank with r = 1, l = 2 at 30°: x = cos 30° + √(4 − sin² 30°).
  EXPECT_EQ(coordinate(scene, "crank"), 30 * pi / 180);
  EXPECT_NEAR(coordinate(scene, "piston"), std::cos(pi / 6) + std::sqrt(4 - 0.25), 1e-12);
  EXPECT_LE(largest_residual(scene), 1e-12);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(SceneState, VelocitiesFollowFromTheLoopsToo) {
  std::string text = content(repository("tests/data/scenes/good/loops_follow.yaml"));
  const Scene scene = read(text + "  velocity: {crank: 2}\n");
  // ẋ = −ω r sin θ (1 + r cos θ/√(l² − r² sin² θ))
  const double s = 0.5, c = std::cos(pi / 6);
  EXPECT_NEAR(velocity(scene, "piston"), -2 * s * (1 + c / std::sqrt(4 - s * s)), 1e-11);
  EXPECT_EQ(velocity(scene, "crank"), 2);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(SceneState, AGivenPositionThatHasToMoveIsAWarning) {
  const std::string loop = "loops: {l: {kind: coupling, terms: {a: 1}, constant: 10 deg}}\n";
  const Scene moved = read(planar_scene("{kind: revolute}", loop + "state: {position: {a: 9 deg}}\n"));
  ASSERT_EQ(moved.warnings.size(), 1u);
  EXPECT_EQ(moved.warnings[0], "f:5:9: warning: closing the loops moved 'a' by 0.0175");
  EXPECT_NEAR(coordinate(moved, "a"), pi / 18, 1e-14);
  EXPECT_TRUE(read(planar_scene("{kind: revolute}", loop)).warnings.empty());
  EXPECT_TRUE(read(planar_scene("{kind: revolute}", loop + "state: {position: {a: 0.1745329252}}\n")).warnings.empty());
  const Scene stopped = read(planar_scene("{kind: revolute}", loop + "state: {velocity: {a: 1}}\n"));
  ASSERT_EQ(stopped.warnings.size(), 1u);
  EXPECT_EQ(stopped.warnings[0], "f:5:9: warning: the loops forbid the velocity: 'a' changed by -1");
  EXPECT_NEAR(velocity(stopped, "a"), 0, 1e-15);
}

TEST(SceneState, LoopsThatCannotCloseGiveEachResidual) {
  // The end of the bar, 1 m from its pivot, cannot come nearer than 2 m to (3, 0).
  const std::string message = refusal(planar_scene("{kind: revolute}",
                                                   "loops:\n"
                                                   "  far: {kind: point, bodies: [a, world], at: [[1, 0], [3, 0]]}\n"
                                                   "  near: {kind: coupling, terms: {a: 1}}\n"));
  EXPECT_NE(message.find("f:6:3: error: the loops cannot be closed: 'far' stays open by 2"), std::string::npos)
      << message;
  EXPECT_NE(message.find(", 'near' stays open by "), std::string::npos) << message;
}

TEST(SceneState, LimitsHoldWithinTheTolerance) {
  const auto at = [](const std::string& value) {
    return refusal(planar_scene("{kind: revolute, limits: [-1, 1]}", "state: {position: {a: " + value + "}}\n"));
  };
  EXPECT_EQ(at("1"), "");
  EXPECT_EQ(at("1.0000009"), "");
  EXPECT_EQ(at("-1.0000009"), "");
  EXPECT_NE(at("1.0000011"), "");
  EXPECT_NE(at("-1.0000011"), "");
}

TEST(SceneState, AMachineMayLoseInertiaInOnePostureOnly) {
  // A point mass on a massless telescope: at zero length nothing resists the turning.
  const std::string scene =
      "routh: 1\ndimension: planar\nbodies:\n"
      "  arm: {mass: 0, joint: {kind: revolute}}\n"
      "  tip: {mass: 1, inertia: 0, joint: {kind: prismatic, parent: arm, axis: [1, 0]}}\n"
      "state: {position: {tip: ";
  EXPECT_EQ(refusal(scene + "0.5}}\n"), "");
  const std::string message = refusal(scene + "0}}\n");
  EXPECT_NE(message.find("'arm'"), std::string::npos) << message;
  EXPECT_NE(message.find("inertia"), std::string::npos) << message;
}

TEST(SceneState, MasslessBodiesMayBeWelded) {
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "  b: {mass: 0, joint: {kind: fixed, parent: a}}\n")), "");
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "  b: {mass: 0, joint: {kind: fixed}}\n")), "");
}

TEST(SceneState, NegativeSpringsAreWarnedOf) {
  const Scene joint = read(planar_scene("{kind: revolute, spring: {stiffness: -5}}"));
  ASSERT_EQ(joint.warnings.size(), 1u);
  EXPECT_TRUE(joint.warnings[0].starts_with("f:4:")) << joint.warnings[0];
  EXPECT_NE(joint.warnings[0].find("stiffness = -5"), std::string::npos) << joint.warnings[0];
  const Scene spring = read(planar_scene(
      "{kind: revolute}", "springs: {s: {bodies: [a, world], at: [[1, 0], [2, 0]], stiffness: -5, rest_length: 1}}\n"));
  ASSERT_EQ(spring.warnings.size(), 1u);
  EXPECT_NE(spring.warnings[0].find("stiffness = -5"), std::string::npos) << spring.warnings[0];
}

TEST(SceneState, ScenesAreToldFromProblems) {
  const auto is = [](const std::string& text) { return is_scene(Document::from_text(text, "f")); };
  EXPECT_TRUE(is("routh: 7\n"));
  EXPECT_FALSE(is("{\"mass_matrix\": [[1]]}"));
  EXPECT_FALSE(is("[routh]"));
  EXPECT_FALSE(is("routh"));
}

TEST(SceneState, AMissingFileIsARuntimeFailure) {
  EXPECT_THROW(read_scene_file(repository("tests/data/scenes/none.yaml")), RuntimeFailure);
}

}  // namespace
}  // namespace routh
