// Several contacts: statics by hand, thresholds to 1e-9; and against the modes, which are found in another way.
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/hold_words.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/solvability/mode_system.h"
#include "routh/solvability/motion_starts.h"
#include "solvability/contact_modes_support.h"

namespace {

using namespace contact_modes_testing;
using routh::HoldReport;
using routh::HoldVerdict;
using testing_support::scaled;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double g = 9.81;

struct PlanarContact {
  Eigen::Vector2d at, normal;
  double friction = 0;
};

// Contacts of a body in the plane with surroundings at rest; coordinates (x, y, angle) of its centre of mass.
struct PlanarBody {
  double mass = 1, inertia = 1;
  std::vector<PlanarContact> contacts;
  Eigen::Vector3d load = Eigen::Vector3d::Zero();

  void push(const Eigen::Vector2d& at, const Eigen::Vector2d& force) {
    load += Eigen::Vector3d(force.x(), force.y(), at.x() * force.y() - at.y() * force.x());
  }

  Eigen::MatrixXd jacobian() const {
    Eigen::MatrixXd j(2 * contacts.size(), 3);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Eigen::Vector2d &r = contacts[c].at, &n = contacts[c].normal, t(n.y(), -n.x());
      const auto row = static_cast<Eigen::Index>(2 * c);
      j.row(row) << n.x(), n.y(), r.x() * n.y() - r.y() * n.x();
      j.row(row + 1) << t.x(), t.y(), r.x() * t.y() - r.y() * t.x();
    }
    return j;
  }

  // f for a unit force along x, along y and a unit torque.
  Eigen::MatrixXd unit_loads() const {
    return jacobian() * Eigen::Vector3d(1 / mass, 1 / mass, 1 / inertia).asDiagonal();
  }

  ModesProblem problem() const {
    ModesProblem p;
    p.dimension = Dimension::planar;
    p.inertia = unit_loads() * jacobian().transpose();
    p.free_acceleration = unit_loads() * load;
    p.velocity = Eigen::VectorXd::Zero(p.free_acceleration.size());
    for (const PlanarContact& c : contacts) p.friction.push_back({c.friction, c.friction});
    return p;
  }
};

HoldReport judge(const ModesProblem& p, const Eigen::MatrixXd& loads = {}) {
  return judge_hold(p, examine_modes(p), loads);
}

void expect_last_motion(const routh::HoldThreshold& threshold, double to) {
  ASSERT_TRUE(threshold.motions.has_value());
  ASSERT_EQ(threshold.motions->size(), 1u);
  EXPECT_EQ(threshold.motions->front().from, 0);
  EXPECT_NEAR(threshold.motions->front().to, to, 1e-9 * to);
}

// ---- a drawer between two guides ----
//
// Contacts at a = (−l, l) on the upper guide and b = (l, −l) on the lower one, l = 0.2, pulled by P = 20 along x at the
// height h. Balance across: N_a = N_b = N. Along: T_a + T_b = −P. Moments: 2 l N − h P − l (T_a − T_b) = 0. With
// T_a = −P/2 + x, T_b = −P/2 − x: N = h P/(2 l) + x. Friction asks for |P/2 − x| ≤ μ_a N and |P/2 + x| ≤ μ_b N.

PlanarBody two_point_jam(double friction_a, double friction_b) {
  PlanarBody body{4, 0.1, {{{-0.2, 0.2}, {0, -1}, friction_a}, {{0.2, -0.2}, {0, 1}, friction_b}}};
  body.push({0.2, 0.19}, {20, 0});
  return body;
}

// h P/(2 l) = 9.5: rest needs (10 + x)/(9.5 + x) ≤ μ, which falls to 1 as x grows without bound. Both slip when
// x = 0 and μ < 10/9.5.
TEST(Hold, TwoPointJam) {
  const HoldReport report = judge(two_point_jam(1.2, 1.2).problem());
  EXPECT_EQ(report.verdict, HoldVerdict::must_hold);
  EXPECT_TRUE(report.rest);
  EXPECT_EQ(report.motion, false);
  EXPECT_TRUE(report.any_load);
  EXPECT_NEAR(1.2 * report.factor.rest_from, 1, 1e-9);
  EXPECT_FALSE(report.factor.attained);
  expect_last_motion(report.factor, 20.0 / 19 / 1.2);
  EXPECT_NEAR(*report.factor.only_rest_from() * 1.2, 20.0 / 19, 1e-9);
  // a alone: at x = 10 it needs no friction, and b 20/19.5. Slip of both: (μ_a + μ_b) N < P with
  // N = 9.5/(1 − (μ_b − μ_a)/2): for μ_b = 1.2 that is μ_a > 6.8, where a takes the load off both.
  EXPECT_EQ(report.contacts[0].rest_from, 0);
  EXPECT_TRUE(report.contacts[0].attained);
  ASSERT_EQ(report.contacts[0].motions.value().size(), 1u);
  EXPECT_NEAR(report.contacts[0].motions->front().from, 6.8, 1e-9);
  EXPECT_EQ(report.contacts[0].motions->front().to, infinity);
  // b alone: (10 + x)/(9.5 + x) ≤ μ_b again. Slip: (1.2 + μ_b) 9.5 < 20 (1.6 − μ_b/2), μ_b < 20.6/19.5.
  EXPECT_NEAR(report.contacts[1].rest_from, 1, 1e-9);
  EXPECT_FALSE(report.contacts[1].attained);
  EXPECT_NEAR(*report.contacts[1].only_rest_from(), 20.6 / 19.5, 1e-9);
}

TEST(Hold, TwoPointJamWithLessFriction) {
  const HoldReport between = judge(two_point_jam(1.02, 1.02).problem());
  EXPECT_EQ(between.verdict, HoldVerdict::can_hold);
  EXPECT_EQ(between.motion, true);
  const HoldReport below = judge(two_point_jam(0.9, 0.9).problem());
  EXPECT_EQ(below.verdict, HoldVerdict::slides);
  EXPECT_FALSE(below.rest);
  EXPECT_FALSE(below.any_load);
  EXPECT_NEAR(0.9 * below.factor.rest_from, 1, 1e-9);
}

// Contacts at all four corners: opposite ones squeeze at will, so that the least friction holds. Slip without squeezing
// has N = h P/(2 l) = 7.5 at two corners and goes on while 2 μ 7.5 < 20.
TEST(Hold, Drawer) {
  PlanarBody body{4,
                  0.1,
                  {{{-0.2, 0.2}, {0, -1}, 0.4},
                   {{0.2, -0.2}, {0, 1}, 0.4},
                   {{0.2, 0.2}, {0, -1}, 0.4},
                   {{-0.2, -0.2}, {0, 1}, 0.4}}};
  body.push({0.2, 0.15}, {20, 0});
  const HoldReport report = judge(body.problem(), body.unit_loads());
  EXPECT_EQ(report.verdict, HoldVerdict::can_hold);
  EXPECT_EQ(report.motion, true);
  EXPECT_TRUE(report.any_load);
  EXPECT_EQ(report.factor.rest_from, 0);
  EXPECT_FALSE(report.factor.attained);
  expect_last_motion(report.factor, 4.0 / 3 / 0.4);
  for (const routh::HoldRange& load : report.loads) {
    EXPECT_TRUE(load.exists);
    EXPECT_EQ(load.low, -infinity);
    EXPECT_EQ(load.high, infinity);
  }
}

// Above 4/3 nothing but rest is left, and less friction is what frees it, though rest stays possible at any.
TEST(Hold, JammedDrawerIsFreedByLessFriction) {
  PlanarBody body{4,
                  0.1,
                  {{{-0.2, 0.2}, {0, -1}, 1.5},
                   {{0.2, -0.2}, {0, 1}, 1.5},
                   {{0.2, 0.2}, {0, -1}, 1.5},
                   {{-0.2, -0.2}, {0, 1}, 1.5}}};
  body.push({0.2, 0.15}, {20, 0});
  const HoldReport report = judge(body.problem());
  EXPECT_EQ(report.verdict, HoldVerdict::must_hold);
  std::string words;
  for (const std::string& sentence : routh::hold_sentences(report, {{"a", "b", "c", "d"}, {}, {}}, {}))
    words += sentence + "\n";
  EXPECT_NE(words.find("To free it: lower friction below 1.333"), std::string::npos) << words;
}

// ---- a ladder: foot at the floor, head at the wall, weight in the middle, angle θ with the floor ----
//
// N_1 + μ_2 N_2 = W, μ_1 N_1 = N_2, moments about the head: N_1 cos θ − μ_1 N_1 sin θ = W cos θ / 2. Hence
// 2 μ_1 tan θ = 1 − μ_1 μ_2; with equal friction μ = tan(45° − θ/2). One slip with both in contact begins there.

PlanarBody ladder(double angle, double floor, double wall) {
  const double x = std::cos(angle), y = std::sin(angle);  // half of the ladder
  PlanarBody body{8, 8.0 / 3, {{{-x, -y}, {0, 1}, floor}, {{x, y}, {-1, 0}, wall}}};
  body.load.y() = -8 * g;
  return body;
}

TEST(Hold, Ladder) {
  for (const double angle : {0.6, 0.9, 1.2}) {
    const double needed = std::tan(pi / 4 - angle / 2);
    for (const double friction : {0.9 * needed, 1.1 * needed}) {
      const HoldReport report = judge(ladder(angle, friction, friction).problem());
      EXPECT_NEAR(report.factor.rest_from * friction, needed, 1e-9) << angle;
      EXPECT_TRUE(report.factor.attained);
      EXPECT_EQ(report.verdict, friction > needed ? HoldVerdict::must_hold : HoldVerdict::slides);
      expect_last_motion(report.factor, needed / friction);
      EXPECT_NEAR(report.contacts[0].rest_from, 1 / (2 * std::tan(angle) + friction), 1e-9);
      const double wall = (1 - 2 * friction * std::tan(angle)) / friction;
      EXPECT_NEAR(report.contacts[1].rest_from, std::max(wall, 0.0), 1e-9);
    }
    const HoldReport smooth = judge(ladder(angle, 0.8, 0).problem());
    EXPECT_NEAR(0.8 * smooth.factor.rest_from, 1 / (2 * std::tan(angle)), 1e-9);
    // Without friction at the floor nothing at the wall helps: N_2 = 0, and then N_1 cos θ = W cos θ / 2 ≠ W cos θ.
    const HoldReport floorless = judge(ladder(angle, 0, 0.8).problem());
    EXPECT_EQ(floorless.factor.rest_from, infinity);
    EXPECT_EQ(floorless.contacts[1].rest_from, infinity);
    EXPECT_EQ(floorless.verdict, HoldVerdict::slides);
  }
}

// ---- a box in a corner, pulled from the wall by F at the height of its centre: slides when F > μ W, and the wall lets
// go; tips never, since F is below the centre's reach (F h < W w) ----

TEST(Hold, BoxInACorner) {
  for (const double friction : {0.25, 0.35}) {
    PlanarBody body{
        5, 0.4, {{{-0.5, -0.3}, {0, 1}, friction}, {{0.5, -0.3}, {0, 1}, friction}, {{-0.5, 0.3}, {1, 0}, friction}}};
    body.load << 0.3 * 5 * g, -5 * g, 0;
    const HoldReport report = judge(body.problem(), body.unit_loads());
    EXPECT_NEAR(report.factor.rest_from * friction, 0.3, 1e-9);
    EXPECT_EQ(report.verdict, friction > 0.3 ? HoldVerdict::must_hold : HoldVerdict::slides);
    expect_last_motion(report.factor, 0.3 / friction);
    // Away from the wall until F + Q = μ W; towards it never, as the wall bears it (its contact is above the centre by
    // 0.3, which the floor's two contacts balance up to 0.3 N = 0.5 W, with friction more): checked by its own border.
    ASSERT_TRUE(report.loads[0].exists);
    EXPECT_NEAR(report.loads[0].high, (friction - 0.3) * 5 * g, 1e-9 * 5 * g);
    if (friction < 0.3) {
      EXPECT_EQ(report.modes[2], ContactMode::free);
    }
  }
}

// ---- a parallel gripper: two fingers on slides press a block with S each; the weight W hangs on friction alone ----
//
// N = S at both; the moment about the centre asks for T_1 = T_2 = W/2, so that each needs μ = W/(2 S).

ModesProblem gripper(double squeeze, double left, double right, Eigen::MatrixXd* loads) {
  // Coordinates: left finger, right finger, block x, y, angle. Contacts at the block's sides, 0.04 from its centre;
  // velocities of the block against the fingers, along the block's outer normals turned inwards.
  Eigen::MatrixXd j(4, 5);
  j << -1, 0, 1, 0, 0,    //
      0, 0, 0, 1, -0.04,  //
      0, 1, -1, 0, 0,     //
      0, 0, 0, 1, 0.04;
  Eigen::VectorXd inverse(5), load(5);
  inverse << 1 / 0.2, 1 / 0.2, 1 / 1.5, 1 / 1.5, 1 / 1e-3;
  load << squeeze, -squeeze, 0, -1.5 * g, 0;
  ModesProblem p;
  p.dimension = Dimension::planar;
  const Eigen::MatrixXd half = j * inverse.asDiagonal();
  if (loads) *loads = half;
  p.inertia = half * j.transpose();
  p.free_acceleration = half * load;
  p.velocity = Eigen::VectorXd::Zero(4);
  p.friction = {{left, left}, {right, right}};
  return p;
}

TEST(Hold, ParallelGripper) {
  const double weight = 1.5 * g;
  for (const double squeeze : {10.0, 20.0}) {
    Eigen::MatrixXd loads;
    const double friction = 0.5, needed = weight / (2 * squeeze);
    const HoldReport report = judge(gripper(squeeze, friction, friction, &loads), loads);
    EXPECT_NEAR(friction * report.factor.rest_from, needed, 1e-9);
    EXPECT_TRUE(report.factor.attained);
    EXPECT_EQ(report.verdict, friction > needed ? HoldVerdict::must_hold : HoldVerdict::slides);
    expect_last_motion(report.factor, needed / friction);
    for (const routh::HoldThreshold& contact : report.contacts) {
      if (friction > needed) {
        EXPECT_NEAR(contact.rest_from, needed, 1e-9);
      } else {
        EXPECT_EQ(contact.rest_from, infinity);
      }
    }
    EXPECT_FALSE(report.any_load);
    // Upwards on the block: |W − Q| ≤ 2 μ S.
    ASSERT_TRUE(report.loads[3].exists);
    EXPECT_NEAR(report.loads[3].low, weight - 2 * friction * squeeze, 1e-9 * weight);
    EXPECT_NEAR(report.loads[3].high, weight + 2 * friction * squeeze, 1e-9 * weight);
    // Q more on the left finger: all run to the right with a = Q/1.9, N_1 = S + Q − 0.2 a, N_2 = S + 0.2 a, and both
    // must be W/(2 μ) at least.
    const double short_of = weight / (2 * friction) - squeeze;
    ASSERT_TRUE(report.loads[0].exists);
    EXPECT_NEAR(report.loads[0].low, std::max(short_of * 1.9 / 1.7, short_of * 1.9 / 0.2), 1e-8);
    EXPECT_EQ(report.loads[0].high, infinity);
  }
}

// ---- a four-legged table on a slope: slides when μ < tan α, tips when the plumb line leaves the feet: h tan α > a
// ----

ModesProblem table_on_slope(double slope, double height, double friction, Eigen::MatrixXd* loads = nullptr) {
  std::vector<Eigen::Vector3d> feet;
  for (const double x : {-0.4, 0.4})
    for (const double y : {-0.3, 0.3}) feet.emplace_back(x, y, -height);
  Eigen::Matrix<double, 6, 1> weight = Eigen::Matrix<double, 6, 1>::Zero();
  weight[0] = 12 * g * std::sin(slope);
  weight[2] = -12 * g * std::cos(slope);
  const Eigen::Matrix3d inertia = Eigen::Vector3d(0.9, 1.1, 1.3).asDiagonal();
  ModesProblem p = body_on_plane(12, inertia, feet, weight);
  p.friction.assign(4, {friction, friction});
  if (loads) {
    loads->resize(12, 1);
    *loads = body_on_plane(12, inertia, feet, Eigen::Matrix<double, 6, 1>::Unit(0)).free_acceleration;
  }
  return p;
}

TEST(Hold, TableOnASlope) {
  for (const double slope : {0.2, 0.35}) {
    for (const double friction : {0.8 * std::tan(slope), 1.2 * std::tan(slope)}) {
      Eigen::MatrixXd loads;
      const HoldReport report = judge(table_on_slope(slope, 0.5, friction, &loads), loads);
      EXPECT_NEAR(friction * report.factor.rest_from, std::tan(slope), 1e-9);
      EXPECT_TRUE(report.factor.attained);
      EXPECT_EQ(report.rest, friction > std::tan(slope));
      EXPECT_EQ(report.verdict, report.rest ? HoldVerdict::must_hold : HoldVerdict::slides);
      EXPECT_FALSE(report.all_motions);  // four contacts in space are not enumerated
      ASSERT_EQ(report.factor.motions.value().size(), 1u);
      EXPECT_EQ(report.factor.motions->front().from, 0);
      EXPECT_NEAR(friction * report.factor.motions->front().to, std::tan(slope), 1e-6);
      // Along the slope: |W sin α + Q| ≤ μ W cos α.
      ASSERT_TRUE(report.loads[0].exists);
      const double normal = 12 * g * std::cos(slope), along = 12 * g * std::sin(slope);
      EXPECT_NEAR(report.loads[0].low, -along - friction * normal, 1e-8 * normal);
      EXPECT_NEAR(report.loads[0].high, -along + friction * normal, 1e-8 * normal);
    }
    // So tall that it tips: no friction helps.
    const double tall = 1.05 * 0.4 / std::tan(slope);
    const HoldReport tips = judge(table_on_slope(slope, tall, 2 * std::tan(slope)));
    EXPECT_EQ(tips.factor.rest_from, infinity);
    EXPECT_EQ(tips.verdict, HoldVerdict::tips);
    const HoldReport almost = judge(table_on_slope(slope, 0.95 / 1.05 * tall, 2 * std::tan(slope)));
    EXPECT_NEAR(2 * almost.factor.rest_from, 1, 1e-9);
  }
}

TEST(Hold, TableOnALevelFloorMustHold) {
  const HoldReport report = judge(table_on_slope(0, 0.5, 0.3));
  EXPECT_EQ(report.verdict, HoldVerdict::must_hold);
  EXPECT_EQ(report.factor.rest_from, 0);
  EXPECT_TRUE(report.factor.attained);
}

// Three feet: enumerated.
TEST(Hold, TripodOnASlope) {
  std::vector<Eigen::Vector3d> feet{{0.4, 0, -0.2}, {-0.2, 0.35, -0.2}, {-0.2, -0.35, -0.2}};
  Eigen::Matrix<double, 6, 1> weight = Eigen::Matrix<double, 6, 1>::Zero();
  weight[0] = 3 * g * std::sin(0.3);
  weight[2] = -3 * g * std::cos(0.3);
  for (int k = 0; k < std::min(2, scaled(2)); ++k) {  // each searches many directions of slip
    const double friction = k == 0 ? 0.4 : 0.25;
    ModesProblem p = body_on_plane(3, 0.2 * Eigen::Matrix3d::Identity(), feet, weight);
    p.friction.assign(3, {friction, friction});
    const HoldReport report = judge(p);
    EXPECT_NEAR(friction * report.factor.rest_from, std::tan(0.3), 1e-9);
    EXPECT_EQ(report.verdict, friction > std::tan(0.3) ? HoldVerdict::must_hold : HoldVerdict::slides);
    expect_last_motion(report.factor, std::tan(0.3) / friction);
  }
}

// ---- a block on a slope, in the plane ----

TEST(Hold, BlockOnASlope) {
  for (const double slope : {0.1, 0.4})
    for (const double share : {0.7, 1.3})
      for (const double height : {0.4, 1.2 / std::tan(slope)}) {
        const double friction = share * std::tan(slope);
        PlanarBody body{2, 0.3, {{{-1, -height}, {0, 1}, friction}, {{1, -height}, {0, 1}, friction}}};
        body.load << 2 * g * std::sin(slope), -2 * g * std::cos(slope), 0;
        const HoldReport report = judge(body.problem());
        if (height == 0.4) {
          EXPECT_NEAR(friction * report.factor.rest_from, std::tan(slope), 1e-9);
          EXPECT_EQ(report.verdict, share > 1 ? HoldVerdict::must_hold : HoldVerdict::slides);
          expect_last_motion(report.factor, 1 / share);
        } else {
          EXPECT_EQ(report.factor.rest_from, infinity);
          EXPECT_EQ(report.verdict, share > 1 ? HoldVerdict::tips : HoldVerdict::slides);
        }
      }
}

TEST(Hold, PulledOff) {
  PlanarBody body{2, 0.3, {{{-1, -0.4}, {0, 1}, 0.5}, {{1, -0.4}, {0, 1}, 0.5}}};
  body.load << 0, 3, 0;
  const HoldReport report = judge(body.problem(), body.unit_loads());
  EXPECT_EQ(report.verdict, HoldVerdict::lets_go);
  EXPECT_EQ(report.factor.rest_from, infinity);
  ASSERT_TRUE(report.loads[1].exists);  // pressed by 3 at least
  EXPECT_NEAR(report.loads[1].high, -3, 1e-9);
  EXPECT_EQ(report.loads[1].low, -infinity);
  EXPECT_FALSE(report.loads[0].exists);
}

// Two contacts that slip and know nothing of one another, the first as Painlevé's rod with A = 2.5 − 1.5 μ: jams from
// μ = 5/3.
TEST(Hold, SlipThatJams) {
  ModesProblem p;
  p.dimension = Dimension::planar;
  p.inertia = Eigen::MatrixXd::Zero(4, 4);
  p.inertia.topLeftCorner(2, 2) << 2.5, -1.5, -1.5, 2.5;
  p.inertia.bottomRightCorner(2, 2).setIdentity();
  p.free_acceleration = Eigen::Vector4d(-9.81, 0, -1, 0);
  p.velocity = Eigen::Vector4d(0, -1, 0, 1);
  p.friction = {{2, 2}, {0.1, 0.1}};
  const HoldReport jams = judge(p);
  EXPECT_EQ(jams.verdict, HoldVerdict::jams);
  EXPECT_NEAR(jams.jam_factor.value_or(0), 5.0 / 6, 1e-9);
  p.friction[0] = {1, 1};
  const HoldReport slides = judge(p);
  EXPECT_EQ(slides.verdict, HoldVerdict::slides);
  EXPECT_NEAR(slides.jam_factor.value_or(0), 5.0 / 3, 1e-9);
}

// ---- the same in space: contacts of a planar body, doubled before and behind its plane ----

ModesProblem doubled(const PlanarBody& body) {
  const auto count = static_cast<Eigen::Index>(2 * body.contacts.size());
  Eigen::MatrixXd j(3 * count, 6);
  for (Eigen::Index c = 0; c < count; ++c) {
    const PlanarContact& contact = body.contacts[static_cast<std::size_t>(c / 2)];
    const Eigen::Vector3d at(contact.at.x(), contact.at.y(), c % 2 == 0 ? 0.1 : -0.1);
    const Eigen::Vector3d n(contact.normal.x(), contact.normal.y(), 0), t(n.y(), -n.x(), 0);
    const Eigen::Vector3d rows[] = {n, t, Eigen::Vector3d::UnitZ()};
    for (int r = 0; r < 3; ++r) j.row(3 * c + r) << rows[r].transpose(), at.cross(rows[r]).transpose();
  }
  Eigen::VectorXd inverse(6), load(6);
  inverse << Eigen::Vector3d::Constant(1 / body.mass), Eigen::Vector3d::Constant(1 / body.inertia);
  load << body.load.x(), body.load.y(), 0, 0, 0, body.load.z();
  ModesProblem p;
  p.dimension = Dimension::spatial;
  p.inertia = j * inverse.asDiagonal() * j.transpose();
  p.free_acceleration = j * inverse.asDiagonal() * load;
  p.velocity = Eigen::VectorXd::Zero(3 * count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const double mu = body.contacts[static_cast<std::size_t>(c / 2)].friction;
    p.friction.push_back({mu, mu});
  }
  return p;
}

// What moves in the plane moves in space, too; rest takes the same friction.
TEST(Hold, DoubledContactsInSpace) {
  for (const double friction : {0.9, 1.02, 1.2}) {
    const HoldReport report = judge(doubled(two_point_jam(friction, friction)));
    EXPECT_NEAR(friction * report.factor.rest_from, 1, 1e-6);
    EXPECT_EQ(report.motion, friction < 1.1);
    EXPECT_EQ(report.verdict, friction < 1     ? HoldVerdict::slides
                              : friction < 1.1 ? HoldVerdict::can_hold
                                               : HoldVerdict::must_hold);
  }
  for (const double friction : {0.4, 1.2, 1.5}) {
    PlanarBody body{4, 0.1, {}};
    for (const double x : {-0.2, 0.2})
      for (const double y : {-0.2, 0.2}) body.contacts.push_back({{x, y}, {0, y > 0 ? -1 : 1}, friction});
    body.push({0.2, 0.15}, {20, 0});
    const HoldReport report = judge(doubled(body));
    EXPECT_TRUE(report.rest);
    EXPECT_EQ(report.motion, friction < 4.0 / 3);
    EXPECT_EQ(report.verdict, friction < 4.0 / 3 ? HoldVerdict::can_hold : HoldVerdict::must_hold);
  }
}

// Contacts that slip in space: one before and one behind the plane in which a body is slid on a foot at (x, −y), so
// that v̇_n = A λ_n − g with A = 1/m + x²/I − μ σ x y/I. It jams where A < 0, σ > 0, and never where σ < 0.
TEST(Hold, SlipThatJamsInSpace) {
  const double x = 1.2, y = 2, inertia = 0.5, border = (inertia + x * x) / (x * y);
  for (const double friction : {0.5 * border, 1.5 * border})
    for (const double sign : {1.0, -1.0}) {
      PlanarBody body{1, inertia, {{{x, -y}, {0, 1}, friction}}};
      body.load.y() = -g;
      ModesProblem p = doubled(body);
      for (const Eigen::Index row : {1, 4}) p.velocity[row] = sign;
      const HoldReport report = judge(p);
      const bool jams = sign > 0 && friction > border;
      EXPECT_EQ(report.verdict, jams ? HoldVerdict::jams : HoldVerdict::slides);
      EXPECT_EQ(report.jam_factor.has_value(), sign > 0);
      if (sign > 0) {
        EXPECT_NEAR(friction * report.jam_factor.value_or(0), border, 1e-6);
      }
    }
}

// Motions from starts against those of the enumeration, which three contacts have.
TEST(Hold, StartsFindTheMotionsThatAreEnumerated) {
  Random random(2302);
  int moving = 0, missed = 0;
  for (int k = 0; k < scaled(40, 20); ++k) {
    const ModesProblem p = random_body(random, 3);
    const routh::ModesReport modes = examine_modes(p);
    const bool moves = std::any_of(modes.solutions.begin(), modes.solutions.end(),
                                   [](const ModesSolution& s) { return s.acceleration.cwiseAbs().maxCoeff() > 1e-4; });
    const auto scaled_problem = routh::internal::mode_search::scale_problem(p);
    const bool found = !routh::internal::MotionStarts(scaled_problem).all().empty();
    moving += moves;
    missed += moves && !found;
    EXPECT_FALSE(found && !moves) << describe(p);
  }
  EXPECT_GT(moving, 10);
  EXPECT_EQ(missed, 0);
}

// ---- random machines: above the threshold the modes find a rest, below they do not ----

bool rests_by_modes(ModesProblem p, double factor) {
  for (routh::Friction& f : p.friction) f = {factor * f.static_coefficient, factor * f.kinetic_coefficient};
  namespace modes = routh::internal::mode_search;
  const modes::ScaledProblem scaled = modes::scale_problem(p);
  modes::Combination rest = modes::all_free(scaled);
  for (int c = 0; c < p.count(); ++c) set_mode(scaled, rest, c, ContactMode::stick);
  return allowed_force(scaled, rest).has_value();
}

TEST(Hold, AgreesWithTheModes) {
  Random random(2301);
  int finite = 0, never = 0;
  for (int k = 0; k < scaled(300, 60); ++k) {
    const bool planar = random.chance(0.6);
    ModesProblem p;
    if (planar) {
      PlanarBody body{random.uniform(0.5, 2), random.uniform(0.2, 2), {}};
      const int count = 2 + static_cast<int>(random.uniform(0, 2.99));
      for (int c = 0; c < count; ++c) {
        const double angle = random.uniform(0, 2 * pi);
        body.contacts.push_back({{random.uniform(-1, 1), random.uniform(-1, 1)},
                                 {std::cos(angle), std::sin(angle)},
                                 random.uniform(0.1, 1.5)});
      }
      body.load = random_matrix(random, 3, 1);
      p = body.problem();
    } else {
      p = random_body(random, 4 + static_cast<int>(random.uniform(0, 2.99)));
    }
    const HoldReport report = planar ? judge(p) : judge_hold(p, {}, {});
    const double from = report.factor.rest_from;
    if (std::isinf(from)) {
      EXPECT_FALSE(rests_by_modes(p, 100)) << describe(p);
      ++never;
      continue;
    }
    ++finite;
    // Near a border that is not attained forces are large, and the modes judge coarsely.
    const double margin = report.factor.attained ? 1e-7 : 1e-3;
    EXPECT_TRUE(rests_by_modes(p, std::max(from * (1 + margin), margin))) << from << "\n" << describe(p);
    if (from > 0) {
      EXPECT_FALSE(rests_by_modes(p, from * (1 - margin))) << from << "\n" << describe(p);
    }
    if (planar && report.motion) {
      const routh::ModesReport modes = examine_modes(p);
      const bool moves = std::any_of(modes.solutions.begin(), modes.solutions.end(), [&](const ModesSolution& s) {
        return s.acceleration.cwiseAbs().maxCoeff() > 1e-4;
      });
      EXPECT_EQ(moves, *report.motion) << describe(p);
    }
  }
  EXPECT_GT(finite, 20);
  EXPECT_GT(never, 0);
}

}  // namespace
