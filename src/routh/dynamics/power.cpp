#include "routh/dynamics/power.h"

#include <cmath>

#include "routh/dynamics/applied.h"

namespace routh {

namespace {

// V holds ½ k (q − p)² of a drive, p its present target, so that u q̇ + dV/dt is what the drive adds to K + V:
//   below its limit   d (ṗ_v − q̇) q̇ − k (q − p) ṗ       at its limit   u q̇ + k (q − p)(q̇ − ṗ)
// Of both, −d q̇² is what its damping takes; the rest, which does not jump where the limit is reached, is supplied.
void add_drive(const DriveDescription& drive, double q, double v, double time, Power& power) {
  const double stretch = drive.stiffness * (q - drive.position(time));
  const double target_rate = drive.position.slope(time);
  const double u = drive.damping * (drive.velocity(time) - v) - stretch;
  power.dissipated += drive.damping * v * v;
  if (std::abs(u) > drive.limit)
    power.supplied += std::copysign(drive.limit, u) * v + stretch * (v - target_rate) + drive.damping * v * v;
  else
    power.supplied += drive.damping * drive.velocity(time) * v - stretch * target_rate;
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

}  // namespace routh
