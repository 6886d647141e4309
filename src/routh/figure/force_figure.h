// Force and velocity of one compliant contact over time.
#pragma once

#include <string>

#include "routh/figure/picture.h"
#include "routh/referee/compliant_contact.h"

namespace routh::internal {

struct ForceFigure {
  std::string title;
  Dimension dimension = Dimension::planar;
  double friction = 0;  // μ_k; its cone is drawn about zero
  CompliantCourse course;
};

Picture force_picture(const ForceFigure& figure);

}  // namespace routh::internal
