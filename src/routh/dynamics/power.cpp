#include "routh/dynamics/power.h"

#include <cmath>

#include "routh/dynamics/applied.h"
#include "routh/dynamics/drive.h"

namespace routh::internal {

namespace {

// A drive is one actuator: at each instant it gives or it takes, never both. Its power does not jump, so neither
// account does; where it changes its sign each has a bend, which costs an integration of high order some digits in
// either, and none in supplied − dissipated.
void add_drive(const DriveDescription& drive, double q, double v, double time, Power& power) {
  const double given = drive_power(drive, q, v, time);
  (given > 0 ? power.supplied : power.dissipated) += std::abs(given);
}

}  // namespace

Power compute_power(const Model& model, const State& state, const Workspace& workspace) {
  Power power;
  for (int k = 0; k < model.velocities; ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    const double v = state.v[k];
    power.dissipated += dof.properties.damping * v * v;
    if (dof.properties.effort) power.supplied += (*dof.properties.effort)(state.time) * v;
    if (dof.properties.drive) {
      const double q = dof.coordinate < 0 ? 0.0 : state.q[dof.coordinate];
      add_drive(*dof.properties.drive, q, v, state.time, power);
    }
  }
  for (const Spring& spring : model.springs) {
    const SpringSpan span = spring_span(model, workspace, spring);
    if (!(span.length > 0)) continue;
    const Vector3 along = (1 / span.length) * (span.a - span.b);
    const double rate = dot(along, point_velocity(model, workspace, spring.body_a, span.a) -
                                       point_velocity(model, workspace, spring.body_b, span.b));
    power.dissipated += spring.damping * rate * rate;
  }
  for (const Force& force : model.forces) {
    const AppliedLoad load = force_load(model, workspace, force, state.time);
    power.supplied += dot(load.wrench.force, point_velocity(model, workspace, force.body, load.point)) +
                      dot(load.wrench.moment, angular_velocity(model, workspace, force.body));
  }
  return power;
}

}  // namespace routh::internal
