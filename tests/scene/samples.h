// The scenes of tests/data/scenes and examples/, and what is said of bad ones.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "routh/scene/description_reader.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace testing_support {

inline std::string repository(const std::string& path) { return ROUTH_TEST_DATA "/../../" + path; }

// Paths of the files of a folder whose names end so, sorted.
inline std::vector<std::string> paths_in(const std::string& folder, const std::string& suffix = "") {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(repository(folder)))
    if (entry.path().string().ends_with(suffix)) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::vector<std::string> good_scenes() {
  std::vector<std::string> paths = paths_in("examples", ".yaml");
  for (const std::string& path : paths_in("tests/data/scenes/good")) paths.push_back(path);
  return paths;
}

inline std::string content(const std::string& path) { return routh::read_text_file(path, 1 << 20); }
inline std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// The message of the InputError that reading the scene throws; empty when there is none.
inline std::string refusal(const std::string& text, const std::string& name = "f") {
  try {
    routh::read_scene_text(text, name);
  } catch (const routh::InputError& error) {
    return error.what();
  }
  return "";
}

// Only the description, unchecked beyond its syntax.
inline routh::ModelDescription described(const routh::Document& document) {
  return routh::read_sections(document.root(), routh::read_heading(document.root())).description;
}

inline routh::ModelDescription described(const std::string& text) {
  return described(routh::Document::from_text(text, "f"));
}

// A scene of one body `a`, with its joint and further sections as YAML.
inline std::string planar_scene(const std::string& joint, const std::string& rest = "") {
  return "routh: 1\ndimension: planar\nbodies:\n  a: {mass: 1, inertia: 1, joint: " + joint + "}\n" + rest;
}
inline std::string spatial_scene(const std::string& joint, const std::string& rest = "") {
  return "routh: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], joint: " + joint + "}\n" + rest;
}

}  // namespace testing_support
