// docs/scene.schema.json says of scenes what the reader says.
#include "support/schema.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "scene/samples.h"

namespace routh {
namespace {

using testing_support::content;
using testing_support::file_name;
using testing_support::good_scenes;
using testing_support::planar_scene;
using testing_support::refusal;
using testing_support::repository;
using testing_support::Schema;
using testing_support::spatial_scene;

const Schema& schema() {
  static const Schema schema(repository("docs/scene.schema.json"));
  return schema;
}

std::string complaint(const std::string& text) {
  const Document document = Document::from_text(text, "f");
  return schema().complaint(document.root());
}

TEST(SceneSchema, AcceptsEveryGoodScene) {
  for (const std::string& path : good_scenes()) EXPECT_EQ(complaint(content(path)), "") << path;
}

// What needs more than the form of one value to be wrong: names that are nowhere, machines that cannot be, the
// dimension.
TEST(SceneSchema, RefusesMostBadScenes) {
  std::istringstream list(content(repository("tests/data/scenes/bad/expected.txt")));
  int refused = 0, all = 0;
  std::string line;
  while (std::getline(list, line)) {
    const std::string file = line.substr(0, line.find(' '));
    std::string verdict;
    try {
      verdict = complaint(content(repository("tests/data/scenes/bad/") + file));
    } catch (const InputError&) {
      continue;  // no YAML, so no matter for a schema
    } catch (const RuntimeFailure&) {
      continue;  // the heading of the list
    }
    ++all;
    refused += verdict.empty() ? 0 : 1;
  }
  EXPECT_GE(refused, 102) << "of " << all;
}

TEST(SceneSchema, RefusesWhatTheReaderRefuses) {
  for (const char* joint :
       {"{kind: revolut}", "{kind: revolute, damp: 1}", "{kind: fixed, damping: 1}", "{kind: free, at: [0, 0, 0]}",
        "{kind: revolute, limits: [1]}", "{kind: revolute, limits: {}}", "{kind: revolute, limits: [0, 20deg]}",
        "{kind: revolute, drive: {}}", "{kind: planar, damping: 1}", "{kind: revolute, dofs: {}}"}) {
    EXPECT_NE(complaint(planar_scene(joint)), "") << joint;
    EXPECT_NE(refusal(planar_scene(joint)), "") << joint;
  }
  for (const char* joint :
       {"{kind: fixed, at: {rotation: {quaternion: [1, 0, 0]}}}", "{kind: fixed, at: {rotation: {}}}",
        "{kind: fixed, at: {rotation: {rpy: [0, 0, 0], matrix: 1}}}", "{kind: universal}",
        "{kind: spherical, dofs: {wx: {limits: [0, 1]}}}"}) {
    EXPECT_NE(complaint(spatial_scene(joint)), "") << joint;
    EXPECT_NE(refusal(spatial_scene(joint)), "") << joint;
  }
}

std::set<std::string> keys_of(const Node& properties) {
  std::set<std::string> keys;
  for (const Node entry : properties) keys.insert(std::string(entry.key()));
  return keys;
}

// The keys that the reader names when it meets one it does not know.
std::set<std::string> keys_of_refusal(const std::string& text) {
  const std::string message = refusal(text);
  const std::string mark = "allowed: ";
  const std::size_t begin = message.find(mark);
  EXPECT_NE(message.find("'zzzzzzzz' is not a key"), std::string::npos) << message;
  std::set<std::string> keys;
  if (begin == std::string::npos) return keys;
  std::istringstream words(message.substr(begin + mark.size()));
  std::string word;
  while (words >> word) keys.insert(word.substr(0, word.find(',')));
  return keys;
}

// Where the schema lists the keys of a map, and a scene that has `zzzzzzzz` in such a map.
struct Section {
  std::string path, scene;
};

std::string planar_with(const std::string& rest) { return planar_scene("{kind: revolute}", rest + "\n"); }
std::string joint_with(const std::string& joint) { return spatial_scene("{zzzzzzzz: 1, " + joint + "}"); }
std::string shape_with(const std::string& shape) {
  return spatial_scene("{kind: free}", "world: {shapes: {f: {zzzzzzzz: 1, kind: " + shape + "}}}\n");
}

template <NamedEnum E>
std::string said(E kind) {
  return std::string("kind: ") + name(kind);
}

// The alternatives of the schema for what is of this kind, where they list their keys.
template <NamedEnum E>
std::vector<std::string> forms_of(const std::string& path, E kind) {
  std::vector<std::string> forms;
  int number = 0;
  for (const Node form : schema().at(path + "/oneOf")) {
    const Node word = form.require("properties").require("kind");
    bool found = false;
    if (const auto only = word.find("const")) found = only->text() == name(kind);
    if (const auto list = word.find("enum"))
      for (const Node each : *list) found = found || each.text() == name(kind);
    if (found) forms.push_back(path + "/oneOf/" + std::to_string(number) + "/properties");
    ++number;
  }
  return forms;
}

std::vector<Section> sections() {
  const std::string z = "zzzzzzzz: 1";
  std::vector<Section> all = {
      {"properties", planar_with(z)},
      {"properties/robot/properties", planar_with("robot: {" + z + "}")},
      {"$defs/body/properties", "routh: 1\nbodies: {a: {" + z + "}}\n"},
      {"properties/world/properties", planar_with("world: {" + z + "}")},
      {"properties/contacts/properties", planar_with("contacts: {" + z + "}")},
      {"properties/state/properties", planar_with("state: {" + z + "}")},
      {"properties/simulation/properties", planar_with("simulation: {" + z + "}")},
      {"$defs/surface/properties", planar_with("surfaces: {s: {" + z + "}}")},
      {"$defs/surface_pair/properties", planar_with("surface_pairs: [{" + z + "}]")},
      {"$defs/friction/oneOf/1/properties", planar_with("surfaces: {s: {restitution: 0, friction: {" + z + "}}}")},
      {"$defs/limits/oneOf/1/properties", planar_scene("{kind: revolute, limits: {" + z + "}}")},
      {"$defs/joint_spring/properties", planar_scene("{kind: revolute, spring: {" + z + "}}")},
      {"$defs/drive/properties", planar_scene("{kind: revolute, drive: {" + z + "}}")},
      {"$defs/dof/properties", planar_scene("{kind: planar, dofs: {x: {" + z + "}}}")},
      {"$defs/turning_dof/properties", spatial_scene("{kind: free, dofs: {wx: {" + z + "}}}")},
      {"$defs/profile/oneOf/1/properties", planar_scene("{kind: revolute, effort: {" + z + "}}")},
      {"$defs/pose/oneOf/1/properties", planar_scene("{kind: revolute, at: {" + z + "}}")},
      {"$defs/belt/properties", planar_with("world: {shapes: {f: {kind: half_space, belt: {" + z + "}}}}")},
      {"$defs/spring/properties", planar_with("springs: {s: {" + z + "}}")},
      {"$defs/force/properties", planar_with("forces: {s: {" + z + "}}")},
  };
  for (const LoopKind kind : all_values<LoopKind>)
    all.push_back({forms_of("$defs/loop", kind).at(0), planar_with("loops: {s: {" + said(kind) + ", " + z + "}}")});
  for (const ShapeKind kind : all_values<ShapeKind>)
    if (kind != ShapeKind::mesh)  // has two forms
      all.push_back({forms_of("$defs/shape", kind).at(0), shape_with(name(kind))});
  for (const JointKind kind : all_values<JointKind>)
    all.push_back({forms_of("$defs/joint", kind).at(0), joint_with(said(kind))});
  const std::pair<JointKind, std::string> several[] = {
      {JointKind::cylindrical, "axis: [1, 0, 0], "},
      {JointKind::planar, ""},
      {JointKind::spherical, ""},
      {JointKind::universal, "axis: [1, 0, 0], second_axis: [0, 1, 0], "},
      {JointKind::free, ""},
  };
  for (const auto& [kind, axes] : several)
    all.push_back({forms_of("$defs/joint", kind).at(0) + "/dofs/properties",
                   spatial_scene("{" + said(kind) + ", " + axes + "dofs: {zzzzzzzz: {}}}")});
  return all;
}

TEST(SceneSchema, HasTheKeysOfTheReader) {
  for (const Section& section : sections()) {
    SCOPED_TRACE(section.path + "\n" + section.scene);
    EXPECT_EQ(keys_of(schema().at(section.path)), keys_of_refusal(section.scene));
  }
}

// The forms of restitution, rotation and meshes are alternatives in the schema; the reader names their keys together.
TEST(SceneSchema, HasTheKeysOfTheReaderInAllFormsTogether) {
  const auto united = [](const std::string& path) {
    std::set<std::string> keys;
    for (const Node form : schema().at(path))
      if (const auto properties = form.find("properties")) keys.merge(keys_of(*properties));
    return keys;
  };
  EXPECT_EQ(united("$defs/restitution/oneOf"),
            keys_of_refusal(planar_with("surfaces: {s: {friction: 0, restitution: {zzzzzzzz: 1}}}")));
  EXPECT_EQ(united("$defs/spatial_rotation/oneOf"),
            keys_of_refusal(spatial_scene("{kind: fixed, at: {rotation: {zzzzzzzz: 1}}}")));
  std::set<std::string> mesh;
  for (const std::string& form : forms_of("$defs/shape", ShapeKind::mesh)) mesh.merge(keys_of(schema().at(form)));
  EXPECT_EQ(mesh, keys_of_refusal(shape_with("mesh")));
}

}  // namespace
}  // namespace routh
