// Contact forces that a run shows: known by hand, and against an oracle that balances forces and moments at the contact
// points by Dykstra's projections, without D, modes or Newton's method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <vector>

#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;
using testing_support::Trial;

// A drawer of 4 kg between two guides 0.4 m apart, admissible with 20 N along them off its middle.
std::string drawer(double friction, double height, bool four_corners) {
  return fmt::format(R"(
dimension: planar
gravity: [0, 0]
surfaces: {{w: {{friction: {}, restitution: 0}}}}
bodies:
  drawer:
    mass: 4
    inertia: 0.1
    joint: {{kind: planar}}
    shapes:
      a: {{kind: point, at: [-0.2, 0.2], surface: w}}
      b: {{kind: point, at: [0.2, -0.2], surface: w}}
{}
world:
  shapes:
    lower: {{kind: half_space, at: [0, -0.2], normal: [0, 1], surface: w}}
    upper: {{kind: half_space, at: [0, 0.2], normal: [0, -1], surface: w}}
forces: {{hand: {{body: drawer, at: [0.2, {}], force: [20, 0]}}}}
)",
                     friction,
                     four_corners ? "      c: {kind: point, at: [0.2, 0.2], surface: w}\n"
                                    "      d: {kind: point, at: [-0.2, -0.2], surface: w}"
                                  : "",
                     height);
}

const ActiveContact& contact_at(const Trial& run, double x, double y) {
  const ActiveContact* nearest = nullptr;
  double least = 1e300;
  for (const ActiveContact& each : run.simulator.active()) {
    const double away = std::hypot(each.contact.point.x - x, each.contact.point.y - y);
    if (away < least) {
      least = away;
      nearest = &each;
    }
  }
  return *nearest;
}

long warned(const Trial& run, Warning warning) {
  return run.simulator.statistics().warnings[std::countr_zero(static_cast<std::uint32_t>(warning))];
}

// Statics: normal forces are equal, friction adds up to 20 N, n + (f_a − f_b)/2 = 9.5 N. With f_a − f_b = 2d the least
// ‖λ‖ is at d = 4.75, where f_a = 14.75 at n = 4.75; friction 1.2 allows d up to 7/11.
TEST(RecordedForce, TwoPointsThatJam) {
  Trial run(drawer(1.2, 0.19, false));
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
  ASSERT_EQ(run.simulator.active().size(), 2u);
  const ActiveContact a = contact_at(run, -0.2, 0.2), b = contact_at(run, 0.2, -0.2);
  EXPECT_NEAR(a.force.n, 195.0 / 22, 1e-9);
  EXPECT_NEAR(b.force.n, 195.0 / 22, 1e-9);
  EXPECT_NEAR(std::abs(a.force.t1), 117.0 / 11, 1e-9);
  EXPECT_NEAR(std::abs(b.force.t1), 103.0 / 11, 1e-9);
  EXPECT_LE(std::abs(a.force.t1), 1.2 * a.force.n * (1 + 1e-14));
  EXPECT_EQ(run.q(0), 0);
}

// Friction 0.4 carries 20 N where the normal forces add up to 50 N, 25 N at each guide; the moment of the hand, 3 N m,
// is that of normal forces which differ by 7.5 N.
TEST(RecordedForce, DrawerInItsGuides) {
  Trial run(drawer(0.4, 0.15, true));
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
  ASSERT_EQ(run.simulator.active().size(), 4u);
  EXPECT_NEAR(contact_at(run, -0.2, 0.2).force.n, 16.25, 1e-9);
  EXPECT_NEAR(contact_at(run, 0.2, -0.2).force.n, 16.25, 1e-9);
  EXPECT_NEAR(contact_at(run, 0.2, 0.2).force.n, 8.75, 1e-9);
  EXPECT_NEAR(contact_at(run, -0.2, -0.2).force.n, 8.75, 1e-9);
  for (const ActiveContact& each : run.simulator.active())
    EXPECT_NEAR(std::abs(each.force.t1), 0.4 * each.force.n, 1e-9);
}

// Steps take the same rule: rest, the same forces, told once.
TEST(RecordedForce, StepsChooseAsEventsDo) {
  for (const double friction : {0.2, 0.4, 1.1}) {
    Trial run(drawer(friction, 0.15, true), testing_support::by(EngineKind::stepping));
    Trial exact(drawer(friction, 0.15, true), testing_support::by(EngineKind::events));
    ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
    ASSERT_EQ(exact.to(0.1), SimulationStatus::ready);
    EXPECT_NEAR(run.q(0), 0, 1e-12);
    EXPECT_EQ(warned(run, Warning::motion_not_unique), 1);
    ASSERT_EQ(run.simulator.active().size(), 4u);
    for (const ActiveContact& each : exact.simulator.active()) {
      const ContactVector& force = contact_at(run, each.contact.point.x, each.contact.point.y).force;
      EXPECT_NEAR(force.n, each.force.n, 1e-6 * each.force.n);
      EXPECT_NEAR(force.t1, each.force.t1, 1e-6 * each.force.n);
    }
  }
  Trial slides(drawer(0.9, 0.19, false), testing_support::by(EngineKind::stepping));
  ASSERT_EQ(slides.to(0.1), SimulationStatus::ready);
  EXPECT_GT(slides.q(0), 1e-3);
}

// Two points: rest is possible from μ = 1 on, slip until 20/19. Four: rest at every friction, slip until 4/3.
TEST(RecordedForce, MotionThatIsNotUniqueIsTold) {
  const auto told = [](double friction, double height, bool four_corners) {
    Trial run(drawer(friction, height, four_corners));
    EXPECT_EQ(run.to(0.05), SimulationStatus::ready);
    return warned(run, Warning::motion_not_unique);
  };
  EXPECT_EQ(told(0.9, 0.19, false), 0);
  EXPECT_EQ(told(1.03, 0.19, false), 2);
  EXPECT_EQ(told(1.2, 0.19, false), 0);
  EXPECT_EQ(told(0.1, 0.15, true), 4);
  EXPECT_EQ(told(0.4, 0.15, true), 4);
  EXPECT_EQ(told(1.1, 0.15, true), 4);
  EXPECT_EQ(told(1.4, 0.15, true), 0);
}

// Legs at (±0.3, ±0.2), the centre of mass 0.5 m above the ground, weight along the ground 0.3 of that across it: a leg
// carries mg (1/4 ± 0.3·0.5/(4·0.3)), the same friction on each where the upper legs can take it, which needs
// μ ≥ 0.075/0.125; else the upper ones take what they can.
TEST(RecordedForce, TableOnASlope) {
  for (const double mu : {0.7, 0.5}) {
    Trial run(fmt::format(R"(
gravity: [3, 0, -10]
surfaces: {{s: {{friction: {}, restitution: 0}}}}
bodies:
  table:
    mass: 2
    inertia: [0.1, 0.1, 0.1]
    joint: {{kind: free}}
    shapes:
      a: {{kind: point, at: [0.3, 0.2, -0.5], surface: s}}
      b: {{kind: point, at: [-0.3, 0.2, -0.5], surface: s}}
      c: {{kind: point, at: [-0.3, -0.2, -0.5], surface: s}}
      d: {{kind: point, at: [0.3, -0.2, -0.5], surface: s}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{table: [0, 0, 0.5, 1, 0, 0, 0]}}}}
)",
                          mu));
    ASSERT_EQ(run.to(0.1), SimulationStatus::ready) << run.simulator.message();
    ASSERT_EQ(run.simulator.active().size(), 4u);
    for (const ActiveContact& each : run.simulator.active()) {
      const bool lower = each.contact.point.x > 0;
      const double upper_friction = std::min(1.5, mu * 2.5);
      EXPECT_NEAR(each.force.n, lower ? 7.5 : 2.5, 1e-9);
      EXPECT_NEAR(std::hypot(each.force.t1, each.force.t2), lower ? 3 - upper_friction : upper_friction, 1e-9);
    }
    EXPECT_EQ(warned(run, Warning::motion_not_unique), 0);
  }
}

// A smooth box of 4 N in a corner, pressed against the wall with 20 N a quarter of its height above its middle. Shares
// of least norm would pull at the corner away from the wall with 0.5 N.
TEST(RecordedForce, BoxInACorner) {
  Trial run(R"(
dimension: planar
gravity: [0, -4]
surfaces: {s: {friction: 0, restitution: 0}}
bodies:
  box:
    mass: 1
    inertia: 0.1
    joint: {kind: planar}
    shapes:
      near: {kind: point, at: [-0.5, -0.5], surface: s}
      far: {kind: point, at: [0.5, -0.5], surface: s}
      top: {kind: point, at: [-0.5, 0.5], surface: s}
world:
  shapes:
    floor: {kind: half_space, at: [0, -0.5], normal: [0, 1], surface: s}
    wall: {kind: half_space, at: [-0.5, 0], normal: [1, 0], surface: s}
forces: {hand: {body: box, at: [0, 0.25], force: [-20, 0]}}
)");
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
  ASSERT_EQ(run.simulator.active().size(), 4u);
  for (const ActiveContact& each : run.simulator.active()) {
    const Vector3 at = each.contact.point;
    const bool floor = std::abs(each.contact.normal.y) > 0.5;
    const double by_hand = floor ? (at.x < 0 ? 4 : 0) : (at.y < 0 ? 7 : 13);
    EXPECT_NEAR(each.force.n, by_hand, 1e-9) << at.x << ' ' << at.y;
    EXPECT_GE(each.force.n, 0);
  }
}

// --- The oracle

// What the forces of one body's contacts add up to: force, then moment about the origin.
struct Balance {
  int rows = 2;
  Eigen::MatrixXd wrench;  // of unit forces
  Eigen::VectorXd force;   // recorded
  std::vector<double> friction;
  std::vector<Eigen::Vector2d> slip;  // of slipping contacts
  bool told = true;                   // all directions of slip are

  Balance(const std::vector<ActiveContact>& active, int rows_each, Friction of_all)
      : rows(rows_each),
        wrench(6, static_cast<Eigen::Index>(active.size()) * rows_each),
        force(static_cast<Eigen::Index>(active.size()) * rows_each) {
    Eigen::Index column = 0;
    for (const ActiveContact& each : active) {
      const double sign = each.contact.body_a > 0 ? 1 : -1;  // the world is body 0
      const Vector3 axes[] = {each.contact.normal, each.contact.tangent1, each.contact.tangent2};
      const double entries[] = {each.force.n, each.force.t1, each.force.t2};
      for (int r = 0; r < rows; ++r, ++column) {
        const Eigen::Vector3d axis = sign * Eigen::Vector3d(axes[r].x, axes[r].y, axes[r].z);
        const Eigen::Vector3d point(each.contact.point.x, each.contact.point.y, each.contact.point.z);
        wrench.col(column) << axis, point.cross(axis);
        force[column] = entries[r];
      }
      const bool slips = each.mode == ContactMode::slip;
      friction.push_back(slips ? of_all.kinetic_coefficient : of_all.static_coefficient);
      // The law of slip holds for the motion; in space its direction is read off the force.
      const Eigen::Vector2d tangential(each.force.t1, rows == 3 ? each.force.t2 : 0);
      if (slips && rows == 3 && tangential.isZero(0) && friction.back() > 0) told = false;
      slip.push_back(!slips      ? Eigen::Vector2d(0, 0)
                     : rows == 2 ? Eigen::Vector2d(each.direction.t1, 0)
                                 : Eigen::Vector2d((each.force.n < 0 ? 1 : -1) * tangential.normalized()));
    }
  }

  // The worst violation of λ_n ≥ 0 and of the cone.
  double violation(const Eigen::VectorXd& of) const {
    double worst = 0;
    for (std::size_t c = 0; c < friction.size(); ++c) {
      const auto own = of.segment(rows * static_cast<Eigen::Index>(c), rows);
      worst = std::max({worst, -own[0], own.tail(rows - 1).norm() - friction[c] * std::max(0.0, own[0])});
    }
    return worst;
  }

  void project(Eigen::VectorXd& x) const {
    for (std::size_t c = 0; c < friction.size(); ++c) {
      auto own = x.segment(rows * static_cast<Eigen::Index>(c), rows);
      const double mu = friction[c];
      if (!slip[c].isZero(0) || mu == 0) {
        Eigen::VectorXd ray = Eigen::VectorXd::Zero(rows);
        ray[0] = 1;
        for (int r = 1; r < rows; ++r) ray[r] = -mu * slip[c][r - 1];
        own = std::max(0.0, own.dot(ray) / ray.squaredNorm()) * ray;
        continue;
      }
      const double tangential = own.tail(rows - 1).norm();
      if (tangential <= mu * own[0]) continue;
      if (mu * tangential <= -own[0]) {
        own.setZero();
        continue;
      }
      const double normal = (own[0] + mu * tangential) / (1 + mu * mu);
      own.tail(rows - 1) *= mu * normal / tangential;
      own[0] = normal;
    }
  }

  // The point of the cones nearest to zero with the same wrench [Dykstra 1983]; how far it is from one or the other.
  double least(Eigen::VectorXd& x, int rounds) const {
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> balance(wrench);
    const Eigen::VectorXd total = wrench * force;
    x.setZero(force.size());
    Eigen::VectorXd correction = Eigen::VectorXd::Zero(x.size()), balanced = x;
    for (int k = 0; k < rounds; ++k) {
      balanced = x + balance.solve(total - wrench * x);  // an affine set needs no correction
      x = balanced + correction;
      correction = x;
      project(x);
      correction -= x;
      if (k % 64 == 63 && (x - balanced).norm() <= 1e-12 * force.norm()) break;
    }
    return (x - balanced).norm();
  }
};

struct Push {
  Eigen::Vector3d at, force, gravity;
};

// Newton and Euler for a body of 1 kg that does not turn, its centre of mass at (0, 0, 0.5) or (0, 0.5): what the
// forces shown add up to is what the motion needs.
void expect_newton(const Trial& run, const Balance& balance, const Push& push, bool planar) {
  const Eigen::VectorXd rate = run.simulator.acceleration();
  Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = linear;
  const Eigen::Vector3d centre = planar ? Eigen::Vector3d(0, 0.5, 0) : Eigen::Vector3d(0, 0, 0.5);
  if (planar) {
    linear.head<2>() = rate.head<2>();
    angular[2] = 0.2 * rate[2];
  } else {
    linear = rate.head<3>();
    angular = Eigen::Vector3d(0.2, 0.3, 0.25).cwiseProduct(rate.tail<3>());
  }
  const Eigen::VectorXd total = balance.wrench * balance.force;
  const Eigen::Vector3d force = total.head<3>() + push.force + push.gravity;
  const Eigen::Vector3d moment = total.tail<3>() - centre.cross(total.head<3>()) + push.at.cross(push.force);
  const double size = 1 + total.norm();
  EXPECT_LE((force - linear).norm(), 1e-7 * size) << force.transpose() << " | " << linear.transpose();
  EXPECT_LE((moment - angular).norm(), 1e-7 * size) << moment.transpose() << " | " << angular.transpose();
}

// A body with points on the floor, and now and then on a wall or under a ceiling, pushed anywhere.
std::string random_scene(Random& random, bool planar, double friction, Push& push, bool& moving) {
  const auto number = [&](double size) { return random.uniform(-size, size); };
  const auto vector = [&](double x, double y, double up) {
    return planar ? fmt::format("[{:.6f}, {:.6f}]", x, up) : fmt::format("[{:.6f}, {:.6f}, {:.6f}]", x, y, up);
  };
  std::string shapes, world = "    floor: {kind: half_space, surface: s}\n";
  int points = 0;
  const auto add = [&](double x, double y, double up) {
    shapes += fmt::format("      p{}: {{kind: point, at: {}, surface: s}}\n", points++, vector(x, y, up));
  };
  const int below = 2 + random.below(planar ? 3 : 5);
  const bool wall = random.chance(0.4), ceiling = random.chance(0.4);
  for (int k = 0; k < below; ++k) add(wall ? random.uniform(-0.5, 1) : number(1), number(1), -0.5);
  if (wall) {
    world += fmt::format("    wall: {{kind: half_space, at: {}, normal: {}, surface: s}}\n", vector(-0.6, 0, 0),
                         vector(1, 0, 0));
    for (int k = 1 + random.below(2); k > 0; --k) add(-0.6, number(1), random.uniform(-0.4, 0.3));
  }
  if (ceiling) {
    world += fmt::format("    ceiling: {{kind: half_space, at: {}, normal: {}, surface: s}}\n", vector(0, 0, 0.9),
                         vector(0, 0, -1));
    for (int k = 1 + random.below(3); k > 0; --k) add(random.uniform(-0.5, 1), number(1), 0.4);
  }
  moving = !wall && random.chance(0.4);
  const std::string velocity =
      planar ? fmt::format("[{:.4f}, 0, 0]", number(1))
             : fmt::format("[{:.4f}, {:.4f}, 0, 0, 0, {:.4f}]", number(1), number(1), ceiling ? 0 : number(1));
  const double gravity = random.chance(0.3) ? 0 : -10;
  const auto drawn = [&](double size) {
    return Eigen::Vector3d(std::round(number(size)), planar ? 0 : std::round(number(size)), std::round(number(size)));
  };
  const Eigen::Vector3d at = 0.1 * drawn(5), force = drawn(8);
  // In the plane the second axis is up.
  const auto axes = [&](const Eigen::Vector3d& v) { return planar ? Eigen::Vector3d(v[0], v[2], 0) : v; };
  push = {axes(at), axes(force), axes({0, 0, gravity})};
  return fmt::format(R"(
dimension: {}
gravity: {}
surfaces: {{s: {{friction: {:.2f}, restitution: 0}}}}
bodies:
  body:
    mass: 1
    inertia: {}
    joint: {{kind: {}}}
    shapes:
{}world:
  shapes:
{}forces: {{hand: {{body: body, at: {}, force: {}}}}}
state: {{position: {{body: {}}}{}}}
)",
                     planar ? "planar" : "spatial", vector(0, 0, gravity), friction,
                     planar ? "0.2" : "[0.2, 0.3, 0.25]", planar ? "planar" : "free", shapes, world,
                     vector(at[0], at[1], at[2]), vector(force[0], force[1], force[2]),
                     planar ? "[0, 0.5, 0]" : "[0, 0, 0.5, 1, 0, 0, 0]",
                     moving ? fmt::format(", velocity: {{body: {}}}", velocity) : "");
}

TEST(RecordedForce, RandomRedundantContactsAgainstProjections) {
  Random random(23);
  int redundant = 0, admissible = 0, neither = 0;
  for (int k = 0; k < scaled(1000, 50); ++k) {
    const bool planar = random.chance(0.5);
    const double mu = random.chance(0.1) ? 0 : 0.05 * (1 + random.below(30));
    Push push;
    bool moving = false;
    const std::string text = random_scene(random, planar, mu, push, moving);
    Trial run(text);
    if (run.simulator.status() != SimulationStatus::ready) continue;
    const auto start = run.simulator.active();
    if (!moving && !start.empty())
      expect_newton(run, Balance({start.begin(), start.end()}, planar ? 2 : 3, {mu, mu}), push, planar);
    run.simulator.on_sample(2e-3, 0, [&](const Sample& sample) {
      const Balance balance(sample.active, planar ? 2 : 3, {mu, mu});
      const double size = balance.force.norm();
      if (!(size > 1e-6) || !balance.told) return;
      Eigen::VectorXd oracle;
      const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rank(balance.wrench);
      if (rank.rank() == balance.force.size()) return;  // not redundant
      ++redundant;
      const bool holds = balance.violation(balance.force) <= 1e-9 * size;
      admissible += holds;
      if (balance.least(oracle, 5000) > 1e-7 * size) {
        neither += !holds;
        return;
      }
      EXPECT_TRUE(holds) << balance.violation(balance.force) << " in " << k << " at " << sample.state.time << text;
      EXPECT_LE(balance.force.norm(), oracle.norm() * (1 + 1e-5)) << k << " at " << sample.state.time << text;
    });
    run.to(5e-3);
  }
  EXPECT_EQ(admissible + neither, redundant);
  EXPECT_GT(admissible, 8 * redundant / 10);  // some nine in ten: enough of them were judged
}

}  // namespace
