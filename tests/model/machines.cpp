#include "model/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace testing_support {

using namespace routh;
using Eigen::Isometry3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

Vector3 random_vector(Random& random, Dimension dimension) {
  return {random.normal(), random.normal(), dimension == Dimension::planar ? 0 : random.normal()};
}

Pose random_pose(Random& random, Dimension dimension) {
  const Vector3 turn = dimension == Dimension::planar ? Vector3{0, 0, 2 * random.normal()}
                                                      : Vector3{random.normal(), random.normal(), random.normal()};
  if (random.chance(0.2)) return {identity3, random_vector(random, dimension)};
  return {rotation_matrix(quaternion_from_rotation_vector(turn)), random_vector(random, dimension)};
}

JointKind random_kind(Random& random, Dimension dimension, bool on_world) {
  static constexpr JointKind flat[] = {JointKind::fixed, JointKind::revolute, JointKind::prismatic, JointKind::planar};
  if (dimension == Dimension::planar) return flat[random.below(4)];
  const auto kind = static_cast<JointKind>(random.below(joint_kind_count));
  return kind == JointKind::free && !on_world ? JointKind::spherical : kind;
}

void set_axes(Random& random, Dimension dimension, JointDescription& joint) {
  const bool planar = dimension == Dimension::planar;
  joint.axis = planar && joint.kind == JointKind::revolute ? Vector3{0, 0, random.chance(0.5) ? 2.0 : -3.0}
                                                           : random_vector(random, dimension);
  if (!planar && random.chance(0.3)) {
    const Vector3 axes[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    joint.axis = axes[random.below(4)];
  }
  joint.second_axis = cross(joint.axis, random_vector(random, Dimension::spatial));
}

Symmetric3 random_inertia(Random& random, double mass, Dimension dimension) {
  if (dimension == Dimension::planar) return {0, 0, mass * random.uniform(0.1, 1), 0, 0, 0};
  // ∫(r² 1 − r rᵀ)dm with second moments p along random axes.
  const Vector3 p = {random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)};
  const Symmetric3 along = {mass * (p.y + p.z), mass * (p.x + p.z), mass * (p.x + p.y), 0, 0, 0};
  return rotated(random_pose(random, dimension).rotation, along);
}

void set_mass(Random& random, const TreeOptions& options, BodyDescription& body) {
  body.com = random_vector(random, options.dimension);
  const double draw = options.masses == Masses::full ? 1 : random.uniform();
  if (draw < 0.25) return;
  body.mass = random.uniform(0.5, 3);
  if (draw < 0.5) return;
  body.inertia = random_inertia(random, body.mass, options.dimension);
}

Vector3d axis_of(const Vector3& axis) { return to_eigen(axis).normalized(); }

}  // namespace

Isometry3d to_eigen(const Pose& pose) {
  Isometry3d out = Isometry3d::Identity();
  out.linear() << pose.rotation.r0.x, pose.rotation.r0.y, pose.rotation.r0.z, pose.rotation.r1.x, pose.rotation.r1.y,
      pose.rotation.r1.z, pose.rotation.r2.x, pose.rotation.r2.y, pose.rotation.r2.z;
  out.translation() = to_eigen(pose.position);
  return out;
}
Vector3d to_eigen(const Vector3& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d to_eigen(const Symmetric3& s) {
  Eigen::Matrix3d out;
  out << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return out;
}

ModelDescription random_tree(Random& random, const TreeOptions& options) {
  ModelDescription description;
  description.dimension = options.dimension;
  if (options.dimension == Dimension::planar) description.gravity = {0, -9.81, 0};
  for (int i = 0; i < options.bodies; ++i) {
    BodyDescription body;
    body.name = fmt::format("b{}", i);
    set_mass(random, options, body);
    JointDescription joint;
    joint.name = fmt::format("j{}", i);
    joint.child = body.name;
    const int parent = random.chance(0.6) ? i - 1 : random.below(i + 1) - 1;
    joint.parent = parent < 0 ? std::string(world_name) : fmt::format("b{}", parent);
    joint.kind = random_kind(random, options.dimension, parent < 0);
    if (joint.kind != JointKind::free) joint.at = random_pose(random, options.dimension);
    joint.in_child = random_pose(random, options.dimension);
    set_axes(random, options.dimension, joint);
    description.bodies.push_back(body);
    description.joints.push_back(joint);
  }
  for (std::size_t i = description.bodies.size(); i > 1; --i) {
    std::swap(description.bodies[i - 1], description.bodies[random.below(static_cast<int>(i))]);
    std::swap(description.joints[i - 1], description.joints[random.below(static_cast<int>(i))]);
  }
  return description;
}

// Parents first, otherwise in the order of writing: what stands in its place goes before it.
Reference::Reference(const ModelDescription& description) {
  const auto joint_of = [&](const std::string& body) {
    return &*std::find_if(description.joints.begin(), description.joints.end(),
                          [&](const JointDescription& joint) { return joint.child == body; });
  };
  const auto place = [&](const auto& self, const std::string& name) -> void {
    if (name == world_name || place_of(name) >= 0) return;
    const JointDescription* joint = joint_of(name);
    self(self, joint->parent);
    const auto body = std::find_if(description.bodies.begin(), description.bodies.end(),
                                   [&](const BodyDescription& candidate) { return candidate.name == name; });
    places_.push_back({&*body, joint, place_of(joint->parent), coordinates_, velocities_});
    coordinates_ += coordinate_count(joint->kind);
    velocities_ += velocity_count(joint->kind);
  };
  for (const BodyDescription& body : description.bodies) place(place, body.name);
}

int Reference::place_of(const std::string& body) const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].body->name == body) return static_cast<int>(i);
  return -1;
}

Isometry3d Reference::motion(const Place& place, const VectorXd& q) const {
  const JointDescription& joint = *place.joint;
  const auto turn = [](double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis); };
  const auto quaternion = [&](int at) {
    return Eigen::Quaterniond(q(at), q(at + 1), q(at + 2), q(at + 3)).normalized();
  };
  const int k = place.q;
  Isometry3d out = Isometry3d::Identity();
  switch (joint.kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      out.rotate(turn(q(k), axis_of(joint.axis)));
      break;
    case JointKind::prismatic:
      out.translate(q(k) * axis_of(joint.axis));
      break;
    case JointKind::cylindrical:
      out.translate(q(k) * axis_of(joint.axis)).rotate(turn(q(k + 1), axis_of(joint.axis)));
      break;
    case JointKind::planar:
      out.translate(Vector3d(q(k), q(k + 1), 0)).rotate(turn(q(k + 2), Vector3d::UnitZ()));
      break;
    case JointKind::spherical:
      out.rotate(quaternion(k));
      break;
    case JointKind::universal:
      out.rotate(turn(q(k), axis_of(joint.axis))).rotate(turn(q(k + 1), axis_of(joint.second_axis)));
      break;
    case JointKind::free:
      out.translate(Vector3d(q(k), q(k + 1), q(k + 2))).rotate(quaternion(k + 3));
      break;
  }
  return out;
}

Isometry3d Reference::joint_frame(int index, const VectorXd& q) const {
  const Place& place = places_[index];
  const Isometry3d parent = pose(place.joint->parent, q);
  return parent * to_eigen(place.joint->at) * motion(place, q);
}

Isometry3d Reference::pose(const std::string& body, const VectorXd& q) const {
  const int place = place_of(body);
  if (place < 0) return Isometry3d::Identity();
  return joint_frame(place, q) * to_eigen(places_[place].joint->in_child).inverse();
}

// Columns (velocity of the com; turning) of each degree of freedom on the way to the world.
MatrixXd Reference::jacobian(int index, const VectorXd& q) const {
  MatrixXd J = MatrixXd::Zero(6, velocities_);
  const Vector3d com = pose(places_[index].body->name, q) * to_eigen(places_[index].body->com);
  for (int i = index; i >= 0; i = places_[i].parent) {
    const JointDescription& joint = *places_[i].joint;
    const Isometry3d fixed = pose(joint.parent, q) * to_eigen(joint.at);  // the joint's frame in the parent
    const Isometry3d moved = joint_frame(i, q);
    const int v = places_[i].v;
    const auto turn = [&](int k, const Vector3d& axis) { J.col(v + k) << axis.cross(com - moved.translation()), axis; };
    const auto slide = [&](int k, const Vector3d& axis) { J.col(v + k).head<3>() = axis; };
    const Vector3d axis = fixed.linear() * axis_of(joint.axis);
    switch (joint.kind) {
      case JointKind::fixed:
        break;
      case JointKind::revolute:
        turn(0, axis);
        break;
      case JointKind::prismatic:
        slide(0, axis);
        break;
      case JointKind::cylindrical:
        slide(0, axis);
        turn(1, axis);
        break;
      case JointKind::planar:
        slide(0, fixed.linear().col(0));
        slide(1, fixed.linear().col(1));
        turn(2, fixed.linear().col(2));
        break;
      case JointKind::universal:
        turn(0, axis);
        turn(1, moved.linear() * axis_of(joint.second_axis));
        break;
      case JointKind::spherical:
        for (int k = 0; k < 3; ++k) turn(k, moved.linear().col(k));
        break;
      case JointKind::free:
        for (int k = 0; k < 3; ++k) slide(k, Vector3d::Unit(k));
        for (int k = 0; k < 3; ++k) turn(3 + k, moved.linear().col(k));
        break;
    }
  }
  return J;
}

MatrixXd Reference::mass_matrix(const VectorXd& q) const {
  MatrixXd M = MatrixXd::Zero(velocities_, velocities_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const BodyDescription& body = *places_[i].body;
    const MatrixXd J = jacobian(static_cast<int>(i), q);
    const Eigen::Matrix3d R = pose(body.name, q).linear();
    M += body.mass * J.topRows<3>().transpose() * J.topRows<3>();
    M += J.bottomRows<3>().transpose() * (R * to_eigen(body.inertia) * R.transpose()) * J.bottomRows<3>();
    for (std::size_t k = 0; k < places_[i].joint->dofs.size(); ++k) {
      const int v = places_[i].v + static_cast<int>(k);
      M(v, v) += places_[i].joint->dofs[k].armature;
    }
  }
  return M;
}

std::vector<std::string> Reference::dof_names() const {
  std::vector<std::string> names;
  for (const Place& place : places_) {
    const auto entries = routh::dof_names(place.joint->kind);
    for (const std::string_view entry : entries)
      names.push_back(entries.size() == 1 ? place.joint->name : fmt::format("{}.{}", place.joint->name, entry));
  }
  return names;
}

std::vector<int> Reference::subtree(int dof) const {
  std::vector<int> out;
  std::vector<bool> beyond(places_.size(), false);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const int count = velocity_count(place.joint->kind);
    const bool own = dof >= place.v && dof < place.v + count;
    beyond[i] = own || (place.parent >= 0 && beyond[place.parent]);
    if (!beyond[i]) continue;
    for (int v = own ? dof : place.v; v < place.v + count; ++v) out.push_back(v);
  }
  return out;
}

VectorXd Reference::random_posture(Random& random) const {
  VectorXd q(coordinates_);
  for (int i = 0; i < coordinates_; ++i) q(i) = 2 * random.normal();
  for (const Place& place : places_) {
    if (place.joint->kind == JointKind::spherical) q.segment<4>(place.q).normalize();
    if (place.joint->kind == JointKind::free) q.segment<4>(place.q + 3).normalize();
  }
  return q;
}

}  // namespace testing_support
