// The way to the first strike: against closed forms of free fall, pendulum energy, and conservation.
#include "routh/simulation/first_strike.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/model/builder.h"

namespace {

using namespace routh;

Model ball_over_floor() {
  ModelBuilder builder(Dimension::spatial);
  builder.body("ball").mass(1.5).inertia(0.1, 0.1, 0.1).free();
  builder.shape("ball").on("ball").sphere(0.25);
  builder.shape("floor").half_space();
  return builder.build();
}

TEST(FirstStrike, FallingBallMeetsTheFloorWhenGalileoSays) {
  const Model model = ball_over_floor();
  State start = rest_state(model);
  start.q[2] = 3;
  start.v << 1, -2, 0.7, 3, 1, -2;
  const FirstStrike result = find_first_strike(model, start, 10);
  ASSERT_EQ(result.status, FirstStrikeStatus::struck);
  const double t = (0.7 + std::sqrt(0.7 * 0.7 + 2 * 9.81 * 2.75)) / 9.81;
  EXPECT_NEAR(result.state.time, t, 1e-11);
  EXPECT_NEAR(result.state.q[2], 0.25, 1e-13);
  EXPECT_NEAR(result.state.q[0], t, 1e-11);
  EXPECT_NEAR(result.state.v[2], 0.7 - 9.81 * t, 1e-10);
  EXPECT_NEAR(result.state.q.segment<4>(3).norm(), 1, 1e-15);
  // A sphere spins on as it is: the rotation about the fixed axis (3, 1, −2) by the angle √14 t.
  EXPECT_NEAR(std::abs(result.state.q[3]), std::abs(std::cos(std::sqrt(14.0) * t / 2)), 1e-10);
  ASSERT_EQ(result.contacts.size(), 1u);
  EXPECT_EQ(result.contacts[0], "ball on floor");
}

// Shelves as thin as a centimetre are not jumped over, from rest or thrown.
TEST(FirstStrike, ThinShelvesAreMet) {
  for (const double height : {0.3, 2.0, 30.0})
    for (const double speed : {0.0, -3.0}) {
      ModelBuilder builder(Dimension::planar);
      builder.body("ball").mass(1).inertia(0.1).planar();
      builder.shape("ball").on("ball").sphere(0.05);
      builder.shape("shelf").box(4, 0.01);
      const Model model = builder.build();
      State start = rest_state(model);
      start.q[1] = height + 0.055;
      start.v[1] = speed;
      const FirstStrike result = find_first_strike(model, start, 10);
      ASSERT_EQ(result.status, FirstStrikeStatus::struck) << height << ' ' << speed;
      EXPECT_NEAR(result.state.time, (speed + std::sqrt(speed * speed + 2 * 9.81 * height)) / 9.81, 1e-9);
    }
}

TEST(FirstStrike, StartTimeIsKeptAndNothingIsStruckTooSoon) {
  const Model model = ball_over_floor();
  State start = rest_state(model);
  start.q[2] = 3;
  start.time = 5;
  const FirstStrike result = find_first_strike(model, start, 0.5);
  EXPECT_EQ(result.status, FirstStrikeStatus::no_strike);
  EXPECT_EQ(result.state.time, 5.5);
  EXPECT_NEAR(result.state.q[2], 3 - 0.5 * 9.81 * 0.25, 1e-12);
}

TEST(FirstStrike, WhatTouchesAtTheStart) {
  const Model model = ball_over_floor();
  State start = rest_state(model);
  start.q[2] = 0.25;
  EXPECT_EQ(find_first_strike(model, start, 10).status, FirstStrikeStatus::supported);
  start.v[2] = -1;
  const FirstStrike now = find_first_strike(model, start, 10);
  EXPECT_EQ(now.status, FirstStrikeStatus::struck);
  EXPECT_EQ(now.state.time, 0);
  EXPECT_EQ(now.state.v, start.v);
  start.q[2] = 0.2;
  EXPECT_EQ(find_first_strike(model, start, 10).run, SimulationStatus::overlapping);
  start.q[2] = 0.25;
  start.v[2] = 2;  // leaves and comes back
  const FirstStrike result = find_first_strike(model, start, 10);
  ASSERT_EQ(result.status, FirstStrikeStatus::struck);
  EXPECT_NEAR(result.state.time, 4 / 9.81, 1e-11);
}

// A pendulum swings against a wall: its speed there follows from its height, without integrating anything.
TEST(FirstStrike, PendulumArrivesWithTheSpeedOfItsHeight) {
  ModelBuilder builder(Dimension::planar);
  builder.body("bob").mass(2).com(0, -1.5).inertia(0.3).revolute("world");
  builder.shape("tip").on("bob").point().at(0, -2);
  builder.shape("wall").half_space().at(1, 0).normal(-1, 0);
  builder.include("tip", "wall");
  const Model model = builder.build();
  State start = rest_state(model);
  start.q << -1.2;
  const FirstStrike result = find_first_strike(model, start, 10);
  ASSERT_EQ(result.status, FirstStrikeStatus::struck);
  EXPECT_NEAR(result.state.q[0], std::asin(0.5), 1e-12);
  const double inertia = 0.3 + 2 * 1.5 * 1.5;
  const double drop = 1.5 * (std::cos(std::asin(0.5)) - std::cos(1.2));
  EXPECT_NEAR(result.state.v[0], std::sqrt(2 * 2 * 9.81 * drop / inertia), 1e-10);
}

// Thrown so that its top just misses or just reaches a ceiling.
TEST(FirstStrike, GrazingIsAMissJustBelowAndAHitJustAbove) {
  ModelBuilder builder(Dimension::planar);
  builder.body("stone").mass(1).inertia(0.1).planar("world");
  builder.shape("stone").on("stone").point();
  builder.shape("ceiling").half_space().at(0, 1).normal(0, -1);
  const Model model = builder.build();
  const double speed = std::sqrt(2 * 9.81);
  for (const double excess : {-1e-6, 1e-6}) {
    State start = rest_state(model);
    start.v << 1, speed * (1 + excess), 0;
    const FirstStrike result = find_first_strike(model, start, 0.8);
    EXPECT_EQ(result.status, excess > 0 ? FirstStrikeStatus::struck : FirstStrikeStatus::no_strike) << excess;
  }
}

TEST(FirstStrike, LoopStaysClosedAndEnergyIsKept) {
  ModelBuilder builder(Dimension::planar);
  builder.body("crank").mass(2).com(0.5, 0).inertia(0.17).revolute("world");
  builder.body("coupler").mass(3).com(1.5, 0).inertia(2.25).revolute("crank").at(1, 0);
  builder.body("rocker").mass(2.5).com(1.25, 0).inertia(1.3).revolute("world").at(1.7, 0.4);
  builder.loop("pin").point("coupler", "rocker").at(Vector3{3, 0, 0}, Vector3{2.5, 0, 0});
  const Model model = builder.build();
  Workspace workspace(model);
  State start = rest_state(model);
  start.q << M_PI / 2, -0.9272952180016122, 1.2870022175865687;
  start.v << -2, 0, 0;
  AssemblyOptions given;
  given.given_position = {true, false, false};
  given.given_velocity = {true, false, false};
  ASSERT_TRUE(assemble(model, start, workspace, given).closed);
  EXPECT_EQ(start.v[0], -2);
  const Energy before = compute_energy(model, start, workspace);
  const FirstStrike result = find_first_strike(model, start, 1);
  ASSERT_EQ(result.status, FirstStrikeStatus::no_strike);
  const Energy after = compute_energy(model, result.state, workspace);
  const double total = before.kinetic + before.potential;
  EXPECT_NEAR(after.kinetic + after.potential, total, 1e-10 * total);
  Eigen::VectorXd phi(model.loop_rows);
  compute_kinematics(model, result.state.q, workspace);
  loop_residual(model, workspace, result.state.q, phi);
  EXPECT_LE(phi.norm(), 1e-12);
}

// A touch without load, as of a ball beside a floor where nothing pulls it down, is let go.
TEST(FirstStrike, UnloadedTouchIsNoSupport) {
  ModelBuilder builder(Dimension::planar);
  builder.gravity(0, 0);
  builder.body("ball").mass(1).inertia(0.1).planar();
  builder.shape("ball").on("ball").sphere(0.25);
  builder.shape("floor").half_space();
  builder.shape("wall").half_space().at(3, 0).normal(-1, 0);
  const Model model = builder.build();
  State start = rest_state(model);
  start.q[1] = 0.25;
  start.v[0] = 2;
  const FirstStrike result = find_first_strike(model, start, 10);
  ASSERT_EQ(result.status, FirstStrikeStatus::struck);
  EXPECT_NEAR(result.state.time, 2.75 / 2, 1e-12);
  EXPECT_EQ(result.state.v[0], 2);
  ASSERT_EQ(result.contacts.size(), 1u);
  EXPECT_EQ(result.contacts[0], "ball on wall");
}

// Painlevé's rod, pushed along a rough floor: it jams at once, which is no strike.
TEST(FirstStrike, JammedRodIsSupported) {
  ModelBuilder builder(Dimension::planar);
  builder.surface("rough").friction(2).restitution(0);
  builder.body("rod").mass(1).inertia(1.0 / 12).planar();
  builder.shape("tip").on("rod").point().at(-0.5, 0).surface("rough");
  builder.shape("floor").half_space().surface("rough");
  const Model model = builder.build();
  State start = rest_state(model);
  start.q << 0, 0.5 * std::sin(M_PI / 3), M_PI / 3;  // the tip touches
  for (const double speed : {-1.0, 1.0}) {
    start.v << speed, 0, 0;
    const FirstStrike result = find_first_strike(model, start, 1);
    EXPECT_EQ(result.status, FirstStrikeStatus::supported) << speed;
    ASSERT_EQ(result.contacts.size(), 1u) << speed;
    EXPECT_EQ(result.contacts[0], "tip on floor");
  }
}

// The caller can end the search.
TEST(FirstStrike, EndsWhenToldTo) {
  const Model model = ball_over_floor();
  State start = rest_state(model);
  start.q[2] = 3;
  const FirstStrike result = find_first_strike(model, start, 10, {}, [] { return true; });
  EXPECT_EQ(result.status, FirstStrikeStatus::failed);
  EXPECT_EQ(result.run, SimulationStatus::stopped);
}

}  // namespace
