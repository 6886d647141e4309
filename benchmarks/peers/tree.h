// A machine as the other engines get it: bodies with their joints, in the order of the model, and nothing of C++20,
// which the headers of Simbody do not bear.
#pragma once

#include <string>
#include <vector>

#include "routh/math/spatial.h"

namespace peers {

// As routh::JointKind.
enum class Freedom { fixed, revolute, prismatic, cylindrical, planar, spherical, universal, free };

struct TreeBody {
  std::string name;
  double mass = 0;
  routh::Vector3 com;
  routh::Symmetric3 inertia;  // about the centre of mass
  Freedom freedom = Freedom::fixed;
  int parent = 0;
  routh::Pose at, in_child;
  routh::Vector3 axis, second_axis;
  int q = 0, q_count = 0, v = 0, v_count = 0;
};

struct Tree {
  routh::Vector3 gravity;
  int coordinates = 0, velocities = 0;
  std::vector<TreeBody> bodies;  // the world first; depth first
  int foot = 0;                  // the body whose point's Jacobian is asked for
  routh::Vector3 foot_point;     // in its frame
};

}  // namespace peers
