// Robots that begin inside the ground: lifted upon it, left in their foundation, or refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "routh/contact/contact.h"
#include "routh/scene/scene_text.h"

namespace {

using namespace routh;

Scene converted(const std::string& world) {
  return scene_of_robot(read_robot_text("<mujoco><worldbody>" + world + "</worldbody></mujoco>", "r.xml"));
}

Scene reread(const Scene& scene) { return read_scene_text(scene_text(scene, {}), "scene.yaml"); }

TouchReport touches(const Scene& scene) {
  Workspace workspace(scene.model);
  return find_touches(scene.model, scene.state, {}, workspace);
}

const std::string floor_geom = "<geom name='floor' type='plane' size='0 0 1'/>";

std::string ball(double height) {
  return fmt::format("<body name='ball' pos='0 0 {}'><freejoint/><geom name='g' size='.1'/></body>", height);
}

TEST(RobotOverlaps, AFreeBodyIsLiftedOntoTheFloor) {
  const Scene text = converted(floor_geom + ball(0.099));
  ASSERT_EQ(text.warnings.size(), 1u);
  EXPECT_EQ(
      text.warnings[0],
      "r.xml:1:20: warning: the shapes 'g' and 'floor' overlap by 0.001 m where the robot begins: 'ball' is lifted "
      "by 0.001 m");
  const Scene scene = reread(text);
  EXPECT_NEAR(scene.state.q[2], 0.1, 1e-15);
  EXPECT_EQ(scene.state.q[0], 0);
  EXPECT_EQ(touches(scene).touches.size(), 1u);
  ASSERT_EQ(text.draft.start.size(), 1u);
  EXPECT_EQ(std::memcmp(scene.state.q.data(), text.draft.start[0].position.data(), 7 * sizeof(double)), 0);
}

// In a corner each of the planes pushes along its own normal.
TEST(RobotOverlaps, SeveralShapesPushOutOneAfterTheOther) {
  const Scene text = converted(
      floor_geom + "<geom name='wall' type='plane' size='0 0 1' pos='-.08 0 0' zaxis='1 0 .2'/>" + ball(0.095));
  const Scene scene = reread(text);
  EXPECT_TRUE(touches(scene).overlaps.empty());
  EXPECT_EQ(scene.model.pairs.size(), 2u);
  EXPECT_EQ(text.warnings.size(), 1u);
}

// dm_control's walkers stand on slides, not on a free joint.
TEST(RobotOverlaps, ASlideAlongTheNormalLifts) {
  const Scene text = converted(floor_geom +
                               "<body name='w' pos='0 0 .09'><joint name='x' type='slide' axis='1 0 0'/>"
                               "<joint name='z' type='slide' axis='0 0 -1'/><joint name='t' axis='0 1 0'/>"
                               "<geom name='g' size='.1'/></body>");
  const Scene scene = reread(text);
  EXPECT_NEAR(scene.state.q[1], -0.01, 1e-15);
  EXPECT_TRUE(touches(scene).overlaps.empty());
  EXPECT_EQ(scene.model.pairs.size(), 1u);
}

TEST(RobotOverlaps, ARobotInItsFoundationStaysThere) {
  const Scene text = converted(
      "<geom name='table' type='box' size='1 1 .1'/><body name='turret' pos='0 0 .1'><joint axis='0 0 1'/>"
      "<geom name='g' type='cylinder' size='.1 .05'/></body>");
  EXPECT_EQ(reread(text).model.pairs.size(), 0u);
  ASSERT_EQ(text.warnings.size(), 1u);
  EXPECT_NE(text.warnings[0].find("which stands there: they do not touch"), std::string::npos) << text.warnings[0];
}

// Nothing may fall through the floor: pairs stay, and a run refuses the overlap.
TEST(RobotOverlaps, WhatCannotBeLiftedStillTouches) {
  for (const std::string& body :
       {ball(-2), std::string("<body pos='0 0 .3'><joint axis='0 1 0'/><geom size='.02'/><body pos='.3 0 0'>"
                              "<joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 -.3' size='.02'/></body>"
                              "</body>")}) {
    const Scene text = converted(floor_geom + body);
    const Scene scene = reread(text);
    EXPECT_EQ(touches(scene).overlaps.size(), 1u);
    ASSERT_EQ(text.warnings.size(), 1u);
    EXPECT_NE(text.warnings[0].find("begin elsewhere"), std::string::npos) << text.warnings[0];
  }
}

TEST(RobotOverlaps, AStateOfTheSceneIsNotMoved) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("routh_overlaps_{}", ::getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "ball.xml") << "<mujoco><worldbody>" + floor_geom + ball(0.099) + "</worldbody></mujoco>";
  const std::string name = (folder / "scene.yaml").string();
  const Scene lifted = read_scene_text("routh: 1\nrobot: {file: ball.xml}\n", name);
  EXPECT_NEAR(lifted.state.q[2], 0.1, 1e-15);
  const Scene given = read_scene_text(
      "routh: 1\nrobot: {file: ball.xml}\nstate: {position: {ball: [0, 0, 0.098, 1, 0, 0, 0]}}\n", name);
  EXPECT_EQ(given.state.q[2], 0.098);
  EXPECT_EQ(touches(given).overlaps.size(), 1u);
  std::filesystem::remove_all(folder);
}

}  // namespace
