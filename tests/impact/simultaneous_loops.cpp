// Simultaneous impact of machines with loops, through postures where the loop rows depend on one another, with external
// impulses, and of input that is not a problem.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "simultaneous_oracle.h"

namespace {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ContactRole;
using routh::Restitution;
using routh::SimultaneousProblem;
using routh::SimultaneousResult;
using routh::SimultaneousStatus;

Restitution constant(double e) {
  Restitution r;
  r.normal = e;
  return r;
}

// Crank and rod of equal length r: angles θ and −θ, slider at 2 r cos θ. At θ = π/2 the second closure row vanishes.
SimultaneousProblem slider_crank(double theta, double e) {
  SimultaneousProblem p;
  const double r = 0.4;
  p.mass_matrix = MatrixXd::Zero(3, 3);
  p.mass_matrix << 0.9, 0.1, 0, 0.1, 0.5, 0, 0, 0, 2;
  p.bilateral = MatrixXd::Zero(2, 3);
  p.bilateral << r * std::sin(theta), -r * std::sin(theta), 1, r * std::cos(theta), r * std::cos(theta), 0;
  p.normal = Eigen::RowVector3d(0, 0, 1);
  p.restitution = {constant(e)};
  p.velocity = Eigen::Vector3d(1, -1, -2 * r * std::sin(theta));
  return p;
}

TEST(SimultaneousLoops, SliderCrankThroughItsSingularPosture) {
  const double quarter = std::acos(0.0);
  for (const double off : {0.5, 1e-2, 1e-4, 1e-6, 0.0}) {
    SCOPED_TRACE(off);
    SimultaneousProblem p = slider_crank(quarter - off, 0.6);
    if (off == 0) p.bilateral.row(1).setZero();  // cos(π/2) is not quite zero
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_EQ(r.status, SimultaneousStatus::ok);
    EXPECT_EQ(r.rank, off == 0 ? 2 : 3);
    EXPECT_LE((p.bilateral * r.velocity).norm(), 1e-12);
    EXPECT_NEAR(r.velocity[2], -0.6 * p.velocity[2], 1e-14);
    EXPECT_TRUE(r.consistent);
    // Both joints turn back alike while the loop forbids anything else; at the singular posture the masses decide: the
    // impulse (1, −1)s on the two joints turns θ̇ − φ̇ = 2 into −1.2 and changes them by (0.6, −1) s/0.44.
    const Eigen::Vector3d expected =
        off > 0 ? Eigen::Vector3d(-0.6, 0.6, -0.6 * p.velocity[2]) : Eigen::Vector3d(-0.2, 1, -0.6 * p.velocity[2]);
    EXPECT_LE((r.velocity - expected).norm(), 1e-9);
    if (off > 1e-6) {
      const VectorXd target = Eigen::Vector3d(0, 0, -0.6 * p.velocity[2]);
      EXPECT_LE((r.velocity - velocity_of(p, stacked(p.bilateral, p.normal), target)).norm(), 1e-9);
    }
  }
}

// Parallelogram: two cranks at angle θ, a coupler that only translates. A stop for each crank; with the loop closed
// both stops are one and the same row.
SimultaneousProblem parallelogram(double theta, const std::vector<double>& e) {
  SimultaneousProblem p;
  p.mass_matrix = Eigen::Vector3d(1.5, 0.4, 0.7).asDiagonal();
  p.bilateral = MatrixXd::Zero(3, 3);
  p.bilateral << std::sin(theta), 0, -std::sin(theta), std::cos(theta), 0.8, -std::cos(theta), 2 * std::sin(theta), 0,
      -2 * std::sin(theta);
  p.normal = MatrixXd::Zero(static_cast<Index>(e.size()), 3);
  for (Index j = 0; j < p.normal.rows(); ++j) {
    p.normal(j, j % 2 == 0 ? 0 : 2) = 1 + static_cast<double>(j);
    p.restitution.push_back(constant(e[static_cast<std::size_t>(j)]));
  }
  p.velocity = Eigen::Vector3d(-1, 0, -1);
  return p;
}

TEST(SimultaneousLoops, StopsThatTheLoopMakesEqual) {
  struct Case {
    std::vector<double> e;
    double expected;
  };
  // Different restitutions on one row: their mean, each counted once.
  for (const Case& c : {Case{{0.3, 0.3}, 0.3}, Case{{0.2, 0.6}, 0.4}, Case{{0.2, 0.6, 0.2}, 0.4},
                        Case{{0.2, 0.6, 0.6, 0.6}, 0.4}, Case{{0.2, 0.6, 0.1}, 0.3}}) {
    const SimultaneousProblem p = parallelogram(0.7, c.e);
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_EQ(r.status, SimultaneousStatus::ok);
    EXPECT_LE((r.velocity - Eigen::Vector3d(c.expected, 0, c.expected)).norm(), 1e-13);
    EXPECT_LE((p.bilateral * r.velocity).norm(), 1e-12) << "the loop does not open";
    EXPECT_EQ(r.rank, 3);
    EXPECT_FALSE(r.contacts[0].impulse_unique);
  }
  // Flattened, the loop lets the coupler turn, and each crank obeys its own stop.
  const SimultaneousProblem flat = parallelogram(0, {0.2, 0.6});
  const SimultaneousResult r = solve_simultaneous(flat);
  EXPECT_LE((r.velocity - Eigen::Vector3d(0.2, 0.5, 0.6)).norm(), 1e-13);
  EXPECT_LE((flat.bilateral * r.velocity).norm(), 1e-12);
  EXPECT_TRUE(r.contacts[0].impulse_unique);
}

// Loops that were open before are closed, and the result says so.
TEST(SimultaneousLoops, Contradiction) {
  SimultaneousProblem p = parallelogram(0.7, {0.3, 0.3});
  p.velocity[1] = 0.5;
  const SimultaneousResult r = solve_simultaneous(p);
  EXPECT_EQ(r.status, SimultaneousStatus::contradiction);
  EXPECT_LE((p.bilateral * r.velocity).norm(), 1e-12);
  const double before = 0.5 * p.velocity.dot(p.mass_matrix * p.velocity);
  const double after = 0.5 * r.velocity.dot(p.mass_matrix * r.velocity);
  EXPECT_NEAR(r.energy_change, after - before, 1e-13);
}

// A ball on the ground, struck by a hammer: down, nothing moves; up, it leaves.
TEST(SimultaneousLoops, ExternalImpulseOnARestingContact) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(1, 1) * 2;
  p.velocity = VectorXd::Zero(1);
  p.normal = MatrixXd::Identity(1, 1);
  p.restitution = {constant(0.5)};
  EXPECT_EQ(solve_simultaneous(p).status, SimultaneousStatus::no_impact);
  p.external_impulse = VectorXd::Constant(1, -3);
  const SimultaneousResult down = solve_simultaneous(p);
  EXPECT_EQ(down.status, SimultaneousStatus::ok);
  EXPECT_NEAR(down.velocity[0], 0, 1e-15);
  EXPECT_NEAR(down.contacts[0].normal_impulse, 3, 1e-14);
  EXPECT_EQ(down.contacts[0].role, ContactRole::rests);
  EXPECT_EQ(down.ratio, 1);
  p.external_impulse[0] = 3;
  const SimultaneousResult up = solve_simultaneous(p);
  EXPECT_NEAR(up.velocity[0], 1.5, 1e-15);
  EXPECT_EQ(up.contacts[0].role, ContactRole::released);
  EXPECT_NEAR(up.supplied, 2.25, 1e-14);
  EXPECT_TRUE(std::isinf(up.ratio));
  EXPECT_TRUE(up.consistent);
}

TEST(SimultaneousLoops, NotAProblem) {
  const SimultaneousProblem good = parallelogram(0.7, {0.3, 0.3});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto status = [&](auto change) {
    SimultaneousProblem p = good;
    change(p);
    const SimultaneousResult r = solve_simultaneous(p);
    EXPECT_EQ(r.contacts.size(), static_cast<std::size_t>(p.normal.rows()));
    return r.status;
  };
  EXPECT_EQ(status([](auto&) {}), SimultaneousStatus::ok);
  EXPECT_EQ(status([&](auto& p) { p.velocity[0] = nan; }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([&](auto& p) { p.normal(0, 1) = nan; }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.restitution.pop_back(); }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.restitution[0].normal = 1.5; }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.velocity.conservativeResize(2); }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.mass_matrix(0, 1) = 0.1; }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.tangential = MatrixXd::Ones(3, 3); }), SimultaneousStatus::invalid);
  EXPECT_EQ(status([](auto& p) { p.mass_matrix(1, 1) = -1; }), SimultaneousStatus::mass_matrix_indefinite);
  EXPECT_EQ(status([](auto& p) { p.mass_matrix(1, 1) = 0; }), SimultaneousStatus::mass_matrix_indefinite);
  EXPECT_EQ(status([](auto& p) { p.velocity *= -1; }), SimultaneousStatus::no_impact);
  EXPECT_EQ(status([](auto& p) { p.velocity.setZero(); }), SimultaneousStatus::no_impact);
  EXPECT_EQ(status([](auto& p) { p.normal.row(1).setZero(); }), SimultaneousStatus::ok);
  EXPECT_EQ(status([](auto& p) { p.velocity *= 1e150; }), SimultaneousStatus::ok);
  EXPECT_EQ(status([](auto& p) { p.velocity *= 1e-150; }), SimultaneousStatus::ok);
  EXPECT_STREQ(name(SimultaneousStatus::not_converged), "not_converged");
  EXPECT_STREQ(name(ContactRole::released), "released");
}

// One contact whose sticking impulse pulls: sticking it must let go, and let go it must act. There is no answer.
TEST(SimultaneousLoops, SticksOnlyWhileItPulls) {
  SimultaneousProblem p;
  Eigen::Matrix2d d;  // D of (normal, tangential) with a strong coupling
  d << 1, 0.9, 0.9, 1;
  p.mass_matrix = d.inverse();
  p.velocity = Eigen::Vector2d(-1, -3);
  p.normal = Eigen::RowVector2d(1, 0);
  p.tangential = Eigen::RowVector2d(0, 1);
  p.restitution = {constant(0)};
  const Eigen::Vector2d impulse = -d.inverse() * p.velocity;
  ASSERT_LT(impulse[0], 0);
  const SimultaneousResult r = solve_simultaneous(p);
  EXPECT_EQ(r.status, SimultaneousStatus::not_converged);
  EXPECT_EQ((r.velocity - p.velocity).norm(), 0);
  p.velocity[1] = 3;
  const SimultaneousResult stuck = solve_simultaneous(p);
  EXPECT_EQ(stuck.status, SimultaneousStatus::ok);
  EXPECT_LE(stuck.velocity.norm(), 1e-14);
}

// A body that slides on the ground does not stop because another one lands beside it.
TEST(SimultaneousLoops, WhatIsNotPressedSlidesOn) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(3, 3);
  p.velocity = Eigen::Vector3d(-1, 0, 1);
  p.normal = MatrixXd::Identity(2, 3);
  p.tangential = MatrixXd::Zero(2, 3);
  p.tangential(1, 2) = 1;
  p.restitution = {constant(0.5), constant(0.5)};
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_LE((r.velocity - Eigen::Vector3d(0.5, 0, 1)).norm(), 1e-14);
  EXPECT_EQ(r.contacts[1].role, ContactRole::rests);
  EXPECT_EQ(r.contacts[1].tangential_impulse[0], 0);
}

}  // namespace
