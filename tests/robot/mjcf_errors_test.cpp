// Files that cannot be used: refused with their place and a remedy, never a crash.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mjcf_case.h"

#include "routh/robot/xml.h"

namespace {

using mjcf_case::read;
using mjcf_case::read_in_world;

struct Refusal {
  const char* name;
  const char* text;     // below <mujoco>
  const char* message;  // a part of it
};

class MjcfRefused : public testing::TestWithParam<Refusal> {};

TEST_P(MjcfRefused, WithPlaceAndRemedy) {
  try {
    routh::build_model(read("<mujoco>\n" + std::string(GetParam().text) + "</mujoco>").description);
    ADD_FAILURE() << "accepted";
  } catch (const routh::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
    EXPECT_EQ(error.where().file, "robot.xml");
    EXPECT_GT(error.where().line, 0) << error.what();
    EXPECT_FALSE(error.remedy().empty()) << error.what();
  }
}

#define BODY(text) "<worldbody><body name='b'><freejoint/><geom name='g' size='1'/>" text "</body></worldbody>"
constexpr Refusal refusals[] = {
    {"nothing", "", "no <body>"},
    {"global", "<compiler coordinate='global'/><worldbody><body/></worldbody>", "has no pos"},
    {"replicate_count", "<worldbody><replicate><body/></replicate></worldbody>", "no positive count"},
    {"replicate_part", "<worldbody><replicate count='1.5'><body/></replicate></worldbody>", "no integer"},
    {"replicate_bomb",
     "<worldbody><replicate count='1000'><replicate count='1000'><body/></replicate></replicate></worldbody>",
     "more than 200000 elements"},
    {"attach_nothing", "<worldbody><attach prefix='a'/></worldbody>", "neither a model nor a body"},
    {"attach_no_model", "<worldbody><attach model='a' prefix='a'/></worldbody>", "no model 'a'"},
    {"attach_no_file", "<asset><model name='a'/></asset><worldbody><attach model='a'/></worldbody>", "'file'"},
    {"attach_missing_file",
     "<asset><model name='a' file='none.xml'/></asset><worldbody><attach model='a'/></worldbody>",
     "no file 'none.xml'"},
    {"attach_unknown_body", "<worldbody><attach body='a' prefix='a'/></worldbody>", "no body 'a'"},
    {"attach_twin", BODY("") "<worldbody><attach body='b'/></worldbody>", "would have its name"},
    {"attach_itself", "<worldbody><body name='b'><attach body='b' prefix='a'/></body></worldbody>", "within itself"},
    {"eulerseq", "<compiler eulerseq='xyw'/>", "eulerseq"},
    {"angle", "<compiler angle='grad'/>", "'grad' is not known"},
    {"class_name", BODY("<geom class='nope' size='1'/>"), "no default class 'nope'"},
    {"child_class", "<worldbody><body childclass='nope'/></worldbody>", "no default class 'nope'"},
    {"nested_default", "<default><default/></default>", "has no class"},
    {"two_orientations", BODY("<body quat='1 0 0 0' euler='0 0 0'/>"), "two orientations"},
    {"zero_quaternion", BODY("<body quat='0 0 0 0'/>"), "quaternion is zero"},
    {"zero_axis", "<worldbody><body><joint axis='0 0 0'/><geom size='1'/></body></worldbody>", "axis"},
    {"nested_free", BODY("<body><freejoint/></body>"), "cannot be free"},
    {"free_and_hinge", "<worldbody><body><joint/><freejoint/></body></worldbody>", "another joint"},
    {"joint_of_world", "<worldbody><joint/></worldbody>", "the world has a <joint>"},
    {"twins", BODY("<body name='b'/>"), "two <body> of the name 'b'"},
    {"size", BODY("<geom type='box' size='1 2'/>"), "size 0, which is not given"},
    {"negative_size", BODY("<geom size='-1'/>"), "size -1"},
    {"fromto", BODY("<geom type='sphere' size='1' fromto='0 0 0 1 1 1'/>"), "fromto does not go"},
    {"friction", BODY("<geom size='1' friction='-1'/>"), "negative"},
    {"bits", BODY("<geom size='1' contype='1.5'/>"), "no integer"},
    {"full_inertia", BODY("<inertial mass='1' pos='0 0 0' fullinertia='1 1 1 0 0 0' quat='1 0 0 0'/>"), "fullinertia"},
    {"no_mass", BODY("<inertial pos='0 0 0'/>"), "'mass'"},
    {"impossible_inertia", BODY("<inertial mass='1' pos='0 0 0' diaginertia='1 1 5'/>"), "inertia"},
    {"massless", "<worldbody><body><freejoint/></body></worldbody>", "no inertia"},
    {"exclude", BODY("") "<contact><exclude body1='b' body2='c'/></contact>", "no body 'c'"},
    {"pair", BODY("") "<contact><pair geom1='g'/></contact>", "no attribute 'geom2'"},
    {"connect", BODY("") "<equality><connect body1='b'/></equality>", "'anchor'"},
    {"connect_name", BODY("") "<equality><connect body1='bb' anchor='0 0 0'/></equality>", "did you mean 'b'"},
    {"actuator", BODY("") "<actuator><motor joint='j'/></actuator>", "no joint 'j'"},
    {"key_size", BODY("") "<keyframe><key qpos='1 2'/></keyframe>", "has 2 numbers"},
    {"key_quaternion", BODY("") "<keyframe><key qpos='0 0 0 0 0 0 0'/></keyframe>", "quaternion"},
    {"control_size", BODY("") "<keyframe><key ctrl='1'/></keyframe>", "actuators"},
    {"number", BODY("<geom size='1,5'/>"), "1,5"},
    {"include", "<include file='nowhere.xml'/>", "no file"},
    {"include_without_file", "<include/>", "'file'"},
};
#undef BODY

INSTANTIATE_TEST_SUITE_P(Files, MjcfRefused, testing::ValuesIn(refusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(MjcfRefuses, OtherRoots) { EXPECT_THROW(read("<robot/>"), routh::InputError); }

// Every beginning of a file is refused, or is the whole.
TEST(MjcfRefuses, FilesThatAreCutOff) {
  for (const char* name : {"mjcf_zoo.xml", "mjcf_linkage.xml"}) {
    const std::string text = mjcf_case::read_text(name);
    const std::size_t end = text.find("</mujoco>") + 9;
    for (std::size_t length = 0; length < end; ++length)
      EXPECT_THROW(read(text.substr(0, length)), routh::InputError) << name << " cut at " << length;
  }
}

// Without any one of its lines a file is refused or makes a model; nothing else comes out.
TEST(MjcfRefuses, OrReadsFilesThatLackALine) {
  const std::string text = mjcf_case::read_text("mjcf_zoo.xml");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    try {
      routh::build_model(read(text.substr(0, begin) + text.substr(end)).description);
    } catch (const routh::InputError& error) {
      EXPECT_FALSE(error.message().empty());
    }
    begin = end;
  }
}

TEST(MjcfRefuses, WhatIsTooLarge) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<body>";
  EXPECT_THROW(read_in_world(deep), routh::InputError);
  std::string many = "<body><freejoint/>";
  for (int i = 0; i < 60000; ++i) many += "<geom size='1'/>";
  many += "</body><body><freejoint/>";
  for (int i = 0; i < 60000; ++i) many += "<geom size='1'/>";
  EXPECT_THROW(read_in_world(many + "</body>"), routh::InputError);
  std::string frictions = "<body><freejoint/>";
  for (int i = 0; i < 300; ++i) frictions += fmt::format("<geom size='1' friction='0.{}'/>", i + 100);
  EXPECT_THROW(read_in_world(frictions + "</body>"), routh::InputError);
}

TEST(MjcfRefuses, FilesThatIncludeThemselves) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "routh_mjcf_include";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  write("b.xml", "<mujocoinclude><include file='a.xml'/></mujocoinclude>");
  write("twice.xml", "<mujoco><include file='c.xml'/><include file='./c.xml'/></mujoco>");
  write("c.xml", "<mujocoinclude/>");
  write("other.xml", "<mujoco><include file='urdf.xml'/></mujoco>");
  write("urdf.xml", "<robot/>");
  for (const char* name : {"a.xml", "twice.xml", "other.xml"}) {
    const routh::XmlElement root = routh::read_xml_file((folder / name).string());
    EXPECT_THROW(routh::read_mjcf(root), routh::InputError) << name;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
