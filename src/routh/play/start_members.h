// The members of a description, each named once: visit(key, member). What writes JSON and what reads it both go by
// these lists, and a member that is added to a description does not compile here until it is named.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "routh/play/impact_question.h"
#include "routh/play/start_json.h"

namespace routh::internal {

// visit("a", a), visit("b", b), … for `ROUTH_VISIT(a, b, …)`.
template <class... Members>
void visit_named(auto&& visit, std::string_view names, Members&... members) {
  const auto one = [&](auto& member) {
    const std::size_t end = names.find(',');
    visit(names.substr(0, end), member);
    if (end != names.npos) names.remove_prefix(names.find_first_not_of(' ', end + 1));
  };
  (one(members), ...);
}
#define ROUTH_VISIT(...) visit_named(visit, #__VA_ARGS__, __VA_ARGS__)

// T is D or const D.
template <class T, class D>
concept Of = std::same_as<std::remove_const_t<T>, D>;

void visit_members(Of<Profile::Point> auto& it, auto&& visit) {
  auto& [time, value] = it;
  ROUTH_VISIT(time, value);
}

void visit_members(Of<Profile> auto& it, auto&& visit) {
  auto& [points] = it;
  ROUTH_VISIT(points);
}

void visit_members(Of<Pose> auto& it, auto&& visit) {
  auto& [rotation, position] = it;
  ROUTH_VISIT(rotation, position);
}

void visit_members(Of<BodyDescription> auto& it, auto&& visit) {
  auto& [name, mass, com, inertia, where, mass_where, com_where, inertia_where] = it;
  ROUTH_VISIT(name, mass, com, inertia);
}

void visit_members(Of<DriveDescription> auto& it, auto&& visit) {
  auto& [stiffness, damping, position, velocity, limit] = it;
  ROUTH_VISIT(stiffness, damping, position, velocity, limit);
}

void visit_members(Of<DofDescription> auto& it, auto&& visit) {
  auto& [lower, upper, limit_restitution, stiffness, rest, damping, armature, drive, effort, where] = it;
  ROUTH_VISIT(lower, upper, limit_restitution, stiffness, rest, damping, armature, drive, effort);
}

void visit_members(Of<JointDescription> auto& it, auto&& visit) {
  auto& [name, kind, parent, child, at, in_child, axis, second_axis, dofs, where, parent_where, axis_where] = it;
  ROUTH_VISIT(name, kind, parent, child, at, in_child, axis, second_axis, dofs);
}

void visit_members(Of<CouplingTerm> auto& it, auto&& visit) {
  auto& [joint, dof, coefficient, where] = it;
  ROUTH_VISIT(joint, dof, coefficient);
}

void visit_members(Of<LoopDescription> auto& it, auto&& visit) {
  auto& [name, kind, body_a, body_b, at_a, at_b, distance, terms, constant, where, a_where, b_where] = it;
  ROUTH_VISIT(name, kind, body_a, body_b, at_a, at_b, distance, terms, constant);
}

void visit_members(Of<SpringDescription> auto& it, auto&& visit) {
  auto& [name, body_a, body_b, at_a, at_b, stiffness, rest_length, damping, where, a_where, b_where] = it;
  ROUTH_VISIT(name, body_a, body_b, at_a, at_b, stiffness, rest_length, damping);
}

void visit_members(Of<ForceDescription> auto& it, auto&& visit) {
  auto& [name, body, at, force, torque, frame, scale, where, body_where] = it;
  ROUTH_VISIT(name, body, at, force, torque, frame, scale);
}

void visit_members(Of<ImpulseDescription> auto& it, auto&& visit) {
  auto& [name, time, body, at, impulse, angular_impulse, frame, joint, dof, along_dof, where, target_where] = it;
  ROUTH_VISIT(name, time, body, at, impulse, angular_impulse, frame, joint, dof, along_dof);
}

void visit_members(Of<Friction> auto& it, auto&& visit) {
  auto& [static_coefficient, kinetic_coefficient] = it;
  visit("static", static_coefficient);
  visit("kinetic", kinetic_coefficient);
}

void visit_members(Of<RestitutionPoint> auto& it, auto&& visit) {
  auto& [speed, coefficient] = it;
  ROUTH_VISIT(speed, coefficient);
}

// Without the view of the table, which the properties hold.
void visit_members(Of<Restitution> auto& it, auto&& visit) {
  auto& [kind, normal, tangential, alpha, table] = it;
  ROUTH_VISIT(kind, normal, tangential, alpha);
}

void visit_members(Of<SurfaceProperties> auto& it, auto&& visit) {
  auto& [friction, restitution, table, law] = it;
  ROUTH_VISIT(friction, restitution, table, law);
}

void visit_members(Of<SurfaceDescription> auto& it, auto&& visit) {
  auto& [name, properties, where] = it;
  ROUTH_VISIT(name, properties);
}

void visit_members(Of<SurfacePairDescription> auto& it, auto&& visit) {
  auto& [first, second, properties, where] = it;
  ROUTH_VISIT(first, second, properties);
}

// A hull from what is in it: `connect` makes the rest again, to the bit.
void visit_members(Of<PolyhedronFace> auto& it, auto&& visit) {
  auto& [normal, offset, first, count] = it;
  ROUTH_VISIT(normal, offset, first, count);
}

void visit_members(Of<Polyhedron> auto& it, auto&& visit) {
  auto& [vertices, faces, corners, corner_edges, edges, around_first, around_edges, around_ends, seeds, radius, lowest,
         highest, reduced_from, reduction_error] = it;
  ROUTH_VISIT(vertices, faces, corners, reduced_from, reduction_error);
}

void visit_members(Of<MeshDescription> auto& it, auto&& visit) {
  auto& [hull, file, scale, corners, note] = it;
  ROUTH_VISIT(hull, file, scale, corners, note);
}

void visit_members(Of<ShapeDescription> auto& it, auto&& visit) {
  auto& [name, body, kind, at, radius, length, half_extents, mesh, surface, belt, belt_speed, where, body_where,
         surface_where] = it;
  ROUTH_VISIT(name, body, kind, at, radius, length, half_extents, mesh, surface, belt, belt_speed);
}

void visit_members(Of<FilterDescription> auto& it, auto&& visit) {
  auto& [rule, first, second, where] = it;
  ROUTH_VISIT(rule, first, second);
}

void visit_members(Of<ModelDescription> auto& it, auto&& visit) {
  auto& [name, dimension, gravity, bodies, joints, loops, springs, forces, impulses, surfaces, surface_pairs, shapes,
         filters, where, gravity_where] = it;
  ROUTH_VISIT(name, dimension, gravity, bodies, joints, loops, springs, forces, impulses, surfaces, surface_pairs,
              shapes, filters);
}

void visit_members(Of<State> auto& it, auto&& visit) {
  auto& [q, v, time] = it;
  ROUTH_VISIT(q, v, time);
}

void visit_members(Of<SimulationOptions> auto& it, auto&& visit) {
  auto& [engine, step, residual, resolution, tolerance, touch, max_step, integrator, law, max_steps, max_events,
         max_events_at_once, max_events_in_burst] = it;
  ROUTH_VISIT(engine, step, residual, resolution, tolerance, touch, max_step, integrator, law, max_steps, max_events,
              max_events_at_once, max_events_in_burst);
}

void visit_members(Of<ImpactQuestion> auto& it, auto&& visit) {
  auto& [mass_matrix, jacobian, bilateral, velocity, external_impulse, delassus, contact_velocity, surface_velocity,
         surface, pressed] = it;
  ROUTH_VISIT(mass_matrix, jacobian, bilateral, velocity, external_impulse, delassus, contact_velocity,
              surface_velocity, surface, pressed);
}

void visit_members(Of<PlayStart> auto& it, auto&& visit) {
  auto& [description, state, options] = it;
  ROUTH_VISIT(description, state, options);
}

#undef ROUTH_VISIT

}  // namespace routh::internal
