// The members of a description, each named once: visit(key, member). What writes JSON and what reads it both go by
// these lists, and a member that is added to a description does not compile here until it is named.
#pragma once

#include <concepts>
#include <type_traits>

#include "routh/play/impact_question.h"
#include "routh/play/start_json.h"

namespace routh::internal {

// T is D or const D.
template <class T, class D>
concept Of = std::same_as<std::remove_const_t<T>, D>;

void visit_members(Of<Profile::Point> auto& it, auto&& visit) {
  auto& [time, value] = it;
  visit("time", time);
  visit("value", value);
}

void visit_members(Of<Profile> auto& it, auto&& visit) {
  auto& [points] = it;
  visit("points", points);
}

void visit_members(Of<Pose> auto& it, auto&& visit) {
  auto& [rotation, position] = it;
  visit("rotation", rotation);
  visit("position", position);
}

void visit_members(Of<BodyDescription> auto& it, auto&& visit) {
  auto& [name, mass, com, inertia, where, mass_where, com_where, inertia_where] = it;
  visit("name", name);
  visit("mass", mass);
  visit("com", com);
  visit("inertia", inertia);
}

void visit_members(Of<DriveDescription> auto& it, auto&& visit) {
  auto& [stiffness, damping, position, velocity, limit] = it;
  visit("stiffness", stiffness);
  visit("damping", damping);
  visit("position", position);
  visit("velocity", velocity);
  visit("limit", limit);
}

void visit_members(Of<DofDescription> auto& it, auto&& visit) {
  auto& [lower, upper, limit_restitution, stiffness, rest, damping, armature, drive, effort, where] = it;
  visit("lower", lower);
  visit("upper", upper);
  visit("limit_restitution", limit_restitution);
  visit("stiffness", stiffness);
  visit("rest", rest);
  visit("damping", damping);
  visit("armature", armature);
  visit("drive", drive);
  visit("effort", effort);
}

void visit_members(Of<JointDescription> auto& it, auto&& visit) {
  auto& [name, kind, parent, child, at, in_child, axis, second_axis, dofs, where, parent_where, axis_where] = it;
  visit("name", name);
  visit("kind", kind);
  visit("parent", parent);
  visit("child", child);
  visit("at", at);
  visit("in_child", in_child);
  visit("axis", axis);
  visit("second_axis", second_axis);
  visit("dofs", dofs);
}

void visit_members(Of<CouplingTerm> auto& it, auto&& visit) {
  auto& [joint, dof, coefficient, where] = it;
  visit("joint", joint);
  visit("dof", dof);
  visit("coefficient", coefficient);
}

void visit_members(Of<LoopDescription> auto& it, auto&& visit) {
  auto& [name, kind, body_a, body_b, at_a, at_b, distance, terms, constant, where, a_where, b_where] = it;
  visit("name", name);
  visit("kind", kind);
  visit("body_a", body_a);
  visit("body_b", body_b);
  visit("at_a", at_a);
  visit("at_b", at_b);
  visit("distance", distance);
  visit("terms", terms);
  visit("constant", constant);
}

void visit_members(Of<SpringDescription> auto& it, auto&& visit) {
  auto& [name, body_a, body_b, at_a, at_b, stiffness, rest_length, damping, where, a_where, b_where] = it;
  visit("name", name);
  visit("body_a", body_a);
  visit("body_b", body_b);
  visit("at_a", at_a);
  visit("at_b", at_b);
  visit("stiffness", stiffness);
  visit("rest_length", rest_length);
  visit("damping", damping);
}

void visit_members(Of<ForceDescription> auto& it, auto&& visit) {
  auto& [name, body, at, force, torque, frame, scale, where, body_where] = it;
  visit("name", name);
  visit("body", body);
  visit("at", at);
  visit("force", force);
  visit("torque", torque);
  visit("frame", frame);
  visit("scale", scale);
}

void visit_members(Of<ImpulseDescription> auto& it, auto&& visit) {
  auto& [name, time, body, at, impulse, angular_impulse, frame, joint, dof, along_dof, where, target_where] = it;
  visit("name", name);
  visit("time", time);
  visit("body", body);
  visit("at", at);
  visit("impulse", impulse);
  visit("angular_impulse", angular_impulse);
  visit("frame", frame);
  visit("joint", joint);
  visit("dof", dof);
  visit("along_dof", along_dof);
}

void visit_members(Of<Friction> auto& it, auto&& visit) {
  auto& [static_coefficient, kinetic_coefficient] = it;
  visit("static", static_coefficient);
  visit("kinetic", kinetic_coefficient);
}

void visit_members(Of<RestitutionPoint> auto& it, auto&& visit) {
  auto& [speed, coefficient] = it;
  visit("speed", speed);
  visit("coefficient", coefficient);
}

// Without the view of the table, which the properties hold.
void visit_members(Of<Restitution> auto& it, auto&& visit) {
  auto& [kind, normal, tangential, alpha, table] = it;
  visit("kind", kind);
  visit("normal", normal);
  visit("tangential", tangential);
  visit("alpha", alpha);
}

void visit_members(Of<SurfaceProperties> auto& it, auto&& visit) {
  auto& [friction, restitution, table, law] = it;
  visit("friction", friction);
  visit("restitution", restitution);
  visit("table", table);
  visit("law", law);
}

void visit_members(Of<SurfaceDescription> auto& it, auto&& visit) {
  auto& [name, properties, where] = it;
  visit("name", name);
  visit("properties", properties);
}

void visit_members(Of<SurfacePairDescription> auto& it, auto&& visit) {
  auto& [first, second, properties, where] = it;
  visit("first", first);
  visit("second", second);
  visit("properties", properties);
}

// A hull from what is in it: `connect` makes the rest again, to the bit.
void visit_members(Of<PolyhedronFace> auto& it, auto&& visit) {
  auto& [normal, offset, first, count] = it;
  visit("normal", normal);
  visit("offset", offset);
  visit("first", first);
  visit("count", count);
}

void visit_members(Of<Polyhedron> auto& it, auto&& visit) {
  auto& [vertices, faces, corners, corner_edges, edges, around_first, around_edges, around_ends, seeds, radius, lowest,
         highest, reduced_from, reduction_error] = it;
  visit("vertices", vertices);
  visit("faces", faces);
  visit("corners", corners);
  visit("reduced_from", reduced_from);
  visit("reduction_error", reduction_error);
}

void visit_members(Of<MeshDescription> auto& it, auto&& visit) {
  auto& [hull, file, scale, corners, note] = it;
  visit("hull", hull);
  visit("file", file);
  visit("scale", scale);
  visit("corners", corners);
  visit("note", note);
}

void visit_members(Of<ShapeDescription> auto& it, auto&& visit) {
  auto& [name, body, kind, at, radius, length, half_extents, mesh, surface, belt, belt_speed, where, body_where,
         surface_where] = it;
  visit("name", name);
  visit("body", body);
  visit("kind", kind);
  visit("at", at);
  visit("radius", radius);
  visit("length", length);
  visit("half_extents", half_extents);
  visit("mesh", mesh);
  visit("surface", surface);
  visit("belt", belt);
  visit("belt_speed", belt_speed);
}

void visit_members(Of<FilterDescription> auto& it, auto&& visit) {
  auto& [rule, first, second, where] = it;
  visit("rule", rule);
  visit("first", first);
  visit("second", second);
}

void visit_members(Of<ModelDescription> auto& it, auto&& visit) {
  auto& [name, dimension, gravity, bodies, joints, loops, springs, forces, impulses, surfaces, surface_pairs, shapes,
         filters, where, gravity_where] = it;
  visit("name", name);
  visit("dimension", dimension);
  visit("gravity", gravity);
  visit("bodies", bodies);
  visit("joints", joints);
  visit("loops", loops);
  visit("springs", springs);
  visit("forces", forces);
  visit("impulses", impulses);
  visit("surfaces", surfaces);
  visit("surface_pairs", surface_pairs);
  visit("shapes", shapes);
  visit("filters", filters);
}

void visit_members(Of<State> auto& it, auto&& visit) {
  auto& [q, v, time] = it;
  visit("q", q);
  visit("v", v);
  visit("time", time);
}

void visit_members(Of<SimulationOptions> auto& it, auto&& visit) {
  auto& [engine, step, residual, resolution, tolerance, touch, max_step, integrator, law, max_steps, max_events,
         max_events_at_once, max_events_in_burst] = it;
  visit("engine", engine);
  visit("step", step);
  visit("residual", residual);
  visit("resolution", resolution);
  visit("tolerance", tolerance);
  visit("touch", touch);
  visit("max_step", max_step);
  visit("integrator", integrator);
  visit("law", law);
  visit("max_steps", max_steps);
  visit("max_events", max_events);
  visit("max_events_at_once", max_events_at_once);
  visit("max_events_in_burst", max_events_in_burst);
}

void visit_members(Of<ImpactQuestion> auto& it, auto&& visit) {
  auto& [mass_matrix, jacobian, bilateral, velocity, external_impulse, delassus, contact_velocity, surface_velocity,
         surface, pressed] = it;
  visit("mass_matrix", mass_matrix);
  visit("jacobian", jacobian);
  visit("bilateral", bilateral);
  visit("velocity", velocity);
  visit("external_impulse", external_impulse);
  visit("delassus", delassus);
  visit("contact_velocity", contact_velocity);
  visit("surface_velocity", surface_velocity);
  visit("surface", surface);
  visit("pressed", pressed);
}

void visit_members(Of<PlayStart> auto& it, auto&& visit) {
  auto& [description, state, options] = it;
  visit("description", description);
  visit("state", state);
  visit("options", options);
}

}  // namespace routh::internal
