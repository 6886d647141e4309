// MJCF as the collections have it: equalities of sites, damping ratios, starts beyond limits, parts that are not made.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mjcf_case.h"
#include "routh/dynamics/constrained.h"

namespace {

using mjcf_case::read;
using namespace routh;

bool warns(const RobotFile& robot, const std::string& text) {
  for (const std::string& warning : robot.warnings)
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

// Two arms whose tips are 0.1 apart where they are written; sites are brought together, not kept apart.
TEST(MjcfSites, ConnectBringsThemTogether) {
  const RobotFile robot = read(
      "<mujoco><default><site pos='0.25 0 0'/></default><worldbody>"
      "<body name='a'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' contype='0'/>"
      "<frame pos='0.05 0 0'><site name='sa'/></frame></body>"
      "<body name='b' pos='.7 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 -.3 0 0'/>"
      "<site name='sb' pos='-.3 0 0'/></body></worldbody>"
      "<equality><connect site1='sa' site2='sb'/></equality></mujoco>");
  ASSERT_EQ(robot.description.loops.size(), 1u);
  const LoopDescription& loop = robot.description.loops[0];
  EXPECT_EQ(loop.kind, LoopKind::point);
  EXPECT_NEAR(loop.at_a.position.x, 0.3, 1e-15);
  EXPECT_NEAR(loop.at_b.position.x, -0.3, 1e-15);
  const Model model = build_model(robot.description);
  Workspace workspace(model);
  const Eigen::VectorXd q = rest_state(model).q;
  Eigen::VectorXd phi(model.loop_rows);
  compute_kinematics(model, q, workspace);
  loop_residual(model, workspace, q, phi);
  EXPECT_NEAR(phi.norm(), 0.1, 1e-14);
  EXPECT_THROW(read("<mujoco><worldbody><body><joint/><geom size='.1'/><site name='s'/></body></worldbody>"
                    "<equality><weld site1='s'/></equality></mujoco>"),
               InputError);
}

TEST(MjcfSites, WeldAlignsTheirFrames) {
  const RobotFile robot = read(
      "<mujoco><worldbody><site name='w' pos='0 0 1' euler='0 0 90'/><body name='a'><freejoint/><geom size='.1'/>"
      "<site name='s' pos='1 0 0'/></body></worldbody><equality><weld site1='w' site2='s'/></equality></mujoco>");
  const LoopDescription& loop = robot.description.loops.at(0);
  EXPECT_EQ(loop.kind, LoopKind::weld);
  EXPECT_EQ(loop.body_a, "world");
  EXPECT_NEAR(loop.at_a.rotation.r0.y, -1, 1e-15);
  EXPECT_EQ(loop.at_b.position.x, 1);
}

// The damping is 2 r √(kp m) with what the joint carries and its armature: here two balls on a rod without mass.
TEST(MjcfActuators, DampingRatioCountsWhatTheJointCarries) {
  const std::string body =
      "<worldbody><body pos='0 0 1' euler='0 0 30'><joint name='j' axis='0 2 0' pos='0.1 0 0' armature='0.5'/>"
      "<geom size='.1' pos='.6 0 0' mass='2'/><body pos='1 0 0'><joint axis='0 0 1'/>"
      "<geom size='.1' pos='.1 0 0' mass='3'/></body></body></worldbody>";
  const double m = 0.5 + 2 * (0.25 + 0.4 * 0.01) + 3 * (1.0 + 0.4 * 0.01);
  for (const double gear : {1.0, 2.0}) {
    const RobotFile robot = read(
        "<mujoco><default><position kp='9' kv='5'/><default class='c'><position dampratio='0.7'/>"
        "</default></default>" +
        body + "<actuator><position class='c' joint='j' gear='" + std::to_string(gear) + "'/></actuator></mujoco>");
    const DriveDescription drive = robot.description.joints.at(0).dofs.at(0).drive.value();
    EXPECT_NEAR(drive.stiffness, 9 * gear * gear, 1e-12);
    EXPECT_NEAR(drive.damping, gear * gear * 2 * 0.7 * std::sqrt(9 * m / (gear * gear)), 1e-12);
  }
}

TEST(MjcfActuators, TakeTheRangeOfTheJoint) {
  const RobotFile robot = read(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='j' range='1 2'/><geom size='.1'/></body>"
      "</worldbody><actuator><position joint='j' kp='3' inheritrange='0.5'/></actuator></mujoco>");
  EXPECT_NEAR(robot.description.joints.at(0).dofs.at(0).drive->position(0), 1.25, 1e-15);
}

TEST(MjcfStart, IsWithinTheLimits) {
  const std::string body =
      "<compiler angle='radian'/><worldbody><body><joint name='j' range='1 2'/><geom size='.1'/></body></worldbody>";
  const RobotFile written = read("<mujoco>" + body + "</mujoco>");
  EXPECT_EQ(written.start.at(0).position.at(0), 1.5);
  EXPECT_TRUE(warns(written, "joint 'j' cannot be at 0, outside its limits [1, 2]: it begins at 1.5"));
  const RobotFile near = read(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='j' range='-2.8 -0.035'/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  EXPECT_EQ(near.start.at(0).position.at(0), -0.035);
  const RobotFile keyed = read("<mujoco>" + body + "<keyframe><key qpos='2.5'/></keyframe></mujoco>");
  EXPECT_EQ(keyed.start.at(0).position.at(0), 2);
  EXPECT_TRUE(warns(keyed, "it begins at 2"));
  const RobotFile rounded = read("<mujoco>" + body + "<keyframe><key qpos='2.0000001'/></keyframe></mujoco>");
  EXPECT_EQ(rounded.start.at(0).position.at(0), 2);
  EXPECT_TRUE(rounded.warnings.empty());
}

// A default for all joints reaches a free one, for which it means nothing.
TEST(MjcfStart, DefaultsOfLimitsDoNotReachFreeJoints) {
  const RobotFile robot = read(
      "<mujoco><default><joint limited='true'/></default><worldbody><body><joint type='free'/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  EXPECT_EQ(robot.description.joints.at(0).kind, JointKind::free);
}

TEST(MjcfParts, WhatIsNotMadeMayBeNamed) {
  const auto with = [](const std::string& part) {
    return "<mujoco><worldbody><body name='a'><joint name='j'/><geom name='g' size='.1'/></body>" + part +
           "</worldbody><contact><exclude body1='a' body2='r0'/><pair geom1='g' geom2='r0'/></contact>"
           "<equality><connect body1='a' body2='r0' anchor='0 0 0'/><joint joint1='j' joint2='r0'/></equality>"
           "<actuator><motor joint='r0'/></actuator><keyframe><key qpos='0 1 2' ctrl='1 2 3'/></keyframe></mujoco>";
  };
  const RobotFile robot =
      read(with("<composite prefix='r' count='2 1 1' type='particle'><geom size='.1'/></composite>"));
  EXPECT_EQ(robot.description.bodies.size(), 1u);
  EXPECT_TRUE(robot.description.loops.empty());
  for (const char* what : {"<exclude>", "<pair>", "<connect>", "<joint>", "<motor>"})
    EXPECT_TRUE(warns(robot, std::string(what) + " that names what is not made is ignored: there is no 'r0' here"))
        << what;
  EXPECT_TRUE(warns(robot, "<key> of bodies that are not made"));
  EXPECT_THROW(read(with("")), InputError);
}

TEST(MjcfNames, ChangesAreSaidOnce) {
  const RobotFile robot = read(
      "<mujoco><worldbody><body name='left/arm'><joint name='left/waist'/><geom name='left/arm' size='.1'/></body>"
      "</worldbody></mujoco>");
  EXPECT_EQ(robot.description.bodies.at(0).name, "left_arm");
  EXPECT_TRUE(warns(robot, "<body> 'left/arm' is called 'left_arm' here (and 2 more)"));
}

// The mass is right and the body can move; nothing else is known, and a warning says so.
TEST(MjcfMeshes, AMissingMeshOfGivenMassIsABall) {
  const auto with = [](const std::string& geom) {
    return read("<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody><body name='b'><joint/>" + geom +
                "</body></worldbody></mujoco>");
  };
  const RobotFile robot = with("<geom type='mesh' mesh='m' mass='4' pos='1 2 3'/>");
  const BodyDescription& body = robot.description.bodies.at(0);
  EXPECT_EQ(body.mass, 4);
  EXPECT_EQ(body.com.z, 3);
  const double radius = std::cbrt(4 / (4.0 / 3 * std::numbers::pi * 1000));
  EXPECT_NEAR(body.inertia.xx, 0.4 * 4 * radius * radius, 1e-15);
  EXPECT_TRUE(warns(robot, "where the 4 kg of a mesh are is not known (there is no file none.stl)"));
  build_model(robot.description);
  EXPECT_THROW(with("<geom type='mesh' mesh='m'/>"), InputError);
}

}  // namespace
