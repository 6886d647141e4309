// Where links and bodies are, how fast their points move, and the Jacobians of both.
#pragma once

#include <algorithm>

#include "routh/dynamics/state.h"

namespace routh {

// → link_poses
void compute_kinematics(const Model& model, const ConstVector& q, Workspace& workspace);
// → link_poses, link_twists
void compute_twists(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);
// → link_poses, link_twists, link_drifts
void compute_velocities(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace);

// After compute_kinematics.
Pose body_pose(const Model& model, const Workspace& workspace, int body);
// After compute_twists: velocity of a point fixed to the body, given in world coordinates; world axes.
Vector3 point_velocity(const Model& model, const Workspace& workspace, int body, const Vector3& point);
Vector3 angular_velocity(const Model& model, const Workspace& workspace, int body);

using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Jacobian3View = Eigen::Ref<Jacobian3>;

// To zero in one piece where the columns stand together, which the compiler cannot know of a view.
template <class View>
void clear_columns(View& J) {
  if (J.outerStride() == J.rows())
    std::fill(J.data(), J.data() + J.size(), 0.0);
  else
    J.setZero();
}

// Of the velocity of a point fixed to the body, in world axes; 3×n, zero columns included. Looks only at the links
// between the body and the world and leaves the poses of the workspace as they are; `point` is in the body's frame.
void compute_point_jacobian(const Model& model, const ConstVector& q, int body, const Vector3& point,
                            Workspace& workspace, Jacobian3View J);

// The same, after compute_kinematics, from the poses of the workspace, `point` in world coordinates: calls
// visit(degree of freedom, velocity of the point per unit of its rate) along the links from the body to the world.
template <class Visit>
void visit_point_jacobian(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                          const Visit& visit) {
  for (int i = model.bodies[static_cast<std::size_t>(body)].link; i >= 0;
       i = model.links[static_cast<std::size_t>(i)].parent) {
    const Link& link = model.links[static_cast<std::size_t>(i)];
    const Pose& pose = workspace.link_poses[static_cast<std::size_t>(i)];
    const Vector3 r = point - pose.position;
    const auto turning = [&](int first) {
      visit(first, cross(column_x(pose.rotation), r));
      visit(first + 1, cross(column_y(pose.rotation), r));
      visit(first + 2, cross(column_z(pose.rotation), r));
    };
    switch (link.kind) {
      case LinkKind::turn:
        visit(link.v, cross(column_z(pose.rotation), r));
        break;
      case LinkKind::slide:
        visit(link.v, column_z(pose.rotation));
        break;
      case LinkKind::ball:
        turning(link.v);
        break;
      case LinkKind::floating:
        visit(link.v, Vector3{1, 0, 0});
        visit(link.v + 1, Vector3{0, 1, 0});
        visit(link.v + 2, Vector3{0, 0, 1});
        turning(link.v + 3);
        break;
    }
  }
}
void point_jacobian(const Model& model, const Workspace& workspace, int body, const Vector3& point, Jacobian3View J);
void angular_jacobian(const Model& model, const Workspace& workspace, int body, Jacobian3View J);

// J̇ q̇: the acceleration of a point fixed to the body (and the angular acceleration of the body) when q̈ = 0; world
// coordinates; after compute_velocities.
Drift point_drift(const Model& model, const Workspace& workspace, int body, const Vector3& point);

// Adds the generalised force of a wrench that acts on the body at `point`; world coordinates; after compute_kinematics.
void add_point_force(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                     const Wrench& wrench, VectorView tau);

}  // namespace routh
