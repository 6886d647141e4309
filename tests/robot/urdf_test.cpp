// URDF files: what the reader makes of them, what it says about the rest, what it refuses.
#include "routh/robot/urdf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "routh/model/model.h"
#include "routh/text/document.h"

namespace {

using namespace routh;

RobotFile read(const std::string& text, const RobotOptions& options = {}) {
  return read_robot_text(text, "r.urdf", options);
}

std::string refusal(const std::string& text, const RobotOptions& options = {}) {
  try {
    build_model(read(text, options).description);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "r.urdf");
    EXPECT_GT(error.where().line, 0) << error.what();
    return error.what();
  }
  return "";
}

const char* const inertial =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

// Two links and a joint between them; `joint` is what stands in it besides its ends.
std::string pair(const std::string& type, const std::string& joint, const std::string& rest = "") {
  return fmt::format(
      "<robot name='r'>\n<link name='a'>{}</link>\n<link name='b'>{}</link>\n<joint name='j' type='{}'>\n"
      "<parent link='a'/><child link='b'/>{}</joint>\n{}</robot>",
      inertial, inertial, type, joint, rest);
}

std::string joined(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

TEST(Urdf, KindsOfJoints) {
  const std::tuple<const char*, const char*, JointKind> cases[] = {
      {"fixed", "", JointKind::fixed},         {"revolute", "<limit lower='-1' upper='2'/>", JointKind::revolute},
      {"continuous", "", JointKind::revolute}, {"prismatic", "<limit lower='-1' upper='2'/>", JointKind::prismatic},
      {"floating", "", JointKind::free},       {"planar", "<axis xyz='0 1 0'/>", JointKind::planar},
      {"spherical", "", JointKind::spherical},
  };
  for (const auto& [type, inside, kind] : cases) {
    const RobotFile robot = read(pair(type, inside));
    ASSERT_EQ(robot.description.joints.size(), 2u);
    EXPECT_EQ(robot.description.joints[0].kind, JointKind::fixed);
    EXPECT_EQ(robot.description.joints[1].kind, kind) << type;
    EXPECT_EQ(robot.description.joints[1].name, "j");
    const std::string expected = kind == JointKind::free ? "the coordinates of the floating joint 'j' are" : "";
    EXPECT_NE(joined(robot.warnings).find(expected), std::string::npos) << type;
    EXPECT_EQ(robot.warnings.empty(), expected.empty()) << joined(robot.warnings);
    EXPECT_EQ(build_model(robot.description).velocities, velocity_count(kind)) << type;
  }
  const JointDescription joint = read(pair("revolute", "<limit lower='-1' upper='2'/>")).description.joints[1];
  EXPECT_EQ(joint.axis.x, 1);  // what the format says when there is none
  EXPECT_EQ(joint.dofs[0].lower, -1);
  EXPECT_EQ(joint.dofs[0].upper, 2);
  EXPECT_EQ(read(pair("fixed", ""), {RobotBase::floating, {}, {}}).description.joints[0].kind, JointKind::free);
}

// R = Rz(yaw) Ry(pitch) Rx(roll), by its entries.
TEST(Urdf, RollPitchYaw) {
  const double r = 0.3, p = -0.7, y = 1.9;
  const Matrix3 m = read(pair("fixed", "<origin xyz='1 2 3' rpy='0.3 -0.7 1.9'/>")).description.joints[1].at.rotation;
  EXPECT_NEAR(m.r0.x, std::cos(y) * std::cos(p), 1e-15);
  EXPECT_NEAR(m.r1.x, std::sin(y) * std::cos(p), 1e-15);
  EXPECT_NEAR(m.r2.x, -std::sin(p), 1e-15);
  EXPECT_NEAR(m.r2.y, std::cos(p) * std::sin(r), 1e-15);
  EXPECT_NEAR(m.r2.z, std::cos(p) * std::cos(r), 1e-15);
  EXPECT_NEAR(m.r0.y, std::cos(y) * std::sin(p) * std::sin(r) - std::sin(y) * std::cos(r), 1e-15);
  EXPECT_NEAR(m.r1.z, std::sin(y) * std::sin(p) * std::cos(r) - std::cos(y) * std::sin(r), 1e-15);
}

// About the centre of mass, turned by a quarter about z: x and y change places.
TEST(Urdf, InertiaIsTurnedWithItsFrame) {
  const RobotFile robot = read(
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
      "<inertia ixx='3' iyy='4' izz='5' ixy='0.5' ixz='0.25' iyz='0.125'/></inertial></link></robot>");
  const BodyDescription& body = robot.description.bodies.at(0);
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.com.z, 3);
  const double expected[] = {4, 3, 5, -0.5, -0.125, 0.25};
  const double found[] = {body.inertia.xx, body.inertia.yy, body.inertia.zz,
                          body.inertia.xy, body.inertia.xz, body.inertia.yz};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << i;
}

TEST(Urdf, EverythingIgnoredIsNamedOnceWithItsLine) {
  const RobotFile robot = read_robot_file(ROUTH_TEST_DATA "/robots/arm.urdf");
  const char* const expected[] = {
      ":18:29: warning: the attribute 'friction' of <dynamics> is ignored: friction in joints is not modelled",
      (":33:35: warning: the attribute 'effort' of <limit> is ignored: bounds on drives are given with the drive in a "
       "scene (and 3 more)"),
      ":33:47: warning: the attribute 'velocity' of <limit> is ignored",
      ":47:5: warning: <safety_controller> of <joint> is ignored",
      ":70:3: warning: <gazebo> in <robot> is ignored",
      ":71:3: warning: <transmission> in <robot> is ignored",
      (":4:3: warning: ignored, for drawing only: <material> in <robot> (line 4), <visual> in <link> (line 26), 1 "
       "visual "
       "mesh is not found, first 'package://arm/meshes/upper.dae' (line 26)"),
  };
  ASSERT_EQ(robot.warnings.size(), std::size(expected)) << joined(robot.warnings);
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(robot.warnings[i].find(expected[i]), std::string::npos) << robot.warnings[i] << "\n" << expected[i];
}

TEST(Urdf, UnknownThingsAreNamed) {
  const std::string warnings = joined(read(pair("fixed", "<odd a='1'/>words",
                                                "<link name='x' kind='y'/>"
                                                "<joint name='k' type='fixed'><parent link='a'/>"
                                                "<child link='x' more='1'/></joint>"))
                                          .warnings);
  for (const char* expected :
       {"r.urdf:5:36: warning: <odd> in <joint> is ignored", "the text in <joint> is ignored: 'words'",
        "the attribute 'kind' of <link> is ignored", "the attribute 'more' of <child> is ignored"})
    EXPECT_NE(warnings.find(expected), std::string::npos) << warnings << "\n" << expected;
}

TEST(Urdf, ShapesGetDistinctNames) {
  const ModelDescription model = read_robot_file(ROUTH_TEST_DATA "/robots/arm.urdf").description;
  ASSERT_EQ(model.shapes.size(), 4u);
  EXPECT_EQ(model.shapes[0].name, "base");
  EXPECT_EQ(model.shapes[0].half_extents.z, 0.05);
  EXPECT_EQ(model.shapes[1].name, "base_2");
  EXPECT_EQ(model.shapes[1].kind, ShapeKind::sphere);
  EXPECT_EQ(model.shapes[2].name, "rod");
  EXPECT_EQ(model.shapes[2].length, 0.4);
  EXPECT_EQ(model.shapes[3].kind, ShapeKind::capsule);
}

TEST(Urdf, NamesBecomeValid) {
  const RobotFile robot = read(
      "<robot name='r'><link name='a b'/><link name='a/b'/><link name='world'/>"
      "<joint name='j/1' type='fixed'><parent link='a b'/><child link='a/b'/></joint>"
      "<joint name='j 1' type='fixed'><parent link='a b'/><child link='world'/></joint></robot>");
  EXPECT_EQ(robot.description.bodies[0].name, "a_b");
  EXPECT_EQ(robot.description.bodies[1].name, "a_b_2");
  EXPECT_EQ(robot.description.bodies[2].name, "world_2");
  EXPECT_EQ(robot.description.joints[2].name, "j_1_2");
  EXPECT_NE(joined(robot.warnings).find("<link> 'a/b' is called 'a_b_2' here"), std::string::npos);
}

TEST(Urdf, TheLinkWorldIsTheWorld) {
  const std::string text = fmt::format(
      "<robot name='r'><link name='world'/><link name='b'>{}</link><joint name='j' type='continuous'>"
      "<parent link='world'/><child link='b'/></joint></robot>",
      inertial);
  const RobotFile robot = read(text);
  ASSERT_EQ(robot.description.bodies.size(), 1u);
  EXPECT_EQ(robot.description.joints.at(0).parent, "world");
  EXPECT_NE(refusal(text, {RobotBase::floating, {}, {}}).find("stands still"), std::string::npos);
}

TEST(Urdf, WhatIsFixedToTheLinkWorldIsFreedWithTheBase) {
  const std::string text = fmt::format(
      "<robot name='r'><link name='world'/><link name='b'>{}</link><joint name='j' type='fixed'>"
      "<origin xyz='1 2 3'/><parent link='world'/><child link='b'/></joint></robot>",
      inertial);
  const RobotFile robot = read_robot_text(text, "r.urdf", {RobotBase::floating, {}, {}});
  EXPECT_EQ(robot.description.joints.at(0).kind, JointKind::free);
  EXPECT_EQ(robot.start.at(0).position, (std::vector<double>{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_NE(joined(robot.warnings).find("the fixed joint 'j', by which 'b' hangs from 'world', is freed"),
            std::string::npos);
  EXPECT_EQ(read(text).description.joints.at(0).kind, JointKind::fixed);
}

TEST(Urdf, LimitsThatLeaveNoRoomOrExcludeZero) {
  const RobotFile none = read(pair("revolute", "<limit lower='0' upper='0'/>"));
  EXPECT_EQ(none.description.joints[1].dofs[0].upper, unlimited);
  EXPECT_NE(joined(none.warnings).find("leave no room: it moves without limits"), std::string::npos);
  const RobotFile beyond = read(pair("revolute", "<limit lower='-3' upper='-1'/>"));
  ASSERT_EQ(beyond.start.size(), 1u);
  EXPECT_EQ(beyond.start[0].position.at(0), -2);
  // A knee that cannot be quite straight begins as straight as it can; so does a slide.
  const RobotFile knee = read(pair("revolute", "<limit lower='-2.8' upper='-0.035'/>"));
  EXPECT_EQ(knee.start.at(0).position.at(0), -0.035);
  const RobotFile slide = read(pair("prismatic", "<limit lower='0.06' upper='0.2'/>"));
  EXPECT_EQ(slide.start.at(0).position.at(0), 0.06 + (0.2 - 0.06) / 2);
  const RobotFile half_open = read(pair("prismatic", "<limit lower='1' upper='inf'/>"));
  EXPECT_EQ(half_open.start.at(0).position.at(0), 1);
  const RobotFile open = read(pair("revolute", "<limit lower='-inf' upper='inf'/>"));
  EXPECT_EQ(open.description.joints[1].dofs[0].lower, -unlimited);
  EXPECT_EQ(joined(open.warnings), "");
}

TEST(Urdf, MimicIsACoupling) {
  const RobotFile robot =
      read(pair("continuous", "",
                fmt::format("<link name='c'>{}</link><joint name='k' type='continuous'><parent link='b'/>"
                            "<child link='c'/><mimic joint='j' multiplier='2.5' offset='0.5'/></joint>",
                            inertial)));
  ASSERT_EQ(robot.description.loops.size(), 1u);
  const LoopDescription& loop = robot.description.loops[0];
  EXPECT_EQ(loop.kind, LoopKind::coupling);
  EXPECT_EQ(loop.constant, 0.5);  // q_k − 2.5 q_j = 0.5
  EXPECT_EQ(loop.terms[0].joint, "k");
  EXPECT_EQ(loop.terms[0].coefficient, 1);
  EXPECT_EQ(loop.terms[1].joint, "j");
  EXPECT_EQ(loop.terms[1].coefficient, -2.5);
  ASSERT_EQ(robot.start.size(), 1u);
  EXPECT_EQ(robot.start[0].position[0], 0.5);
}

// A floating joint anywhere begins where the file puts it, whatever it hangs from.
TEST(Urdf, FloatingJointBeginsAtItsPlace) {
  const RobotFile robot = read(pair("floating", "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"));
  ASSERT_EQ(robot.start.size(), 1u);
  const double expected[] = {1, 2, 3, std::numbers::sqrt2 / 2, 0, 0, std::numbers::sqrt2 / 2};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(robot.start[0].position[i], expected[i], 1e-15) << i;
  EXPECT_EQ(robot.description.joints[1].parent, "world");
}

TEST(Urdf, ImpossibleInertiaIsMendedWithAWarning) {
  const RobotFile robot = read(
      "<robot name='r'><link name='a'><inertial><mass value='2'/>"
      "<inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>");
  EXPECT_NEAR(robot.description.bodies[0].inertia.xx, 1.5, 1e-14);
  EXPECT_NEAR(robot.description.bodies[0].inertia.zz, 3, 1e-14);
  EXPECT_NE(joined(robot.warnings).find("which is impossible"), std::string::npos);
  build_model(robot.description);
}

TEST(Urdf, Refusals) {
  const std::string link = fmt::format("<link name='a'>{}</link>", inertial);
  const auto robot = [](const std::string& inside) { return "<robot name='r'>\n" + inside + "\n</robot>"; };
  const std::pair<std::string, std::string> cases[] = {
      {"<sdf/>", "r.urdf:1:1: error: <sdf> is no robot that can be read"},
      {robot(""), "r.urdf:1:1: error: <robot> has no <link>"},
      {robot("<link/>"), "r.urdf:2:1: error: <link> has no attribute 'name'"},
      {robot(link + link), "there are two <link> of the name 'a' (the first on line 2)"},
      {robot(link + "<link name='b'/>"), "the links 'a' and 'b' are both the child of no joint"},
      {robot(link + "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"),
       "there is no link 'b'"},
      {robot(link + "<joint name='j' type='fixed'><parent link='a'/></joint>"), "<joint> has no <child>"},
      {pair("revolut", ""), "r.urdf:4:23: error: the joint type 'revolut' is not known; known are fixed, revolute"},
      {pair("continuous", "<axis xyz='0 0 0'/>"), "the axis of joint 'j' is zero"},
      {pair("continuous", "<axis xyz='0 0'/>"), "xyz of <axis>: '0 0' where 3 numbers are expected"},
      {pair("continuous", "<axis xyz='0 0 z'/>"), "xyz of <axis>: 'z' is not a number"},
      {pair("fixed", "<origin xyz='0 nan 0'/>"), "'nan' is not finite"},
      {pair("fixed", "<origin xyz='0 1,5 0'/>"), "'1,5' has a decimal comma"},
      {pair("fixed", "<origin xyz='0 1e999 0'/>"), "'1e999' is too large"},
      {pair("fixed", "<origin xyz='${x} 0 0'/>"), "expand the macros first"},
      {pair("continuous", "<mimic joint='j'/>"), "joint 'j' cannot mimic 'j'"},
      {robot("<xacro:macro name='m'/>"), "found the macro <xacro:macro>"},
      {robot("<link name='a'><inertial><mass value='-1'/></inertial></link>"), "value = -1 of <mass> must not be"},
      {robot("<link name='a'><inertial/></link>"), "<inertial> of link 'a' has no <mass>"},
      {robot("<link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
             "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
       "link 'a' hangs from itself"},
      {robot("<link name='a'/><link name='b'/><link name='c'/>"
             "<joint name='j' type='fixed'><parent link='c'/><child link='b'/></joint>"
             "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>"),
       "hangs from itself"},
      {robot("<link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
             "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>"),
       "link 'b' is the child of two joints, 'j' and 'k'"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << "\n" << refusal(text) << "\n" << expected;
}

}  // namespace
