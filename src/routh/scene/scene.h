// The native scene: a machine, its surfaces and its state as YAML. See docs/scene-file.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/base/document.h"
#include "routh/contact/strike.h"
#include "routh/dynamics/state.h"
#include "routh/model/model.h"
#include "routh/scene/simulation_settings.h"

namespace routh {

inline constexpr int scene_version = 1;

struct Scene {
  Model model;
  State state;  // loops assembled
  TouchOptions touch;
  SimulationSettings simulation;      // what the section `simulation` says
  std::vector<std::string> warnings;  // `file:line:col: warning: …`
};

// Whether the document is a scene: it has the key `routh`.
bool is_scene(const Document& document);

// Throws InputError with the place of whatever is wrong, RuntimeFailure when the file cannot be read.
Scene read_scene(const Document& document);
Scene read_scene_text(std::string text, const std::string& name);
Scene read_scene_file(const std::string& path);

// Only the description, unchecked beyond its syntax.
ModelDescription read_description(const Document& document);

}  // namespace routh
