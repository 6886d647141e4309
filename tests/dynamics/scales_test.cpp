// Scales of a machine: closed forms, and that they are homogeneous. A machine whose lengths, masses and times are
// multiplied by powers of two has the scales multiplied by the same, to the last bit.
#include "routh/model/scales.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/model/builder.h"
#include "support/machines.h"

namespace routh {
namespace {

using testing_support::MachineOptions;
using testing_support::Random;
using testing_support::random_machine;

// Factors of length, mass and time.
struct ScaledUnits {
  double s = 1, m = 1, t = 1;

  double force() const { return m * s / (t * t); }
  double torque() const { return force() * s; }
};

void multiply(Profile& profile, double value, double time) {
  for (Profile::Point& point : profile.points) point.value *= value, point.time *= time;
}

void multiply(DofDescription& dof, const ScaledUnits& by, bool turns) {
  const double coordinate = turns ? 1 : by.s, force = turns ? by.torque() : by.force();
  dof.lower *= coordinate, dof.upper *= coordinate, dof.rest *= coordinate;
  dof.stiffness *= force / coordinate, dof.damping *= force / coordinate * by.t;
  dof.armature *= turns ? by.m * by.s * by.s : by.m;
  if (dof.effort) multiply(*dof.effort, force, by.t);
  if (!dof.drive) return;
  dof.drive->stiffness *= force / coordinate, dof.drive->damping *= force / coordinate * by.t;
  dof.drive->limit *= force;
  multiply(dof.drive->position, coordinate, by.t);
  multiply(dof.drive->velocity, coordinate / by.t, by.t);
}

bool turns(JointKind kind, std::size_t dof) {
  const std::string_view name = dof_names(kind)[dof];
  return name.starts_with("angle") || name.starts_with("w");
}

void multiply(Vector3& v, double by) { v = by * v; }

ModelDescription in_units(ModelDescription d, const ScaledUnits& by) {
  multiply(d.gravity, by.s / (by.t * by.t));
  for (BodyDescription& body : d.bodies) {
    body.mass *= by.m;
    multiply(body.com, by.s);
    for (double Symmetric3::*entry :
         {&Symmetric3::xx, &Symmetric3::yy, &Symmetric3::zz, &Symmetric3::xy, &Symmetric3::xz, &Symmetric3::yz})
      body.inertia.*entry *= by.m * by.s * by.s;
  }
  for (JointDescription& joint : d.joints) {
    multiply(joint.at.position, by.s), multiply(joint.in_child.position, by.s);
    for (std::size_t k = 0; k < joint.dofs.size(); ++k) multiply(joint.dofs[k], by, turns(joint.kind, k));
  }
  for (SpringDescription& spring : d.springs) {
    multiply(spring.at_a, by.s), multiply(spring.at_b, by.s);
    spring.rest_length *= by.s, spring.stiffness *= by.force() / by.s, spring.damping *= by.force() / by.s * by.t;
  }
  for (ForceDescription& force : d.forces) {
    multiply(force.at, by.s), multiply(force.force, by.force()), multiply(force.torque, by.torque());
    multiply(force.scale, 1, by.t);
  }
  for (ShapeDescription& shape : d.shapes) {
    multiply(shape.at.position, by.s), multiply(shape.half_extents, by.s), multiply(shape.belt, by.s / by.t);
    shape.radius *= by.s, shape.length *= by.s;
    multiply(shape.belt_speed, 1, by.t);
  }
  return d;
}

void add_shapes(Random& random, ModelDescription& d) {
  const bool planar = d.dimension == Dimension::planar;
  for (const BodyDescription& body : d.bodies) {
    ShapeDescription shape;
    shape.name = body.name + "_shape";
    shape.body = body.name;
    shape.at.position = testing_support::random_point(random, d.dimension);
    constexpr ShapeKind kinds[] = {ShapeKind::point, ShapeKind::sphere,    ShapeKind::capsule,
                                   ShapeKind::box,   ShapeKind::ellipsoid, ShapeKind::cylinder};
    shape.kind = kinds[random.below(planar ? 5 : 6)];
    shape.radius = random.uniform(0.1, 2), shape.length = random.uniform(0.1, 2);
    shape.half_extents = {random.uniform(0.1, 2), random.uniform(0.1, 2), planar ? 0 : random.uniform(0.1, 2)};
    if (shape.kind == ShapeKind::point || shape.kind == ShapeKind::box || shape.kind == ShapeKind::ellipsoid)
      shape.radius = shape.length = 0;
    if (shape.kind == ShapeKind::sphere) shape.length = 0;
    if (shape.kind != ShapeKind::box && shape.kind != ShapeKind::ellipsoid) shape.half_extents = {};
    d.shapes.push_back(shape);
  }
}

TEST(Scales, AreHomogeneousToTheLastBit) {
  constexpr std::uint64_t seed = 20261118;
  SCOPED_TRACE(seed);
  Random random(seed);
  int by_source[5] = {};
  const int count = testing_support::scaled(200, 60);
  for (int i = 0; i < count; ++i) {
    MachineOptions options;
    options.dimension = i % 2 == 0 ? Dimension::planar : Dimension::spatial;
    options.bodies = 1 + random.below(6);
    if (i % 3 > 0) options.dof_chance = 0.3, options.springs = random.below(3), options.forces = random.below(2);
    ModelDescription machine = random_machine(random, options);
    if (i % 4 != 0) machine.gravity = {};
    if (i % 5 != 0) add_shapes(random, machine);
    const auto power = [&] { return std::ldexp(1.0, random.below(41) - 20); };
    const ScaledUnits by{power(), power(), power()};
    const Model model = build_model(machine);
    if (model.velocities == 0) continue;  // all welded to the world: nothing moves, and the scales are units
    const Scales one = compute_scales(model);
    const Scales other = compute_scales(build_model(in_units(machine, by)));
    const double t = one.time_source == TimeSource::none ? 1 : by.t;
    EXPECT_EQ(other.time_source, one.time_source);
    EXPECT_EQ(other.length, by.s * one.length);
    EXPECT_EQ(other.mass, by.m * one.mass);
    EXPECT_EQ(other.time, t * one.time);
    EXPECT_EQ(other.speed(), by.s / t * one.speed());
    EXPECT_EQ(other.force(), by.m * by.s / (t * t) * one.force());
    EXPECT_EQ(other.energy(), by.m * by.s * by.s / (t * t) * one.energy());
    EXPECT_GT(one.length, 0);
    EXPECT_TRUE(std::isfinite(one.force()));
    ++by_source[static_cast<int>(one.time_source)];
  }
  EXPECT_GT(by_source[static_cast<int>(TimeSource::load)], count / 8);
  EXPECT_GT(by_source[static_cast<int>(TimeSource::stiffness)], 0);
  EXPECT_GT(by_source[static_cast<int>(TimeSource::none)], 0);
}

TEST(Scales, OfAPendulumAreItsLengthAndItsTime) {
  ModelBuilder machine(Dimension::planar);
  machine.gravity(0, -9.81);
  machine.body("rod").mass(3).com(0, -0.7).inertia(0.01).revolute("world").at(5, 8);
  const Scales scales = compute_scales(machine.build());
  EXPECT_DOUBLE_EQ(scales.length, 0.7);  // the pivot; where it hangs in the world says nothing
  EXPECT_DOUBLE_EQ(scales.mass, 3);
  EXPECT_DOUBLE_EQ(scales.time, std::sqrt(0.7 / 9.81));
  EXPECT_DOUBLE_EQ(scales.force(), 3 * 9.81);
  EXPECT_EQ(scales.time_source, TimeSource::load);
}

TEST(Scales, OfAFreeBodyDoNotDependOnItsFrame) {
  const auto brick = [](const Vector3& from) {
    ModelBuilder machine(Dimension::spatial);
    machine.gravity(0, 0, -10);
    machine.body("brick").mass(2).com(from.x, from.y, from.z).inertia(1, 1, 1).free();
    machine.shape("side").on("brick").box(2, 4, 4).at(from.x, from.y, from.z);
    machine.shape("floor").half_space();
    machine.shape("table").box(100, 100, 1);
    return compute_scales(machine.build());
  };
  const Scales plain = brick({}), moved = brick({50, -30, 20});
  EXPECT_DOUBLE_EQ(plain.length, 3);  // half the diagonal; not the floor or the table
  EXPECT_NEAR(moved.length, plain.length, 1e-12);
  EXPECT_NEAR(moved.time, plain.time, 1e-12);
}

TEST(Scales, WithoutGravityComeFromWhatActs) {
  const auto slider = [](const auto& write) {
    ModelBuilder machine(Dimension::planar);
    machine.gravity(0, 0);
    auto joint = machine.body("block").mass(4).inertia(1).prismatic("world").axis(1, 0);
    machine.shape("disc").on("block").sphere(0.5);
    write(machine, joint);
    return compute_scales(machine.build());
  };
  const Scales sprung = slider([](ModelBuilder&, JointWriter& joint) { joint.spring(100); });
  EXPECT_EQ(sprung.time_source, TimeSource::stiffness);
  EXPECT_DOUBLE_EQ(sprung.time, std::sqrt(4.0 / 100));
  const Scales damped = slider([](ModelBuilder&, JointWriter& joint) { joint.damping(8); });
  EXPECT_EQ(damped.time_source, TimeSource::damping);
  EXPECT_DOUBLE_EQ(damped.time, 0.5);
  const Scales pushed = slider([](ModelBuilder&, JointWriter& joint) { joint.spring(1e6).effort(2); });
  EXPECT_EQ(pushed.time_source, TimeSource::load);
  EXPECT_DOUBLE_EQ(pushed.force(), 2);
  const Scales belt = slider([](ModelBuilder& machine, JointWriter&) {
    machine.shape("belt").half_space().at(0, -1).belt({3, 0, 0}, Profile::constant(2));
  });
  EXPECT_EQ(belt.time_source, TimeSource::motion);
  EXPECT_DOUBLE_EQ(belt.speed(), 6);
  const Scales idle = slider([](ModelBuilder&, JointWriter&) {});
  EXPECT_EQ(idle.time_source, TimeSource::none);
  EXPECT_EQ(idle.time, 1);
  EXPECT_DOUBLE_EQ(idle.length, 0.5);
}

TEST(Scales, OfMachinesWithNextToNothing) {
  ModelBuilder empty(Dimension::spatial);
  EXPECT_EQ(compute_scales(empty.build()).length, 1);
  ModelBuilder particle(Dimension::planar);
  particle.gravity(0, -4);
  particle.body("particle").mass(1e-3).prismatic("world").axis(0, 1);
  const Scales scales = compute_scales(particle.build());
  EXPECT_EQ(scales.length, 1);  // all in one point
  EXPECT_EQ(scales.mass, 1e-3);
  EXPECT_EQ(scales.time, 0.5);
}

TEST(Scales, OfCoordinatesAreARadianOrTheLength) {
  ModelBuilder machine(Dimension::planar);
  machine.gravity(0, -9);
  machine.body("wheel").mass(1).inertia(1).planar();
  machine.shape("rim").on("wheel").sphere(4);
  const Model model = machine.build();
  const Scales scales = compute_scales(model);
  EXPECT_DOUBLE_EQ(scales.length, 4);
  EXPECT_EQ(scales.coordinate(model, 0), scales.length);
  EXPECT_EQ(scales.coordinate(model, 2), 1);
  EXPECT_DOUBLE_EQ(scales.velocity(model, 0), 6);
  EXPECT_DOUBLE_EQ(scales.velocity(model, 2), 1.5);
}

}  // namespace
}  // namespace routh
