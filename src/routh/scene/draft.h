// A scene before its model is built: for programs that change some of its numbers and build it again, without reading
// the file anew.
#pragma once

#include "routh/dynamics/constrained.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh::internal {

struct SceneDraft {
  ModelDescription description;
  State state;            // as the file says, loops not closed yet
  AssemblyOptions given;  // which of it the file says
  TouchOptions touch;
  SceneSimulation simulation;
  std::vector<std::string> warnings;
};

// Throws InputError; also when the scene as it stands cannot be built.
SceneDraft read_draft(const Document& document);

// The scene of the draft: model built, loops closed, checked as `read_scene` checks it. Throws InputError with the
// place of what is wrong in the file the draft came from.
Scene build_scene(const SceneDraft& draft);
// The same for a model that was built from the draft's description before.
State build_state(const SceneDraft& draft, const Model& model);

}  // namespace routh::internal
