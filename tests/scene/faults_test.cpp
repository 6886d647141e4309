// What is wrong with a scene is said at its place; nothing but an InputError comes out of any text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "scene/samples.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::content;
using testing_support::file_name;
using testing_support::good_scenes;
using testing_support::paths_in;
using testing_support::planar_scene;
using testing_support::Random;
using testing_support::refusal;
using testing_support::repository;
using testing_support::scaled;
using testing_support::spatial_scene;

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(SceneFaults, EveryBadFileIsRefusedAtItsPlace) {
  const std::string folder = repository("tests/data/scenes/bad/");
  std::istringstream list(content(folder + "expected.txt"));
  std::map<std::string, int> seen;
  std::string line;
  while (std::getline(list, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string file, place, part;
    words >> file >> place >> std::ws;
    std::getline(words, part);
    ++seen[file];
    const std::string message = refusal(content(folder + file), file);
    EXPECT_EQ(message.substr(0, message.find(" error:")), file + ":" + place + ":") << message;
    EXPECT_NE(message.find(part), std::string::npos) << message << "\n  should hold: " << part;
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
  }
  for (const std::string& path : paths_in("tests/data/scenes/bad")) {
    if (path.ends_with("expected.txt")) continue;
    EXPECT_EQ(seen[file_name(path)], 1) << path << " is not in expected.txt";
  }
}

TEST(SceneFaults, EveryGoodFileIsAccepted) {
  for (const std::string& path : good_scenes()) EXPECT_EQ(refusal(content(path), path), "");
  EXPECT_GE(good_scenes().size(), 10u);
}

// The whole of a dozen messages, as a person sees them.
TEST(SceneFaults, TypicalMistakes) {
  EXPECT_EQ(
      refusal(planar_scene("{kind: revolut}")),
      "f:4:42: error: bodies.a.joint.kind: 'revolut' is not one of fixed, revolute, prismatic, cylindrical, planar, "
      "spherical, universal, free; did you mean 'revolute'?");
  EXPECT_EQ(refusal(planar_scene("{kind: revolute, damp: 1}")),
            "f:4:52: error: 'damp' is not a key of bodies.a.joint; allowed: kind, parent, in_child, name, at, limits, "
            "spring, damping, armature, drive, effort");
  EXPECT_EQ(
      refusal(planar_scene("{kind: revolute}", "world: {shapes: {floor: {kind: half_space, at: [0, 0, 1]}}}\n")),
      "f:5:48: error: world.shapes.floor.at: found a list of 3; in the plane a vector has 2 entries, [x, y]; drop "
      "the third, or write `dimension: spatial`");
  EXPECT_EQ(refusal(spatial_scene("{kind: revolute}")),
            "f:3:43: error: bodies.a.joint: 'axis' is missing; add `axis: …`");
  EXPECT_EQ(refusal("routh: 1\nbodies:\n  a: {mass: 1, joint: {kind: free}}\n"),
            "f:3:6: error: bodies.a: 'inertia' is missing; add `inertia: [xx, yy, zz]` about the centre of mass, zeros "
            "for a point mass");
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "state: {position: {a: 20deg}}\n")),
            "f:5:23: error: state.position.a: found '20deg' where an angle is expected; write radians as a number, "
            "degrees as `20 deg`");
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "state: {position: {b: 1}}\n")),
            "f:5:20: error: there is no joint 'b'; did you mean 'a'? joints: a");
  EXPECT_EQ(
      refusal(planar_scene("{kind: revolute, limits: [-1, 1]}", "state: {position: {a: 90 deg}}\n")),
      "f:5:23: error: 'a' is at 1.5707963267948966, outside its limits [-1, 1]; change its position or its limits");
  EXPECT_EQ(refusal(spatial_scene("{kind: spherical}", "state: {position: {a: [1, 1, 0, 0]}}\n")),
            "f:4:23: error: state.position.a: this quaternion has the length 1.41421356; it must be 1 to 1e-6; "
            "[0.70710678118654746, 0.70710678118654746, 0, 0] would be, in its direction");
  EXPECT_EQ(refusal(planar_scene("{kind: revolute}", "surfaces: {s: {friction: 0.1, restitution: 1.2}}\n")),
            "f:5:44: error: surfaces.s.restitution = 1.2 must lie in [0, 1]");
  EXPECT_EQ(refusal("routh: 2\nbodys: {}\n"),
            "f:1:8: error: routh: found '2'; this program reads scenes of version 1; write `routh: 1`");
  EXPECT_EQ(refusal("bodies: {}\n"), "f:1:1: error: 'routh' is missing: this is not a scene; begin it with `routh: 1`");
}

TEST(SceneFaults, HugeTexts) {
  EXPECT_NE(refusal("routh: 1\nname: " + std::string(10 << 20, 'x')).find("f:2:7: error:"), std::string::npos);
  EXPECT_NE(refusal("routh: 1\nbodies: " + std::string(100000, '[')).find("f:2:"), std::string::npos);
  EXPECT_NE(refusal("routh: 1\nbodies: " + repeated("{a: ", 100000)).find("f:2:"), std::string::npos);
  EXPECT_NE(refusal(std::string(17 << 20, ' ')).find("error:"), std::string::npos);
}

// Sizes that would need more memory than there is are refused by their count, before anything of that size is made.
TEST(SceneFaults, HugeNumbersOfThings) {
  std::string many = "routh: 1\nbodies:\n";
  for (int i = 0; i < 10'001; ++i)
    many += fmt::format("  b{}: {{mass: 1, inertia: [1, 1, 1], joint: {{kind: free}}}}\n", i);
  EXPECT_EQ(refusal(many),
            "f:3:3: error: bodies: found 60006 degrees of freedom; at most 60000 are allowed; make the scene smaller");
  std::string bodies = "routh: 1\nbodies: {";
  for (int i = 0; i < 20000; ++i) bodies += fmt::format("b{}: {{mass: 0, joint: {{kind: fixed}}}}, ", i);
  EXPECT_NE(refusal(bodies + "}\n").find("at most"), std::string::npos);
  std::string loops = "loops: {";
  for (int i = 0; i < 1001; ++i) loops += fmt::format("l{}: {{kind: coupling, terms: {{a: 1}}}}, ", i);
  EXPECT_NE(refusal(planar_scene("{kind: revolute}", loops + "}\n")).find("at most 1000"), std::string::npos);
}

void expect_sound(const std::string& text) {
  try {
    const Scene scene = read_scene_text(text, "f");
    EXPECT_TRUE(scene.state.q.allFinite() && scene.state.v.allFinite());
    EXPECT_EQ(scene.state.q.size(), scene.model.coordinates);
    EXPECT_EQ(scene.state.v.size(), scene.model.velocities);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "f");
    EXPECT_FALSE(error.message().empty());
  }
}

TEST(SceneFaults, EverySampleCutAtEveryByte) {
  for (const std::string& path : good_scenes()) {
    SCOPED_TRACE(path);
    const std::string text = content(path);
    const int size = static_cast<int>(text.size());
    const int step = std::max(1, size / std::min(size, scaled(size, 60)));
    for (int length = 0; length < size; length += step) expect_sound(text.substr(0, static_cast<std::size_t>(length)));
  }
}

TEST(SceneFaults, SamplesWithChangedBytes) {
  constexpr std::uint64_t seed = 20240607;
  SCOPED_TRACE(seed);
  Random random(seed);
  const std::vector<std::string> paths = good_scenes();
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(content(path));
  const std::string spare = "0123456789.-eE:[]{},# \n'\"ainfx\t";
  for (int i = 0; i < scaled(3000, 100); ++i) {
    std::string text = texts[static_cast<std::size_t>(random.below(static_cast<int>(texts.size())))];
    for (int change = random.below(4); change >= 0; --change)
      text[static_cast<std::size_t>(random.below(static_cast<int>(text.size())))] =
          spare[static_cast<std::size_t>(random.below(static_cast<int>(spare.size())))];
    SCOPED_TRACE(i);
    expect_sound(text);
  }
}

TEST(SceneFaults, NumbersAtTheEndsOfTheirRange) {
  for (const char* value : {"1e308", "-1e308", "1e-308", "5e-324", "1e160", "-0", "0"})
    for (const std::string text :
         {"routh: 1\ndimension: planar\nbodies:\n  a: {mass: V, inertia: 1, joint: {kind: revolute}}\n",
          "routh: 1\ndimension: planar\nbodies:\n  a: {mass: 1, inertia: V, joint: {kind: revolute}}\n",
          "routh: 1\ndimension: planar\nbodies:\n  a: {mass: 1, com: [V, V], inertia: 1, joint: {kind: revolute}}\n",
          "routh: 1\nbodies:\n  a: {mass: 1, inertia: [V, V, V], joint: {kind: free}}\n",
          "routh: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, axis: [V, V, 0], at: [V, 0, "
          "0]}}\n",
          "routh: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}\nstate: {position: {a: "
          "{position: "
          "[V, V, V]}}, velocity: {a: [V, V, V, V, V, V]}}\n",
          "routh: 1\ndimension: planar\nbodies:\n  a: {mass: 1, inertia: 1, joint: {kind: planar}}\n"
          "loops: {l: {kind: point, bodies: [a, world], at: [[V, 1], [1, V]]}}\n"}) {
      std::string scene = text;
      for (std::size_t at = scene.find('V'); at != std::string::npos; at = scene.find('V', at))
        scene.replace(at, 1, value);
      SCOPED_TRACE(scene);
      expect_sound(scene);
    }
}

}  // namespace
}  // namespace routh
