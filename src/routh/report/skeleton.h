// What joins the parts of a machine, as lines and dots.
#pragma once

#include <string>
#include <vector>

#include "routh/model/model.h"

namespace routh::internal {

// From the joint of a body, or from the centre of mass of a body that floats, to what hangs on it. In its frame.
struct Bone {
  int body = 0;
  Vector3 from, to;
};
std::vector<Bone> bones(const Model& model);

// A joint that holds a point, or a loop that does. In the frame of the body.
struct JointDot {
  std::string name;
  const char* kind = nullptr;
  int body = 0;
  Vector3 position;
};
std::vector<JointDot> joint_dots(const Model& model);

}  // namespace routh::internal
