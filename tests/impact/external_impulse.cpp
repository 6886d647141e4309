// An external impulse beside the contact's: one meaning for every law, for one contact, for the same contact listed
// twice and for a resting one [Aghili 2019, eq. 27].
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "routh/impact/reduction.h"
#include "routh/impact/simultaneous.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;
using routh::Reduction;

struct Pushed {
  MatrixXd mass, jacobian, bilateral;
  VectorXd velocity, external;
  routh::Friction friction;
  double e = 0;
  routh::MachineState state() const { return {mass, jacobian, velocity, bilateral, external}; }
};

struct Answer {
  ImpactResult result;
  VectorXd velocity;
};

Answer solve_one(const Pushed& p, Law law) {
  Reduction reduction(static_cast<int>(p.velocity.size()), static_cast<int>(p.bilateral.rows()));
  EXPECT_EQ(reduction.compute(p.state()), routh::ReductionStatus::ok);
  ImpactProblem problem;
  problem.inertia = reduction.inertia();
  problem.velocity = reduction.contact_velocity();
  problem.push = reduction.contact_push();
  problem.friction = p.friction;
  problem.restitution.normal = p.e;
  Answer answer{solve_impact(problem, law), {}};
  reduction.expand(p.state(), answer.result);
  answer.velocity = reduction.velocity_after();
  return answer;
}

routh::SimultaneousResult solve_listed(const Pushed& p, int times) {
  routh::SimultaneousProblem problem;
  problem.mass_matrix = p.mass;
  problem.velocity = p.velocity;
  problem.bilateral = p.bilateral;
  problem.external_impulse = p.external;
  problem.normal.resize(times, p.velocity.size());
  routh::Restitution e;
  e.normal = p.e;
  for (int k = 0; k < times; ++k) problem.normal.row(k) = p.jacobian.row(0);
  problem.restitution.assign(static_cast<std::size_t>(times), e);
  return solve_simultaneous(problem);
}

Pushed two_coordinates(double normal_velocity, double push) {
  Pushed p;
  p.mass = Eigen::Vector2d(2, 1).asDiagonal();
  p.jacobian = Eigen::Matrix2d::Identity();
  p.bilateral.resize(0, 2);
  p.velocity = Eigen::Vector2d(normal_velocity, 0.3);
  p.external = Eigen::Vector2d(push, 0);
  p.e = 0.5;
  return p;
}

// Struck, at rest and leaving; pressed and pulled, in part, wholly and beyond what restitution asks for.
TEST(ExternalImpulse, OneMeaningForEveryLaw) {
  struct Case {
    double velocity, push, after;
  };
  for (const Case& c : {Case{-1, -1, 0.5},
                        {0, -1, 0},
                        {0, 1, 0.5},
                        {-1, 0, 0.5},
                        {-1, 0.5, 0.5},
                        {-1, 1.5, 0.5},
                        {-1, 2.5, 0.5},
                        {-1, 4, 1},
                        {0.25, -1, 0},
                        {0.25, -0.25, 0.125}}) {
    const Pushed p = two_coordinates(c.velocity, c.push);
    SCOPED_TRACE(testing::Message() << "v_n " << c.velocity << ", i_u " << c.push);
    for (const Law law : routh::all_laws) {
      SCOPED_TRACE(name(law));
      const Answer one = solve_one(p, law);
      ASSERT_TRUE(usable(one.result.status));
      EXPECT_NEAR(one.velocity[0], c.after, 1e-15);
      EXPECT_NEAR(one.result.velocity.n, c.after, 1e-15);
      EXPECT_NEAR(one.velocity[1], 0.3, 1e-15);
      EXPECT_TRUE(one.result.energy.consistent);
    }
    for (const int times : {1, 2, 3}) {
      const routh::SimultaneousResult several = solve_listed(p, times);
      ASSERT_TRUE(usable(several.status));
      EXPECT_NEAR(several.velocity[0], c.after, 1e-14) << times;
      EXPECT_TRUE(several.consistent) << times;
    }
  }
}

// With i_u = 0 not a bit changes, whether it is given or not.
TEST(ExternalImpulse, NoneIsNone) {
  constexpr std::uint64_t seed = 9401;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(200); ++k) {
    ImpactProblem plain;
    plain.inertia = routh::planar_inertia(1.5, 0.4 * random.normal(), 2);
    plain.velocity = {-1, random.normal(), 0};
    plain.friction = {0.5, 0.4};
    plain.restitution.normal = random.uniform();
    ImpactProblem zero = plain;
    zero.push = {0.0, -0.0, 0};
    for (const Law law : routh::all_laws) {
      const ImpactResult a = solve_impact(plain, law), b = solve_impact(zero, law);
      ASSERT_EQ(a.velocity.n, b.velocity.n);
      ASSERT_EQ(a.velocity.t1, b.velocity.t1);
      ASSERT_EQ(a.energy.normal_work, b.energy.normal_work);
    }
  }
}

Pushed random_pushed(Random& random) {
  Pushed p;
  const int rows = 2 + random.below(2), loops = random.below(3), n = rows + loops + 1 + random.below(3);
  const auto matrix = [&](Index r, Index c) {
    return MatrixXd(MatrixXd::NullaryExpr(r, c, [&] { return random.normal(); }));
  };
  const MatrixXd root = matrix(n, n);
  p.mass = root * root.transpose() + 0.3 * MatrixXd::Identity(n, n);
  p.mass = (0.5 * (p.mass + p.mass.transpose())).eval();
  p.jacobian = matrix(rows, n);
  p.bilateral = matrix(loops, n);
  p.velocity = matrix(n, 1);
  MatrixXd held = p.bilateral;
  if (random.chance(0.2)) {
    held.conservativeResize(loops + 1, n);
    held.row(loops) = p.jacobian.row(0);
  }
  if (held.rows() > 0) p.velocity -= held.transpose() * (held * held.transpose()).ldlt().solve(held * p.velocity);
  p.external = matrix(n, 1) * std::exp(random.uniform(-3, 2));
  p.e = random.uniform();
  return p;
}

// (27) by pseudo-inverses; with e φ̇⁻ only where the contact approaches, and without the contact where it would pull.
VectorXd projected_push(const Pushed& p) {
  const Index n = p.velocity.size();
  const auto after = [&](const MatrixXd& a, double e) {
    const MatrixXd one = MatrixXd::Identity(n, n);
    const MatrixXd inverse = a.completeOrthogonalDecomposition().pseudoInverse();
    const MatrixXd projector = one - inverse * a;
    const MatrixXd m_o = projector * (projector * p.mass * projector + one - projector).inverse() * projector;
    const MatrixXd s = one - m_o * p.mass;
    return VectorXd(p.velocity - (1 + e) * s * p.velocity + m_o * p.external);
  };
  MatrixXd both(p.bilateral.rows() + 1, n);
  both << p.bilateral, p.jacobian.row(0);
  const double approach = p.jacobian.row(0).dot(p.velocity);
  const VectorXd acting = after(both, approach < 0 ? p.e : 0);
  VectorXd free = p.velocity + p.mass.ldlt().solve(p.external);
  if (p.bilateral.rows() > 0) free = after(p.bilateral, 0);
  return p.jacobian.row(0).dot(free) >= p.jacobian.row(0).dot(acting) ? free : acting;
}

TEST(ExternalImpulse, WithoutFrictionItIsTheProjection) {
  constexpr std::uint64_t seed = 9402;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(1000, 200); ++k) {
    SCOPED_TRACE(k);
    const Pushed p = random_pushed(random);
    const VectorXd expected = projected_push(p);
    const double scale = 1 + p.velocity.norm() + expected.norm();
    for (const Law law : routh::all_laws)
      ASSERT_LE((solve_one(p, law).velocity - expected).norm(), 1e-9 * scale) << name(law);
    ASSERT_LE((solve_listed(p, 1 + k % 3).velocity - expected).norm(), 1e-9 * scale);
  }
}

// With friction: the rule of the normal velocity, and the ledger in q̇ and M.
TEST(ExternalImpulse, FrictionAndTheLedger) {
  constexpr std::uint64_t seed = 9403;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int struck = 0;
  for (int k = 0; k < scaled(2000, 600); ++k) {
    SCOPED_TRACE(k);
    Pushed p = random_pushed(random);
    const double mu = random.uniform(0, 1.2);
    p.friction = {mu * random.uniform(1, 1.5), mu};
    const double approach = p.jacobian.row(0).dot(p.velocity);
    for (const Law law : routh::all_laws) {
      SCOPED_TRACE(name(law));
      const Answer a = solve_one(p, law);
      const routh::EnergyLedger& energy = a.result.energy;
      if (!usable(a.result.status)) continue;
      const double before = 0.5 * p.velocity.dot(p.mass * p.velocity);
      const double after = 0.5 * a.velocity.dot(p.mass * a.velocity);
      const double size = before + after + std::abs(energy.supplied);
      ASSERT_NEAR(energy.change, after - before, 1e-10 * size);
      ASSERT_NEAR(energy.normal_work + energy.tangential_work + energy.supplied, after - before, 1e-8 * size);
      ASSERT_NEAR(p.jacobian.row(0).dot(a.velocity), a.result.velocity.n, 1e-9 * (1 + a.velocity.norm()));
      if (a.result.status == ImpactStatus::ok && a.result.impulse.n > 0) ++struck;
      const double rebound = p.e * std::max(0.0, -approach);
      if (law == Law::poisson || law == Law::energetic) {
        ASSERT_TRUE(energy.consistent);
        if (law == Law::energetic) {
          ASSERT_LE(energy.normal_work, 1e-10 * size);
        }
      } else if (a.result.status == ImpactStatus::ok) {
        ASSERT_NEAR(a.result.velocity.n, rebound, 1e-9 * (1 + std::abs(approach)));
      }
      if (rebound == 0 && a.result.impulse.n > 0 && law == Law::poisson) {
        ASSERT_NEAR(a.result.velocity.n, 0, 1e-10 * (1 + a.velocity.norm())) << "what rests does not rebound";
      }
      const double seen = energy.normal_work + energy.tangential_work;
      ASSERT_EQ(a.result.has(routh::Warning::energy_gain), !energy.consistent);
      if (seen > 1e-9 * size) {
        ASSERT_FALSE(energy.consistent) << "no silent gain";
      }
    }
  }
  EXPECT_GT(struck, 1000);
}

// The answer does not jump where i_u changes from pressing to separating, nor where it begins to exceed the rebound.
TEST(ExternalImpulse, Continuous) {
  ImpactProblem p;
  p.inertia = routh::spatial_inertia(1.4, 0.3, -0.2, 2.0, 0.1, 1.7);
  p.velocity = {-1, 0.6, -0.4};
  p.friction = {0.4, 0.4};
  p.restitution.normal = 0.6;
  for (const Law law : routh::all_laws)
    for (const double place : {0.0, 0.6, 1.6}) {
      SCOPED_TRACE(testing::Message() << name(law) << " at " << place);
      p.push = {place - 1e-7, 0.2, 0.1};
      const ImpactResult below = solve_impact(p, law);
      p.push.n = place + 1e-7;
      const ImpactResult above = solve_impact(p, law);
      EXPECT_NEAR(below.velocity.n, above.velocity.n, 2e-6);
      EXPECT_NEAR(below.velocity.t1, above.velocity.t1, 2e-6);
      EXPECT_NEAR(below.velocity.t2, above.velocity.t2, 2e-6);
    }
}

// What of the push acts after the contact's impulse is the last step of the path.
TEST(ExternalImpulse, ThePathEndsAfterThePush) {
  Random random(8117);
  int compared = 0;
  for (int k = 0; k < 50; ++k) {
    routh::ImpactProblem problem = random_spatial(random);
    problem.push = {random.uniform(0, 0.5), 0, 0};
    const routh::ImpactResult result = routh::solve_impact(problem, routh::Law::energetic);
    if (result.status != routh::ImpactStatus::ok || result.phase_count == 0) continue;
    const std::vector<routh::PathPoint> path = routh::trace_impact(problem, routh::Law::energetic);
    ASSERT_FALSE(path.empty());
    const double speed = 1 + std::abs(problem.velocity.n) + std::abs(result.relative_velocity.n);
    EXPECT_NEAR(path.back().velocity.n, result.relative_velocity.n, 1e-9 * speed) << "problem " << k;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

}  // namespace
