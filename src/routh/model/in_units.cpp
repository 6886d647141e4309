#include "routh/model/in_units.h"

#include <algorithm>
#include <cmath>

#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

// Members are named one by one, so that a new one does not compile before it is thought of here.
class Converter {
 public:
  Converter(const Model& model, const Units& units) : model_(model), u_(units) {}

  void convert(Link& link) const {
    auto& [kind, parent, q, v, body, rotation, offset, mass, moment, inertia] = link;
    length(offset);
    mass /= u_.mass;
    moment = (1 / (u_.mass * u_.length)) * moment;
    convert(inertia);
  }

  void convert(Body& body) const {
    auto& [name, mass, com, inertia, joint, link, in_link] = body;
    mass /= u_.mass;
    length(com);
    convert(inertia);
    length(in_link.position);
  }

  void convert(Joint& joint) const {
    auto& [name, kind, parent, child, at, in_child, axis, second_axis, q, q_count, v, v_count, first, last, where] =
        joint;
    length(at.position);
    length(in_child.position);
  }

  // Along a length or an angle.
  void convert(DofDescription& dof, bool angular) const {
    const double coordinate = angular ? 1 : u_.length, force = angular ? u_.energy() : u_.force();
    auto& [lower, upper, limit_restitution, stiffness, rest, damping, armature, drive, effort, where] = dof;
    lower /= coordinate;
    upper /= coordinate;
    stiffness /= force / coordinate;
    rest /= coordinate;
    damping /= force / coordinate * u_.time;
    armature /= angular ? u_.inertia() : u_.mass;
    if (drive) {
      auto& [drive_stiffness, drive_damping, position, velocity, limit] = *drive;
      drive_stiffness /= force / coordinate;
      drive_damping /= force / coordinate * u_.time;
      convert(position, coordinate);
      convert(velocity, coordinate / u_.time);
      limit /= force;
    }
    if (effort) convert(*effort, force);
  }

  // A coupling of lengths alone is a length, any other an angle.
  void convert(Loop& loop) const {
    auto& [name, kind, body_a, body_b, at_a, at_b, distance, terms, constant, row, row_count, where] = loop;
    length(at_a.position);
    length(at_b.position);
    distance /= u_.length;
    const auto angular = [&](const Loop::Term& term) { return is_angular(model_, term.dof); };
    const bool lengths = std::none_of(terms.begin(), terms.end(), angular);
    if (lengths) constant /= u_.length;
    for (Loop::Term& term : terms)
      if (!lengths && !angular(term)) term.coefficient *= u_.length;
  }

  void convert(Spring& spring) const {
    auto& [name, body_a, body_b, at_a, at_b, stiffness, rest_length, damping] = spring;
    length(at_a);
    length(at_b);
    stiffness /= u_.force() / u_.length;
    rest_length /= u_.length;
    damping /= u_.force() / u_.speed();
  }

  void convert(Force& it) const {
    auto& [name, body, at, force, torque, frame, scale] = it;
    length(at);
    force = (1 / u_.force()) * force;
    torque = (1 / u_.energy()) * torque;
    convert(scale, 1);
  }

  void convert(Impulse& it) const {
    auto& [name, time, body, at, impulse, angular_impulse, frame, dof, along_dof] = it;
    time /= u_.time;
    length(at);
    impulse = (1 / u_.impulse()) * impulse;
    angular_impulse = (1 / (u_.impulse() * u_.length)) * angular_impulse;
    if (dof >= 0) along_dof /= is_angular(model_, dof) ? u_.impulse() * u_.length : u_.impulse();
  }

  void convert(SurfaceProperties& properties) const {
    auto& [friction, restitution, table, law] = properties;
    restitution.alpha *= u_.speed();
    for (RestitutionPoint& point : table) point.speed /= u_.speed();
  }

  void convert(Shape& shape) const {
    auto& [name, body, kind, at, link, in_link, radius, extent, half_extents, hull, surface, belt, belt_speed, moving] =
        shape;
    length(at.position);
    length(in_link.position);
    radius /= u_.length;
    extent /= u_.length;
    length(half_extents);
    if (hull && u_.length != 1) convert(hull);
    convert(belt_speed, u_.speed());
  }

  void convert(std::shared_ptr<const Polyhedron>& shared) const {
    Polyhedron hull = *shared;
    for (Vector3& vertex : hull.vertices) length(vertex);
    for (PolyhedronFace& face : hull.faces) face.offset /= u_.length;
    hull.radius /= u_.length;
    length(hull.lowest);
    length(hull.highest);
    hull.reduction_error /= u_.length;
    shared = std::make_shared<const Polyhedron>(std::move(hull));
  }

 private:
  void length(Vector3& v) const { v = (1 / u_.length) * v; }
  void convert(Symmetric3& inertia) const {
    auto& [xx, yy, zz, xy, xz, yz] = inertia;
    for (double* const entry : {&xx, &yy, &zz, &xy, &xz, &yz}) *entry /= u_.inertia();
  }
  void convert(Profile& profile, double value) const {
    for (Profile::Point& point : profile.points) point.time /= u_.time, point.value /= value;
  }

  const Model& model_;
  const Units& u_;
};

}  // namespace

Model in_units(Model model, const Units& units) {
  const Converter to(model, units);
  model.gravity = (1 / units.acceleration()) * model.gravity;
  for (Link& link : model.links) to.convert(link);
  for (Body& body : model.bodies) to.convert(body);
  for (Joint& joint : model.joints) to.convert(joint);
  for (int k = 0; k < model.velocities; ++k)
    to.convert(model.dofs[static_cast<std::size_t>(k)].properties, is_angular(model, k));
  for (Loop& loop : model.loops) to.convert(loop);
  for (Spring& spring : model.springs) to.convert(spring);
  for (Force& force : model.forces) to.convert(force);
  for (Impulse& impulse : model.impulses) to.convert(impulse);
  for (Surface& surface : model.surfaces) to.convert(surface.properties);
  for (SurfaceProperties& properties : model.pairs.properties()) to.convert(properties);
  for (Shape& shape : model.shapes) to.convert(shape);
  return model;
}

Units own_units(const Scales& scales) {
  const auto rounded = [](double scale) {
    int exponent = 0;
    const double digits = std::frexp(scale, &exponent);  // in [½, 1)
    if (digits < std::sqrt(0.5)) --exponent;
    return std::ldexp(1.0, std::clamp(exponent, -tolerances::unit_exponent_max, tolerances::unit_exponent_max));
  };
  return {rounded(scales.length), rounded(scales.mass), rounded(tolerances::own_time_share * scales.time)};
}

}  // namespace routh::internal
