// A machine in its posture as a picture: shapes, what joins them, where they touch, and in red where they overlap.
#pragma once

#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/figure/picture.h"
#include "routh/scene/scene.h"

namespace routh::internal {

struct SceneFigure {
  std::string title;
  const Scene* scene = nullptr;
  TouchReport touches;
};

// A plane is drawn as it is; of space a view from the front, the right and above, without perspective. The scene must
// outlive the picture.
Picture scene_picture(const SceneFigure& figure);

}  // namespace routh::internal
