#include "routh/dynamics/dynamics.h"

#include <fmt/format.h>

#include "routh/base/error.h"
#include "routh/dynamics/applied.h"
#include "routh/dynamics/drive.h"
#include "routh/dynamics/path_bias.h"
#include "routh/dynamics/tree.h"

namespace routh {

void compute_mass_matrix(const Model& model, const ConstVector& q, Workspace& workspace) {
  // As a whole it is for machines; heaps of bodies have it along their paths alone (mass_factor.h).
  if (model.velocities > largest_mass_matrix)
    throw InputError({},
                     fmt::format("the mass matrix of {} degrees of freedom is not formed; at most {} are",
                                 model.velocities, largest_mass_matrix),
                     "take a part of the machine");
  if (workspace.mass_matrix.size() == 0) workspace.mass_matrix.setZero(model.velocities, model.velocities);
  mass_matrix(workspace.tree->tree, q.data(), workspace.mass_matrix.data());
}

void compute_inverse_dynamics(const Model&, const ConstVector& q, const ConstVector& v, const ConstVector& a,
                              Workspace& workspace) {
  inverse_dynamics(workspace.tree->tree, q.data(), v.data(), a.data(), workspace.force.data());
}

void compute_bias(const Model&, const ConstVector& q, const ConstVector& v, Workspace& workspace) {
  inverse_dynamics(workspace.tree->tree, q.data(), v.data(), nullptr, workspace.force.data());
}

void internal::compute_path_bias(const Model&, const ConstVector& q, const ConstVector& v, const ConstVector& w,
                                 Workspace& workspace) {
  path_bias(workspace.tree->tree, q.data(), v.data(), w.data(), workspace.force.data());
}

void compute_gravity_force(const Model&, const ConstVector& q, Workspace& workspace) {
  inverse_dynamics(workspace.tree->tree, q.data(), nullptr, nullptr, workspace.force.data());
}

void compute_forward_dynamics(const Model&, const ConstVector& q, const ConstVector& v, const ConstVector& tau,
                              Workspace& workspace) {
  forward_dynamics(workspace.tree->tree, q.data(), v.data(), tau.data(), workspace.acceleration.data());
}

void compute_acceleration(const Model& model, const State& state, Workspace& workspace) {
  compute_applied_force(model, state, workspace);
  compute_forward_dynamics(model, state.q, state.v, workspace.applied, workspace);
}

namespace {

double dof_force(const Dof& dof, double q, double v, double time) {
  const DofDescription& is = dof.properties;
  double force = -is.damping * v;
  if (is.stiffness != 0) force -= is.stiffness * (q - is.rest);
  if (is.drive) force += drive_force(*is.drive, q, v, time);
  if (is.effort) force += (*is.effort)(time);
  return force;
}

double square(double x) { return x * x; }

}  // namespace

void compute_applied_force(const Model& model, const State& state, Workspace& workspace) {
  for (int k = 0; k < model.velocities; ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    workspace.applied[k] = dof_force(dof, dof.coordinate < 0 ? 0.0 : state.q[dof.coordinate], state.v[k], state.time);
  }
  if (model.springs.empty() && model.forces.empty()) return;
  compute_velocities(model, state.q, state.v, workspace);
  for_each_applied_load(model, workspace, state.time, [&](int body, const Vector3& point, const Wrench& wrench) {
    add_point_force(model, workspace, body, point, wrench, workspace.applied);
  });
}

Energy compute_energy(const Model& model, const State& state, Workspace& workspace) {
  compute_twists(model, state.q, state.v, workspace);
  Energy energy;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const Pose& pose = workspace.link_poses[i];
    const Twist& twist = workspace.link_twists[i];
    const Vector3 h = pose.rotation * link.moment;
    const Vector3 w = transpose_times(pose.rotation, twist.angular);
    energy.kinetic += 0.5 * link.mass * dot(twist.linear, twist.linear) + dot(twist.linear, cross(twist.angular, h)) +
                      0.5 * dot(w, link.inertia * w);
    energy.potential -= dot(model.gravity, link.mass * pose.position + h);
  }
  for (int k = 0; k < model.velocities; ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    const DofDescription& is = dof.properties;
    energy.kinetic += 0.5 * is.armature * square(state.v[k]);
    if (dof.coordinate < 0) continue;
    const double q = state.q[dof.coordinate];
    energy.potential += 0.5 * is.stiffness * square(q - is.rest);
    if (is.drive) energy.potential += drive_energy(*is.drive, q, state.time);
  }
  for (const Spring& spring : model.springs)
    energy.potential +=
        0.5 * spring.stiffness * square(spring_span(model, workspace, spring).length - spring.rest_length);
  return energy;
}

Momentum compute_momentum(const Model& model, const ConstVector& q, const ConstVector& v, Workspace& workspace) {
  compute_twists(model, q, v, workspace);
  Momentum momentum;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const Pose& pose = workspace.link_poses[i];
    const Twist& twist = workspace.link_twists[i];
    const Vector3 h = pose.rotation * link.moment;
    const Vector3 linear = link.mass * twist.linear + cross(twist.angular, h);
    const Vector3 spin = pose.rotation * (link.inertia * transpose_times(pose.rotation, twist.angular));
    momentum.linear += linear;
    momentum.angular += spin + cross(h, twist.linear) + cross(pose.position, linear);
  }
  return momentum;
}

}  // namespace routh
