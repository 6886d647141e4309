#include "routh/model/description.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/samples.h"

namespace routh {
namespace {

TEST(Profile, IsPiecewiseLinearAndHeldAtItsEnds) {
  const Profile profile{{{1, 10}, {2, 20}, {4, -20}}};
  EXPECT_EQ(profile(-5), 10);
  EXPECT_EQ(profile(1), 10);
  EXPECT_EQ(profile(1.25), 12.5);
  EXPECT_EQ(profile(2), 20);
  EXPECT_EQ(profile(3), 0);
  EXPECT_EQ(profile(4), -20);
  EXPECT_EQ(profile(1e300), -20);
  EXPECT_EQ(Profile::constant(7)(-1e300), 7);
}

TEST(Profile, StaysFiniteOverTheWholeRange) {
  const Profile profile{{{-1.6e308, -1.6e308}, {1.6e308, 1.6e308}}};
  EXPECT_EQ(profile(0), 0);
  EXPECT_DOUBLE_EQ(profile(1e308), 1e308);
}

TEST(JointKind, CountsAndNames) {
  const struct {
    JointKind kind;
    const char* text;
    int q, v;
  } expected[] = {{JointKind::fixed, "fixed", 0, 0},         {JointKind::revolute, "revolute", 1, 1},
                  {JointKind::prismatic, "prismatic", 1, 1}, {JointKind::cylindrical, "cylindrical", 2, 2},
                  {JointKind::planar, "planar", 3, 3},       {JointKind::spherical, "spherical", 4, 3},
                  {JointKind::universal, "universal", 2, 2}, {JointKind::free, "free", 7, 6}};
  ASSERT_EQ(std::size(expected), joint_kind_count);
  for (const auto& [kind, text, q, v] : expected) {
    EXPECT_STREQ(name(kind), text);
    EXPECT_EQ(coordinate_count(kind), q) << text;
    EXPECT_EQ(velocity_count(kind), v) << text;
    EXPECT_EQ(static_cast<int>(coordinate_names(kind).size()), q) << text;
    EXPECT_EQ(static_cast<int>(dof_names(kind).size()), v) << text;
  }
  EXPECT_EQ(dof_names(JointKind::cylindrical)[0], "displacement");
  EXPECT_EQ(dof_names(JointKind::cylindrical)[1], "angle");
  EXPECT_EQ(dof_names(JointKind::free)[2], "z");
  EXPECT_EQ(dof_names(JointKind::free)[3], "wx");
  EXPECT_EQ(coordinate_names(JointKind::free)[3], "qw");
}

TEST(Names, OfDofsAndCoordinates) {
  const Model model = build_model(testing_support::sample(Dimension::spatial));
  EXPECT_EQ(dof_name(model, 0), "arm_joint");
  EXPECT_EQ(dof_name(model, 2), "crate_joint.x");
  EXPECT_EQ(dof_name(model, 7), "crate_joint.wz");
  EXPECT_EQ(coordinate_name(model, 1), "hand_joint");
  EXPECT_EQ(coordinate_name(model, 5), "crate_joint.qw");
  EXPECT_EQ(model.find_body("world"), 0);
  EXPECT_EQ(model.find_body("hand"), 3);
  EXPECT_EQ(model.find_joint("hand_joint"), 2);
  EXPECT_EQ(model.find_shape("floor"), 1);
  EXPECT_EQ(model.find_body("nobody"), std::nullopt);
  EXPECT_EQ(model.find_joint("hand"), std::nullopt);
  EXPECT_EQ(model.find_shape(""), std::nullopt);
}

// The up axis comes to lie along the normal, by a rotation.
TEST(RotationFromUp, PointsTheUpAxis) {
  for (const Vector3& normal : {Vector3{0, 2, 0}, Vector3{1, 0, 0}, Vector3{-3, 4, 0}, Vector3{0, -1, 0}}) {
    const Matrix3 R = rotation_from_up(Dimension::planar, normal);
    EXPECT_NEAR(norm(norm(normal) * column_y(R) - normal), 0, 1e-15 * norm(normal));
    EXPECT_NEAR(dot(R.r2, cross(R.r0, R.r1)), 1, 1e-15);
    EXPECT_EQ(R.r2.z, 1);
    const Matrix3 S = rotation_from_up(Dimension::spatial, normal);
    EXPECT_NEAR(norm(norm(normal) * column_z(S) - normal), 0, 1e-15 * norm(normal));
  }
}

TEST(RotationAboutZ, TurnsXToY) {
  const Vector3 turned = rotation_about_z(std::acos(0.6)) * Vector3{1, 0, 5};
  EXPECT_NEAR(norm(turned - Vector3{0.6, 0.8, 5}), 0, 1e-15);
}

TEST(Tree, ParentsComeFirstOtherwiseTheOrderOfWriting) {
  ModelDescription description = testing_support::sample(Dimension::spatial);
  // Written: hand, crate, arm, base. The hand wants arm, which wants base.
  std::swap(description.bodies[0], description.bodies[2]);
  std::swap(description.bodies[1], description.bodies[3]);
  std::swap(description.bodies[2], description.bodies[3]);
  ASSERT_EQ(description.bodies[0].name, "hand");
  ASSERT_EQ(description.bodies[1].name, "crate");
  std::swap(description.joints[0], description.joints[3]);
  const Model model = build_model(description);
  std::string order;
  for (const Body& body : model.bodies) order += body.name + " ";
  EXPECT_EQ(order, "world base arm hand crate ");
  EXPECT_EQ(model.joints[1].name, "arm_joint");
  EXPECT_EQ(model.joints[1].where.line, 24);
}

TEST(Tree, LoopRowsByKindAndDimension) {
  const LoopKind kinds[] = {LoopKind::point, LoopKind::hinge, LoopKind::weld, LoopKind::distance};
  const int planar[] = {2, 2, 3, 1}, spatial[] = {3, 5, 6, 1};
  for (const Dimension dimension : {Dimension::planar, Dimension::spatial})
    for (int i = 0; i < 4; ++i) {
      ModelDescription description = testing_support::sample(dimension);
      description.loops[0].kind = kinds[i];
      description.loops[0].distance = 1;
      const Model model = build_model(description);
      const int rows = dimension == Dimension::planar ? planar[i] : spatial[i];
      EXPECT_EQ(model.loops[0].row_count, rows) << name(kinds[i]);
      EXPECT_EQ(model.loops[1].row, rows);
      EXPECT_EQ(model.loops[1].row_count, 1);
      EXPECT_EQ(model.loop_rows, rows + 1);
      EXPECT_EQ(model.loops[1].terms[1].coordinate, 1);
      EXPECT_EQ(model.loops[1].terms[1].dof, 1);
    }
}

}  // namespace
}  // namespace routh
