// What joints carry: bearings break there.
#pragma once

#include <span>

#include "routh/dynamics/state.h"

namespace routh::internal {

// A force or impulse from outside, on a body, at a point; world coordinates.
struct PointLoad {
  int body = 0;
  Vector3 point;
  Wrench wrench;  // the moment is besides that of the force at `point`
};

// The wrench that each joint's parent exerts on its child through the joint, drives and springs of the joint included:
// at the joint's origin in the child, in world axes. For a motion (q, v, a) under gravity, the model's forces and
// springs between points at `time`, and `loads` (contacts, loop closures).
void compute_joint_reactions(const Model& model, const State& state, const ConstVector& a,
                             std::span<const PointLoad> loads, Workspace& workspace, std::span<Wrench> reactions);

// The same for an instant: the velocity jumps by `jump` under impulses `loads`.
void compute_joint_impulses(const Model& model, const ConstVector& q, const ConstVector& jump,
                            std::span<const PointLoad> loads, Workspace& workspace, std::span<Wrench> impulses);

// How the multipliers λ (forces or impulses) of the loops act on bodies: two loads for each loop that joins bodies,
// none for a coupling, which acts along joints. Returns their number; `loads` has room for two per loop. After
// compute_kinematics.
int loop_loads(const Model& model, const Workspace& workspace, const ConstVector& multipliers,
               std::span<PointLoad> loads);

}  // namespace routh::internal
