// What joints carry, by the balance of every single body.
#include "routh/dynamics/reactions.h"

#include "case.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::Load;
using reference::load_at;
using reference::Motion;
using reference::near;
using reference::vec;
using reference::Vec3;
using reference::Vector;
using reference::wide;
using testing_support::Random;
using testing_support::random_point;
using testing_support::random_vector;
using testing_support::scaled;

const testing_support::MachineOptions with_everything = {.dof_chance = 0.4, .springs = 2, .forces = 2};

std::vector<routh::PointLoad> random_loads(Random& random, const Case& c) {
  std::vector<routh::PointLoad> loads;
  for (int k = random.below(4); k > 0; --k)
    loads.push_back({random.below(c.body_count()),
                     random_point(random, c.model.dimension),
                     {random_point(random, c.model.dimension, 5), {0, 0, random.normal()}}});
  return loads;
}

Load load_of(const routh::PointLoad& load) {
  return load_at(vec(load.point), vec(load.wrench.force), vec(load.wrench.moment));
}

// A joint's wrench about the world's origin; it is stated at the joint's origin in the child.
Load carried(const Case& c, const std::vector<Motion>& motions, std::size_t joint, const routh::Wrench& wrench) {
  const Vec3 origin = motions[joint + 1].position(vec(c.machine.joint(static_cast<int>(joint)).in_child.position));
  return load_at(origin, vec(wrench.force), vec(wrench.moment));
}

// For each body: own joint's wrench − its children's + all else that acts on it − what its momentum asks for.
double worst_imbalance(const Case& c, const std::vector<Motion>& motions, std::span<const routh::Wrench> wrenches,
                       std::vector<Load> rest) {
  for (std::size_t j = 0; j < wrenches.size(); ++j) {
    rest[j + 1] += carried(c, motions, j, wrenches[j]);
    rest[static_cast<std::size_t>(c.model.joints[j].parent)] -= carried(c, motions, j, wrenches[j]);
  }
  double worst = 0;
  for (std::size_t i = 1; i < rest.size(); ++i)
    worst = std::max({worst, reference::largest(rest[i].force), reference::largest(rest[i].moment)});
  return worst;
}

double largest(std::span<const routh::Wrench> wrenches) {
  double size = 0;
  for (const auto& w : wrenches) size = std::max({size, norm(w.force), norm(w.moment)});
  return size;
}

TEST(JointReactions, EveryBodyIsInBalance) {
  for_random_machines(3501, scaled(300, 30), with_everything, [](Case& c, Random& random) {
    const Eigen::VectorXd a = 3 * random_vector(random, c.n());
    const auto loads = random_loads(random, c);
    std::vector<routh::Wrench> wrenches(c.model.joints.size(), {{7, 7, 7}, {7, 7, 7}});
    routh::compute_joint_reactions(c.model, c.state, a, loads, c.workspace, wrenches);
    const auto motions = c.machine.motions(c.q(), c.v(), wide(a));
    std::vector<Load> rest(motions.size());
    for (int body = 1; body < c.body_count(); ++body) {
      rest[static_cast<std::size_t>(body)] = c.machine.outer_load(motions, body, c.state.time);
      rest[static_cast<std::size_t>(body)] -= c.machine.momentum_rate(motions[static_cast<std::size_t>(body)], body);
    }
    for (const auto& load : loads) rest[static_cast<std::size_t>(load.body)] += load_of(load);
    ASSERT_LE(worst_imbalance(c, motions, wrenches, rest), 1e-12 * (1 + 10 * largest(wrenches)));
  });
}

// In the motion that the forces cause, a joint passes on along its freedoms just what acts along them: springs, drives,
// dampers, efforts, less what a rotor takes.
TEST(JointReactions, CarryAlongFreedomsWhatActsThere) {
  for_random_machines(3502, scaled(200, 20), with_everything, [](Case& c, Random&) {
    compute_acceleration(c.model, c.state, c.workspace);
    const Eigen::VectorXd a = c.workspace.acceleration;
    std::vector<routh::Wrench> wrenches(c.model.joints.size());
    routh::compute_joint_reactions(c.model, c.state, a, {}, c.workspace, wrenches);
    const Vector along = c.machine.joint_force(c.q(), c.v(), c.state.time);
    const auto places = c.machine.places(c.q());
    for (int k = 0; k < c.n(); ++k) {
      // Power of the wrench for a unit of this freedom: the child's velocity against its parent's.
      const auto unit = c.machine.motions(c.q(), Vector::Unit(c.n(), k), Vector::Zero(c.n()));
      const std::size_t j = static_cast<std::size_t>(c.model.dofs[static_cast<std::size_t>(k)].joint);
      const Vec3 origin = vec(c.machine.joint(static_cast<int>(j)).in_child.position);
      const long double power =
          unit[j + 1].velocity(origin).dot(vec(wrenches[j].force)) + unit[j + 1].omega().dot(vec(wrenches[j].moment));
      const long double expected = along[k] - c.machine.armature(k) * a[k];
      ASSERT_NEAR(static_cast<double>(power), static_cast<double>(expected), 1e-10 * (1 + largest(wrenches)));
    }
  });
}

TEST(JointImpulses, AreTheJumpOfEachBodysMomentum) {
  for_random_machines(3503, scaled(300, 30), with_everything, [](Case& c, Random& random) {
    const Eigen::VectorXd jump = random_vector(random, c.n());
    const auto loads = random_loads(random, c);
    std::vector<routh::Wrench> impulses(c.model.joints.size(), {{7, 7, 7}, {7, 7, 7}});
    routh::compute_joint_impulses(c.model, c.state.q, jump, loads, c.workspace, impulses);
    const Vector none = Vector::Zero(c.n());
    const auto before = c.machine.motions(c.q(), c.v(), none),
               after = c.machine.motions(c.q(), c.v() + wide(jump), none);
    std::vector<Load> rest(before.size());
    for (int body = 1; body < c.body_count(); ++body) {
      const std::size_t i = static_cast<std::size_t>(body);
      rest[i] = c.machine.momentum(before[i], body);
      rest[i] -= c.machine.momentum(after[i], body);
    }
    for (const auto& load : loads) rest[static_cast<std::size_t>(load.body)] += load_of(load);
    ASSERT_LE(worst_imbalance(c, before, impulses, rest), 1e-12 * (1 + 10 * largest(impulses)));
  });
}

routh::BodyDescription make_body(const char* name, double mass, const routh::Vector3& com) {
  routh::BodyDescription body;
  body.name = name;
  body.mass = mass;
  body.com = com;
  body.inertia = {1, 1, 1, 0, 0, 0};
  return body;
}

routh::JointDescription make_joint(const char* child, routh::JointKind kind, const char* parent,
                                   const routh::Vector3& at) {
  routh::JointDescription joint;
  joint.name = std::string(child) + ".joint";
  joint.kind = kind;
  joint.parent = parent;
  joint.child = child;
  joint.at.position = at;
  return joint;
}

void expect_wrench(const routh::Wrench& wrench, const routh::Vector3& force, const routh::Vector3& moment) {
  EXPECT_TRUE(near(vec(wrench.force), vec(force), 1e-14));
  EXPECT_TRUE(near(vec(wrench.moment), vec(moment), 1e-14));
}

TEST(JointReactions, HangingPendulumAndCantilever) {
  routh::ModelDescription description;
  description.name = "hanging";
  description.gravity = {0, 0, -10};
  description.bodies = {make_body("bob", 2, {0, 0, -1}), make_body("beam", 3, {2, 0, 0}), make_body("tip", 1, {})};
  description.joints = {make_joint("bob", routh::JointKind::revolute, "world", {0, 0, 5}),
                        make_joint("beam", routh::JointKind::fixed, "world", {0, 1, 0}),
                        make_joint("tip", routh::JointKind::fixed, "beam", {4, 0, 0})};
  description.joints[0].axis = {0, 1, 0};
  Case c(description);
  compute_acceleration(c.model, c.state, c.workspace);
  ASSERT_EQ(c.workspace.acceleration[0], 0);
  std::vector<routh::Wrench> wrenches(3);
  routh::compute_joint_reactions(c.model, c.state, c.workspace.acceleration, {}, c.workspace, wrenches);
  expect_wrench(wrenches[0], {0, 0, 20}, {0, 0, 0});     // the bearing carries m g
  expect_wrench(wrenches[1], {0, 0, 40}, {0, -100, 0});  // 30 N at 2 m and 10 N at 4 m bend the wall end
  expect_wrench(wrenches[2], {0, 0, 10}, {0, 0, 0});
  // Through its lowest point at 3 rad/s the bearing carries m ω² l besides.
  c.state.v[0] = 3;
  routh::compute_joint_reactions(c.model, c.state, c.workspace.acceleration, {}, c.workspace, wrenches);
  expect_wrench(wrenches[0], {0, 0, 20 + 2 * 9}, {0, 0, 0});
}

// A rod of mass m and length l on a bearing, struck by p at the distance x: the bearing takes p (3x/(2l) − 1); nothing
// at the centre of percussion, two thirds down.
TEST(JointImpulses, CentreOfPercussion) {
  constexpr double m = 3, l = 2, p = 5;
  routh::ModelDescription description;
  description.name = "rod";
  description.dimension = routh::Dimension::planar;
  description.gravity = {0, -9.81, 0};
  description.bodies = {make_body("rod", m, {0, -l / 2, 0})};
  description.bodies[0].inertia = {0, 0, m * l * l / 12, 0, 0, 0};
  description.joints = {make_joint("rod", routh::JointKind::revolute, "world", {})};
  Case c(description);
  for (const double x : {0.5, 2 * l / 3, 2.0}) {
    const Eigen::VectorXd jump = Eigen::VectorXd::Constant(1, p * x / (m * l * l / 3));
    const std::vector<routh::PointLoad> loads = {{1, {0, -x, 0}, {{p, 0, 0}, {}}}};
    std::vector<routh::Wrench> impulses(1);
    routh::compute_joint_impulses(c.model, c.state.q, jump, loads, c.workspace, impulses);
    expect_wrench(impulses[0], {p * (3 * x / (2 * l) - 1), 0, 0}, {0, 0, 0});
  }
}

}  // namespace
