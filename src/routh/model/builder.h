// A machine in a few lines of C++, said as the scene file says it:
//
//   ModelBuilder machine(Dimension::planar, "Kane's double pendulum");
//   machine.surface("steel").friction(0.51, 0.5).restitution(0.7);
//   machine.body("upper").mass(3).com(0, -1).inertia(1).revolute("world").at(0, 0);
//   machine.body("lower").mass(3).com(0, -1).inertia(1).revolute("upper").at(0, -2);
//   machine.shape("tip").on("lower").point().at(0, -2).surface("steel");
//   const Model model = machine.build();
//
// `build` checks the whole; only a degree of freedom that a joint lacks and a zero normal are refused at once. What
// `body`, `shape` and the others return refers to the builder and stays valid as long as it lives, whatever is added.
// In the plane leave out z.
#pragma once

#include "routh/model/model.h"

namespace routh {

class ModelBuilder;

// Friction, restitution and law of a surface or of a pair of surfaces.
class SurfaceWriter {
 public:
  SurfaceWriter& friction(double static_coefficient, double kinetic_coefficient);
  SurfaceWriter& friction(double coefficient) { return friction(coefficient, coefficient); }
  SurfaceWriter& restitution(double coefficient);
  SurfaceWriter& restitution_alpha(double alpha);  // e = 1 − α |v_n⁻|
  SurfaceWriter& restitution_table(std::vector<RestitutionPoint> table);
  SurfaceWriter& tangential_restitution(double coefficient);
  SurfaceWriter& law(Law law);

 private:
  friend class ModelBuilder;
  enum class Of { surface, pair };
  SurfaceWriter(ModelDescription& description, Of of, std::size_t index)
      : description_(description), of_(of), index_(index) {}
  SurfaceProperties& properties();

  ModelDescription& description_;
  Of of_;
  std::size_t index_;
};

// One entry of a list of the description, which may grow.
template <class Entry, std::vector<Entry> ModelDescription::*list>
class EntryWriter {
 protected:
  friend class ModelBuilder;
  friend class BodyWriter;
  EntryWriter(ModelDescription& description, std::size_t index) : description_(description), index_(index) {}
  Entry& entry() { return (description_.*list)[index_]; }

  ModelDescription& description_;
  std::size_t index_;
};

// A joint. The properties of a degree of freedom are said after its name, `dof("x")`, if the joint has several.
class JointWriter : public EntryWriter<JointDescription, &ModelDescription::joints> {
 public:
  JointWriter& name(std::string name);  // otherwise the body's
  JointWriter& at(double x, double y, double z = 0);
  JointWriter& at(const Pose& pose);
  JointWriter& in_child(double x, double y, double z = 0);
  JointWriter& in_child(const Pose& pose);
  JointWriter& axis(double x, double y, double z = 0);
  JointWriter& second_axis(double x, double y, double z = 0);

  JointWriter& dof(std::string_view name);
  JointWriter& limits(double lower, double upper, double restitution = 0);
  JointWriter& spring(double stiffness, double rest = 0);
  JointWriter& damping(double damping);
  JointWriter& armature(double armature);
  JointWriter& drive(const DriveDescription& drive);
  JointWriter& effort(double effort) { return this->effort(Profile::constant(effort)); }
  JointWriter& effort(Profile effort);

 private:
  using EntryWriter::EntryWriter;
  DofDescription& chosen();
  int dof_ = -1;
};

class BodyWriter : public EntryWriter<BodyDescription, &ModelDescription::bodies> {
 public:
  BodyWriter& mass(double mass);
  BodyWriter& com(double x, double y, double z = 0);
  BodyWriter& inertia(double zz);  // planar
  BodyWriter& inertia(double xx, double yy, double zz);
  BodyWriter& inertia(const Symmetric3& inertia);

  JointWriter fixed(std::string parent = world_name) { return joint(JointKind::fixed, std::move(parent)); }
  JointWriter revolute(std::string parent = world_name) { return joint(JointKind::revolute, std::move(parent)); }
  JointWriter prismatic(std::string parent = world_name) { return joint(JointKind::prismatic, std::move(parent)); }
  JointWriter cylindrical(std::string parent = world_name) { return joint(JointKind::cylindrical, std::move(parent)); }
  JointWriter planar(std::string parent = world_name) { return joint(JointKind::planar, std::move(parent)); }
  JointWriter spherical(std::string parent = world_name) { return joint(JointKind::spherical, std::move(parent)); }
  JointWriter universal(std::string parent = world_name) { return joint(JointKind::universal, std::move(parent)); }
  JointWriter free() { return joint(JointKind::free, world_name); }
  JointWriter joint(JointKind kind, std::string parent);

 private:
  using EntryWriter::EntryWriter;
};

class ShapeWriter : public EntryWriter<ShapeDescription, &ModelDescription::shapes> {
 public:
  ShapeWriter& on(std::string body);  // otherwise the world
  ShapeWriter& point();
  ShapeWriter& sphere(double radius);
  ShapeWriter& capsule(double radius, double length);
  ShapeWriter& box(double x, double y, double z = 0);  // full extents, here and below
  ShapeWriter& cylinder(double radius, double length);
  ShapeWriter& ellipsoid(double x, double y, double z = 0);
  // The convex hull of the points, in the shape's frame; InputError when they span no volume.
  ShapeWriter& mesh(std::span<const Vector3> points);
  ShapeWriter& half_space();
  ShapeWriter& strip(double width, double depth = unlimited);
  ShapeWriter& pin(double radius);
  ShapeWriter& hole(double radius);

  ShapeWriter& at(double x, double y, double z = 0);
  ShapeWriter& at(const Pose& pose);
  ShapeWriter& normal(double x, double y, double z = 0);  // where the up axis points
  ShapeWriter& surface(std::string surface);
  // How the surface runs, in the shape's frame; `speed` multiplies it.
  ShapeWriter& belt(const Vector3& velocity, Profile speed = Profile::constant(1));

 private:
  using EntryWriter::EntryWriter;
  ShapeWriter& kind(ShapeKind kind, double radius, double length, const Vector3& half_extents);
};

class LoopWriter : public EntryWriter<LoopDescription, &ModelDescription::loops> {
 public:
  LoopWriter& point(std::string body_a, std::string body_b = world_name);
  LoopWriter& hinge(std::string body_a, std::string body_b = world_name);
  LoopWriter& weld(std::string body_a, std::string body_b = world_name);
  LoopWriter& distance(double distance, std::string body_a, std::string body_b = world_name);
  LoopWriter& at(const Vector3& in_a, const Vector3& in_b);
  LoopWriter& at(const Pose& in_a, const Pose& in_b);
  // A term of Σ coefficient · coordinate = constant. `joint`, or `joint.dof`, which must have been added before.
  LoopWriter& couple(std::string_view joint, double coefficient);
  LoopWriter& constant(double constant);

 private:
  using EntryWriter::EntryWriter;
  LoopWriter& between(LoopKind kind, std::string body_a, std::string body_b);
};

class SpringWriter : public EntryWriter<SpringDescription, &ModelDescription::springs> {
 public:
  SpringWriter& between(std::string body_a, std::string body_b = world_name);
  SpringWriter& at(const Vector3& in_a, const Vector3& in_b);
  SpringWriter& stiffness(double stiffness);
  SpringWriter& rest_length(double length);
  SpringWriter& damping(double damping);

 private:
  using EntryWriter::EntryWriter;
};

class ForceWriter : public EntryWriter<ForceDescription, &ModelDescription::forces> {
 public:
  ForceWriter& on(std::string body);
  ForceWriter& at(double x, double y, double z = 0);
  ForceWriter& force(double x, double y, double z = 0);
  ForceWriter& torque(double z);  // planar
  ForceWriter& torque(double x, double y, double z);
  ForceWriter& frame(ForceFrame frame);
  ForceWriter& scale(Profile scale);

 private:
  using EntryWriter::EntryWriter;
};

class ImpulseWriter : public EntryWriter<ImpulseDescription, &ModelDescription::impulses> {
 public:
  ImpulseWriter& time(double time);
  ImpulseWriter& on(std::string body);
  ImpulseWriter& at(double x, double y, double z = 0);
  ImpulseWriter& impulse(double x, double y, double z = 0);
  ImpulseWriter& angular_impulse(double z);  // planar
  ImpulseWriter& angular_impulse(double x, double y, double z);
  ImpulseWriter& frame(ForceFrame frame);
  // In place of a body: a generalised impulse along `joint`, or `joint.dof`, which must have been added before.
  ImpulseWriter& along(std::string_view joint, double impulse);

 private:
  using EntryWriter::EntryWriter;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(Dimension dimension, std::string name = {});
  ModelBuilder(const ModelBuilder&) = delete;  // writers refer to it
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  ModelBuilder& gravity(double x, double y, double z = 0);
  BodyWriter body(std::string name);
  ShapeWriter shape(std::string name);
  SurfaceWriter surface(std::string name);
  SurfaceWriter surface_pair(std::string first, std::string second);
  LoopWriter loop(std::string name);
  SpringWriter spring(std::string name);
  ForceWriter force(std::string name);
  ImpulseWriter impulse(std::string name);
  ModelBuilder& exclude(std::string first, std::string second);
  ModelBuilder& include(std::string first, std::string second);

  const ModelDescription& description() const { return description_; }
  Model build() const { return build_model(description_); }

 private:
  ModelDescription description_;
};

}  // namespace routh
