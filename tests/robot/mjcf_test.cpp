// What the reader takes from MJCF, against values written down by hand.
#include "routh/robot/mjcf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mjcf_case.h"

namespace {

using mjcf_case::read;
using mjcf_case::read_in_world;
using routh::DofDescription;
using routh::JointDescription;
using routh::JointKind;
using routh::RobotFile;

constexpr double pi = std::numbers::pi;

const DofDescription& dof(const RobotFile& robot, std::size_t joint = 0, std::size_t index = 0) {
  return robot.description.joints[joint].dofs[index];
}

bool warns(const RobotFile& robot, const std::string& text) {
  for (const std::string& warning : robot.warnings)
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

std::string ball_body(const std::string& inside) {
  return "<body name='b'>" + inside + "<geom size='0.1' contype='0' conaffinity='0'/></body>";
}

TEST(MjcfJoints, AnglesAreInDegreesUnlessTheCompilerSaysRadians) {
  const std::string body = ball_body("<joint range='-90 45' ref='30' springref='60' stiffness='2'/>");
  const RobotFile degrees = read_in_world(body);
  EXPECT_NEAR(dof(degrees).lower, -pi / 2, 1e-15);
  EXPECT_NEAR(dof(degrees).upper, pi / 4, 1e-15);
  EXPECT_NEAR(dof(degrees).rest, pi / 3, 1e-15);
  EXPECT_NEAR(degrees.start.at(0).position.at(0), pi / 6, 1e-15);
  const RobotFile radians = read_in_world(ball_body("<joint range='-1 2'/>"), "<compiler angle='radian'/>");
  EXPECT_EQ(dof(radians).lower, -1);
  EXPECT_EQ(dof(radians).upper, 2);
  const RobotFile slide = read_in_world(ball_body("<joint type='slide' range='-1 2'/>"));
  EXPECT_EQ(dof(slide).upper, 2);
}

TEST(MjcfJoints, LimitsFollowLimitedAndAutolimits) {
  EXPECT_EQ(dof(read_in_world(ball_body("<joint range='-1 1' limited='false'/>"))).upper, routh::unlimited);
  EXPECT_LT(dof(read_in_world(ball_body("<joint range='-1 1'/>"))).upper, 1);
  const RobotFile off = read_in_world(ball_body("<joint range='-1 1'/>"), "<compiler autolimits='false'/>");
  EXPECT_EQ(dof(off).upper, routh::unlimited);
  EXPECT_TRUE(warns(off, "'range'"));
  EXPECT_THROW(read_in_world(ball_body("<joint limited='true'/>")), routh::InputError);
}

TEST(MjcfJoints, WhatAJointCannotHaveIsSaid) {
  const RobotFile ball = read_in_world(ball_body("<joint type='ball' range='0 30' stiffness='3' damping='2'/>"));
  EXPECT_TRUE(warns(ball, "'range'"));
  EXPECT_TRUE(warns(ball, "'stiffness'"));
  EXPECT_EQ(dof(ball, 0, 2).damping, 2);
  EXPECT_NO_THROW(routh::build_model(ball.description));
  const RobotFile friction = read_in_world(ball_body("<joint frictionloss='0.1'/>"));
  EXPECT_TRUE(warns(friction, "robot.xml:1:"));
  EXPECT_TRUE(warns(friction, "'frictionloss' of <joint> is ignored"));
}

TEST(MjcfJoints, BaseIsFixedOrFloatsAsTheUserWants) {
  routh::RobotOptions options;
  const std::string free_text =
      "<mujoco><worldbody><body pos='0 0 2'><freejoint/><geom size='1'/></body></worldbody>"
      "<keyframe><key qpos='1 2 3 1 0 0 0'/></keyframe></mujoco>";
  const std::string fixed_text = "<mujoco><worldbody><body pos='0 0 2'><geom size='1'/></body></worldbody></mujoco>";
  EXPECT_EQ(read(free_text).description.joints[0].kind, JointKind::free);
  EXPECT_EQ(read(free_text).start.at(0).position.at(2), 3);
  EXPECT_EQ(read(fixed_text).description.joints[0].kind, JointKind::fixed);
  options.base = routh::RobotBase::fixed;
  const RobotFile fixed = read(free_text, options);
  EXPECT_EQ(fixed.description.joints[0].kind, JointKind::fixed);
  EXPECT_EQ(fixed.description.joints[0].at.position.z, 2);
  EXPECT_TRUE(fixed.start.empty());
  options.base = routh::RobotBase::floating;
  const RobotFile floating = read(fixed_text, options);
  EXPECT_EQ(floating.description.joints[0].kind, JointKind::free);
  EXPECT_EQ(floating.start.at(0).position.at(2), 2);
}

TEST(MjcfKeyframe, OneOfSeveralIsChosen) {
  const std::string text =
      "<mujoco><worldbody><body><joint name='hip'/><geom size='1'/></body></worldbody><keyframe>"
      "<key name='home' qpos='0.1'/><key name='crouch' qpos='0.2' qvel='3'/><key qpos='0.3'/></keyframe></mujoco>";
  routh::RobotOptions options;
  EXPECT_EQ(read(text).start.at(0).position.at(0), 0.1);
  EXPECT_TRUE(warns(read(text), "another <key>"));
  options.keyframe = "crouch";
  EXPECT_EQ(read(text, options).start.at(0).position.at(0), 0.2);
  EXPECT_EQ(read(text, options).start.at(0).velocity.at(0), 3);
  options.keyframe = "2";
  EXPECT_EQ(read(text, options).start.at(0).position.at(0), 0.3);
  options.keyframe = "crouched";
  try {
    read(text, options);
    FAIL();
  } catch (const routh::InputError& error) {
    EXPECT_NE(error.remedy().find("home, crouch, 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(read("<mujoco><worldbody/></mujoco>", options), routh::InputError);
}

// Of a solid of density 1000, by the formulas of a textbook.
TEST(MjcfInertia, OfSimpleGeoms) {
  const auto body = [](const std::string& geom) {
    return read_in_world("<body><freejoint/><geom " + geom + "/></body>").description.bodies[0];
  };
  const auto box = body("type='box' size='0.1 0.2 0.3' pos='1 2 3'");
  EXPECT_NEAR(box.mass, 48, 1e-12);
  EXPECT_NEAR(box.com.y, 2, 1e-15);
  EXPECT_NEAR(box.inertia.xx, 48 * (0.16 + 0.36) / 12, 1e-12);
  const auto cylinder = body("type='cylinder' size='0.1 0.2' mass='2'");
  EXPECT_NEAR(cylinder.inertia.zz, 0.01, 1e-15);
  EXPECT_NEAR(cylinder.inertia.xx, 2 * (3 * 0.01 + 0.16) / 12, 1e-15);
  const auto ellipsoid = body("type='ellipsoid' size='0.1 0.2 0.3' density='500'");
  EXPECT_NEAR(ellipsoid.mass, 500 * 4 * pi / 3 * 0.006, 1e-12);
  EXPECT_NEAR(ellipsoid.inertia.xx, ellipsoid.mass * 0.13 / 5, 1e-14);
  // A capsule by Monte Carlo is too coarse; by Simpson's rule along its axis it is exact, the integrand being a
  // polynomial of fourth degree in each half cap.
  const double r = 0.1, half = 0.25;
  double mass = 0, along = 0, across = 0;
  const int n = 20000;
  for (int i = 0; i <= n; ++i) {
    const double z = -(half + r) + 2 * (half + r) * i / n, beyond = std::max(std::abs(z) - half, 0.0);
    const double rr = std::max(r * r - beyond * beyond, 0.0);
    const double weight = (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * 2 * (half + r) / n / 3 * 1000 * pi * rr;
    mass += weight;
    along += weight * rr / 2;
    across += weight * (rr / 4 + z * z);
  }
  const auto capsule = body("type='capsule' size='0.1' fromto='0 0 -0.25 0 0 0.25'");
  EXPECT_NEAR(capsule.mass, mass, 1e-6 * mass);
  EXPECT_NEAR(capsule.inertia.zz, along, 1e-6 * along);
  EXPECT_NEAR(capsule.inertia.xx, across, 1e-6 * across);
}

TEST(MjcfInertia, MeshesThatAreMissingAreSaid) {
  const std::string mesh = "<geom type='mesh' mesh='m'/>";
  try {
    read_in_world("<body name='lost'><freejoint/>" + mesh + "</body>");
    ADD_FAILURE() << "accepted";
  } catch (const routh::InputError& error) {
    EXPECT_NE(error.message().find("'lost'"), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().find("<inertial"), std::string::npos) << error.what();
  }
  const RobotFile given = read_in_world("<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" +
                                        mesh + "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/></body>");
  EXPECT_TRUE(warns(given, "a geom of type mesh that others touch"));
  EXPECT_TRUE(warns(given, "a geom of type mesh that touches nothing"));
  const RobotFile welded =
      read_in_world("<body><freejoint/><geom size='1'/><body name='pad'>" + mesh + "</body></body>");
  EXPECT_TRUE(warns(welded, "mass of meshes of the body 'pad'"));
  EXPECT_NO_THROW(routh::build_model(welded.description));
}

// <frame> is newer than some MuJoCo: the same machine written without it.
TEST(MjcfFrames, AreDissolved) {
  const std::string with =
      "<frame pos='1 2 3' euler='0 0 90'><body name='a' pos='1 0 0'><frame euler='90 0 0'>"
      "<joint axis='0 1 0' pos='0 0 1'/><geom type='box' size='1 2 3' pos='0 1 0'/></frame></body></frame>";
  const std::string without =
      "<body name='a' pos='1 3 3' euler='0 0 90'><joint axis='0 0 1' pos='0 -1 0'/>"
      "<geom type='box' size='1 2 3' pos='0 0 1' euler='90 0 0'/></body>";
  const RobotFile one = read_in_world(with), two = read_in_world(without);
  const auto near = [](const routh::Pose& a, const routh::Pose& b) {
    return (mjcf_case::frame_of(a) - mjcf_case::frame_of(b)).cwiseAbs().maxCoeff();
  };
  const JointDescription &a = one.description.joints[0], &b = two.description.joints[0];
  EXPECT_LT(near(a.at, b.at), 1e-14);
  EXPECT_LT(near(a.in_child, b.in_child), 1e-14);
  EXPECT_LT(routh::norm(a.axis - b.axis), 1e-14);
  EXPECT_LT(near(one.description.shapes[0].at, two.description.shapes[0].at), 1e-14);
}

TEST(MjcfActuators, DrivesOfSeveralKinds) {
  const RobotFile robot = read(
      "<mujoco><worldbody><body><joint name='a'/><geom size='1'/><body><joint name='b'/><geom size='1'/></body></body>"
      "</worldbody><actuator><position joint='a' kp='10' kv='2' forcerange='-3 3' ctrlrange='0.5 1'/>"
      "<velocity joint='b' kv='4' gear='2'/><motor tendon='t'/><muscle joint='a'/></actuator></mujoco>");
  const auto& a = *dof(robot, 0).drive;
  EXPECT_EQ(a.stiffness, 10);
  EXPECT_EQ(a.damping, 2);
  EXPECT_EQ(a.limit, 3);
  EXPECT_EQ(a.position(0), 0.5);  // the control 0 is held within its range
  EXPECT_EQ(dof(robot, 1).drive->damping, 16);
  EXPECT_EQ(dof(robot, 1).drive->stiffness, 0);
  EXPECT_TRUE(warns(robot, "an actuator that drives no joint"));
  EXPECT_TRUE(warns(robot, "<muscle>"));
}

TEST(MjcfInclude, FilesStandWhereTheyAreIncluded) {
  const RobotFile robot = routh::read_mjcf(routh::read_xml_file(ROUTH_TEST_DATA "/robots/mjcf_parts_main.xml"));
  ASSERT_EQ(robot.description.bodies.size(), 1u);
  EXPECT_EQ(robot.description.joints[0].name, "shoulder");
  EXPECT_EQ(dof(robot).upper, 1);
  EXPECT_NEAR(robot.description.bodies[0].mass, 1000 * 4 * pi / 3 * 0.001, 1e-12);
  EXPECT_NE(robot.description.joints[0].where.file.find("mjcf_parts_arm.xml"), std::string::npos);
}

TEST(MjcfWarnings, NameEveryIgnoredThingOnce) {
  const RobotFile robot = read(
      "<mujoco foo='1'><size nstack='1'/><visual><map/></visual><statistic/><bar/><asset><texture file='x'/><mesh "
      "file='x'/></asset>"
      "<worldbody><camera/><body><freejoint/><geom size='1' rgba='1 1 1 1'/><geom size='1' rgba='1 1 1 1'/><site/>"
      "<geom size='1' colour='red'/></body></worldbody><tendon/><sensor/><custom/></mujoco>");
  for (const char* text : {"'foo' of <mujoco>", "<size>", "<visual>", "<statistic>", "<bar>", "<texture>", "<camera>",
                           "'rgba' of <geom>", "<site>", "'colour' of <geom>", "<tendon>", "<sensor>", "<custom>"})
    EXPECT_TRUE(warns(robot, text)) << text;
  ASSERT_EQ(robot.warnings.size(), 9u);
  EXPECT_EQ(
      robot.warnings.back(),
      "robot.xml:1:35: warning: ignored, for drawing only: <visual> (line 1), <statistic> (line 1), <texture> (line "
      "1), <camera> (line 1), the attribute 'rgba' of <geom> (line 1 and 1 more)");
}

TEST(MjcfWarnings, ThoseOfTheMotionComeFirst) {
  const RobotFile robot = read(
      "<mujoco><sensor/><statistic/><asset><mesh name='m' file='none.stl'/></asset><worldbody><body><freejoint/>"
      "<geom size='1'/><geom type='mesh' mesh='m' mass='0'/></body></worldbody></mujoco>");
  ASSERT_EQ(robot.warnings.size(), 3u);
  EXPECT_NE(robot.warnings[0].find("a geom of type mesh that others touch is ignored"), std::string::npos);
  EXPECT_NE(robot.warnings[1].find("<sensor> is ignored"), std::string::npos);
  EXPECT_NE(robot.warnings[2].find("<statistic> is ignored: it is for drawing only"), std::string::npos);
}

}  // namespace
