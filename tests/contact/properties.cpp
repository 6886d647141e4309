// Limits, belts, frames, names and surfaces of contacts.
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/shape_oracle.h"
#include "routh/contact/contact.h"
#include "routh/model/builder.h"

namespace {

using namespace routh;
using namespace testing_support;

TEST(Limits, AreContactsWithANormalOnly) {
  ModelBuilder machine(Dimension::planar);
  machine.body("upper").mass(1).inertia(1).revolute().name("knee").limits(-0.5, 0.25, 0.3);
  machine.body("lower").mass(1).inertia(1).prismatic("upper").axis(1, 0).limits(0.1, unlimited);
  const Model model = machine.build();
  State state = rest_state(model);
  state.q << 0.2, 0.1;
  state.v << 2, -3;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 0.1, contacts);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contact_name(model, contacts[0]), "lower at its lower limit");
  EXPECT_EQ(contact_name(model, contacts[1]), "knee at its upper limit");
  EXPECT_LT(contacts[0].id, contacts[1].id);
  EXPECT_NEAR(contacts[0].gap, 0, 1e-15);
  EXPECT_NEAR(contacts[1].gap, 0.05, 1e-15);
  EXPECT_EQ(contact_velocity(model, workspace, state.v, contacts[0]).n, -3);
  EXPECT_EQ(contact_velocity(model, workspace, state.v, contacts[1]).n, -2);
  Eigen::MatrixXd J(2, 2), expected(2, 2);
  contact_jacobian(model, workspace, contacts[1], J);
  expected << -1, 0, 0, 0;
  EXPECT_EQ(J, expected);
  EXPECT_EQ(contact_friction(model, contacts[1]).static_coefficient, 0);
  EXPECT_EQ(contact_restitution(model, contacts[1]).normal, 0.3);
  EXPECT_EQ(contact_law(model, contacts[1]), Law::energetic);
  EXPECT_EQ(contact_drift(model, workspace, state.v, contacts[1]).n, 0);
  find_contacts(model, workspace, state.q, 10, contacts);
  EXPECT_EQ(contacts.size(), 3u);
  for (const Contact& contact : contacts) EXPECT_GE(contact.gap, 0);
}

TEST(Belts, MoveTheSurfaceUnderWhatLiesOnIt) {
  ModelBuilder machine(Dimension::spatial);
  machine.body("crate").mass(1).inertia(1, 1, 1).free();
  machine.shape("foot").on("crate").sphere(0.1);
  machine.shape("belt").strip(4).belt({0.2, 0.1, 0}, Profile{{{0, 1}, {2, 3}}});
  const Model model = machine.build();
  State state = rest_state(model);
  state.q[2] = 0.1;
  state.v[0] = 1;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& contact = contacts[0];
  const ContactVector run = surface_velocity(model, workspace, contact, 1);
  const Vector3 world = run.n * contact.normal + run.t1 * contact.tangent1 + run.t2 * contact.tangent2;
  EXPECT_NEAR(norm(world - Vector3{0.4, 0.2, 0}), 0, 1e-15);
  // The sphere slips forward over a belt that runs slower.
  const ContactVector v = contact_velocity(model, workspace, state.v, contact);
  const Vector3 slip = (v.t1 - run.t1) * contact.tangent1 + (v.t2 - run.t2) * contact.tangent2;
  EXPECT_NEAR(norm(slip - Vector3{0.6, -0.2, 0}), 0, 1e-15);
}

// A belt on the first shape of the pair counts the other way round.
TEST(Belts, RunAgainstTheNormalsOrder) {
  ModelBuilder machine(Dimension::planar);
  machine.body("crate").mass(1).inertia(1).planar();
  machine.shape("belt").half_space().belt({0.5, 0, 0});
  machine.shape("foot").on("crate").point();
  const Model model = machine.build();
  const State state = rest_state(model);
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].normal.y, -1);
  EXPECT_EQ(contact_name(model, contacts[0]), "foot on belt");
  const ContactVector run = surface_velocity(model, workspace, contacts[0], 0);
  EXPECT_NEAR(run.t1 * contacts[0].tangent1.x, -0.5, 1e-15);
  EXPECT_EQ(run.n, 0);
}

TEST(Frames, AreRightHanded) {
  Random random(53);
  for (int i = 0; i < 200; ++i) {
    Contact contact;
    const Vector3 n = column_z(random_pose(random, Dimension::spatial, 1).rotation);
    set_normal(contact, n, Dimension::spatial);
    EXPECT_LT(norm(cross(contact.normal, contact.tangent1) - contact.tangent2), 1e-14);
    const Vector3 flat = column_x(random_pose(random, Dimension::planar, 1).rotation);
    set_normal(contact, flat, Dimension::planar);
    EXPECT_LT(norm(cross(contact.normal, contact.tangent1) - contact.tangent2), 1e-14);
    // Turned by −90°: t × n is e_z.
    EXPECT_NEAR(cross(contact.tangent1, contact.normal).z, 1, 1e-14);
  }
}

// The normals of machines lie along axes and halfway between them: there rounding must not turn the tangents.
TEST(Frames, DoNotJumpAtUsualNormals) {
  Random random(54);
  const double noise = 1e-12;
  for (int code = 0; code < 27; ++code) {
    const Vector3 along = {double(code % 3 - 1), double(code / 3 % 3 - 1), double(code / 9 - 1)};
    if (norm(along) == 0) continue;
    const Vector3 n = (1 / norm(along)) * along;
    Contact exact, moved;
    set_normal(exact, n, Dimension::spatial);
    for (int i = 0; i < 20; ++i) {
      const Vector3 off = n + noise * column_z(random_pose(random, Dimension::spatial, 1).rotation);
      set_normal(moved, (1 / norm(off)) * off, Dimension::spatial);
      EXPECT_LT(norm(moved.tangent1 - exact.tangent1), 10 * noise) << code;
      EXPECT_LT(norm(moved.tangent2 - exact.tangent2), 10 * noise) << code;
    }
  }
}

TEST(NamesOfContacts, SayWhatTouches) {
  ModelBuilder machine(Dimension::spatial);
  machine.body("one").mass(1).inertia(1, 1, 1).free();
  machine.shape("floor").half_space();
  machine.shape("crate").on("one").box(1, 1, 1);
  const Model model = machine.build();
  State state = rest_state(model);
  state.q[2] = 0.5;
  Workspace workspace(model);
  compute_kinematics(model, state.q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 4u);
  EXPECT_EQ(contact_name(model, contacts[3]), "crate on floor (corner 3)");
  EXPECT_TRUE(
      std::is_sorted(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) { return a.id < b.id; }));
  state.q[2] = 5;
  compute_kinematics(model, state.q, workspace);
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  EXPECT_TRUE(contacts.empty());
}

TEST(Surfaces, ComeFromThePair) {
  ModelBuilder machine(Dimension::spatial);
  machine.surface("ice").friction(0.1, 0.05).restitution_table({{0.1, 0.9}, {1, 0.5}}).law(Law::newton);
  machine.body("one").mass(1).inertia(1, 1, 1).free();
  machine.shape("floor").half_space().surface("ice");
  machine.shape("ball").on("one").sphere(0.5);
  const Model model = machine.build();
  const State state = rest_state(model);
  Workspace workspace(model);
  compute_kinematics(model, state.q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contact_friction(model, contacts[0]).static_coefficient, 0.1);
  EXPECT_EQ(contact_friction(model, contacts[0]).kinetic_coefficient, 0.05);
  EXPECT_EQ(contact_law(model, contacts[0]), Law::newton);
  const Restitution restitution = contact_restitution(model, contacts[0]);
  EXPECT_EQ(restitution.kind, RestitutionKind::table);
  ASSERT_EQ(restitution.table.size(), 2u);
  EXPECT_EQ(restitution.table.data(), model.pairs[0].properties.table.data());
}

}  // namespace
