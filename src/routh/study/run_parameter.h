// Numbers of a scene as parameters of its run (simulation/sensitivity.h).
#pragma once

#include "routh/scene/scene.h"
#include "routh/simulation/sensitivity.h"

namespace routh::internal {

// The number at a path of scene_parameter.h. Throws InputError about the path.
RunParameter run_parameter(const std::string& path, const Scene& scene);

// All numbers at once, moved along a direction: p + s · unit · direction, by s about 0. Throws InputError.
struct RunDirection {
  RunParameter parameter;
  double unit = 1;  // s counts parts of the size of the number that moves most
};
RunDirection run_direction(const std::vector<std::string>& paths, const std::vector<double>& direction,
                           const Scene& scene);

// The scene with these numbers in place of its own. Throws InputError at a path, or where they make no scene.
Scene with_numbers(const Scene& scene, const std::vector<std::string>& paths, const std::vector<double>& values);

}  // namespace routh::internal
