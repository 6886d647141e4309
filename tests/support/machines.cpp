#include "support/machines.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace testing_support {

using routh::Dimension;
using routh::JointKind;
using routh::Matrix3;
using routh::ModelDescription;
using routh::Profile;
using routh::Symmetric3;
using routh::Vector3;

Eigen::VectorXd random_vector(Random& random, int size) {
  Eigen::VectorXd x(size);
  for (double& entry : x) entry = random.normal();
  return x;
}

namespace {

routh::Quaternion random_quaternion(Random& random) {
  const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
  const double size = std::sqrt(w * w + x * x + y * y + z * z);
  return {w / size, x / size, y / size, z / size};
}

}  // namespace

Matrix3 random_rotation(Random& random, Dimension dimension) {
  if (dimension == Dimension::spatial) return rotation_matrix(random_quaternion(random));
  const double angle = random.uniform(-M_PI, M_PI);
  return {{std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}};
}

Vector3 random_point(Random& random, Dimension dimension, double size) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  return {size * x, size * y, dimension == Dimension::planar ? 0 : size * z};
}

namespace {

routh::Pose random_pose(Random& random, Dimension dimension) {
  const Matrix3 rotation = random_rotation(random, dimension);
  return {rotation, random_point(random, dimension)};
}

// Of a cloud of mass with the second moments a, b, c along its principal axes: the triangle inequality holds.
Symmetric3 random_inertia(Random& random, Dimension dimension, double mass) {
  if (dimension == Dimension::planar) return {0, 0, mass * random.uniform(0.02, 0.3), 0, 0, 0};
  const double a = mass * random.uniform(0.001, 0.2), b = mass * random.uniform(0.001, 0.2),
               c = mass * random.uniform(0.001, 0.2);
  return rotated(random_rotation(random, dimension), Symmetric3{b + c, a + c, a + b, 0, 0, 0});
}

Profile random_profile(Random& random) {
  if (random.chance(0.5)) return Profile::constant(random.normal());
  return {{{0.2, random.normal()}, {0.9, random.normal()}, {1.6, random.normal()}}};
}

bool is_turning(JointKind kind, int dof) {
  return kind == JointKind::spherical || (kind == JointKind::free && dof >= 3);
}

routh::DofDescription random_dof(Random& random, double chance, JointKind kind, int dof) {
  routh::DofDescription d;
  if (random.chance(chance)) d.damping = random.uniform(0, 3);
  const bool rotor = random.chance(chance), of_position = kind == JointKind::free && dof < 3;
  if (rotor) d.armature = of_position ? 0.3 : random.uniform(0, 0.5);
  if (random.chance(chance)) d.effort = random_profile(random);
  if (is_turning(kind, dof)) return d;
  if (random.chance(chance)) {
    d.stiffness = random.uniform(0, 20);
    d.rest = random.normal();
  }
  if (random.chance(chance)) {
    d.drive = routh::DriveDescription{random.uniform(0, 30), random.uniform(0, 3), random_profile(random),
                                      random_profile(random), routh::unlimited};
    if (random.chance(0.3)) d.drive->limit = random.uniform(1, 10);
  }
  return d;
}

bool has_plane_form(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::planar:
      return true;
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::free:
      return false;
  }
  return false;
}

std::vector<JointKind> every_kind(Dimension dimension) {
  std::vector<JointKind> kinds(routh::all_values<JointKind>.begin(), routh::all_values<JointKind>.end());
  if (dimension == Dimension::planar) std::erase_if(kinds, [](JointKind kind) { return !has_plane_form(kind); });
  return kinds;
}

routh::JointDescription random_joint(Random& random, const MachineOptions& options, JointKind kind) {
  const Dimension dimension = options.dimension;
  routh::JointDescription joint;
  joint.kind = kind;
  joint.at = random_pose(random, dimension);
  if (kind == JointKind::free) joint.at = {};  // the world's
  joint.in_child = random_pose(random, dimension);
  if (dimension == Dimension::planar) {
    // About z, or along a direction in the plane.
    if (kind == JointKind::prismatic) joint.axis = random_point(random, dimension, 2);
  } else {
    joint.axis = random_point(random, dimension, 2);
    joint.second_axis = cross(joint.axis, random_point(random, dimension, 2));
  }
  for (int dof = 0; dof < velocity_count(kind); ++dof)
    joint.dofs.push_back(random_dof(random, options.dof_chance, kind, dof));
  if (kind == JointKind::free)
    for (const std::size_t dof : {1u, 2u}) joint.dofs[dof].armature = joint.dofs[0].armature;
  return joint;
}

// The parent of body i (0: the world). Depth first, body i hangs from body i − 1 or from one of its ancestors.
int random_parent(Random& random, TreeOrder order, const std::vector<int>& parents, int i) {
  if (order == TreeOrder::shuffled) return random.below(i);
  int parent = i - 1;
  while (parent > 0 && random.chance(0.35)) parent = parents[static_cast<std::size_t>(parent)];
  return parent;
}

// Bodies that move, and each against every other: those whose own joint is not fixed.
std::vector<std::string> moving_bodies(const ModelDescription& description) {
  std::vector<std::string> names;
  for (const auto& joint : description.joints)
    if (joint.kind != JointKind::fixed) names.push_back(joint.child);
  return names;
}

void add_springs_and_forces(Random& random, const MachineOptions& options, ModelDescription& description) {
  const Dimension dimension = options.dimension;
  const std::vector<std::string> bodies = moving_bodies(description);
  if (bodies.empty()) return;
  const auto any_body = [&] { return bodies[static_cast<std::size_t>(random.below(static_cast<int>(bodies.size())))]; };
  for (int i = 0; i < options.springs; ++i) {
    routh::SpringDescription spring;
    spring.name = "spring" + std::to_string(i);
    spring.body_a = any_body();
    spring.body_b = any_body();
    if (spring.body_b == spring.body_a) spring.body_b = routh::world_name;
    spring.at_a = random_point(random, dimension);
    spring.at_b = random_point(random, dimension);
    spring.stiffness = random.uniform(1, 50);
    spring.rest_length = random.uniform(0, 1);
    spring.damping = random.chance(0.5) ? random.uniform(0, 3) : 0;
    description.springs.push_back(spring);
  }
  for (int i = 0; i < options.forces; ++i) {
    routh::ForceDescription force;
    force.name = "force" + std::to_string(i);
    force.body = any_body();
    force.at = random_point(random, dimension);
    force.force = random_point(random, dimension, 5);
    force.torque = dimension == Dimension::planar ? Vector3{0, 0, random.normal()} : random_point(random, dimension, 2);
    force.frame = random.chance(0.5) ? routh::ForceFrame::body : routh::ForceFrame::world;
    force.scale = random_profile(random);
    description.forces.push_back(force);
  }
}

// Reorders bodies and joints, each by its own permutation: a description may list a body before its parent.
void shuffle(Random& random, ModelDescription& description) {
  for (std::size_t i = description.bodies.size(); i > 1; --i) {
    std::swap(description.bodies[i - 1],
              description.bodies[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    std::swap(description.joints[i - 1],
              description.joints[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  }
}

}  // namespace

ModelDescription random_machine(Random& random, const MachineOptions& options) {
  const std::vector<JointKind> kinds = options.kinds.empty() ? every_kind(options.dimension) : options.kinds;
  ModelDescription description;
  description.name = "random machine";
  description.dimension = options.dimension;
  description.gravity = random_point(random, options.dimension, 5);
  std::vector<int> parents = {0};
  for (int i = 1; i <= options.bodies; ++i) {
    JointKind kind = kinds[static_cast<std::size_t>(random.below(static_cast<int>(kinds.size())))];
    int parent = random_parent(random, options.order, parents, i);
    if (kind == JointKind::free) parent = 0;
    parents.push_back(parent);
    routh::JointDescription joint = random_joint(random, options, kind);
    routh::BodyDescription body;
    body.name = "b" + std::to_string(i);
    // A welded body may be without mass: it only carries what hangs from it.
    if (kind != JointKind::fixed || !random.chance(0.3)) {
      body.mass = random.uniform(0.5, 4);
      body.com = random_point(random, options.dimension, 0.3);
      body.inertia = random_inertia(random, options.dimension, body.mass);
    }
    joint.name = "j" + std::to_string(i);
    joint.child = body.name;
    if (parent > 0) joint.parent = "b" + std::to_string(parent);
    description.bodies.push_back(body);
    description.joints.push_back(joint);
  }
  add_springs_and_forces(random, options, description);
  if (options.order == TreeOrder::shuffled) shuffle(random, description);
  return description;
}

routh::State random_state(Random& random, const routh::Model& model) {
  routh::State state = rest_state(model);
  for (const routh::Joint& joint : model.joints) {
    int numbers = joint.q_count;
    if (joint.kind == JointKind::spherical || joint.kind == JointKind::free) {
      numbers -= 4;
      const routh::Quaternion u = random_quaternion(random);
      state.q.segment<4>(joint.q + numbers) << u.w, u.x, u.y, u.z;
    }
    for (int i = 0; i < numbers; ++i) state.q[joint.q + i] = random.normal();
  }
  state.v = random_vector(random, model.velocities);
  state.time = random.uniform(0, 2);
  return state;
}

routh::LoopDescription random_loop(Random& random, Dimension dimension, routh::LoopKind kind, const PlacedBody& a,
                                   const PlacedBody& b) {
  routh::LoopDescription loop;
  loop.name = "loop-" + a.name + "-" + b.name;
  loop.kind = kind;
  loop.body_a = a.name;
  loop.body_b = b.name;
  loop.at_a = random_pose(random, dimension);
  loop.at_b = inverse(b.pose) * (a.pose * loop.at_a);
  switch (kind) {
    case routh::LoopKind::point:
      loop.at_b.rotation = random_rotation(random, dimension);
      break;
    case routh::LoopKind::hinge: {
      const double angle = random.uniform(-M_PI, M_PI);
      const Matrix3 about_z = {
          {std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}};
      loop.at_b.rotation = loop.at_b.rotation * about_z;
      break;
    }
    case routh::LoopKind::distance:
      loop.at_b = random_pose(random, dimension);
      loop.distance = norm(a.pose * loop.at_a.position - b.pose * loop.at_b.position);
      break;
    case routh::LoopKind::weld:
    case routh::LoopKind::coupling:
      break;
  }
  return loop;
}

namespace {

// The three benchmark machines keep their own generator and its seeds, so that they never change.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  // [0, 1), by xorshift64
  double unit() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double symmetric() { return 2 * unit() - 1; }

 private:
  std::uint64_t state_;
};

class MachineMaker {
 public:
  MachineMaker(const char* name, std::uint64_t seed) : draw_(seed), frames_(seed + 1000) { machine_.name = name; }

  // A slender limb that points down from its joint. Returns its name. `axis` is x, y or z, or f: free.
  std::string add(const std::string& parent, char axis, const Vector3& offset, double mass, double length) {
    routh::BodyDescription body;
    body.name = "b" + std::to_string(machine_.bodies.size());
    body.mass = mass * (1 + 0.1 * draw_.symmetric());
    body.com.x = 0.02 * draw_.symmetric();
    body.com.y = 0.02 * draw_.symmetric();
    body.com.z = -0.5 * length * (1 + 0.1 * draw_.symmetric());
    const double across = body.mass * (length * length / 12 + 0.002);
    body.inertia.xx = across * (1 + 0.1 * draw_.unit());
    body.inertia.yy = across * (1 + 0.1 * draw_.unit());
    body.inertia.zz = body.mass * 0.003 + 0.1 * across;
    body.inertia.xy = 0.02 * across * draw_.symmetric();
    body.inertia.xz = 0.02 * across * draw_.symmetric();
    body.inertia.yz = 0.02 * across * draw_.symmetric();

    routh::JointDescription joint;
    joint.name = "j" + std::to_string(machine_.joints.size());
    joint.parent = parent;
    joint.child = body.name;
    joint.kind = axis == 'f' ? JointKind::free : JointKind::revolute;
    joint.axis = {axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
    if (axis == 'f')
      joint.axis = {0, 0, 1};
    else
      joint.at = {general_rotation(), offset};
    machine_.bodies.push_back(body);
    machine_.joints.push_back(joint);
    return body.name;
  }

  // One limb after the other, an axis for each. Returns the last.
  std::string chain(std::string parent, const Vector3& offset, const std::string& axes, double mass, double length) {
    Vector3 at = offset;
    for (const char axis : axes) {
      parent = add(parent, axis, at, mass, length);
      at = {0, 0, -length};
    }
    return parent;
  }

  BenchmarkMachine finish(const std::string& foot) const { return {machine_, foot, {0.02, 0.01, -0.3}}; }

 private:
  // No joint frame is parallel to its parent's: nothing may be gained from zeros that real machines do not have.
  Matrix3 general_rotation() {
    const double x = 0.5 * frames_.symmetric(), y = 0.5 * frames_.symmetric(), z = 0.5 * frames_.symmetric();
    return rotation_matrix(routh::quaternion_from_rotation_vector({x, y, z}));
  }

  Draw draw_, frames_;
  ModelDescription machine_;
};

}  // namespace

BenchmarkMachine arm() {
  MachineMaker maker("arm", 7);
  std::string parent = routh::world_name;
  for (int i = 0; i < 7; ++i)
    parent = maker.add(
        parent, "zyzyzyz" [i], { 0.01 * i, 0, i > 0 ? -0.25 : 0.5 }, 4.0 - 0.5 * i, 0.25);
  return maker.finish(parent);
}

BenchmarkMachine quadruped() {
  MachineMaker maker("quadruped", 12);
  const std::string trunk = maker.add(routh::world_name, 'f', {}, 15, 0.3);
  std::array<std::string, 4> feet;
  for (std::size_t leg = 0; leg < 4; ++leg)
    feet[leg] = maker.chain(trunk, {leg < 2 ? 0.3 : -0.3, leg % 2 == 1 ? 0.15 : -0.15, 0}, "xyy", 1.2, 0.25);
  return maker.finish(feet[0]);
}

BenchmarkMachine humanoid() {
  MachineMaker maker("humanoid", 30);
  const std::string pelvis = maker.add(routh::world_name, 'f', {}, 10, 0.2);
  const std::string foot = maker.chain(pelvis, {0, -0.1, -0.1}, "zxyyyx", 2.5, 0.2);
  maker.chain(pelvis, {0, 0.1, -0.1}, "zxyyyx", 2.5, 0.2);
  const std::string torso = maker.chain(pelvis, {0, 0, 0.2}, "zy", 6, 0.2);
  for (const double side : {-0.2, 0.2}) maker.chain(torso, {0, side, 0.3}, "yxzyzyx", 1.2, 0.15);
  maker.chain(torso, {0, 0, 0.4}, "zy", 1.5, 0.1);
  return maker.finish(foot);
}

std::vector<BenchmarkMachine> benchmark_machines() { return {arm(), quadruped(), humanoid()}; }

}  // namespace testing_support
