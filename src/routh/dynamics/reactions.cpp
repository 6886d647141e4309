#include "routh/dynamics/reactions.h"

#include "routh/dynamics/applied.h"

namespace routh::internal {

namespace {

Vector3 vector_at(const ConstVector& x, int i) { return {x[i], x[i + 1], x[i + 2]}; }

// J a of every link's origin: a recursion like that of velocities.
void spread_step(const Model& model, const ConstVector& a, Workspace& workspace) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const Pose& pose = workspace.link_poses[i];
    Twist& step = workspace.link_steps[i];
    if (link.kind == LinkKind::floating) {
      step = {vector_at(a, link.v), pose.rotation * vector_at(a, link.v + 3)};
      continue;
    }
    const std::size_t p = static_cast<std::size_t>(link.parent);
    const Twist from = link.parent < 0 ? Twist{} : workspace.link_steps[p];
    const Vector3 origin = link.parent < 0 ? Vector3{} : workspace.link_poses[p].position;
    step = {from.linear + cross(from.angular, pose.position - origin), from.angular};
    switch (link.kind) {
      case LinkKind::turn:
        step.angular += a[link.v] * column_z(pose.rotation);
        break;
      case LinkKind::slide:
        step.linear += a[link.v] * column_z(pose.rotation);
        break;
      case LinkKind::ball:
        step.angular += pose.rotation * vector_at(a, link.v);
        break;
      case LinkKind::floating:
        break;
    }
  }
}

Twist step_at(const Model& model, const Workspace& workspace, int body, const Vector3& point) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  if (link < 0) return {};
  const Twist& step = workspace.link_steps[static_cast<std::size_t>(link)];
  const Vector3 r = point - workspace.link_poses[static_cast<std::size_t>(link)].position;
  return {step.linear + cross(step.angular, r), step.angular};
}

// Wrenches are summed about the world's origin: there they add without shifting.
void add_load(std::span<Wrench> sums, int body, const Vector3& point, const Wrench& wrench) {
  if (body == 0) return;
  Wrench& sum = sums[static_cast<std::size_t>(body - 1)];
  sum.force += wrench.force;
  sum.moment += wrench.moment + cross(point, wrench.force);
}

// The change of momentum that a body undergoes: force at its centre of mass, and moment.
struct Demand {
  Vector3 com;
  Wrench wrench;
};

Demand demand_of(const Model& model, const Workspace& workspace, int body, const Vector3& acceleration,
                 const Vector3& angular_acceleration, const Vector3& spin) {
  const Body& it = model.bodies[static_cast<std::size_t>(body)];
  const Pose pose = body_pose(model, workspace, body);
  const auto turned = [&](const Vector3& w) {
    return pose.rotation * (it.inertia * transpose_times(pose.rotation, w));
  };
  return {pose * it.com, {it.mass * acceleration, turned(angular_acceleration) + cross(spin, turned(spin))}};
}

// What each joint must pass on: what its body and all that hang from it demand, less what acts on them from outside.
// `sums` holds the outside wrenches on entry and the joints' wrenches at their own origins on return.
template <class DemandOf>
void pass_inwards(const Model& model, const Workspace& workspace, std::span<Wrench> sums, DemandOf demand) {
  for (Wrench& sum : sums) sum = {-sum.force, -sum.moment};
  for (int body = static_cast<int>(model.bodies.size()) - 1; body > 0; --body) {
    const Demand here = demand(body);
    add_load(sums, body, here.com, here.wrench);
    const Wrench& sum = sums[static_cast<std::size_t>(body - 1)];
    const int parent = model.joints[static_cast<std::size_t>(body - 1)].parent;
    if (parent > 0) {
      sums[static_cast<std::size_t>(parent - 1)].force += sum.force;
      sums[static_cast<std::size_t>(parent - 1)].moment += sum.moment;
    }
  }
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const Joint& joint = model.joints[j];
    const Vector3 origin = body_pose(model, workspace, joint.child) * joint.in_child.position;
    sums[j].moment -= cross(origin, sums[j].force);
  }
}

}  // namespace

void compute_joint_reactions(const Model& model, const State& state, const ConstVector& a,
                             std::span<const PointLoad> loads, Workspace& workspace, std::span<Wrench> reactions) {
  compute_velocities(model, state.q, state.v, workspace);
  spread_step(model, a, workspace);
  for (Wrench& sum : reactions) sum = {};
  for (const PointLoad& load : loads) add_load(reactions, load.body, load.point, load.wrench);
  for_each_applied_load(model, workspace, state.time, [&](int body, const Vector3& point, const Wrench& wrench) {
    add_load(reactions, body, point, wrench);
  });
  pass_inwards(model, workspace, reactions, [&](int body) {
    const Vector3 com = body_pose(model, workspace, body) * model.bodies[static_cast<std::size_t>(body)].com;
    const Twist step = step_at(model, workspace, body, com);
    const Drift drift = point_drift(model, workspace, body, com);
    return demand_of(model, workspace, body, step.linear + drift.linear - model.gravity, step.angular + drift.angular,
                     angular_velocity(model, workspace, body));
  });
}

void compute_joint_impulses(const Model& model, const ConstVector& q, const ConstVector& jump,
                            std::span<const PointLoad> loads, Workspace& workspace, std::span<Wrench> impulses) {
  compute_kinematics(model, q, workspace);
  spread_step(model, jump, workspace);
  for (Wrench& sum : impulses) sum = {};
  for (const PointLoad& load : loads) add_load(impulses, load.body, load.point, load.wrench);
  pass_inwards(model, workspace, impulses, [&](int body) {
    const Vector3 com = body_pose(model, workspace, body) * model.bodies[static_cast<std::size_t>(body)].com;
    const Twist step = step_at(model, workspace, body, com);
    return demand_of(model, workspace, body, step.linear, step.angular, {});
  });
}

}  // namespace routh::internal
