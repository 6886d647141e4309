// The model's own forces on bodies: springs between points, and forces. Private to the module.
#pragma once

#include "routh/dynamics/dynamics.h"

namespace routh::internal {

// A spring's ends in the world, and its length.
struct SpringSpan {
  Vector3 a, b;
  double length = 0;
};
SpringSpan spring_span(const Model& model, const Workspace& workspace, const Spring& spring);

// The force of the spring and its damper on body a; on body b the opposite. A spring of no length has no direction and
// pulls nowhere. After compute_velocities.
Vector3 spring_force(const Model& model, const Workspace& workspace, const Spring& spring, const SpringSpan& span);

struct AppliedLoad {
  Vector3 point;
  Wrench wrench;
};
AppliedLoad force_load(const Model& model, const Workspace& workspace, const Force& force, double time);

// Calls visit(body, point, wrench) for each load, in world coordinates. After compute_velocities.
template <class Visit>
void for_each_applied_load(const Model& model, const Workspace& workspace, double time, Visit visit) {
  for (const Spring& spring : model.springs) {
    const SpringSpan span = spring_span(model, workspace, spring);
    const Vector3 pull = spring_force(model, workspace, spring, span);
    visit(spring.body_a, span.a, Wrench{pull, {}});
    visit(spring.body_b, span.b, Wrench{-pull, {}});
  }
  for (const Force& force : model.forces) {
    const AppliedLoad load = force_load(model, workspace, force, time);
    visit(force.body, load.point, load.wrench);
  }
}

}  // namespace routh::internal
