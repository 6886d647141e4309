// What the builder writes is what a hand would have written; and its handles live on.
#include "routh/model/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "model/samples.h"

namespace routh {
namespace {

bool same(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool same(const Pose& a, const Pose& b) {
  return same(a.position, b.position) && same(a.rotation.r0, b.rotation.r0) && same(a.rotation.r1, b.rotation.r1) &&
         same(a.rotation.r2, b.rotation.r2);
}
bool same(const Profile& a, const Profile& b) {
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const auto& p, const auto& q) { return p.time == q.time && p.value == q.value; });
}

const Pose slanted = {rotation_about_z(0.3), {1, 2, 0}};

TEST(Builder, WritesBodiesAndJoints) {
  ModelBuilder machine(Dimension::spatial, "machine");
  machine.gravity(1, 2, 3);
  machine.body("a").mass(2).com(1, 2, 3).inertia(4, 5, 6).universal("b").name("ab").at(slanted).in_child(3, 4, 5);
  machine.body("b").mass(3).inertia({1, 2, 3, 0.1, 0.2, 0.3}).free();
  machine.body("c").inertia(9).cylindrical("a").axis(1, 2, 3).second_axis(4, 5, 6).at(7, 8).in_child(slanted);
  const ModelDescription& d = machine.description();
  EXPECT_EQ(d.name, "machine");
  EXPECT_EQ(d.dimension, Dimension::spatial);
  EXPECT_TRUE(same(d.gravity, {1, 2, 3}));
  EXPECT_TRUE(same(ModelBuilder(Dimension::planar).description().gravity, {0, -9.81, 0}));
  EXPECT_TRUE(same(ModelBuilder(Dimension::spatial).description().gravity, {0, 0, -9.81}));
  ASSERT_EQ(d.bodies.size(), 3u);
  ASSERT_EQ(d.joints.size(), 3u);
  EXPECT_EQ(d.bodies[0].mass, 2);
  EXPECT_TRUE(same(d.bodies[0].com, {1, 2, 3}));
  EXPECT_EQ(d.bodies[0].inertia.yy, 5);
  EXPECT_EQ(d.bodies[1].inertia.xz, 0.2);
  EXPECT_EQ(d.bodies[2].inertia.zz, 9);
  EXPECT_EQ(d.bodies[2].inertia.xx, 0);
  EXPECT_EQ(d.joints[0].name, "ab");
  EXPECT_EQ(d.joints[0].child, "a");
  EXPECT_EQ(d.joints[0].parent, "b");
  EXPECT_EQ(d.joints[0].kind, JointKind::universal);
  EXPECT_TRUE(same(d.joints[0].at, slanted));
  EXPECT_TRUE(same(d.joints[0].in_child.position, {3, 4, 5}));
  EXPECT_EQ(d.joints[1].name, "b");
  EXPECT_EQ(d.joints[1].parent, "world");
  EXPECT_EQ(d.joints[1].kind, JointKind::free);
  EXPECT_TRUE(same(d.joints[2].axis, {1, 2, 3}));
  EXPECT_TRUE(same(d.joints[2].second_axis, {4, 5, 6}));
  EXPECT_TRUE(same(d.joints[2].at.position, {7, 8, 0}));
  EXPECT_TRUE(same(d.joints[2].in_child, slanted));
}

TEST(Builder, KnowsEveryKindOfJoint) {
  ModelBuilder machine(Dimension::spatial);
  BodyWriter body = machine.body("a");
  body.fixed("p"), body.revolute("p"), body.prismatic("p"), body.cylindrical("p"), body.planar("p");
  body.spherical("p"), body.universal("p"), body.free();
  ASSERT_EQ(machine.description().joints.size(), joint_kind_count);
  for (int i = 0; i < joint_kind_count; ++i) {
    EXPECT_EQ(static_cast<int>(machine.description().joints[i].kind), i);
    EXPECT_EQ(machine.description().joints[i].parent, i == joint_kind_count - 1 ? "world" : "p");
  }
}

TEST(Builder, WritesDegreesOfFreedom) {
  ModelBuilder machine(Dimension::spatial);
  DriveDescription drive;
  drive.stiffness = 100;
  const Profile ramp{{{0, 0}, {1, 5}}};
  machine.body("a").revolute().limits(-1, 2, 0.3).spring(10, 0.1).damping(0.2).armature(0.01).drive(drive).effort(2.5);
  machine.body("b").free().dof("y").damping(1).effort(ramp).dof("wz").armature(2);
  const DofDescription& a = machine.description().joints[0].dofs.at(0);
  EXPECT_EQ(a.lower, -1);
  EXPECT_EQ(a.upper, 2);
  EXPECT_EQ(a.limit_restitution, 0.3);
  EXPECT_EQ(a.stiffness, 10);
  EXPECT_EQ(a.rest, 0.1);
  EXPECT_EQ(a.damping, 0.2);
  EXPECT_EQ(a.armature, 0.01);
  EXPECT_EQ(a.drive.value().stiffness, 100);
  EXPECT_TRUE(same(a.effort.value(), Profile::constant(2.5)));
  const auto& b = machine.description().joints[1].dofs;
  ASSERT_EQ(b.size(), 6u);
  EXPECT_EQ(b[1].damping, 1);
  EXPECT_TRUE(same(b[1].effort.value(), ramp));
  EXPECT_EQ(b[5].armature, 2);
  EXPECT_EQ(b[0].damping + b[2].damping + b[5].damping, 0);
}

TEST(Builder, WritesShapes) {
  ModelBuilder machine(Dimension::spatial);
  machine.shape("point").on("a").point().at(1, 2, 3).surface("s");
  machine.shape("sphere").sphere(1);
  machine.shape("capsule").capsule(1, 2).at(slanted);
  machine.shape("box").box(2, 4, 6);
  machine.shape("cylinder").cylinder(1, 2);
  machine.shape("ellipsoid").ellipsoid(2, 4, 6);
  const Vector3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  machine.shape("mesh").mesh(corners);
  machine.shape("half_space").half_space().normal(0, 3, 4).belt({1, 0, 0});
  machine.shape("strip").strip(4).belt({2, 0, 0}, Profile{{{0, 0}, {1, 1}}});
  machine.shape("pin").pin(1);
  machine.shape("hole").hole(2);
  const auto& shapes = machine.description().shapes;
  ASSERT_EQ(shapes.size(), shape_kind_count);
  for (int i = 0; i < shape_kind_count; ++i) {
    EXPECT_EQ(static_cast<int>(shapes[i].kind), i);
    EXPECT_EQ(shapes[i].name, name(shapes[i].kind));
    EXPECT_EQ(shapes[i].body, i == 0 ? "a" : "world");
  }
  EXPECT_TRUE(same(shapes[0].at.position, {1, 2, 3}));
  EXPECT_EQ(shapes[0].surface, "s");
  EXPECT_EQ(shapes[1].radius, 1);
  EXPECT_EQ(shapes[2].length, 2);
  EXPECT_TRUE(same(shapes[2].at, slanted));
  EXPECT_TRUE(same(shapes[3].half_extents, {1, 2, 3}));
  EXPECT_EQ(shapes[4].radius, 1);
  EXPECT_EQ(shapes[4].length, 2);
  EXPECT_TRUE(same(shapes[5].half_extents, {1, 2, 3}));
  EXPECT_EQ(shapes[6].mesh.hull->vertices.size(), 4u);
  EXPECT_NEAR(norm(column_z(shapes[7].at.rotation) - Vector3{0, 0.6, 0.8}), 0, 1e-15);
  EXPECT_TRUE(same(shapes[7].belt_speed, Profile::constant(1)));
  EXPECT_EQ(shapes[8].half_extents.x, 2);
  EXPECT_EQ(shapes[8].half_extents.y, unlimited);
  EXPECT_EQ(shapes[8].belt.x, 2);
  EXPECT_EQ(shapes[8].belt_speed.points.size(), 2u);
  EXPECT_EQ(shapes[9].radius, 1);
  EXPECT_EQ(shapes[10].radius, 2);
}

TEST(Builder, WritesSurfacesAndFilters) {
  ModelBuilder machine(Dimension::planar);
  machine.surface("s").friction(0.5, 0.4).restitution(0.6).tangential_restitution(0.2).law(Law::poisson);
  machine.surface("t").friction(0.3).restitution_alpha(0.1);
  machine.surface_pair("s", "t").restitution_table({{0, 1}, {2, 0.5}});
  machine.exclude("a", "b").include("c", "d");
  const ModelDescription& d = machine.description();
  EXPECT_EQ(d.surfaces[0].properties.friction.static_coefficient, 0.5);
  EXPECT_EQ(d.surfaces[0].properties.friction.kinetic_coefficient, 0.4);
  EXPECT_EQ(d.surfaces[0].properties.restitution.normal, 0.6);
  EXPECT_EQ(d.surfaces[0].properties.restitution.tangential, 0.2);
  EXPECT_EQ(d.surfaces[0].properties.law, Law::poisson);
  EXPECT_EQ(d.surfaces[1].properties.friction.kinetic_coefficient, 0.3);
  EXPECT_EQ(d.surfaces[1].properties.restitution.kind, RestitutionKind::linear);
  EXPECT_EQ(d.surfaces[1].properties.restitution.alpha, 0.1);
  EXPECT_EQ(d.surface_pairs[0].first, "s");
  EXPECT_EQ(d.surface_pairs[0].second, "t");
  EXPECT_EQ(d.surface_pairs[0].properties.restitution.kind, RestitutionKind::table);
  EXPECT_EQ(d.surface_pairs[0].properties.table.size(), 2u);
  ASSERT_EQ(d.filters.size(), 2u);
  EXPECT_EQ(d.filters[0].rule, FilterDescription::Rule::exclude);
  EXPECT_EQ(d.filters[0].first + d.filters[0].second, "ab");
  EXPECT_EQ(d.filters[1].rule, FilterDescription::Rule::include);
  EXPECT_EQ(d.filters[1].first + d.filters[1].second, "cd");
}

TEST(Builder, WritesLoopsSpringsAndForces) {
  ModelBuilder machine(Dimension::spatial);
  machine.body("j").cylindrical();
  machine.body("k").revolute();
  machine.loop("point").point("a", "b").at(Vector3{1, 2, 3}, Vector3{4, 5, 6});
  machine.loop("hinge").hinge("a").at(slanted, Pose{});
  machine.loop("weld").weld("a");
  machine.loop("rod").distance(2, "a", "b");
  machine.loop("gear").couple("j.angle", 2).couple("k", -1).constant(3);
  machine.spring("band").between("a", "b").at({1, 0, 0}, {0, 1, 0}).stiffness(5).rest_length(2).damping(1);
  machine.force("push").on("a").at(1, 2).force(3, 4, 5).torque(6).frame(ForceFrame::body).scale({{{0, 1}, {1, 2}}});
  machine.force("twist").on("a").torque(1, 2, 3);
  const ModelDescription& d = machine.description();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(static_cast<int>(d.loops[i].kind), i);
  EXPECT_EQ(d.loops[0].body_b, "b");
  EXPECT_TRUE(same(d.loops[0].at_b.position, {4, 5, 6}));
  EXPECT_EQ(d.loops[1].body_b, "world");
  EXPECT_TRUE(same(d.loops[1].at_a, slanted));
  EXPECT_EQ(d.loops[3].distance, 2);
  ASSERT_EQ(d.loops[4].terms.size(), 2u);
  EXPECT_EQ(d.loops[4].terms[0].joint, "j");
  EXPECT_EQ(d.loops[4].terms[0].dof, 1);
  EXPECT_EQ(d.loops[4].terms[0].coefficient, 2);
  EXPECT_EQ(d.loops[4].terms[1].joint, "k");
  EXPECT_EQ(d.loops[4].constant, 3);
  EXPECT_EQ(d.springs[0].body_a + d.springs[0].body_b, "ab");
  EXPECT_TRUE(same(d.springs[0].at_b, {0, 1, 0}));
  EXPECT_EQ(d.springs[0].stiffness, 5);
  EXPECT_EQ(d.springs[0].rest_length, 2);
  EXPECT_EQ(d.springs[0].damping, 1);
  EXPECT_EQ(d.forces[0].body, "a");
  EXPECT_TRUE(same(d.forces[0].at, {1, 2, 0}));
  EXPECT_TRUE(same(d.forces[0].force, {3, 4, 5}));
  EXPECT_TRUE(same(d.forces[0].torque, {0, 0, 6}));
  EXPECT_EQ(d.forces[0].frame, ForceFrame::body);
  EXPECT_EQ(d.forces[0].scale.points.size(), 2u);
  EXPECT_TRUE(same(d.forces[1].torque, {1, 2, 3}));
}

TEST(Builder, HandlesLiveOn) {
  ModelBuilder machine(Dimension::planar);
  BodyWriter body = machine.body("first");
  JointWriter joint = body.revolute();
  ShapeWriter shape = machine.shape("first");
  SurfaceWriter surface = machine.surface("first");
  for (int i = 0; i < 1000; ++i) {
    machine.body(std::string(1, 'b')).fixed();
    machine.shape(std::string(1, 's'));
    machine.surface(std::string(1, 't'));
  }
  body.mass(7);
  joint.damping(3);
  shape.sphere(2);
  surface.friction(0.5);
  EXPECT_EQ(machine.description().bodies[0].mass, 7);
  EXPECT_EQ(machine.description().joints[0].dofs[0].damping, 3);
  EXPECT_EQ(machine.description().shapes[0].radius, 2);
  EXPECT_EQ(machine.description().surfaces[0].properties.friction.static_coefficient, 0.5);
}

std::string complaint(const std::function<void(ModelBuilder&)>& write) {
  ModelBuilder machine(Dimension::spatial);
  try {
    write(machine);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Builder, ComplainsWithTheName) {
  EXPECT_EQ(complaint([](auto& m) { m.body("a").free().dof("angle"); }),
            "error: joint 'a': it has no degree of freedom 'angle'; those of a free joint are x, y, z, wx, wy, wz");
  EXPECT_EQ(complaint([](auto& m) { m.body("a").planar().damping(1); }),
            "error: joint 'a': it has 3 degrees of freedom; choose one by dof(…) first: x, y, angle");
  EXPECT_EQ(complaint([](auto& m) { m.body("a").fixed().damping(1); }),
            "error: joint 'a': a fixed joint has nothing to act on");
  EXPECT_EQ(complaint([](auto& m) { m.shape("s").half_space().normal(0, 0, 0); }),
            "error: shape 's': normal is zero; give a direction");
  EXPECT_EQ(complaint([](auto& m) {
              m.body("a").mass(1).inertia(1, 1, 1).free();
              m.loop("gear").couple("b", 1);
              m.build();
            }),
            "error: loop 'gear': there is no joint 'b'; did you mean 'a'?");
  EXPECT_EQ(complaint([](auto& m) {
              m.body("a").mass(-1).free();
              m.build();
            }),
            "error: body 'a': mass = -1 must be zero or positive");
}

// Kane's pendulum, whose numbers are known: rods of 3 kg and 2 m.
TEST(Builder, BuildsKanesPendulum) {
  ModelBuilder machine(Dimension::planar, "Kane's double pendulum");
  machine.surface("steel").friction(0.51, 0.5).restitution(0.7);
  machine.body("upper").mass(3).com(0, -1).inertia(1).revolute("world").at(0, 0);
  machine.body("lower").mass(3).com(0, -1).inertia(1).revolute("upper").at(0, -2);
  machine.shape("tip").on("lower").point().at(0, -2).surface("steel");
  machine.shape("ground").half_space().at(0, -3.6).surface("steel");
  const Model model = machine.build();
  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_EQ(model.links[0].inertia.zz, 4);  // 3 · 2²/3 about the hinge
  EXPECT_EQ(model.links[1].inertia.zz, 4);
  EXPECT_EQ(model.links[1].offset.y, -2);
  EXPECT_EQ(model.links[1].moment.y, -3);
  ASSERT_EQ(model.pairs.size(), 1u);
  EXPECT_EQ(model.pairs[0].properties.friction.static_coefficient, 0.51);
  EXPECT_EQ(model.pairs[0].properties.restitution.normal, 0.7);
  EXPECT_FALSE(model.pairs[0].properties.law);
}

}  // namespace
}  // namespace routh
