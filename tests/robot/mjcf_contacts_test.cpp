// Which geoms may touch, and with which friction: balls so large that whatever may touch does.
#include <gtest/gtest.h>

#include <map>

#include "mjcf_case.h"
#include "mjcf_reference.h"

namespace {

using Pairs = std::map<std::pair<std::string, std::string>, double>;  // friction by names, sorted

void add(Pairs& pairs, const std::string& a, const std::string& b, double friction) {
  pairs[std::minmax(a, b)] = friction;
}

Pairs of_model(const std::string& text) {
  const routh::Model model = routh::build_model(mjcf_case::read(text).description);
  Pairs out;
  for (const routh::ShapePair& pair : model.pairs)
    add(out, model.shapes[static_cast<std::size_t>(pair.first)].name,
        model.shapes[static_cast<std::size_t>(pair.second)].name, pair.properties.friction.static_coefficient);
  return out;
}

Pairs of_mujoco(mjcf_reference::Mujoco& mujoco) {
  mujoco.set(mujoco.reference());
  Pairs out;
  for (const auto& contact : mujoco.contacts()) add(out, contact.first, contact.second, contact.friction);
  return out;
}

std::string ball(const std::string& name, const std::string& attributes = {}) {
  return "<geom name='" + name + "' size='9' " + attributes + "/>";
}

void compare(const std::string& text) {
  const auto mujoco = mjcf_reference::Mujoco::load(text);
  if (!mujoco) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  EXPECT_EQ(of_model(text), of_mujoco(*mujoco));
}

// A machine with welded bodies, a base that stands, several joints in a body, and two on the ground beside it.
std::string machine(const std::string& option, const std::string& contact, const std::string& attributes = {}) {
  const std::string joint = "<joint axis='0 1 0'/>";
  return "<mujoco><option iterations='1' " + attributes + ">" + option +
         "</option><size njmax='300' nconmax='100'/><worldbody><geom name='floor' type='plane' size='1 1 1' "
         "friction='0.3'/>" +
         ball("rock_ball", "pos='1 0 0'") + "<body name='base' pos='0 0 0.1'>" + ball("base_ball", "friction='0.4'") +
         "<body name='upper' pos='0.1 0 0.2'>" + joint + ball("upper_ball", "condim='1'") +
         ball("elbow_ball", "contype='2'") + "<body name='cover' pos='0 0.1 0'>" +
         ball("cover_ball", "friction='0.9' priority='1'") +
         "<body name='lower' pos='0 0 0.3'><joint axis='1 0 0'/><joint axis='0 1 0'/>" +
         ball("lower_ball", "contype='2' conaffinity='2'") + "<body name='tip' pos='0 0 0.3'>" + joint +
         ball("tip_ball", "condim='1' friction='0.2'") + ball("bead_ball", "contype='0' conaffinity='4'") +
         "</body></body></body></body></body><body name='flyer' pos='0.3 0 1'><freejoint/>" +
         ball("flyer_ball", "friction='0.1'") + "</body><body name='other' pos='0.2 0 1'><freejoint/>" +
         ball("other_ball", "contype='4' conaffinity='0' priority='1' condim='1'") + "</body></worldbody><contact>" +
         contact + "</contact></mujoco>";
}

TEST(MjcfContacts, AreThoseOfMujoco) { compare(machine("", "")); }

TEST(MjcfContacts, ExclusionsHold) {
  compare(machine("", "<exclude body1='base' body2='lower'/><exclude body1='tip' body2='flyer'/>"));
}

TEST(MjcfContacts, PairsTouchWhateverTheFiltersSay) {
  compare(machine("",
                  "<exclude body1='base' body2='tip'/><pair geom1='tip_ball' geom2='lower_ball' friction='0.77 0.77'/>"
                  "<pair geom1='bead_ball' geom2='flyer_ball'/><pair geom1='base_ball' geom2='tip_ball' condim='1'/>"));
}

TEST(MjcfContacts, ParentsMayTouchWhenTheFilterIsOff) { compare(machine("<flag filterparent='disable'/>", "")); }

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const std::string& warning : mjcf_case::read(text).warnings) all += warning + "\n";
  return all;
}

const std::string two_pairs = "<pair geom1='tip_ball' geom2='lower_ball'/><pair geom1='bead_ball' geom2='flyer_ball'/>";

TEST(MjcfContacts, OnlyPairsWhereTheOptionSaysSo) {
  const std::string text = machine("", two_pairs, "collision='predefined'");
  const Pairs expected = {{{"lower_ball", "tip_ball"}, 1}, {{"bead_ball", "flyer_ball"}, 1}};
  const Pairs pairs = of_model(text);
  ASSERT_EQ(pairs.size(), expected.size());
  for (const auto& [names, friction] : expected) EXPECT_TRUE(pairs.contains(names)) << names.first;
  EXPECT_NE(warnings_of(machine("", "", "collision='predefined'")).find("no <pair>: none of the robot's shapes"),
            std::string::npos);
  compare(text);
}

TEST(MjcfContacts, NoPairsWhereTheOptionSaysSo) {
  const std::string text = machine("", two_pairs, "collision='dynamic'");
  EXPECT_EQ(of_model(text), of_model(machine("", "")));
  EXPECT_NE(warnings_of(text).find("<pair> in <contact> is ignored"), std::string::npos);
  compare(text);
}

TEST(MjcfContacts, NoneWhereAFlagSaysSo) {
  for (const std::string flag : {"contact", "constraint"}) {
    const std::string text = machine("<flag " + flag + "='disable'/>", two_pairs);
    EXPECT_TRUE(of_model(text).empty());
    EXPECT_NE(warnings_of(text).find(flag + "=\"disable\": none of the robot's shapes"), std::string::npos);
    compare(text);
  }
}

// Limits and equalities go with the flags of their own, and with all constraints.
TEST(MjcfContacts, FlagsSwitchLimitsAndEqualitiesOff) {
  for (const std::string flag : {"limit", "equality", "constraint"}) {
    const routh::RobotFile robot = mjcf_case::read(
        "<mujoco><option><flag " + flag + "='disable'/></option><worldbody><body><joint name='a' range='30 60'/>" +
        ball("g") + "</body><body><joint name='b'/>" + ball("h") +
        "</body></worldbody><equality><joint joint1='a' joint2='b'/></equality></mujoco>");
    const bool limited = robot.description.joints[0].dofs[0].lower > -routh::unlimited;
    EXPECT_EQ(limited, flag == "equality");
    EXPECT_EQ(robot.start.empty(), !limited);
    EXPECT_EQ(robot.description.loops.size(), flag == "limit" ? 1u : 0u);
  }
}

TEST(MjcfContacts, GeomsThatTouchNothingAreNoShapes) {
  const routh::RobotFile robot = mjcf_case::read_in_world(
      "<body name='a'><freejoint/><geom size='1'/><geom size='2' contype='0' conaffinity='0'/></body>");
  ASSERT_EQ(robot.description.shapes.size(), 1u);
  EXPECT_EQ(robot.description.shapes[0].radius, 1);
  EXPECT_EQ(robot.description.shapes[0].name, "a_geom");
  ASSERT_EQ(robot.warnings.size(), 1u);
  EXPECT_NE(robot.warnings[0].find("a geom that touches nothing"), std::string::npos) << robot.warnings[0];
}

}  // namespace
