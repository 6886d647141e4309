// The native scene: a machine, its surfaces and its state as YAML. See docs/scene-file.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/contact/strike.h"
#include "routh/dynamics/state.h"
#include "routh/model/model.h"

namespace routh::internal {
class Document;  // text/document.h
}

namespace routh {

inline constexpr int scene_version = 1;

// The names of `integrator`, in the order of the simulation's Integrator.
inline constexpr std::array<std::string_view, 3> integrator_names = {"automatic", "dormand_prince", "radau"};
inline constexpr double smallest_tolerance = 1e-14, largest_tolerance = 0.2;

// What the section `simulation` says. It is not acted upon here: this module knows nothing of time.
struct SceneSimulation {
  std::optional<double> until;            // [s]
  std::optional<double> tolerance;        // of a step, relative
  std::optional<double> sample_interval;  // [s]
  std::optional<Law> law;                 // in place of the laws of the pairs of surfaces
  std::optional<std::string> integrator;  // one of `integrator_names`
  std::optional<double> max_step;         // [s]
  std::optional<long long> seed;          // recorded only: a run has no randomness
};

struct Scene {
  Model model;
  State state;  // loops assembled
  TouchOptions touch;
  SceneSimulation simulation;
  std::vector<std::string> warnings;  // `file:line:col: warning: …`
};

// Whether the document is a scene: it has the key `routh`.
bool is_scene(const internal::Document& document);

// Throws InputError with the place of whatever is wrong, RuntimeFailure when the file cannot be read.
Scene read_scene(const internal::Document& document);
Scene read_scene_text(std::string text, const std::string& name);
Scene read_scene_file(const std::string& path);

// Only the description, unchecked beyond its syntax.
ModelDescription read_description(const internal::Document& document);

}  // namespace routh
