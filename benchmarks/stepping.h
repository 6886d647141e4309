// Machines of the benchmark of fixed steps, described once for every engine.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Triple {
  double x = 0, y = 0, z = 0;
};

enum class LimpShape { none, sphere, capsule, box };

// A body on a hinge; the first of a robot is free. Its centre of mass and its shape stand `below` its joint along z.
struct LimpPart {
  std::string name, parent = {};
  Triple at = {}, axis = {};  // of the hinge, in the parent
  double range = 0;           // of the hinge, both ways [rad]
  double mass = 1;
  LimpShape shape = LimpShape::none;
  Triple size = {};  // sphere: radius; capsule: radius, half length along z; box: half extents
  double below = 0;  // [m]
};

struct LimpRobot {
  std::string name;
  std::vector<LimpPart> parts;
  double height = 0;  // of the first part, at the start [m]
};

inline constexpr double limp_friction = 0.6, limp_restitution = 0.2;

// About the centre of mass, as of a solid body of the part's size.
Triple inertia_of(const LimpPart& part);

struct PilePlace {
  double x = 0, y = 0, z = 0;
};
// Spheres poured in layers into a box of walls, which grows with them beyond a thousand so that they lie as deep.
struct Pile {
  int count = 0;

  int columns() const;  // of a layer, along each side
  double half() const;  // of the box's width [m]
  PilePlace place(int k) const;
};
inline constexpr double pile_radius = 0.05, pile_mass = 0.5, pile_inertia = 5e-4, pile_friction = 0.5;

struct PileRun {
  bool known = false;  // the engine is there
  double seconds = 0;  // CPU
  double overlap = 0;  // deepest [m]
};
PileRun run_pile_bullet(const Pile& pile, double step, double duration);

struct LimpRun {
  bool known = false;   // the engine is there
  double seconds = 0;   // CPU
  double contacts = 0;  // in the mean
};
LimpRun run_limp_mujoco(const LimpRobot& robot, double step, double duration);

}  // namespace bench
