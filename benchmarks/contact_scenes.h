// Frictional contact problems of free bodies for the benchmark: towers, walls, piles, a gripper, feet.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "routh/contacts/friction_contact.h"

namespace bench {

struct FreeBody {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  double inverse_mass = 1, inverse_inertia = 6;  // of a cube of unit edge
};

struct BodyContact {
  int below = -1, above = 0;  // −1: the ground
  Eigen::Vector3d point, normal;
};

struct ContactScene {
  std::string name;
  std::vector<FreeBody> bodies;
  std::vector<BodyContact> contacts;
  double friction = 0.5;

  routh::FrictionContactProblem problem() const;  // D by blocks, v of the bodies' velocities
};

// Boxes upon each other, four contacts between two, one time step of falling.
ContactScene box_tower(int boxes);
// A wall in running bond: each brick on two, eight contacts.
ContactScene brick_wall(int columns, int rows);
// Spheres in a cube of side n, neighbours touching, normals off the axes by a little.
ContactScene sphere_pile(int side);
// A box between two heavy fingers, four contacts each.
ContactScene gripper();
// One body that comes down on the corners of so many feet.
ContactScene feet(int count);

}  // namespace bench
