// URDF files in use break the rules of the format in many ways; they load, and each oddity is named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "routh/model/model.h"
#include "routh/robot/robot.h"

namespace {

using namespace routh;

const std::string inertial =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

RobotFile read(const std::string& inside) {
  return read_robot_text("<robot name='r'>" + inside + "</robot>", "r.urdf");
}

// Links a and b, joint j between them.
std::string pair(const std::string& type, const std::string& in_joint, const std::string& in_child) {
  return fmt::format(
      "<link name='a'>{}</link><link name='b'>{}</link><joint name='j' type='{}'><parent link='a'/><child link='b'/>{}"
      "</joint>",
      inertial, in_child, type, in_joint);
}

void expect_warning(const RobotFile& robot, const std::string& expected) {
  std::string all;
  for (const std::string& warning : robot.warnings) all += warning + "\n";
  EXPECT_NE(all.find(expected), std::string::npos) << all;
  build_model(robot.description);
}

TEST(UrdfOdd, GeometryThatIsNotKnownIsLeftOut) {
  const auto with = [](const std::string& collision) {
    return read(fmt::format("<link name='a'>{}</link>", collision));
  };
  expect_warning(with("<collision><geometry><cone/></geometry></collision>"), "<cone> in <geometry> of a collision");
  expect_warning(with("<collision><geometry/></collision>"), "an empty <geometry>");
  expect_warning(with("<collision/>"), "a <collision> without <geometry>");
  EXPECT_TRUE(with("<collision/>").description.shapes.empty());
}

TEST(UrdfOdd, APlaneIsAHalfSpace) {
  const RobotFile robot = read(
      "<link name='a'><collision><origin xyz='0 0 2'/><geometry><plane normal='0 3 0'/></geometry></collision></link>");
  ASSERT_EQ(robot.description.shapes.size(), 1u);
  const ShapeDescription& shape = robot.description.shapes[0];
  EXPECT_EQ(shape.kind, ShapeKind::half_space);
  EXPECT_LT(norm(shape.at.rotation * Vector3{0, 0, 1} - Vector3{0, 1, 0}), 1e-15);
  EXPECT_EQ(shape.at.position.z, 2);
}

TEST(UrdfOdd, LimitsTheWrongWayRoundDoNotHold) {
  const RobotFile robot = read(pair("revolute", "<limit lower='2' upper='1'/>", inertial));
  EXPECT_EQ(robot.description.joints[1].dofs[0].upper, unlimited);
  expect_warning(robot, "has the limits 2 and 1, which leave no room: it moves without limits");
}

TEST(UrdfOdd, NegativeDampingIsNone) {
  const RobotFile robot = read(pair("continuous", "<dynamics damping='-1'/>", inertial));
  EXPECT_EQ(robot.description.joints[1].dofs[0].damping, 0);
  expect_warning(robot, "damping = -1 of joint 'j' must not be negative: 0 is used");
}

TEST(UrdfOdd, AFileWithoutMassesIsNamedInOneLine) {
  std::string text = "<link name='a'/>";
  for (const std::string name : {"b", "c"})
    text += fmt::format(
        "<link name='{0}'/><joint name='j{0}' type='continuous'><parent link='a'/><child link='{0}'/>"
        "</joint>",
        name);
  const RobotFile robot = read(text);
  EXPECT_EQ(robot.warnings.size(), 1u);
  expect_warning(robot, "r.urdf:1:1: warning: the file gives no masses: nothing can move, and its 2 joints are taken");
}

TEST(UrdfOdd, NumbersTooSmallAreZero) {
  const RobotFile robot = read(pair("continuous", "<origin xyz='1e-400 -1e-400 1e-300'/>", inertial));
  const Vector3& p = robot.description.joints[1].at.position;
  EXPECT_EQ(p.x, 0);
  EXPECT_FALSE(std::signbit(p.y));
  EXPECT_EQ(p.z, 1e-300);
}

TEST(UrdfOdd, AJointThatMimicsNothingMovesByItself) {
  const RobotFile robot = read(pair("continuous", "<mimic joint='jj'/>", inertial));
  EXPECT_TRUE(robot.description.loops.empty());
  expect_warning(robot, "there is no joint 'jj': 'j' moves by itself; did you mean 'j'?");
}

// A frame for a tool on a joint that turns; a point mass on the axis; and one beside it, which moves.
TEST(UrdfOdd, AJointThatMovesNoInertiaIsFixed) {
  const auto point = [](double x) {
    return fmt::format(
        "<inertial><origin xyz='{} 0 0'/><mass value='1'/>"
        "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>",
        x);
  };
  const std::string axis = "<axis xyz='0 0 2'/>";
  for (const std::string& child : {std::string(), point(0)}) {
    const RobotFile held = read(pair("continuous", axis, child));
    EXPECT_EQ(held.description.joints[1].kind, JointKind::fixed);
    expect_warning(held, "joint 'j' moves nothing that has inertia about it: it is taken as fixed");
  }
  EXPECT_EQ(read(pair("continuous", axis, point(0.5))).description.joints[1].kind, JointKind::revolute);
  EXPECT_EQ(read(pair("prismatic", axis + "<limit lower='-1' upper='1'/>", point(0))).description.joints[1].kind,
            JointKind::prismatic);
  // What hangs from it counts.
  const std::string deeper =
      pair("continuous", axis, "") +
      fmt::format("<link name='c'>{}</link><joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>",
                  inertial);
  EXPECT_EQ(read(deeper).description.joints[1].kind, JointKind::revolute);
}

TEST(UrdfOdd, OnlyTheFirstOfTwoCounts) {
  const RobotFile robot = read(pair("continuous", "<origin xyz='0 0 1'/><origin xyz='0 0 2'/>", inertial));
  EXPECT_EQ(robot.description.joints[1].at.position.z, 1);
  expect_warning(robot, "another <origin> in <joint> is ignored: only the first counts");
}

}  // namespace
