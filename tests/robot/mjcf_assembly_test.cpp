// <attach> and <replicate> against what MuJoCo's documentation says they are, and files with them against files in
// which everything is written out, which MuJoCo itself reads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "mjcf_case.h"
#include "mjcf_reference.h"
#include "routh/robot/xml.h"

namespace {

using mjcf_case::read;
using routh::RobotFile;

constexpr double rounding = 1e-12;
constexpr double pi = std::numbers::pi;

// Files beside each other, gone with the test.
class MjcfAssembly : public testing::Test {
 protected:
  MjcfAssembly() : folder_(std::filesystem::temp_directory_path() / ("routh_mjcf_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "part");
  }
  ~MjcfAssembly() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  RobotFile read_file(const std::string& name) const { return routh::read_robot_file((folder_ / name).string()); }
  std::string refusal(const std::string& name) const {
    try {
      read_file(name);
    } catch (const routh::InputError& error) {
      EXPECT_FALSE(error.remedy().empty()) << error.what();
      EXPECT_GT(error.where().line, 0) << error.what();
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

// At random postures, the body frames and the mass matrix of a machine against MuJoCo's of the text written out.
void expect_same(const RobotFile& robot, const std::string& written_out) {
  const routh::Model model = routh::build_model(robot.description);
  const RobotFile other = read(written_out);
  ASSERT_EQ(robot.description.bodies.size(), other.description.bodies.size());
  for (std::size_t i = 0; i < other.description.bodies.size(); ++i)
    EXPECT_EQ(robot.description.bodies[i].name, other.description.bodies[i].name);
  ASSERT_EQ(robot.description.joints.size(), other.description.joints.size());
  for (std::size_t i = 0; i < other.description.joints.size(); ++i) {
    const routh::JointDescription &a = robot.description.joints[i], &b = other.description.joints[i];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.dofs.size(), b.dofs.size());
    for (std::size_t k = 0; k < a.dofs.size(); ++k) {
      EXPECT_EQ(a.dofs[k].lower, b.dofs[k].lower) << a.name;
      EXPECT_EQ(a.dofs[k].damping, b.dofs[k].damping) << a.name;
      EXPECT_EQ(a.dofs[k].drive.has_value(), b.dofs[k].drive.has_value()) << a.name;
    }
  }
  ASSERT_EQ(robot.description.loops.size(), other.description.loops.size());
  EXPECT_EQ(model.pairs.size(), routh::build_model(other.description).pairs.size());
  ASSERT_EQ(robot.start.size(), other.start.size());
  for (std::size_t i = 0; i < other.start.size(); ++i) EXPECT_EQ(robot.start[i].position, other.start[i].position);
  const auto peer = mjcf_reference::Mujoco::load(written_out);
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  testing_support::Random random(8301);
  routh::Workspace workspace(model);
  for (int k = 0; k < 5; ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(model, random);
    peer->set(q);
    compute_mass_matrix(model, q, workspace);
    EXPECT_LT((workspace.mass_matrix - peer->mass_matrix()).cwiseAbs().maxCoeff(), 1e-6);
    compute_kinematics(model, q, workspace);
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
      const Eigen::VectorXd ours = mjcf_case::frame_of(body_pose(model, workspace, static_cast<int>(i)));
      EXPECT_LT((ours - peer->body_frame(model.bodies[i].name)).cwiseAbs().maxCoeff(), rounding)
          << model.bodies[i].name;
    }
  }
}

// The example of the documentation: names, places and turns.
TEST_F(MjcfAssembly, ReplicatesWithinReplicatesAsDocumented) {
  const RobotFile robot = read(
      "<mujoco><worldbody><replicate count='2' offset='0 1 0' euler='90 0 0'>"
      "<replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'><body name='Alice'><freejoint/><geom "
      "size='.1'/></body>"
      "</replicate></replicate></worldbody></mujoco>");
  ASSERT_EQ(robot.description.bodies.size(), 4u);
  ASSERT_EQ(robot.start.size(), 4u);
  const char* names[] = {"Alice-00", "Alice-10", "Alice-01", "Alice-11"};
  const double h = std::sqrt(0.5);
  const double places[][7] = {
      {0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, h, 0, h, 0}, {0, 1, 0, h, h, 0, 0}, {1, 1, 0, .5, .5, .5, .5}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(robot.description.bodies[i].name, names[i]);
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(robot.start[i].position[k], places[i][k], rounding) << names[i];
  }
}

// The offset counts in the axes of the copy before; a closed form: points on a circle.
TEST_F(MjcfAssembly, ReplicasGoRound) {
  const RobotFile robot = read(
      "<mujoco><worldbody><replicate count='12' offset='1 0 0' euler='0 0 30' sep='_'><body name='b'><freejoint/>"
      "<geom size='.1'/></body></replicate></worldbody></mujoco>");
  ASSERT_EQ(robot.start.size(), 12u);
  EXPECT_EQ(robot.description.bodies.back().name, "b_11");
  EXPECT_EQ(robot.description.bodies.front().name, "b_00");
  const double radius = 0.5 / std::sin(pi / 12), first = pi / 2 - pi / 12;
  for (int k = 0; k < 12; ++k) {
    const double x = radius * (std::cos(first) + std::sin(k * pi / 6 - pi / 12));
    const double y = radius * (std::sin(first) - std::cos(k * pi / 6 - pi / 12));
    EXPECT_NEAR(robot.start[static_cast<std::size_t>(k)].position[0], x, rounding) << k;
    EXPECT_NEAR(robot.start[static_cast<std::size_t>(k)].position[1], y, rounding) << k;
  }
}

// What names a replicated part is there once for each, in the order of MuJoCo.
TEST_F(MjcfAssembly, WhatNamesReplicasFollowsThem) {
  const std::string outer = "<body name='hub'><joint name='axle' axis='0 0 1'/><geom name='hub' size='.2' mass='1'/>";
  const RobotFile robot =
      read("<mujoco><default><default class='soft'><joint damping='3'/></default></default><worldbody>" + outer +
           "<replicate count='3' euler='0 0 120' childclass='soft'><body name='leg' pos='.5 0 0'><joint name='hip' "
           "axis='0 1 0'/>"
           "<geom name='leg' size='.1'/></body></replicate></body></worldbody>"
           "<contact><exclude body1='hub' body2='leg'/></contact>"
           "<equality><joint joint1='hip' joint2='axle'/></equality>"
           "<actuator><position joint='axle' kp='1'/><position joint='hip' kp='2'/></actuator>"
           "<keyframe><key ctrl='1 2 3 4' qpos='.1 .2 .3 .4'/></keyframe></mujoco>");
  std::string legs, couplings, excludes;
  for (int k = 0; k < 3; ++k) {
    const std::string i = std::to_string(k);
    legs += "<body name='leg" + i + "' pos='" +
            fmt::format("{} {} 0", .5 * std::cos(2 * pi * k / 3), .5 * std::sin(2 * pi * k / 3)) + "' euler='0 0 " +
            std::to_string(120 * k) + "'><joint name='hip" + i + "' axis='0 1 0' damping='3'/><geom name='leg" + i +
            "' size='.1'/></body>";
    couplings += "<joint joint1='hip" + i + "' joint2='axle'/>";
    excludes += "<exclude body1='hub' body2='leg" + i + "'/>";
  }
  expect_same(robot, "<mujoco><worldbody>" + outer + legs + "</body></worldbody><contact>" + excludes +
                         "</contact><equality>" + couplings +
                         "</equality><actuator><position joint='axle' kp='1'/><position joint='hip0' kp='2'/><position "
                         "joint='hip1' kp='2'/><position joint='hip2' kp='2'/></actuator><keyframe><key ctrl='1 2 3 4' "
                         "qpos='.1 .2 .3 .4'/></keyframe></mujoco>");
}

// Another model with its own units, defaults, folder of meshes and sections, twice; part of it leaves behind what names
// the rest.
TEST_F(MjcfAssembly, AttachedModelsKeepTheirOwn) {
  write("part/tetra.obj", "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write("part/arm.xml",
        "<mujoco model='arm'><compiler angle='radian' meshdir='.'/><option gravity='0 0 1'/>"
        "<default><joint damping='2'/><default class='thin'><geom size='.02'/></default></default>"
        "<asset><mesh file='tetra.obj'/></asset><worldbody><geom name='post' size='.03'/>"
        "<body name='upper' euler='0 0 0.5'><joint name='yaw' range='-1 2'/><geom type='mesh' mesh='tetra'/>"
        "<body name='lower' pos='0 0 .2'><joint name='pitch' axis='0 1 0' range='-.3 .4'/>"
        "<geom class='thin' type='capsule' fromto='0 0 0 0 0 .2'/></body></body></worldbody>"
        "<contact><exclude body1='world' body2='lower'/></contact>"
        "<equality><joint joint1='yaw' joint2='pitch'/></equality>"
        "<actuator><position name='yaw' joint='yaw' kp='5'/><position joint='pitch' kp='6'/></actuator>"
        "<keyframe><key name='home' qpos='.3 .1' ctrl='.3 .1'/></keyframe></mujoco>");
  write("main.xml",
        "<mujoco><default><joint damping='7'/></default><asset><model name='arm' file='part/arm.xml'/></asset>"
        "<worldbody><body name='base' pos='0 0 1'><joint name='turn' range='-90 90'/><geom size='.1'/>"
        "<frame pos='1 0 0' euler='0 0 90'><attach model='arm' body='upper' prefix='l_'/></frame></body>"
        "<frame pos='0 3 0'><attach model='arm' prefix='r_'/></frame></worldbody></mujoco>");
  const RobotFile robot = read_file("main.xml");
  std::vector<std::string> names;
  for (const auto& body : robot.description.bodies) names.push_back(body.name);
  EXPECT_EQ(names, (std::vector<std::string>{"base", "l_upper", "l_lower", "r_upper", "r_lower"}));
  std::map<std::string, const routh::JointDescription*> joints;
  for (const auto& joint : robot.description.joints) joints[joint.name] = &joint;
  EXPECT_NEAR(joints.at("turn")->dofs[0].upper, pi / 2, rounding);
  EXPECT_EQ(joints.at("turn")->dofs[0].damping, 7);
  for (const char* side : {"l_", "r_"}) {
    EXPECT_EQ(joints.at(side + std::string("yaw"))->dofs[0].upper, 2);
    EXPECT_EQ(joints.at(side + std::string("pitch"))->dofs[0].damping, 2);
    EXPECT_EQ(joints.at(side + std::string("pitch"))->dofs[0].drive->stiffness, 6);
  }
  EXPECT_EQ(robot.description.loops.size(), 2u);
  EXPECT_EQ(robot.description.gravity.z, -9.81);
  EXPECT_NEAR(robot.description.bodies[1].mass, 1000 * 1e-3 / 6, 1e-9);  // of the tetrahedron
  // The left arm's key was of the whole model with all its joints: the first of both.
  const routh::Model model = routh::build_model(robot.description);
  const Eigen::VectorXd q = mjcf_case::start_of(model, robot);
  const Eigen::Vector3d left = q.segment<3>(0);
  EXPECT_NEAR((left - Eigen::Vector3d(0, .3, .1)).norm(), 0, rounding);
  routh::Workspace workspace(model);
  compute_kinematics(model, Eigen::VectorXd::Zero(model.coordinates), workspace);
  const auto pose = body_pose(model, workspace, 2);
  EXPECT_NEAR(pose.position.x, 1, rounding);
  EXPECT_NEAR(pose.position.z, 1, rounding);
  EXPECT_NEAR(std::atan2(pose.rotation.r1.x, pose.rotation.r0.x), pi / 2 + 0.5, rounding);
}

TEST_F(MjcfAssembly, OfAPartOnlyWhatNamesItComes) {
  write("arm.xml",
        "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='.1'/><body name='b'><joint name='k'/><geom "
        "size='.1'/></body></body></worldbody><equality><joint joint1='j' joint2='k'/></equality>"
        "<actuator><motor joint='j'/><position joint='k' kp='3'/></actuator><keyframe><key qpos='1 2'/></keyframe>"
        "</mujoco>");
  write("main.xml",
        "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody><attach model='arm' body='b' "
        "prefix='x_'/></worldbody></mujoco>");
  const RobotFile robot = read_file("main.xml");
  ASSERT_EQ(robot.description.bodies.size(), 1u);
  EXPECT_TRUE(robot.description.loops.empty());
  EXPECT_EQ(robot.description.joints[0].name, "x_k");
  EXPECT_EQ(robot.description.joints[0].dofs[0].drive->stiffness, 3);
  EXPECT_TRUE(robot.start.empty());
}

TEST_F(MjcfAssembly, ACopyWithinTheModel) {
  const std::string leg =
      "<body name='{0}leg' pos='.5 0 0'><joint name='{0}hip' axis='0 1 0' damping='2'/><geom name='{0}leg' size='.1'/>"
      "</body>";
  const std::string before = "<body name='hub'><joint name='axle' axis='0 0 1'/><geom name='hub' size='.2'/>";
  const auto text = [&](const std::string& second, const std::string& actuators) {
    return "<mujoco><worldbody>" + before + fmt::format(fmt::runtime(leg), "") +
           "<body name='side' euler='0 0 90'><geom size='.1'/>" + second +
           "</body></body></worldbody><actuator><position joint='hip' kp='1'/>" + actuators + "</actuator></mujoco>";
  };
  expect_same(read(text("<attach body='leg' prefix='o_'/>", "")),
              text(fmt::format(fmt::runtime(leg), "o_"), "<position joint='o_hip' kp='1'/>"));
}

TEST_F(MjcfAssembly, ModelsThatAttachThemselvesAreRefused) {
  const auto attaching = [](const std::string& file) {
    return "<mujoco>\n<asset><model name='m' file='" + file +
           "'/></asset>\n<worldbody><body><geom size='.1'/><attach model='m' prefix='x'/></body></worldbody></mujoco>";
  };
  write("self.xml", attaching("self.xml"));
  EXPECT_NE(refusal("self.xml").find("attaches itself"), std::string::npos) << refusal("self.xml");
  write("a.xml", attaching("b.xml"));
  write("b.xml", attaching("a.xml"));
  EXPECT_NE(refusal("a.xml").find("attaches itself"), std::string::npos) << refusal("a.xml");
  for (int i = 0; i < 20; ++i) write(fmt::format("d{}.xml", i), attaching(fmt::format("d{}.xml", i + 1)));
  EXPECT_NE(refusal("d0.xml").find("16 deep"), std::string::npos) << refusal("d0.xml");
  write("urdf.xml", "<robot/>");
  write("of_urdf.xml", attaching("urdf.xml"));
  EXPECT_NE(refusal("of_urdf.xml").find("<robot>"), std::string::npos);
  // Two of each: a million at the twentieth, were it not for the bound.
  for (int i = 0; i < 15; ++i)
    write(fmt::format("two{}.xml", i),
          fmt::format("<mujoco><asset><model name='m' file='two{}.xml'/></asset><worldbody><attach model='m' "
                      "prefix='x'/><attach model='m' prefix='y'/><attach model='m' prefix='z'/></worldbody></mujoco>",
                      i + 1));
  write("two15.xml", "<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>");
  EXPECT_NE(refusal("two0.xml").find("elements"), std::string::npos) << refusal("two0.xml");
}

}  // namespace
