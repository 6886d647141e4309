// Every value of a scene arrives in the description, with the place it came from.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/samples.h"

namespace routh {
namespace {

using std::numbers::pi;
using testing_support::described;
using testing_support::repository;

ModelDescription sample(const std::string& name) {
  return described(Document::from_file(repository("tests/data/scenes/good/" + name)));
}

template <class Thing>
const Thing& named(const std::vector<Thing>& things, const std::string& name) {
  for (const Thing& thing : things)
    if (thing.name == name) return thing;
  throw std::runtime_error("no " + name);
}

// The place of a key or value: `line` counts from 1, `text` is what stands there.
void expect_place(const Location& where, const std::string& path, const std::string& text) {
  const std::string content = testing_support::content(path);
  std::size_t begin = 0;
  for (int line = 1; line < where.line; ++line) begin = content.find('\n', begin) + 1;
  EXPECT_EQ(content.substr(begin + static_cast<std::size_t>(where.column) - 1, text.size()), text);
  EXPECT_EQ(where.file, path);
}

TEST(SceneDescription, Heading) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  EXPECT_EQ(model.name, "Everything in space");
  EXPECT_EQ(model.dimension, Dimension::spatial);
  EXPECT_EQ(model.gravity.z, -9.81);
  EXPECT_EQ(sample("smallest.yaml").gravity.z, -9.81);
  EXPECT_EQ(sample("every_key_planar.yaml").gravity.y, -10);
  EXPECT_EQ(sample("json.json").gravity.y, -9.81);
  EXPECT_EQ(sample("json.json").gravity.z, 0);
}

TEST(SceneDescription, Bodies) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  ASSERT_EQ(model.bodies.size(), 8u);
  const BodyDescription& base = named(model.bodies, "base");
  EXPECT_EQ(base.mass, 10);
  EXPECT_EQ(base.com.z, 0.1);
  EXPECT_EQ(base.inertia.zz, 2.5);
  const BodyDescription& arm = named(model.bodies, "arm");
  EXPECT_EQ(arm.inertia.yy, 0.2);
  EXPECT_EQ(arm.inertia.xy, 0.01);
  EXPECT_EQ(arm.inertia.yz, -0.02);
  EXPECT_EQ(named(model.bodies, "slider").inertia.xy, 0.01);
  EXPECT_EQ(named(model.bodies, "plate").mass, 0);
  EXPECT_EQ(named(sample("every_key_planar.yaml").bodies, "rod").inertia.zz, 0.08);
}

TEST(SceneDescription, Joints) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  const JointDescription& shoulder = named(model.joints, "shoulder");
  EXPECT_EQ(shoulder.kind, JointKind::revolute);
  EXPECT_EQ(shoulder.parent, "base");
  EXPECT_EQ(shoulder.child, "arm");
  EXPECT_EQ(shoulder.axis.y, 1);
  EXPECT_EQ(shoulder.at.position.z, 0.3);
  EXPECT_NEAR((shoulder.at.rotation * Vector3{1, 0, 0}).z, -1, 1e-15);
  ASSERT_EQ(shoulder.dofs.size(), 1u);
  const DofDescription& dof = shoulder.dofs[0];
  EXPECT_DOUBLE_EQ(dof.lower, -pi / 2);
  EXPECT_EQ(dof.upper, 2);
  EXPECT_EQ(dof.limit_restitution, 0.3);
  EXPECT_EQ(dof.stiffness, 10);
  EXPECT_DOUBLE_EQ(dof.rest, pi / 36);
  EXPECT_EQ(dof.damping, 0.2);
  EXPECT_EQ(dof.armature, 0.01);
  ASSERT_TRUE(dof.drive.has_value());
  EXPECT_EQ(dof.drive->stiffness, 100);
  EXPECT_EQ(dof.drive->damping, 10);
  EXPECT_DOUBLE_EQ(dof.drive->position.points.at(1).value, pi / 6);
  EXPECT_EQ(dof.drive->limit, 50);
  EXPECT_EQ(dof.effort->points.at(0).value, 2.5);

  const JointDescription& base = named(model.joints, "base");
  EXPECT_EQ(base.kind, JointKind::free);
  EXPECT_EQ(base.in_child.position.z, -0.1);
  ASSERT_EQ(base.dofs.size(), 6u);
  EXPECT_EQ(base.dofs[0].upper, 100);
  EXPECT_EQ(base.dofs[5].armature, 0.01);
  EXPECT_EQ(base.dofs[5].effort->points.size(), 2u);

  const DofDescription& slider = named(model.joints, "slider").dofs.at(0);
  EXPECT_EQ(slider.lower, 0);
  EXPECT_EQ(slider.upper, unlimited);
  EXPECT_EQ(named(model.joints, "piston").dofs.at(0).stiffness, 100);
  EXPECT_EQ(named(model.joints, "piston").dofs.at(1).damping, 1);
  EXPECT_EQ(named(model.joints, "hook").second_axis.y, 1);
  EXPECT_EQ(named(model.joints, "plate").kind, JointKind::fixed);
}

TEST(SceneDescription, SurfacesAndPairs) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  const SurfaceProperties& steel = named(model.surfaces, "steel").properties;
  EXPECT_EQ(steel.friction.static_coefficient, 0.51);
  EXPECT_EQ(steel.friction.kinetic_coefficient, 0.5);
  EXPECT_EQ(steel.restitution.normal, 0.7);
  EXPECT_EQ(steel.law, Law::energetic);
  EXPECT_EQ(named(model.surfaces, "ice").properties.restitution.tangential, -0.5);
  EXPECT_TRUE(std::isinf(named(model.surfaces, "glue").properties.friction.static_coefficient));
  EXPECT_EQ(named(model.surfaces, "glue").properties.restitution.alpha, 0.3);
  EXPECT_DOUBLE_EQ(named(model.surfaces, "rubber").properties.restitution.alpha, 0.1);  // 2·30/(3·200)
  EXPECT_EQ(named(model.surfaces, "cork").properties.table.at(1).coefficient, 0.4);
  EXPECT_FALSE(named(model.surfaces, "cork").properties.law.has_value());
  EXPECT_EQ(model.surface_pairs.at(0).second, "glue");
  EXPECT_EQ(model.surface_pairs.at(0).properties.law, Law::newton);
}

TEST(SceneDescription, ShapesAndFilters) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  const ShapeDescription& belly = named(model.shapes, "belly");
  EXPECT_EQ(belly.kind, ShapeKind::box);
  EXPECT_EQ(belly.body, "base");
  EXPECT_EQ(belly.half_extents.y, 0.2);
  EXPECT_EQ(belly.surface, "steel");
  EXPECT_EQ(named(model.shapes, "bone").length, 0.3);
  EXPECT_EQ(named(model.shapes, "bone").surface, "");
  EXPECT_EQ(named(model.shapes, "drum").radius, 0.1);
  EXPECT_EQ(named(model.shapes, "puck").half_extents.z, 0.05);
  const ShapeDescription& belt = named(model.shapes, "belt");
  EXPECT_EQ(belt.body, "world");
  EXPECT_EQ(belt.half_extents.y, 5);
  EXPECT_EQ(belt.belt.x, 0.2);
  EXPECT_EQ(belt.belt_speed(1), 0.5);
  EXPECT_EQ(named(model.shapes, "ledge").belt_speed(7), 2);
  EXPECT_EQ(named(sample("every_key_planar.yaml").shapes, "belt").belt_speed(7), 1);
  ASSERT_EQ(model.filters.size(), 3u);
  EXPECT_EQ(model.filters[1].first, "plate");
  EXPECT_EQ(model.filters[2].rule, FilterDescription::Rule::include);
}

TEST(SceneDescription, LoopsSpringsForces) {
  const ModelDescription model = sample("every_key_spatial.yaml");
  const LoopDescription& gear = named(model.loops, "gear");
  EXPECT_EQ(gear.kind, LoopKind::coupling);
  EXPECT_EQ(gear.terms.at(1).joint, "piston");
  EXPECT_EQ(gear.terms.at(1).dof, 1);
  EXPECT_EQ(gear.terms.at(1).coefficient, -2);
  EXPECT_EQ(gear.constant, 0.1);
  const LoopDescription& rod = named(model.loops, "rod");
  EXPECT_EQ(rod.distance, 7);
  EXPECT_EQ(rod.at_b.position.x, 0.1);
  const SpringDescription& cable = named(model.springs, "cable");
  EXPECT_EQ(cable.body_a, "slider");
  EXPECT_EQ(cable.body_b, "world");
  EXPECT_EQ(cable.at_b.z, 5);
  EXPECT_EQ(cable.stiffness, 100);
  EXPECT_EQ(cable.rest_length, 0.5);
  EXPECT_EQ(named(model.springs, "dash").damping, 3);
  const ForceDescription& push = named(model.forces, "push");
  EXPECT_EQ(push.frame, ForceFrame::body);
  EXPECT_EQ(push.at.z, 0.1);
  EXPECT_EQ(push.force.x, 1);
  EXPECT_EQ(push.torque.z, 1);
  EXPECT_EQ(push.scale(0.25), 0.25);
  EXPECT_EQ(named(sample("every_key_planar.yaml").forces, "twist").torque.z, 0.3);
  const ImpulseDescription& tap = named(model.impulses, "tap");
  EXPECT_EQ(tap.time, 1);
  EXPECT_EQ(tap.body, "slider");
  EXPECT_EQ(tap.at.z, 0.1);
  EXPECT_EQ(tap.impulse.y, 2);
  EXPECT_EQ(tap.angular_impulse.z, 0.5);
  const ModelDescription plane = sample("every_key_planar.yaml");
  EXPECT_EQ(named(plane.impulses, "kick").frame, ForceFrame::body);
  EXPECT_EQ(named(plane.impulses, "kick").angular_impulse.z, 0.2);
  const ImpulseDescription& jerk = named(plane.impulses, "jerk");
  EXPECT_EQ(jerk.joint, "disc");
  EXPECT_EQ(jerk.dof, 2);
  EXPECT_EQ(jerk.along_dof, -0.1);
}

TEST(SceneDescription, NamesWithDotsInCouplings) {
  const auto term = [](const std::string& key) {
    return described(
               "routh: 1\ndimension: planar\nbodies:\n  a: {mass: 1, inertia: 1, joint: {kind: planar}}\n"
               "  b.x: {mass: 1, inertia: 1, joint: {kind: revolute}}\n"
               "loops: {l: {kind: coupling, terms: {" +
               key + ": 1}}}\n")
        .loops.at(0)
        .terms.at(0);
  };
  EXPECT_EQ(term("a.angle").dof, 2);
  EXPECT_EQ(term("b.x").joint, "b.x");
  EXPECT_EQ(term("b.x.angle").joint, "b.x");
}

TEST(SceneDescription, KeepsThePlaceOfEverything) {
  const std::string path = repository("tests/data/scenes/good/every_key_spatial.yaml");
  const ModelDescription model = described(Document::from_file(path));
  const auto at = [&](const Location& where, const char* text) {
    SCOPED_TRACE(text);
    expect_place(where, path, text);
  };
  at(model.gravity_where, "[0, 0, -9.81]");
  const BodyDescription& arm = named(model.bodies, "arm");
  at(arm.where, "arm:");
  at(arm.mass_where, "1\n");
  at(arm.inertia_where, "[0.1, 0.2");
  at(arm.com_where, "arm:");  // not given
  at(named(model.bodies, "base").com_where, "[0, 0, 0.1]");
  const JointDescription& shoulder = named(model.joints, "shoulder");
  at(shoulder.where, "joint:");
  at(shoulder.parent_where, "base\n");
  at(shoulder.axis_where, "[0, 2, 0]");
  at(named(model.joints, "base").dofs.at(5).where, "wz:");
  const LoopDescription& rod = named(model.loops, "rod");
  at(rod.where, "rod:");
  at(rod.body_a_where, "piston, ball]");
  at(rod.body_b_where, "ball]");
  at(named(model.loops, "gear").terms.at(1).where, "piston.angle:");
  at(named(model.springs, "cable").body_b_where, "world]");
  at(named(model.forces, "push").body_where, "slider, at");
  at(named(model.forces, "push").where, "push:");
  at(named(model.surfaces, "ice").where, "ice:");
  at(model.surface_pairs.at(0).where, "[steel, glue]");
  const ShapeDescription& nail = named(model.shapes, "nail");
  at(nail.where, "nail:");
  at(nail.body_where, "plate:");
  at(nail.surface_where, "steel}");
  at(model.filters.at(1).where, "[plate, world]");
}

}  // namespace
}  // namespace routh
