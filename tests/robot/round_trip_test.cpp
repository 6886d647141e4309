// A robot written as a scene is the same machine when it is read again, bit for bit; and scenes that take a robot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "mjcf_case.h"
#include "routh/scene/scene_text.h"

namespace {

using namespace routh;
using testing_support::Random;

template <class A, class B>
void expect_same_bits(const A& a, const B& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i)
    EXPECT_EQ(std::memcmp(a.data() + i, b.data() + i, sizeof(double)), 0) << i << ": " << a(i) << " " << b(i);
}

void expect_same_hull(const Polyhedron* a, const Polyhedron* b) {
  ASSERT_EQ(!a, !b);
  if (!a) return;
  ASSERT_EQ(a->vertices.size(), b->vertices.size());
  EXPECT_EQ(a->corners, b->corners);
  for (std::size_t i = 0; i < a->vertices.size(); ++i)
    EXPECT_TRUE(a->vertices[i].x == b->vertices[i].x && a->vertices[i].y == b->vertices[i].y &&
                a->vertices[i].z == b->vertices[i].z)
        << i;
}

void expect_same_machine(const Model& a, const Model& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  ASSERT_EQ(a.velocities, b.velocities);
  ASSERT_EQ(a.loop_rows, b.loop_rows);
  ASSERT_EQ(a.shapes.size(), b.shapes.size());
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.shapes.size(); ++i) {
    EXPECT_EQ(a.shapes[i].name, b.shapes[i].name);
    expect_same_hull(a.shapes[i].hull.get(), b.shapes[i].hull.get());
  }
  for (int i = 0; i < a.velocities; ++i) {
    const DofDescription &x = a.dofs[static_cast<std::size_t>(i)].properties,
                         &y = b.dofs[static_cast<std::size_t>(i)].properties;
    EXPECT_EQ(dof_name(a, i), dof_name(b, i));
    EXPECT_EQ(x.lower, y.lower);
    EXPECT_EQ(x.upper, y.upper);
    EXPECT_EQ(x.damping, y.damping);
    EXPECT_EQ(x.armature, y.armature);
  }
  Random random(8303);
  Workspace wa(a), wb(b);
  for (int k = 0; k < testing_support::scaled(10, 2); ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(a, random);
    compute_mass_matrix(a, q, wa);
    compute_mass_matrix(b, q, wb);
    expect_same_bits(wa.mass_matrix.reshaped(), wb.mass_matrix.reshaped());
    compute_gravity_force(a, q, wa);
    compute_gravity_force(b, q, wb);
    expect_same_bits(wa.force, wb.force);
    compute_kinematics(a, q, wa);
    compute_kinematics(b, q, wb);
    for (std::size_t i = 1; i < a.bodies.size(); ++i)
      expect_same_bits(mjcf_case::frame_of(body_pose(a, wa, static_cast<int>(i))),
                       mjcf_case::frame_of(body_pose(b, wb, static_cast<int>(i))));
    for (std::size_t i = 0; i < a.shapes.size(); ++i)
      expect_same_bits(mjcf_case::frame_of(a.shapes[i].at), mjcf_case::frame_of(b.shapes[i].at));
  }
}

class RoundTrip : public testing::TestWithParam<std::tuple<const char*, RobotBase>> {};

TEST_P(RoundTrip, ThroughTheTextOfAScene) {
  const auto [name, base] = GetParam();
  const std::string path = std::string(ROUTH_TEST_DATA "/robots/") + name;
  const RobotFile robot = read_robot_file(path, {base, {}, {}});
  const Scene direct = scene_of_robot(robot);
  const std::string text = scene_text(direct, {path, {}});
  Scene again = read_scene_text(text, "scene.yaml");
  expect_same_machine(direct.model, again.model);
  expect_same_bits(direct.state.q, again.state.q);
  expect_same_bits(direct.state.v, again.state.v);
  EXPECT_EQ(again.model.name, robot.description.name);
  // Written once more, nothing changes.
  EXPECT_EQ(again.draft.origin, SceneOrigin::scene);
  again.draft.origin = SceneOrigin::robot;
  again.draft.start = direct.draft.start;
  EXPECT_EQ(scene_text(again, {path, {}}), text);
}

INSTANTIATE_TEST_SUITE_P(Robots, RoundTrip,
                         testing::Combine(testing::Values("arm.urdf", "planar_and_ball.urdf", "meshes.urdf"),
                                          testing::Values(RobotBase::fixed, RobotBase::floating)),
                         [](const auto& instance) {
                           const std::string name = std::get<0>(instance.param);
                           return name.substr(0, name.find('.')) +
                                  (std::get<1>(instance.param) == RobotBase::fixed ? "_fixed" : "_floating");
                         });

INSTANTIATE_TEST_SUITE_P(Meshes, RoundTrip, testing::Values(std::tuple{"mjcf_meshes.xml", RobotBase::floating}),
                         [](const auto&) { return "mjcf"; });

std::string scene_with(const std::string& robot, const std::string& rest = "") {
  return fmt::format("routh: 1\nsurfaces: {{rubber: {{friction: 0.8, restitution: 0.2}}}}\nrobot: {{{}}}\n{}", robot,
                     rest);
}

Scene read_beside_robots(const std::string& text) {
  return read_scene_text(text, ROUTH_TEST_DATA "/robots/scene.yaml");
}

std::string refusal(const std::string& text) {
  try {
    read_beside_robots(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RobotScene, AddsToTheRobot) {
  const Scene scene = read_beside_robots(scene_with(
      "file: arm.urdf, base: floating, surface: rubber, shapes: {left_finger: {tip: {kind: sphere, radius: 0.01}}}, "
      "joints: {elbow: {drive: {stiffness: 5}}, base: {dofs: {wx: {damping: 2}}}}",
      "bodies: {cup: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, parent: tool0, axis: [1, 0, 0]}}}\n"
      "world: {shapes: {floor: {kind: half_space}}}\n"
      "state: {position: {base: [0, 0, 2, 1, 0, 0, 0], elbow: 0.5}}\n"));
  const Model& model = scene.model;
  EXPECT_EQ(model.name, "arm");
  EXPECT_EQ(model.velocities, 6 + 5 + 1);
  EXPECT_EQ(model.shapes.size(), 4u + 1 + 1);
  EXPECT_EQ(model.shapes.back().name, "floor");
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(model.surfaces.at(model.shapes[i].surface).name, "rubber");
  const Joint& elbow = model.joints[static_cast<std::size_t>(model.find_joint("elbow").value())];
  const DofDescription& dof = model.dofs[static_cast<std::size_t>(elbow.v)].properties;
  EXPECT_EQ(dof.drive->stiffness, 5);
  EXPECT_EQ(dof.upper, 2.5);  // what the robot's file says stays
  EXPECT_EQ(scene.state.q[elbow.q], 0.5);
  EXPECT_EQ(scene.state.q[2], 2);
  EXPECT_FALSE(scene.warnings.empty());
}

TEST(RobotScene, ExpandsToASceneOfItsOwn) {
  const std::string text =
      scene_with("file: arm.urdf, base: floating, surface: rubber",
                 "world: {shapes: {floor: {kind: half_space}}}\nsimulation: {until: 3}\n"
                 "contacts: {exclude: [[rod, floor]], tolerance: 1e-5}\n"
                 "state: {time: 1, position: {base: [0, 0, 2, 1, 0, 0, 0]}, velocity: {elbow: 2}}\n");
  const Scene taken = read_beside_robots(text);
  const Scene own = read_scene_text(scene_text(taken, {}), "own.yaml");
  expect_same_machine(taken.model, own.model);
  EXPECT_EQ((taken.state.q - own.state.q).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ((taken.state.v - own.state.v).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(own.state.time, 1);
  EXPECT_EQ(own.simulation.until, 3);
  EXPECT_EQ(own.touch.tolerance, 1e-5);
}

TEST(RobotScene, Refusals) {
  const std::pair<std::string, std::string> cases[] = {
      {scene_with("file: none.urdf"), "scene.yaml:3:15: error: robot.file: there is no file 'none.urdf'"},
      {scene_with("file: arm.urdf, base: loose"), "'loose' is not one of fixed, floating"},
      {scene_with("file: arm.urdf, surfaces: {bass: rubber}"),
       "the robot has no shape, nor a body with shapes, 'bass'"},
      {scene_with("file: arm.urdf, surface: ice"), "ice"},
      {scene_with("file: arm.urdf, shapes: {hnd: {s: {kind: point}}}"),
       "the robot has no body 'hnd'; did you mean 'hand'?"},
      {scene_with("file: arm.urdf, joints: {elbw: {damping: 1}}"), "did you mean 'elbow'?"},
      {scene_with("file: arm.urdf, joints: {tool_joint: {damping: 1}}"), "is fixed and does not move"},
      {scene_with("file: arm.urdf, joints: {elbow: {kind: free}}"), "'kind' is not a key"},
      {scene_with("file: arm.urdf", "dimension: planar\n"), "a robot is a machine in space"},
      {scene_with("base: fixed"), "'file' is missing"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << "\n" << refusal(text);
}

// The place is that in the robot's file, not in the scene it becomes.
TEST(RobotScene, RefusalsAndWarningsNameTheRobotsFile) {
  const auto linkage = [](double far, const std::string& range) {
    return fmt::format(
        "<mujoco>\n<compiler angle='radian'/>\n<worldbody>\n<body name='a'><joint name='ja' axis='0 1 0' {}/>"
        "<geom type='capsule' size='.01' fromto='0 0 0 0 0 1' contype='0'/><site name='s' pos='0 0 1'/></body>\n"
        "<body name='b' pos='{} 0 0'><joint name='jb' axis='0 1 0'/>"
        "<geom type='capsule' size='.01' fromto='0 0 0 0 0 1'/><site name='t' pos='0 0 1'/></body>\n</worldbody>\n"
        "<equality>\n<connect name='c' site1='s' site2='t'/>\n</equality>\n</mujoco>",
        range, far);
  };
  const auto scene = [](const std::string& text) { return scene_of_robot(read_robot_text(text, "l.xml")); };
  try {
    scene(linkage(3, ""));
    ADD_FAILURE() << "closed";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("l.xml:8:1: error: the loops cannot be closed"), std::string::npos)
        << error.what();
  }
  // Arms of length 1, 1 apart: both lean by 30°, beyond the limit of one.
  const Scene leaning = scene(linkage(1, "range='-0.1 0.1'"));
  std::string all;
  for (const std::string& warning : leaning.warnings) all += warning + "\n";
  EXPECT_NE(all.find("l.xml:4:16: warning: with the loops closed 'ja' is at 0.52359"), std::string::npos) << all;
  const Scene read_back = read_scene_text(scene_text(leaning, {}), "scene.yaml");
  EXPECT_TRUE(read_back.warnings.empty());
  for (const RobotStart& start : leaning.draft.start) {
    const Joint& joint = read_back.model.joints[static_cast<std::size_t>(*read_back.model.find_joint(start.joint))];
    EXPECT_NEAR(read_back.state.q[joint.q], start.position[0], 1e-14);
    EXPECT_NEAR(std::abs(start.position[0]), 3.14159265358979 / 6, 1e-9);
  }
}

}  // namespace
