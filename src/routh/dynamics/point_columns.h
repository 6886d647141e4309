// The columns of the Jacobian of a point, one after the other: for rows that are assembled in place.
#pragma once

#include <algorithm>

#include "routh/dynamics/dynamics.h"

namespace routh::internal {

// To zero in one piece where the columns stand together, which the compiler cannot know of a view.
template <class View>
void clear_columns(View& J) {
  if (J.outerStride() == J.rows())
    std::fill(J.data(), J.data() + J.size(), 0.0);
  else
    J.setZero();
}

// The Jacobian of a point fixed to the body, given in world coordinates, after compute_kinematics: calls
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

}  // namespace routh::internal
