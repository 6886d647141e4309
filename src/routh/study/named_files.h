// The files behind a file: those that are read with it because it names them.
#pragma once

#include <string>
#include <vector>

namespace routh::internal {

// Of a scene its robot and its meshes, of a robot's file its meshes and what it includes, of a run those of its scene;
// of anything else, and of what cannot be read, none: whoever reads it says why. Never throws.
std::vector<std::string> files_named_by(const std::string& path);

}  // namespace routh::internal
