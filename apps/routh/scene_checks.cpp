#include "scene_checks.h"

#include <fmt/format.h>

#include "output.h"

namespace routh {

Scene load_scene(const Document& document, Verbosity verbosity) {
  Scene scene = read_scene(document);
  if (verbosity == Verbosity::normal)
    for (const std::string& warning : scene.warnings) write_complaint(warning);
  Workspace workspace(scene.model);
  const TouchReport touch = find_touches(scene.model, scene.state, scene.touch, workspace);
  if (!touch.overlaps.empty()) {
    const Contact& first = touch.overlaps.front();
    throw InputError({document.name()},
                     fmt::format("{}: the shapes overlap by {:.3g} m at the start, {:.3g} m are allowed",
                                 contact_name(scene.model, first), -first.gap, scene.touch.tolerance),
                     "move them apart in `state`, or exclude the pair in `contacts`");
  }
  return scene;
}

}  // namespace routh
