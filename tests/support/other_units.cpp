#include "support/other_units.h"

#include <algorithm>

namespace testing_support {

using namespace routh;

namespace {

void scale(Vector3& v, double by) { v = by * v; }

void scale(Profile& profile, double time, double value) {
  for (Profile::Point& point : profile.points) point.time *= time, point.value *= value;
}

bool is_length(JointKind kind, std::size_t dof) {
  const std::string_view name = dof_names(kind)[dof];
  return name == "x" || name == "y" || name == "z" || name == "displacement";
}

// Along a degree of freedom that is a length or an angle.
void scale(DofDescription& it, bool length, const OtherUnits& units) {
  const double coordinate = length ? units.length : 1, force = length ? units.force() : units.torque();
  const double stiffness = force / coordinate, damping = stiffness * units.time;
  it.lower *= coordinate, it.upper *= coordinate, it.rest *= coordinate;
  it.stiffness *= stiffness;
  it.damping *= damping;
  it.armature *= length ? units.mass : units.inertia();
  if (it.effort) scale(*it.effort, units.time, force);
  if (!it.drive) return;
  it.drive->stiffness *= stiffness;
  it.drive->damping *= damping;
  it.drive->limit *= force;
  scale(it.drive->position, units.time, coordinate);
  scale(it.drive->velocity, units.time, coordinate / units.time);
}

void scale(SurfaceProperties& it, const OtherUnits& units) {
  it.restitution.alpha /= units.speed();
  for (RestitutionPoint& point : it.table) point.speed *= units.speed();
}

void scale(MeshDescription& mesh, double length) {
  if (!mesh.hull) return;
  Polyhedron hull = *mesh.hull;
  for (Vector3& vertex : hull.vertices) scale(vertex, length);
  for (PolyhedronFace& face : hull.faces) face.offset *= length;
  hull.radius *= length;
  scale(hull.lowest, length);
  scale(hull.highest, length);
  hull.reduction_error *= length;
  mesh.hull = std::make_shared<const Polyhedron>(std::move(hull));
  scale(mesh.scale, length);
}

// A row of angles alone or with lengths is an angle, a row of lengths a length.
void scale(LoopDescription& loop, const std::vector<JointDescription>& joints, const OtherUnits& units) {
  scale(loop.at_a.position, units.length);
  scale(loop.at_b.position, units.length);
  loop.distance *= units.length;
  const auto length_of = [&](const CouplingTerm& term) {
    const auto joint = std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == term.joint; });
    return joint != joints.end() && is_length(joint->kind, static_cast<std::size_t>(term.dof));
  };
  const bool lengths = std::all_of(loop.terms.begin(), loop.terms.end(), length_of);
  if (lengths) loop.constant *= units.length;
  for (CouplingTerm& term : loop.terms)
    if (!lengths && length_of(term)) term.coefficient /= units.length;
}

}  // namespace

ModelDescription in_units(ModelDescription it, const OtherUnits& units) {
  const double length = units.length;
  scale(it.gravity, units.acceleration());
  for (BodyDescription& body : it.bodies) {
    body.mass *= units.mass;
    scale(body.com, length);
    Symmetric3& s = body.inertia;
    for (double* const entry : {&s.xx, &s.yy, &s.zz, &s.xy, &s.xz, &s.yz}) *entry *= units.inertia();
  }
  for (JointDescription& joint : it.joints) {
    scale(joint.at.position, length);
    scale(joint.in_child.position, length);
    for (std::size_t k = 0; k < joint.dofs.size(); ++k) scale(joint.dofs[k], is_length(joint.kind, k), units);
  }
  for (LoopDescription& loop : it.loops) scale(loop, it.joints, units);
  for (SpringDescription& spring : it.springs) {
    scale(spring.at_a, length);
    scale(spring.at_b, length);
    spring.rest_length *= length;
    spring.stiffness *= units.force() / length;
    spring.damping *= units.force() / units.speed();
  }
  for (ForceDescription& force : it.forces) {
    scale(force.at, length);
    scale(force.force, units.force());
    scale(force.torque, units.torque());
    scale(force.scale, units.time, 1);
  }
  for (ImpulseDescription& blow : it.impulses) {
    blow.time *= units.time;
    scale(blow.at, length);
    scale(blow.impulse, units.force() * units.time);
    scale(blow.angular_impulse, units.torque() * units.time);
    if (const auto joint =
            std::find_if(it.joints.begin(), it.joints.end(), [&](const auto& each) { return each.name == blow.joint; });
        joint != it.joints.end())
      blow.along_dof *=
          (is_length(joint->kind, static_cast<std::size_t>(blow.dof)) ? units.force() : units.torque()) * units.time;
  }
  for (SurfaceDescription& surface : it.surfaces) scale(surface.properties, units);
  for (SurfacePairDescription& pair : it.surface_pairs) scale(pair.properties, units);
  for (ShapeDescription& shape : it.shapes) {
    scale(shape.at.position, length);
    shape.radius *= length;
    shape.length *= length;
    scale(shape.half_extents, length);
    scale(shape.mesh, length);
    scale(shape.belt_speed, units.time, units.speed());
  }
  return it;
}

State in_units(const Model& model, State state, const OtherUnits& units) {
  state.time *= units.time;
  for (int k = 0; k < model.velocities; ++k) {
    const bool angular = is_angular(model, k);
    state.v[k] *= (angular ? 1 : units.length) / units.time;
    const int coordinate = model.dofs[static_cast<std::size_t>(k)].coordinate;
    if (!angular && coordinate >= 0) state.q[coordinate] *= units.length;
  }
  return state;
}

SimulationOptions in_units(SimulationOptions options, const OtherUnits& units) {
  options.step *= units.time;
  options.max_step *= units.time;
  if (options.resolution) *options.resolution *= units.time;
  options.touch *= units.length;
  return options;
}

}  // namespace testing_support
