// Machines for tests and benchmark: seeded random ones with every kind of joint, and the three that speed is measured
// on.
#pragma once

#include <string>
#include <vector>

#include "routh/dynamics/state.h"
#include "support/random_problems.h"

namespace testing_support {

// In which order a description lists its bodies.
enum class TreeOrder {
  shuffled,     // any
  depth_first,  // each after its parent, branch after branch: the order other engines number by
};

struct MachineOptions {
  routh::Dimension dimension = routh::Dimension::spatial;
  int bodies = 6;
  std::vector<routh::JointKind> kinds = {};  // empty: every kind there is in the dimension
  TreeOrder order = TreeOrder::shuffled;
  double dof_chance = 0;  // that a degree of freedom has a spring, a damper, an armature, a drive or an effort, each
  int springs = 0, forces = 0;
};

// A random tree: general placements on both sides of each joint, inertias that bodies can have, gravity in any
// direction.
routh::ModelDescription random_machine(Random& random, const MachineOptions& options);

// Coordinates of order one, random unit quaternions, velocities of order one, a time in [0, 2].
routh::State random_state(Random& random, const routh::Model& model);
Eigen::VectorXd random_vector(Random& random, int size);
routh::Matrix3 random_rotation(Random& random, routh::Dimension dimension);
routh::Vector3 random_point(Random& random, routh::Dimension dimension, double size = 0.5);

// A body and where it is.
struct PlacedBody {
  std::string name;
  routh::Pose pose;
};
// A loop of that kind (not a coupling) between random frames of two bodies that is closed where they are.
routh::LoopDescription random_loop(Random& random, routh::Dimension dimension, routh::LoopKind kind,
                                   const PlacedBody& a, const PlacedBody& b);

// One of the three machines of the benchmark, with the point of it whose Jacobian is measured.
struct BenchmarkMachine {
  routh::ModelDescription description;
  std::string foot;           // body
  routh::Vector3 foot_point;  // in its frame
};
BenchmarkMachine arm();        // 7 revolute joints
BenchmarkMachine quadruped();  // a free body and four legs of 3: 18 degrees of freedom
BenchmarkMachine humanoid();   // a free body, two legs of 6, a spine of 2, two arms of 7, a neck of 2: 36
std::vector<BenchmarkMachine> benchmark_machines();

}  // namespace testing_support
