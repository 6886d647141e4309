#include "scene_checks.h"

#include "output.h"
#include "routh/scene/overlap_refusal.h"

namespace routh {

Scene load_scene(const Document& document, Verbosity verbosity) {
  Scene scene = read_scene(document);
  if (verbosity == Verbosity::normal)
    for (const std::string& warning : scene.warnings) write_complaint(warning);
  refuse_overlaps(scene.model, scene.state, scene.touch, document.name());
  return scene;
}

}  // namespace routh
