// A machine as the text of a scene file.
#pragma once

#include <string>

#include "routh/model/description.h"

namespace bench {

// Bodies with free and revolute joints, points and half-spaces: what the machines of the benchmark have.
std::string scene_text(const routh::ModelDescription& description);

}  // namespace bench
