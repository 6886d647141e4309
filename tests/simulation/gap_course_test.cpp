// Gaps along flights in closed form, against the gaps found where the machine is by then.
#include "routh/simulation/gap_course.h"

#include <gtest/gtest.h>

#include "routh/simulation/uniform_motion.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;

// q(t) and q̇(t) of a machine without quaternions.
State moved(const State& from, const Eigen::VectorXd& acceleration, double t) {
  State to = from;
  to.q += t * from.v + 0.5 * t * t * acceleration;
  to.v += t * acceleration;
  return to;
}

void expect_courses(const std::string& text, const Eigen::VectorXd& acceleration) {
  const Scene scene = read_scene_text("routh: 1\n" + text, "test");
  const Model& model = scene.model;
  ASSERT_TRUE(accelerates_uniformly(model));
  ASSERT_TRUE(gaps_have_courses(model));
  Workspace workspace(model);
  testing_support::Random random(20260117);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  for (int trial = 0; trial < 50; ++trial) {
    State start = scene.state;
    for (int k = 0; k < model.velocities; ++k) {
      start.q[k] += random.uniform(-1, 1);
      start.v[k] = random.uniform(-8, 8);
    }
    compute_twists(model, start.q, start.v, workspace);
    std::vector<Contact> contacts;
    find_contacts(model, workspace, start.q, 1e3, contacts);
    ASSERT_FALSE(contacts.empty());
    std::vector<GapCourse> courses;
    for (const Contact& contact : contacts) {
      contact_jacobian(model, workspace, contact, J);
      courses.push_back(gap_course(model, workspace, contact, J.row(0).dot(start.v), J.row(0).dot(acceleration)));
    }
    for (const double t : {0.0, 1e-3, 0.17, 1.3}) {
      const State later = moved(start, acceleration, t);
      compute_twists(model, later.q, later.v, workspace);
      for (const GapCourse& course : courses) {
        const auto contact = find_contact(model, workspace, later.q, course.id);
        ASSERT_TRUE(contact);
        EXPECT_NEAR(course.gap_at(t), contact->gap, 1e-13 * (1 + std::abs(contact->gap)));
        EXPECT_NEAR(course.rate_at(t), contact_velocity(model, workspace, later.v, *contact).n, 1e-12);
      }
    }
    for (const GapCourse& course : courses) {
      const double h = 1e-4;
      EXPECT_NEAR((course.rate_at(-h) - course.rate_at(h)) / (2 * h), course.pull_at_start(), 1e-3);
    }
  }
}

TEST(GapCourse, ShapesInThePlane) {
  expect_courses(R"(
dimension: planar
world: {shapes: {floor: {kind: half_space}, ramp: {kind: half_space, at: {position: [2, 1], rotation: 0.6}}}}
bodies: {a: {mass: 2, inertia: 0.3, joint: {kind: planar}, shapes: {
  ball: {kind: sphere, radius: 0.2, at: [0.3, 0.1]}, tip: {kind: point, at: [-0.4, 0.2]},
  brick: {kind: box, size: [0.4, 0.2], at: {position: [0.1, -0.5], rotation: 0.3}},
  bar: {kind: capsule, radius: 0.1, length: 0.5, at: {position: [-0.1, 0.5], rotation: -1}}}}}
state: {position: {a: [0, 2, 0]}}
)",
                 Eigen::Vector3d(0, -9.81, 0));
}

// On a slanted rail, and turning about an axis that is neither along the floor nor across it.
TEST(GapCourse, WheelInSpace) {
  expect_courses(R"(
gravity: [0, 0, 0]
world: {shapes: {floor: {kind: half_space}}}
bodies:
  sledge: {mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [1, 0, 2], limits: [-9, 9]}}
  wheel: {mass: 1, inertia: [2, 2, 3], joint: {kind: revolute, axis: [0.6, 0, 0.8], parent: sledge},
    shapes: {pin: {kind: sphere, radius: 0.1, at: [0.5, 0.2, 0.3]}, block: {kind: box, size: [0.1, 0.2, 0.3], at: [0, -0.4, 0]}}}
state: {position: {sledge: 2}}
)",
                 Eigen::Vector2d(0, 0));
}

TEST(GapCourse, NotWhereTheOtherSideMovesOrEnds) {
  const auto known = [](const std::string& shapes, const std::string& world) {
    return gaps_have_courses(
        read_scene_text("routh: 1\ndimension: planar\nworld: {shapes: {w: {" + world +
                            "}}}\nbodies: {a: {mass: 1, inertia: 1, joint: {kind: planar}, shapes: {" + shapes +
                            "}}}\n",
                        "test")
            .model);
  };
  EXPECT_TRUE(known("s: {kind: sphere, radius: 1}", "kind: half_space"));
  EXPECT_FALSE(known("s: {kind: sphere, radius: 1}", "kind: strip, width: 2"));
  EXPECT_FALSE(known("s: {kind: sphere, radius: 1}", "kind: box, size: [1, 1]"));
  EXPECT_FALSE(known("s: {kind: half_space}", "kind: sphere, radius: 1"));
  EXPECT_FALSE(known("s: {kind: ellipsoid, size: [1, 2]}", "kind: half_space"));
}

}  // namespace
