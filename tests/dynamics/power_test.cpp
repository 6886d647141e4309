// What drives give and take, against u q̇ and the change of their store by differences.
#include "routh/dynamics/power.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "case.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using reference::Real;
using testing_support::Random;
using testing_support::scaled;

routh::ModelDescription driven_slider(const routh::DriveDescription& drive) {
  routh::ModelDescription description;
  routh::BodyDescription body;
  body.name = "cart";
  body.mass = 1;
  body.inertia = {1, 1, 1, 0, 0, 0};
  routh::JointDescription joint;
  joint.kind = routh::JointKind::prismatic;
  joint.name = joint.child = "cart";
  joint.axis = {1, 0, 0};
  joint.dofs.resize(1);
  joint.dofs[0].drive = drive;
  description.bodies.push_back(body);
  description.joints.push_back(joint);
  return description;
}

struct Motion {
  Real q = 0, v = 0, time = 0;
};

Real line(const routh::Profile& profile, Real time) {
  const auto& p = profile.points;
  return p.size() == 1 ? Real(p[0].value) : p[0].value + (p[1].value - p[0].value) / (p[1].time - p[0].time) * time;
}

Real stored_by_drive(const routh::DriveDescription& drive, const Motion& at) {
  const Real way = at.q - line(drive.position, at.time);
  return drive.stiffness * way * way / 2;
}

Real given(const routh::DriveDescription& drive, const Motion& at) {
  const Real u =
      drive.stiffness * (line(drive.position, at.time) - at.q) + drive.damping * (line(drive.velocity, at.time) - at.v);
  const Real h = 1e-3L;  // the difference of a parabola has no error of its own
  const Motion before{at.q - h * at.v, at.v, at.time - h}, after{at.q + h * at.v, at.v, at.time + h};
  const Real rate = (stored_by_drive(drive, after) - stored_by_drive(drive, before)) / (2 * h);
  return std::clamp(u, -Real(drive.limit), Real(drive.limit)) * at.v + rate;
}

routh::Power power_of(Case& c, const Motion& at) {
  routh::State state = c.state;
  state.q[0] = static_cast<double>(at.q);
  state.v[0] = static_cast<double>(at.v);
  state.time = static_cast<double>(at.time);
  compute_velocities(c.model, state.q, state.v, c.workspace);
  return routh::compute_power(c.model, state, c.workspace);
}

routh::DriveDescription random_drive(Random& random) {
  routh::DriveDescription drive;
  drive.stiffness = random.chance(0.7) ? random.uniform(1, 100) : 0;
  drive.damping = random.chance(0.8) ? random.uniform(0, 10) : 0;
  drive.limit = random.chance(0.6) ? random.uniform(1, 60) : routh::unlimited;
  drive.position = routh::Profile{{{0, random.normal()}, {1, random.normal()}}};
  drive.velocity = routh::Profile{{{0, random.normal()}, {1, random.normal()}}};
  return drive;
}

Motion random_motion(Random& random) { return {random.normal(), random.normal(), random.uniform(0.1, 0.9)}; }

TEST(Power, ADriveGivesOrTakesNeverBoth) {
  constexpr std::uint64_t seed = 3311;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int gave = 0, took = 0;
  for (int k = 0; k < scaled(4000, 2000); ++k) {
    const routh::DriveDescription drive = random_drive(random);
    const Motion at = random_motion(random);
    Case c(driven_slider(drive));
    const routh::Power power = power_of(c, at);
    const double expected = static_cast<double>(given(drive, at));
    const double terms = 1 + static_cast<double>(stored_by_drive(drive, at)) + std::abs(expected);
    ASSERT_NEAR(power.supplied, std::max(0.0, expected), 1e-11 * terms) << k;
    ASSERT_NEAR(power.dissipated, std::max(0.0, -expected), 1e-11 * terms) << k;
    ASSERT_EQ(power.supplied * power.dissipated, 0) << k;
    gave += power.supplied > 0;
    took += power.dissipated > 0;
  }
  EXPECT_GT(gave, 20);
  EXPECT_GT(took, 20);
}

// Also at its limit, unless the spring alone is beyond it: then its store is more than the drive can give.
TEST(Power, ADriveWhoseTargetsStandOnlyTakes) {
  constexpr std::uint64_t seed = 3312;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int limited = 0;
  for (int k = 0; k < scaled(4000, 2000); ++k) {
    routh::DriveDescription drive = random_drive(random);
    drive.position = routh::Profile::constant(random.normal());
    drive.velocity = routh::Profile::constant(0);
    const Motion at = random_motion(random);
    const double v = static_cast<double>(at.v), damped = drive.damping * v * v;
    const double pull = drive.stiffness * (static_cast<double>(at.q) - drive.position(0));
    if (std::abs(pull) > drive.limit) continue;
    Case c(driven_slider(drive));
    const routh::Power power = power_of(c, at);
    ASSERT_EQ(power.supplied, 0) << k;
    if (std::abs(pull + drive.damping * v) < drive.limit) {
      ASSERT_NEAR(power.dissipated, damped, 1e-12 * (1 + damped)) << k;
    } else {
      ASSERT_LE(power.dissipated, damped * (1 + 1e-12)) << k;
      ++limited;
    }
  }
  EXPECT_GT(limited, 5);
}

// Neither account jumps where the limit is reached or left.
TEST(Power, GoesSmoothlyThroughTheLimit) {
  constexpr std::uint64_t seed = 3313;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(400, 40); ++k) {
    const routh::DriveDescription drive = random_drive(random);
    const Motion at = random_motion(random);
    Case c(driven_slider(drive));
    routh::Power last = power_of(c, {-5, at.v, at.time});
    constexpr int steps = 200;
    for (int i = 1; i <= steps; ++i) {
      const routh::Power next = power_of(c, {-5 + 10.0L * i / steps, at.v, at.time});
      // |∂P/∂q| ≤ k (|ṗ| + |q̇|), twice for u and the store.
      const double slope = drive.stiffness * (std::abs(drive.position.slope(0.5)) + 2 * std::abs(double(at.v)));
      ASSERT_LE(std::abs(next.supplied - last.supplied), slope * 10 / steps + 1e-9) << k << ' ' << i;
      ASSERT_LE(std::abs(next.dissipated - last.dissipated), slope * 10 / steps + 1e-9) << k << ' ' << i;
      last = next;
    }
  }
}

}  // namespace
