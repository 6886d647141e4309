// Scenes and what strikes in them, as JSON. No NaN and no infinity is ever written.
#pragma once

#include <string>

#include "routh/scene/scene.h"
#include "routh/scene/strikes.h"

namespace routh::internal {

inline constexpr int scene_result_schema = 1;

// {"schema": 1, "scene": …, "time": …, "state": {"q", "v"}, "coordinates": […], "dofs": […],
//  "strikes": [{"contact", "point", "normal", …, "results": [one object for each law]}], "touching": [{"contact",
//  "kind"}], "simultaneous": {"names", "rule", "run": {…}, …}}, as append_several
std::string strikes_json(const Scene& scene, const SceneAnswer& answer);

// Names, masses, joints, shapes and pairs; at the state: mass matrix, force of gravity, frames, energy, contacts within
// `margin`.
std::string info_json(const Scene& scene, double margin);

}  // namespace routh::internal
