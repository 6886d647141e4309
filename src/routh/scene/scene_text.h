// A machine as the text of a scene, complete and readable: reading it gives the same machine, to the last bit in space.
// In the plane rotations are written as angles, which may cost the last digit.
#pragma once

#include <optional>
#include <string>

#include "routh/scene/scene.h"

namespace routh::internal {

struct SceneTextOptions {
  std::string source;  // the file it came from, named in a comment at the top; empty: no comment
  // Where the text is to stand: files of meshes become paths from there; empty: absolute paths; nothing: they stay as
  // the scene names them.
  std::optional<std::string> folder;
};

// Without the section `robot`: its bodies, joints and shapes stand among those of the scene. The state is that of all
// joints with the loops closed; of a robot's file alone, what that says.
std::string scene_text(const Scene& scene, const SceneTextOptions& options);
// A machine alone.
std::string scene_text(const ModelDescription& description);

// What a run keeps of its scene, so that no robot's file is needed to read it: `text`, which the scene was read from,
// or where a robot's file said part of it, the text of the whole. `source` is the name of the file.
std::string kept_text(const Scene& scene, std::string text, const std::string& source);

}  // namespace routh::internal
