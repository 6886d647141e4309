// Loading a scene the way every command does: warnings said, overlaps refused.
#pragma once

#include "options.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh {

// Throws InputError, also when shapes overlap beyond the scene's tolerance.
Scene load_scene(const Document& document, Verbosity verbosity);

}  // namespace routh
