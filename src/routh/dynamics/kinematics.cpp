#include "routh/dynamics/dynamics.h"

#include <algorithm>
#include <cstring>

#include "routh/dynamics/point_columns.h"
#include "routh/dynamics/tree.h"
#include "routh/math/lanes.h"

namespace routh {

namespace {

Vector3 vector_at(const ConstVector& x, int i) { return {x[i], x[i + 1], x[i + 2]}; }

// Pose in the world, from the parent's and the coordinates; s and c are of the angle of a turn.
Pose placed(const Link& link, const Pose& parent, const ConstVector& q, double s, double c) {
  switch (link.kind) {
    case LinkKind::turn: {
      const Matrix3 F = parent.rotation * link.rotation;
      const auto row = [&](const Vector3& f) -> Vector3 { return {c * f.x + s * f.y, c * f.y - s * f.x, f.z}; };
      return {{row(F.r0), row(F.r1), row(F.r2)}, parent * link.offset};
    }
    case LinkKind::slide:
      return {parent.rotation * link.rotation, parent * (link.offset + q[link.q] * column_z(link.rotation))};
    case LinkKind::ball:
    case LinkKind::floating: {
      const int i = link.kind == LinkKind::ball ? link.q : link.q + 3;
      const double size = std::sqrt(q.segment<4>(i).squaredNorm());
      const Matrix3 R = rotation_matrix({q[i] / size, q[i + 1] / size, q[i + 2] / size, q[i + 3] / size});
      if (link.kind == LinkKind::floating) return {R, vector_at(q, link.q)};
      return {parent.rotation * link.rotation * R, parent * link.offset};
    }
  }
  return {};
}

Pose pose_of(const Workspace& workspace, int link) {
  return link < 0 ? Pose{} : workspace.link_poses[static_cast<std::size_t>(link)];
}

void set(Jacobian3View J, int column, const Vector3& a) {
  J(0, column) = a.x;
  J(1, column) = a.y;
  J(2, column) = a.z;
}

}  // namespace

void compute_kinematics(const Model& model, const ConstVector& q, Workspace& workspace) {
  // One instant of a simulation asks for the poses of one posture many times.
  TreeMemory& memory = *workspace.tree;
  const std::size_t bytes = memory.posed.size() * sizeof(double);
  if (memory.has_poses && (bytes == 0 || std::memcmp(q.data(), memory.posed.data(), bytes) == 0)) return;
  memory.has_poses = true;
  std::copy(q.data(), q.data() + q.size(), memory.posed.data());
  Tree<double>& tree = memory.tree;
  tree.find_angles(q.data());
  on_widest_machine([&] {
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const Link& link = model.links[i];
      const auto at = static_cast<std::size_t>(link.q);
      workspace.link_poses[i] = placed(link, pose_of(workspace, link.parent), q, tree.sine[at], tree.cosine[at]);
    }
  });
}

namespace {

// Of one link, from its parent's. Returns what its joint adds.
Vector3 find_twist(const Model& model, std::size_t i, const ConstVector& v, Workspace& workspace) {
  const Link& link = model.links[i];
  const Pose& pose = workspace.link_poses[i];
  Twist& twist = workspace.link_twists[i];
  const std::size_t p = static_cast<std::size_t>(link.parent);
  twist = link.parent < 0 ? Twist{} : workspace.link_twists[p];
  if (link.parent >= 0) twist.linear += cross(twist.angular, pose.position - workspace.link_poses[p].position);
  Vector3 rate;
  switch (link.kind) {
    case LinkKind::turn:
      rate = v[link.v] * column_z(pose.rotation);
      twist.angular += rate;
      break;
    case LinkKind::slide:
      rate = v[link.v] * column_z(pose.rotation);
      twist.linear += rate;
      break;
    case LinkKind::ball:
      rate = pose.rotation * vector_at(v, link.v);
      twist.angular += rate;
      break;
    case LinkKind::floating:
      twist = {vector_at(v, link.v), pose.rotation * vector_at(v, link.v + 3)};
      break;
  }
  return rate;
}

// The acceleration that remains of one link when q̈ = 0, from its parent's, and from what its joint adds to the twist.
void find_drift(const Model& model, std::size_t i, const Vector3& rate, Workspace& workspace) {
  const Link& link = model.links[i];
  Drift& drift = workspace.link_drifts[i];
  drift = {};
  if (link.parent < 0) return;
  const std::size_t p = static_cast<std::size_t>(link.parent);
  const Drift& before = workspace.link_drifts[p];
  const Vector3& turning = workspace.link_twists[p].angular;
  const Vector3 r = workspace.link_poses[i].position - workspace.link_poses[p].position;
  drift.linear = before.linear + cross(before.angular, r) + cross(turning, cross(turning, r));
  drift.angular = before.angular;
  switch (link.kind) {
    case LinkKind::slide:
      drift.linear += 2.0 * cross(turning, rate);
      break;
    case LinkKind::turn:
    case LinkKind::ball:
      drift.angular += cross(turning, rate);
      break;
    case LinkKind::floating:
      break;
  }
}

}  // namespace

void compute_twists(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace) {
  compute_kinematics(model, q, workspace);
  on_widest_machine([&] {
    for (std::size_t i = 0; i < model.links.size(); ++i) find_twist(model, i, v, workspace);
  });
}

void compute_velocities(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace) {
  compute_kinematics(model, q, workspace);
  on_widest_machine([&] {
    for (std::size_t i = 0; i < model.links.size(); ++i)
      find_drift(model, i, find_twist(model, i, v, workspace), workspace);
  });
}

Pose body_pose(const Model& model, const Workspace& workspace, int body) {
  const Body& it = model.bodies[static_cast<std::size_t>(body)];
  return pose_of(workspace, it.link) * it.in_link;
}

Vector3 point_velocity(const Model& model, const Workspace& workspace, int body, const Vector3& point) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  if (link < 0) return {};
  const Twist& twist = workspace.link_twists[static_cast<std::size_t>(link)];
  return twist.linear + cross(twist.angular, point - workspace.link_poses[static_cast<std::size_t>(link)].position);
}

Vector3 angular_velocity(const Model& model, const Workspace& workspace, int body) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  return link < 0 ? Vector3{} : workspace.link_twists[static_cast<std::size_t>(link)].angular;
}

void compute_point_jacobian(const Model& model, const ConstVector& q, int body, const Vector3& point,
                            Workspace& workspace, Jacobian3View J) {
  const Body& it = model.bodies[static_cast<std::size_t>(body)];
  ChainJacobian& chains = workspace.tree->jacobian;
  if (it.link < 0 || !chains.moves_with_all(it.link)) clear_columns(J);
  if (it.link >= 0) chains.compute(q.data(), it.link, it.in_link * point, J.data(), J.outerStride());
}

void point_jacobian(const Model& model, const Workspace& workspace, int body, const Vector3& point, Jacobian3View J) {
  clear_columns(J);
  visit_point_jacobian(model, workspace, body, point, [&](int dof, const Vector3& velocity) { set(J, dof, velocity); });
}

void angular_jacobian(const Model& model, const Workspace& workspace, int body, Jacobian3View J) {
  clear_columns(J);
  for (int i = model.bodies[static_cast<std::size_t>(body)].link; i >= 0;
       i = model.links[static_cast<std::size_t>(i)].parent) {
    const Link& link = model.links[static_cast<std::size_t>(i)];
    const Matrix3& R = workspace.link_poses[static_cast<std::size_t>(i)].rotation;
    switch (link.kind) {
      case LinkKind::turn:
        set(J, link.v, column_z(R));
        break;
      case LinkKind::slide:
        break;
      case LinkKind::ball:
      case LinkKind::floating: {
        const int first = link.kind == LinkKind::ball ? link.v : link.v + 3;
        set(J, first, column_x(R));
        set(J, first + 1, column_y(R));
        set(J, first + 2, column_z(R));
        break;
      }
    }
  }
}

Drift point_drift(const Model& model, const Workspace& workspace, int body, const Vector3& point) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  if (link < 0) return {};
  const std::size_t i = static_cast<std::size_t>(link);
  const Drift& drift = workspace.link_drifts[i];
  const Vector3& w = workspace.link_twists[i].angular;
  const Vector3 r = point - workspace.link_poses[i].position;
  return {drift.linear + cross(drift.angular, r) + cross(w, cross(w, r)), drift.angular};
}

void add_point_force(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                     const Wrench& wrench, VectorView tau) {
  for (int i = model.bodies[static_cast<std::size_t>(body)].link; i >= 0;
       i = model.links[static_cast<std::size_t>(i)].parent) {
    const Link& link = model.links[static_cast<std::size_t>(i)];
    const Pose& pose = workspace.link_poses[static_cast<std::size_t>(i)];
    const auto moment = [&] { return wrench.moment + cross(point - pose.position, wrench.force); };
    const auto add = [&](int first, const Vector3& a) {
      tau[first] += a.x;
      tau[first + 1] += a.y;
      tau[first + 2] += a.z;
    };
    switch (link.kind) {
      case LinkKind::turn:
        tau[link.v] += dot(column_z(pose.rotation), moment());
        break;
      case LinkKind::slide:
        tau[link.v] += dot(column_z(pose.rotation), wrench.force);
        break;
      case LinkKind::ball:
        add(link.v, transpose_times(pose.rotation, moment()));
        break;
      case LinkKind::floating:
        add(link.v, wrench.force);
        add(link.v + 3, transpose_times(pose.rotation, moment()));
        break;
    }
  }
}

}  // namespace routh
