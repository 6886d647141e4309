// Bodies on a plane, whose contacts are redundant: boxes with answers by hand, bodies at rest that must have an answer;
// and that nothing is missed and nothing depends on the order of the contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routh/solvability/contact_modes.h"
#include "routh/solvability/mode_system.h"
#include "solvability/contact_modes_support.h"

namespace {

using namespace contact_modes_testing;
using testing_support::scaled;

// ---- a box on an incline: side 2w, centre of mass at height h ----

struct Box {
  double mass = 2, inertia = 0.3, half_width = 0.5, height = 0.4, slope = 0, friction = 0.5;
};
constexpr double gravity = 9.81;

ModesProblem box_in_space(const Box& box) {
  std::vector<Eigen::Vector3d> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) corners.emplace_back(x * box.half_width, y * box.half_width, -box.height);
  Eigen::Matrix<double, 6, 1> weight = Eigen::Matrix<double, 6, 1>::Zero();
  weight[0] = box.mass * gravity * std::sin(box.slope);
  weight[2] = -box.mass * gravity * std::cos(box.slope);
  ModesProblem p = body_on_plane(box.mass, box.inertia * Eigen::Matrix3d::Identity(), corners, weight);
  p.friction.assign(4, {box.friction, box.friction});
  return p;
}

ModesProblem box_in_plane(const Box& box) {
  const ModesProblem space = box_in_space(box);
  ModesProblem p;
  p.dimension = Dimension::planar;
  // Corners 0 and 2 with t1 only; they share the plane y = −w, so the box of the plane has its motion about y alone.
  const double m = box.mass, i = box.inertia, w = box.half_width, h = box.height;
  Eigen::MatrixXd jacobian(4, 3);  // (n, t) of x = −w, then of x = w, over (x, z, rotation that lowers x > 0)
  jacobian << 0, 1, w, 1, 0, -h, 0, 1, -w, 1, 0, -h;
  const Eigen::Vector3d inverse(1 / m, 1 / m, 1 / i);
  p.inertia = jacobian * inverse.asDiagonal() * jacobian.transpose();
  p.free_acceleration = Eigen::Vector4d(space.free_acceleration[0], space.free_acceleration[1],
                                        space.free_acceleration[0], space.free_acceleration[1]);
  p.velocity = Eigen::VectorXd::Zero(4);
  p.friction.assign(2, {box.friction, box.friction});
  return p;
}

enum class BoxFate { rests, slides, tips };

// The accelerations of the corners by hand; x points down the slope.
Eigen::VectorXd box_answer(const Box& box, const ModesProblem& p, BoxFate fate) {
  Eigen::VectorXd a = Eigen::VectorXd::Zero(p.free_acceleration.size());
  const double w = box.half_width, h = box.height;
  const double about_edge = box.mass * gravity * (h * std::sin(box.slope) - w * std::cos(box.slope)) /
                            (box.inertia + box.mass * (w * w + h * h));
  for (int c = 0; c < p.count(); ++c) {
    const bool upper = c < p.count() / 2;
    if (fate == BoxFate::slides)
      a[p.rows() * c + 1] = gravity * (std::sin(box.slope) - box.friction * std::cos(box.slope));
    if (fate == BoxFate::tips && upper) a[p.rows() * c] = 2 * w * about_edge;
  }
  return a;
}

void expect_fate(const Box& box, BoxFate fate) {
  const ContactMode lower = fate == BoxFate::slides ? ContactMode::slip : ContactMode::stick;
  const ContactMode upper = fate == BoxFate::tips ? ContactMode::free : lower;
  for (ModesProblem p : {box_in_plane(box), box_in_space(box)}) {
    const Eigen::VectorXd expected = box_answer(box, p, fate);
    for (const ModesReport& report : {examine_modes(p), find_modes(p, {})}) {
      ASSERT_EQ(report.solutions.size(), 1u) << describe(p);
      const ModesSolution& s = report.solutions[0];
      EXPECT_TRUE(obeys(p, s));
      EXPECT_TRUE(same(s.acceleration, expected, 1e-9)) << s.acceleration.transpose() << "\n" << expected.transpose();
      EXPECT_EQ(s.modes.front(), upper);
      EXPECT_EQ(s.modes.back(), lower);
      EXPECT_EQ(report.rank, p.dimension == Dimension::planar ? 3 : 6);
      const ModesReport warm = find_modes(p, s.modes);
      ASSERT_EQ(warm.solutions.size(), 1u);
      EXPECT_EQ(warm.solutions[0].modes, s.modes);
    }
    // Already sliding down the slope: friction has its direction whatever the coefficient can hold.
    if (fate != BoxFate::slides) continue;
    for (int c = 0; c < p.count(); ++c) p.velocity[p.rows() * c + 1] = 0.1;
    const ModesReport sliding = examine_modes(p);
    ASSERT_EQ(sliding.solutions.size(), 1u);
    EXPECT_TRUE(same(sliding.solutions[0].acceleration, expected, 1e-9));
  }
}

TEST(ContactModesBodies, BoxOnAnIncline) {
  expect_fate({.slope = 0}, BoxFate::rests);
  expect_fate({.slope = 0.3}, BoxFate::rests);
  expect_fate({.slope = 0.6}, BoxFate::slides);
  expect_fate({.half_width = 0.2, .height = 1.0, .slope = 0.4, .friction = 2}, BoxFate::tips);
  // Units of another kind.
  expect_fate({.mass = 2e-6, .inertia = 3e-13, .half_width = 5e-4, .height = 4e-4, .slope = 0.3}, BoxFate::rests);
  expect_fate({.mass = 2e6, .inertia = 3e9, .half_width = 50, .height = 40, .slope = 0.6}, BoxFate::slides);
}

// On the very edge of tipping the upper corners carry nothing and do not open: one solution, with everything closed.
TEST(ContactModesBodies, BoxOnTheEdgeOfTipping) {
  const Box box{.half_width = 0.2, .height = 0.8, .slope = std::atan(0.25), .friction = 2};
  for (const ModesProblem& p : {box_in_plane(box), box_in_space(box)}) {
    const ModesReport report = examine_modes(p);
    ASSERT_EQ(report.solutions.size(), 1u);
    EXPECT_TRUE(obeys(p, report.solutions[0]));
    EXPECT_LE(report.solutions[0].acceleration.norm(), 1e-7);
  }
}

TEST(ContactModesBodies, ForceOfLeastNormIsSharedEvenly) {
  const Box box;
  const ModesProblem p = box_in_space(box);
  const ModesSolution s = examine_modes(p).solutions.at(0);
  EXPECT_FALSE(s.force_unique);
  for (int c = 0; c < 4; ++c) {
    EXPECT_NEAR(s.force[3 * c], box.mass * gravity / 4, 1e-9);
    EXPECT_NEAR(s.force.segment(3 * c + 1, 2).norm(), 0, 1e-9);
  }
}

// Least norm where plain least squares would pull: a plank on three props, loaded over the first, cannot pull on the
// last. In the plane, without friction: λ₁ + λ₂ + λ₃ = W, moment about the first prop zero, hence λ = (W, 0, 0).
TEST(ContactModesBodies, LeastNormNeverPulls) {
  ModesProblem p;
  p.dimension = Dimension::planar;
  Eigen::MatrixXd jacobian(6, 3);
  jacobian << 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 2, 1, 0, 0;
  p.inertia = jacobian * jacobian.transpose();
  p.velocity = Eigen::VectorXd::Zero(6);
  p.friction.assign(3, {0, 0});
  p.free_acceleration = jacobian * Eigen::Vector3d(0, -1, 0);
  const ModesReport report = examine_modes(p);
  ASSERT_EQ(report.solutions.size(), 1u);
  EXPECT_LE(report.solutions[0].acceleration.norm(), 1e-8);
  EXPECT_NEAR(report.solutions[0].force[0], 1, 1e-8);
  EXPECT_NEAR(report.solutions[0].force[2], 0, 1e-8);
  EXPECT_NEAR(report.solutions[0].force[4], 0, 1e-8);
}

// ---- machines beyond the enumeration: a body at rest on random points always has a solution ----

TEST(ContactModesBodies, BodyAtRestAlwaysHasASolution) {
  constexpr std::uint64_t seed = 7306;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int missed = 0, other = 0;
  const int problems = scaled(400, 40);
  for (int k = 0; k < problems; ++k) {
    const ModesProblem p = random_body(random, 2 + random.below(7));
    const ModesReport report = find_modes(p, {});
    if (report.solutions.empty()) {
      ++missed;
      continue;
    }
    ASSERT_EQ(report.status, ModesStatus::one_found);
    ASSERT_TRUE(obeys(p, report.solutions[0])) << describe(p);
    // Started from the modes of its own answer it finds one, and unless directions of slip have to be found, the same.
    const std::vector<ContactMode>& modes = report.solutions[0].modes;
    const ModesReport again = find_modes(p, modes);
    ASSERT_EQ(again.solutions.size(), 1u) << describe(p);
    ASSERT_TRUE(obeys(p, again.solutions[0])) << describe(p);
    const bool equal = same(again.solutions[0].acceleration, report.solutions[0].acceleration);
    ASSERT_TRUE(equal || std::find(modes.begin(), modes.end(), ContactMode::slip) != modes.end()) << describe(p);
    other += !equal;
  }
  RecordProperty("missed", missed);
  RecordProperty("other", other);
  EXPECT_LE(missed, problems / 100) << "of " << problems;
  EXPECT_LE(other, problems / 20) << "of " << problems;
}

// The last resort alone, on what the first ones would solve: forces obey, none of them rounding at contacts that open,
// and shared ones are told.
TEST(ContactModesBodies, TheLastResortObeysToo) {
  namespace search = routh::internal::mode_search;
  Random random(7307);
  int missed = 0, opening = 0;
  const int problems = 200, contacts = 10;
  for (int k = 0; k < problems; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const ModesProblem p = random_body(random, contacts);
    const search::ScaledProblem scaled_problem = search::scale_problem(p);
    const std::optional<search::Candidate> found = search::by_contact_problem(scaled_problem);
    if (!found) {
      ++missed;
      continue;
    }
    ModesSolution s{found->combination.modes, found->force, found->acceleration, found->force_unique,
                    found->acceleration_unique};
    int closed = 0;
    for (int c = 0; c < contacts; ++c) {
      s.force.segment<3>(3 * c) *= scaled_problem.scale[c] * scaled_problem.unit;
      s.acceleration.segment<3>(3 * c) *= scaled_problem.unit / scaled_problem.scale[c];
      closed += s.modes[static_cast<std::size_t>(c)] != ContactMode::free;
    }
    ASSERT_TRUE(obeys(p, s)) << describe(p);
    opening += closed > 0 && closed < contacts;
    // A body has six freedoms: of seven contacts on a plane whose normal forces are all unknown some are redundant.
    if (closed > 6) {
      EXPECT_FALSE(found->force_unique) << describe(p);
    }
  }
  EXPECT_LE(missed, problems / 50);
  EXPECT_GE(opening, problems / 4);
}

// ---- nothing is missed, nothing depends on the order ----

ModesProblem permuted(const ModesProblem& p, const std::vector<int>& order) {
  ModesProblem q = p;
  std::vector<Eigen::Index> rows;
  for (const int c : order)
    for (int k = 0; k < p.rows(); ++k) rows.push_back(p.rows() * c + k);
  q.inertia = p.inertia(rows, rows);
  q.free_acceleration = p.free_acceleration(rows);
  q.velocity = p.velocity(rows);
  for (std::size_t c = 0; c < order.size(); ++c) q.friction[c] = p.friction[static_cast<std::size_t>(order[c])];
  return q;
}

// Solutions found from random modes, and those of the permuted problem, must all be in the list.
void expect_complete(Random& random, const ModesProblem& p, int starts) {
  const ModesReport report = examine_modes(p);
  for (const ModesSolution& s : report.solutions) ASSERT_TRUE(obeys(p, s)) << describe(p);
  for (std::size_t i = 0; i < report.solutions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_FALSE(same(report.solutions[i].acceleration, report.solutions[j].acceleration, 1e-9)) << describe(p);
  constexpr ContactMode modes[] = {ContactMode::free, ContactMode::stick, ContactMode::slip};
  for (int k = 0; k < starts; ++k) {
    std::vector<ContactMode> guess;
    for (int c = 0; c < p.count(); ++c) guess.push_back(modes[random.below(3)]);
    const ModesReport one = find_modes(p, guess);
    ASSERT_EQ(one.solutions.empty(), report.solutions.empty()) << describe(p);
    for (const ModesSolution& s : one.solutions) {
      ASSERT_TRUE(obeys(p, s)) << describe(p);
      ASSERT_TRUE(lists(report, s.acceleration)) << s.acceleration.transpose() << "\n" << describe(p);
    }
  }
  std::vector<int> order(static_cast<std::size_t>(p.count()));
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + 1, order.end());
  const ModesProblem turned_problem = permuted(p, order);
  const ModesReport other = examine_modes(turned_problem);
  ASSERT_EQ(other.solutions.size(), report.solutions.size()) << describe(p);
  for (const ModesSolution& s : report.solutions) {
    std::vector<Eigen::Index> rows;
    for (const int c : order)
      for (int k = 0; k < p.rows(); ++k) rows.push_back(p.rows() * c + k);
    ASSERT_TRUE(lists(other, s.acceleration(rows))) << describe(p);
  }
}

TEST(ContactModesBodies, FourPlanarContactsAreComplete) {
  constexpr std::uint64_t seed = 7307;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(60, 6); ++k) {
    ModesProblem p = random_problem(random, Dimension::planar, 4, 0.3);
    for (routh::Friction& f : p.friction) f.static_coefficient *= random.uniform(1, 1.4);
    expect_complete(random, p, 20);
    if (HasFailure()) return;
  }
}

TEST(ContactModesBodies, ThreeSpatialContactsAreComplete) {
  constexpr std::uint64_t seed = 7308;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(20, 3); ++k) {
    const bool body = random.chance(0.4);  // six degrees of freedom: D singular
    ModesProblem p = body ? random_body(random, 3) : random_problem(random, Dimension::spatial, 3, 0.4);
    for (routh::Friction& f : p.friction) f.static_coefficient *= random.uniform(1, 1.4);
    expect_complete(random, p, 10);
    if (HasFailure()) return;
  }
}

}  // namespace
