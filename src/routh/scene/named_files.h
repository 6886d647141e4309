// The files behind a file: those that are read with it because it names them.
#pragma once

#include <string>
#include <vector>

namespace routh::internal {

// Of a scene its robot and its meshes, of a robot's file its meshes and what it includes; of anything else, and of what
// cannot be read, none: whoever reads it says why. Neither throws.
std::vector<std::string> files_named_by(const std::string& path);
// The same for the text of a scene; `name` is the file it came from.
std::vector<std::string> files_named_by_scene(const std::string& text, const std::string& name);

}  // namespace routh::internal
