// Machines that keep touching: the arm's second angle in closed form, a four-bar that keeps its loop, what cannot
// touch.
#include "routh/contact/touching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/contact/contact_problem.h"
#include "routh/dynamics/constrained.h"
#include "routh/model/builder.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

// The only contact there can be.
ContactId only_contact(const Model& model, const Eigen::VectorXd& q, Workspace& workspace) {
  compute_kinematics(model, q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, q, 100, contacts);
  EXPECT_EQ(contacts.size(), 1u);
  return contacts.at(0).id;
}

// Two rods of 1 m over a plane 5/3 m below the pivot.
Model arm() {
  ModelBuilder machine(Dimension::planar);
  machine.surface("belt").friction(0.5).restitution(0);
  machine.body("upper").mass(1).com(0, -0.5).inertia(1.0 / 12).revolute();
  machine.body("lower").mass(1).com(0, -0.5).inertia(1.0 / 12).revolute("upper").at(0, -1);
  machine.shape("tip").on("lower").point().at(0, -1).surface("belt");
  machine.shape("floor").half_space().at(0, -5.0 / 3).surface("belt");
  return machine.build();
}

TEST(KeepTouching, ArmInClosedForm) {
  const Model model = arm();
  Workspace workspace(model);
  Random random(451);
  for (int k = 0; k < scaled(500, 100); ++k) {
    const double theta = random.uniform(-0.95, 0.95), rate = random.normal();
    State state = rest_state(model);
    state.q << theta, random.uniform(0.2, 1.2) - theta;
    state.v << rate, random.normal();
    const State before = state;
    const ContactId id = only_contact(model, state.q, workspace);
    TouchingRequest request{id, {true, false}, {true, false}};
    const double cosine = 5.0 / 3 - std::cos(theta);
    if (std::abs(cosine - 1) < 1e-6) continue;
    if (cosine > 1) {
      EXPECT_EQ(keep_touching(model, request, state, workspace), TouchingStatus::out_of_reach);
      EXPECT_EQ(state.q, before.q);
      EXPECT_EQ(state.v, before.v);
      continue;
    }
    ASSERT_EQ(keep_touching(model, request, state, workspace), TouchingStatus::touching) << theta;
    const double lower = std::acos(cosine);
    EXPECT_EQ(state.q[0], theta);
    EXPECT_NEAR(state.q[0] + state.q[1], lower, 1e-11 / std::sin(lower));
    EXPECT_EQ(state.v[0], rate);
    EXPECT_NEAR(state.v[0] + state.v[1], -rate * std::sin(theta) / std::sin(lower),
                1e-9 * std::abs(rate) / std::pow(std::sin(lower), 3));
  }
}

// From one bent elbow the whole range is walked without turning to the mirror image, though the lower joint is
// relative.
TEST(KeepTouching, WalkStaysOnItsBranch) {
  const Model model = arm();
  Workspace workspace(model);
  State start = rest_state(model);
  start.q << 0.7, std::acos(5.0 / 3 - std::cos(0.7)) - 0.7;
  const ContactId id = only_contact(model, start.q, workspace);
  TouchingRequest request{id, {true, false}, {true, false}};
  for (double theta = -0.84; theta <= 0.84; theta += 0.01) {
    State state = start;
    state.q[0] = theta;
    ASSERT_EQ(move_touching(model, request, start, state, workspace), TouchingStatus::touching) << theta;
    EXPECT_EQ(state.q[0], theta);
    EXPECT_NEAR(state.q[0] + state.q[1], std::acos(5.0 / 3 - std::cos(theta)), 1e-9) << theta;
  }
}

TEST(KeepTouching, StrikingVelocityIsKept) {
  const Model model = arm();
  Workspace workspace(model);
  State state = rest_state(model);
  state.q << 0.3, 0.4;
  state.v << 0.5, -0.25;
  TouchingRequest request{only_contact(model, state.q, workspace)};
  request.velocity = TouchingVelocity::kept;
  ASSERT_EQ(keep_touching(model, request, state, workspace), TouchingStatus::touching);
  EXPECT_EQ(state.v[0], 0.5);
  EXPECT_EQ(state.v[1], -0.25);
  compute_kinematics(model, state.q, workspace);
  EXPECT_NEAR(find_contact(model, workspace, state.q, request.contact)->gap, 0, 1e-12);
}

// A four-bar whose coupler's point touches a plane: the loop stays closed while the crank is turned.
TEST(KeepTouching, LoopStaysClosed) {
  ModelBuilder machine(Dimension::planar);
  machine.surface("any").friction(0.5).restitution(0);
  machine.body("crank").mass(1).com(0.5, 0).inertia(0.1).revolute();
  machine.body("coupler").mass(1).com(0.5, 0).inertia(0.1).revolute("crank").at(1, 0);
  machine.body("rocker").mass(1).com(0.5, 0).inertia(0.1).revolute().at(2.2, 0);
  machine.body("table").mass(1).prismatic().axis(0, 1);
  machine.loop("pin").point("coupler", "rocker").at(Vector3{1.5, 0, 0}, Vector3{1, 0, 0});
  machine.shape("tip").on("coupler").point().at(0.7, 0.4).surface("any");
  machine.shape("plate").on("table").half_space().surface("any");
  const Model model = machine.build();
  Workspace workspace(model);
  State state = rest_state(model);
  state.q << 1.2, -1.0, 1.6, 0.3;
  state.v << 1, 0, 0, 0;
  const ContactId id = only_contact(model, state.q, workspace);
  TouchingRequest request{id, {true, false, false, false}, {true, false, false, false}};
  ASSERT_EQ(keep_touching(model, request, state, workspace), TouchingStatus::touching);
  Eigen::VectorXd residual(model.loop_rows);
  loop_residual(model, workspace, state.q, residual);
  EXPECT_LT(residual.norm(), 1e-11);
  compute_velocities(model, state.q, state.v, workspace);
  const Contact contact = *find_contact(model, workspace, state.q, request.contact);
  EXPECT_NEAR(contact.gap, 0, 1e-11);
  EXPECT_NEAR(contact_velocity(model, workspace, state.v, contact).n, 0, 1e-11);
  EXPECT_EQ(state.q[0], 1.2);
  EXPECT_EQ(state.v[0], 1);
}

// f is the rate of the relative contact velocity along the free motion, belts that speed up and turn included.
TEST(ContactProblem, FreeAccelerationIsTheRateOfTheContactVelocity) {
  ModelBuilder machine(Dimension::planar);
  machine.surface("any").friction(0.5).restitution(0);
  machine.body("plank").mass(2).inertia(0.3).planar();
  machine.body("foot").mass(1).com(0.1, 0.2).inertia(0.1).planar();
  machine.shape("tip").on("foot").point().at(0.2, -0.3).surface("any");
  machine.shape("belt").on("plank").half_space().surface("any").belt({0.7, 0, 0}, Profile{{{0, 1}, {2, 3}}});
  const Model model = machine.build();
  ContactProblemBuilder builder(model);
  Workspace workspace(model);
  Random random(452);
  for (int k = 0; k < scaled(50, 10); ++k) {
    State state = rest_state(model);
    for (double& x : state.q) x = 0.5 * random.normal();
    for (double& x : state.v) x = random.normal();
    state.time = random.uniform(0.2, 1.8);
    // The tip rests on the belt: the point of contact of both bodies is the same.
    State resting = state;
    TouchingRequest request{only_contact(model, state.q, workspace)};
    ASSERT_EQ(keep_touching(model, request, resting, workspace), TouchingStatus::touching);
    ASSERT_LT(builder.prepare_forces(model, resting, workspace), 0);
    const Contact contact = *find_contact(model, workspace, resting.q, request.contact);
    const ContactVector f = builder.force_problem(model, workspace, contact).free_acceleration;
    const auto gap_after = [&](double h) {
      // Motion to second order; the gap's own second derivative is then exact in the limit.
      Eigen::VectorXd q = resting.q + h * resting.v + 0.5 * h * h * builder.free_motion();
      compute_kinematics(model, q, workspace);
      return find_contact(model, workspace, q, request.contact)->gap;
    };
    const double h = 1e-3;
    const double second =
        (-gap_after(2 * h) + 16 * gap_after(h) - 30 * gap_after(0) + 16 * gap_after(-h) - gap_after(-2 * h)) /
        (12 * h * h);
    EXPECT_NEAR(f.n, second, 1e-6 * (1 + std::abs(second)));
  }
}

}  // namespace
}  // namespace routh
