// One restitution for all never gains, whoever separates, rests or is redundant, and leaves nothing approaching.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "simultaneous_oracle.h"

namespace {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ContactRole;
using routh::SimultaneousProblem;
using routh::SimultaneousResult;
using routh::SimultaneousStatus;

double kinetic(const SimultaneousProblem& p, const VectorXd& v) { return 0.5 * v.dot(p.mass_matrix * v); }

routh::Restitution one_coefficient(double e) {
  routh::Restitution r;
  r.normal = e;
  return r;
}

enum class Coefficients { one, each_its_own };

// Two to five contacts, few coordinates: often more contacts than those can tell apart.
SimultaneousProblem crowded(Random& random, Coefficients coefficients) {
  SimultaneousProblem p;
  const Index count = 2 + random.below(4), loops = random.below(3), n = loops + 1 + random.below(5);
  const auto matrix = [&](Index rows) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, n, [&] { return random.normal(); }));
  };
  const MatrixXd root = matrix(n);
  p.mass_matrix = root * root.transpose() + 0.1 * MatrixXd::Identity(n, n);
  p.bilateral = matrix(loops);
  if (loops == 2 && random.chance(0.3)) p.bilateral.row(1) = -0.5 * p.bilateral.row(0);
  p.normal = matrix(count);
  for (Index j = 1; j < count; ++j) {
    const Index i = random.below(static_cast<int>(j));
    if (random.chance(0.15)) p.normal.row(j) = p.normal.row(i);
    if (random.chance(0.1)) p.normal.row(j) = -random.uniform(0.2, 2) * p.normal.row(i);
    if (random.chance(0.1)) p.normal.row(j) = random.normal() * p.normal.row(0) + random.normal() * p.normal.row(i);
  }
  p.velocity = matrix(1).transpose();
  MatrixXd held = p.bilateral;
  for (Index j = 0; j + 1 < count; ++j)
    if (random.chance(0.15)) held = stacked(held, p.normal.row(j));
  p.velocity = velocity_of(p, held, VectorXd::Zero(held.rows()));
  if (p.velocity.norm() < 1e-12) p.velocity.setZero();  // nothing can move: what is left is rounding, and no loop's
  const double shared = random.chance(0.2) ? 1 : random.chance(0.1) ? 0 : random.uniform();
  const auto own = [&] { return random.chance(0.3) ? random.uniform() : random.chance(0.5) ? 1.0 : 0.0; };
  for (Index j = 0; j < count; ++j)
    p.restitution.push_back(one_coefficient(coefficients == Coefficients::one ? shared : own()));
  return p;
}

TEST(SimultaneousPassivity, OneRestitutionForAllNeverGains) {
  constexpr std::uint64_t seed = 9501;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int caught = 0, pushed = 0;
  for (int k = 0; k < scaled(10000, 1000); ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem p = crowded(random, Coefficients::one);
    if (random.chance(0.2)) {
      p.external_impulse = VectorXd::NullaryExpr(p.velocity.size(), [&] { return random.normal(); });
      ++pushed;
    }
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_TRUE(usable(r.status)) << name(r.status);
    const double before = kinetic(p, p.velocity), after = kinetic(p, r.velocity);
    double size = before + after, speed = p.velocity.norm() + r.velocity.norm();
    if (p.external_impulse.size() > 0) {
      const VectorXd response = p.mass_matrix.ldlt().solve(p.external_impulse);
      size += 0.5 * p.external_impulse.dot(response);
      speed += response.norm();
    }
    double impulse = 0;  // large ones against each other, of rows that all but depend, round the velocities
    for (Index j = 0; j < p.normal.rows(); ++j)
      impulse += r.contacts[static_cast<std::size_t>(j)].normal_impulse * p.normal.row(j).norm();
    ASSERT_LE(after - before, r.supplied + 1e-11 * size + 1e-14 * impulse * speed);
    ASSERT_TRUE(r.consistent);
    ASSERT_FALSE(r.has(routh::Warning::energy_gain));
    ASSERT_NEAR(r.energy_change, after - before, 1e-11 * size);
    ASSERT_NEAR(r.energy_change, r.normal_work + r.tangential_work + r.bilateral_work + r.supplied,
                1e-9 * size + 1e-12 * impulse * speed);
    for (const auto& contact : r.contacts) {
      ASSERT_GE(contact.normal_impulse, 0);
      ASSERT_GE(contact.departure, -1e-9 * speed) << "nothing is left approaching";
      caught += contact.role == ContactRole::separates && contact.normal_impulse > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(caught, scaled(500, 50));
  EXPECT_GT(pushed, 50);
}

// Each its own restitution: there is always an answer, and a gain comes only where rules cannot be met together, with
// its amount and a warning.
TEST(SimultaneousPassivity, DifferentRestitutionsGainOnlyWhereTheyCannotBeMet) {
  constexpr std::uint64_t seed = 9502;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int gains = 0;
  for (int k = 0; k < scaled(5000, 3000); ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem p = crowded(random, Coefficients::each_its_own);
    if (k % 2 == 0)  // nothing separates
      for (Index j = 0; j < p.normal.rows(); ++j)
        if (p.normal.row(j).dot(p.velocity) > 0) p.normal.row(j) *= -1;
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_TRUE(usable(r.status)) << name(r.status);
    const double before = kinetic(p, p.velocity), after = kinetic(p, r.velocity);
    const double speed = p.velocity.norm() + r.velocity.norm();
    bool met = true;
    for (const auto& contact : r.contacts) {
      ASSERT_GE(contact.normal_impulse, 0);
      ASSERT_GE(contact.departure, -1e-9 * speed);
      met = met && std::abs(contact.residual) <= 1e-9 * speed;
    }
    const bool gained = after > before + 1e-10 * (before + after);
    ASSERT_FALSE(gained && met);
    if (gained) {
      ++gains;
      ASSERT_TRUE(r.has(routh::Warning::energy_gain));
      ASSERT_NEAR(r.gain, after - before, 1e-9 * after);
    }
  }
  EXPECT_GT(gains, 0);
}

// A point in a wedge strikes one side while it leaves the other; both e = 1. It used to leave with three times its
// energy.
TEST(SimultaneousPassivity, Wedge) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(2, 2);
  p.velocity = Eigen::Vector2d(0.3, 2);
  p.normal.resize(2, 2);
  p.normal << 0.1, -0.4, 0.2, 0.6;
  p.restitution = {one_coefficient(1), one_coefficient(1)};
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_LE(r.ratio, 1 + 1e-14);
  EXPECT_TRUE(r.consistent);
  for (const auto& contact : r.contacts) EXPECT_GE(contact.departure, -1e-14);
}

// Between two walls, whatever the restitution: there is nowhere to go.
TEST(SimultaneousPassivity, BetweenTwoWallsItStops) {
  for (const double e : {0.0, 0.5, 1.0}) {
    SimultaneousProblem p;
    p.mass_matrix = MatrixXd::Identity(1, 1);
    p.velocity = VectorXd::Constant(1, -2);
    p.normal = Eigen::Vector2d(1, -1);
    p.restitution = {one_coefficient(e), one_coefficient(e)};
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_EQ(r.status, SimultaneousStatus::ok);
    EXPECT_NEAR(r.velocity[0], 0, 1e-14);
    EXPECT_NEAR(r.normal_work, -2, 1e-13);
  }
}

}  // namespace
