// The way through an impact of several contacts, and springs of different stiffness.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "routh/march/together.h"
#include "support/random_problems.h"

namespace {

using namespace routh::internal;
using routh::Dimension;
using routh::ImpactStatus;
using testing_support::Random;

// Two contacts in the plane that act on one another, both struck.
TogetherProblem pair_of(Random& random, double friction) {
  TogetherProblem problem;
  Eigen::MatrixXd factor(4, 6);
  for (double& entry : factor.reshaped()) entry = random.normal();
  problem.inertia = factor * factor.transpose();
  problem.velocity =
      Eigen::Vector4d(-random.uniform(0.5, 2), random.normal(), -random.uniform(0.5, 2), random.normal());
  for (int k = 0; k < 2; ++k) {
    TogetherContact contact;
    contact.friction = {friction, friction};
    contact.restitution.normal = random.uniform(0.1, 1);
    problem.contacts.push_back(contact);
  }
  return problem;
}

// Without friction: two springs integrated in small steps, each with its own stiffness, each losing 1 − e² of its
// energy where its compression ends; the force is continuous there.
Eigen::Vector2d by_springs(const TogetherProblem& problem) {
  const Eigen::Matrix2d D{{problem.inertia(0, 0), problem.inertia(0, 2)},
                          {problem.inertia(2, 0), problem.inertia(2, 2)}};
  Eigen::Vector2d v(problem.velocity[0], problem.velocity[2]), x = Eigen::Vector2d::Zero(), k, given, kept;
  std::array<bool, 2> open{}, restitution{};
  given.setZero();
  kept.setZero();
  for (int i = 0; i < 2; ++i) k[i] = problem.contacts[static_cast<std::size_t>(i)].stiffness;
  const double h = 1e-3 / std::sqrt(k.maxCoeff() * D.norm());
  for (long step = 0; step < 4'000'000; ++step) {
    const auto rates = [&](const Eigen::Vector2d& at, const Eigen::Vector2d& speed) {
      Eigen::Vector2d force, dx;
      for (int i = 0; i < 2; ++i) {
        const auto s = static_cast<std::size_t>(i);
        force[i] = open[s] ? 0 : k[i] * at[i];
        dx[i] = open[s] ? 0 : -speed[i];
      }
      return std::pair<Eigen::Vector2d, Eigen::Vector2d>(dx, D * force);
    };
    const auto [x1, v1] = rates(x, v);
    const auto [x2, v2] = rates(x + 0.5 * h * x1, v + 0.5 * h * v1);
    x += h * x2;
    v += h * v2;
    for (int i = 0; i < 2; ++i) {
      const auto s = static_cast<std::size_t>(i);
      const double e = problem.contacts[s].restitution.normal;
      if (open[s]) {
        if (v[i] < 0)
          open[s] = false, restitution[s] = false, x[i] = 0, k[i] = problem.contacts[s].stiffness,
          given[i] = kept[i] = 0;
        continue;
      }
      if (!restitution[s] && v[i] >= 0) {
        const double energy = 0.5 * k[i] * x[i] * x[i];
        given[i] += energy - kept[i];  // what this compression put in
        const double share = std::min(1.0, e * e * given[i] / energy);
        x[i] *= share;
        k[i] /= share;
        restitution[s] = true;
      } else if (restitution[s] && v[i] < 0) {
        return {NAN, NAN};  // pressed again: not followed here
      }
      if (x[i] <= 0 && restitution[s]) open[s] = true;
    }
    if (open[0] && open[1]) return v;
  }
  return {NAN, NAN};
}

TEST(TogetherPath, SpringsOfOtherStiffness) {
  Random random(31);
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    TogetherProblem problem = pair_of(random, 0);
    for (TogetherContact& contact : problem.contacts) contact.stiffness = std::exp(random.uniform(-2, 2));
    const TogetherResult result = solve_together(problem);
    ASSERT_EQ(result.status, ImpactStatus::ok);
    const Eigen::Vector2d expected = by_springs(problem);
    if (!expected.allFinite()) continue;
    ++compared;
    EXPECT_NEAR(result.velocity[0], expected[0], 2e-2 * problem.velocity.norm()) << k;
    EXPECT_NEAR(result.velocity[2], expected[1], 2e-2 * problem.velocity.norm()) << k;
    // Only ratios count.
    TogetherProblem stiffer = problem;
    for (TogetherContact& contact : stiffer.contacts) contact.stiffness *= 4;
    EXPECT_LT((solve_together(stiffer).velocity - result.velocity).norm(), 1e-9 * problem.velocity.norm()) << k;
  }
  EXPECT_GT(compared, 20);
}

TEST(TogetherPath, LeadsFromTheStartToTheEnd) {
  Random random(32);
  for (int k = 0; k < 60; ++k) {
    TogetherProblem problem = pair_of(random, random.uniform(0, 1.5));
    const TogetherResult plain = solve_together(problem);
    EXPECT_TRUE(plain.path.empty());
    problem.path = MarchPath::kept;
    const TogetherResult result = solve_together(problem);
    EXPECT_EQ(result.velocity, plain.velocity);
    if (result.status != ImpactStatus::ok || result.has(routh::Warning::plastic_end)) continue;
    ASSERT_GT(result.path.size(), 2u);
    EXPECT_TRUE(result.path.front().impulse.isZero(0));
    EXPECT_TRUE(result.path.front().velocity.isApprox(problem.velocity, 1e-12));
    EXPECT_TRUE(result.path.back().impulse.isApprox(result.impulse, 1e-12));
    EXPECT_TRUE(result.path.back().velocity.isApprox(result.velocity, 1e-9));
    double work = 0;
    for (std::size_t i = 1; i < result.path.size(); ++i) {
      const MarchPoint &from = result.path[i - 1], &to = result.path[i];
      for (const Eigen::Index n : {0, 2}) EXPECT_GE(to.impulse[n], from.impulse[n] - 1e-12);
      EXPECT_LT((to.velocity - problem.velocity - problem.inertia * to.impulse).norm(), 1e-9 * problem.velocity.norm());
      work += 0.5 * (to.impulse - from.impulse).dot(to.velocity + from.velocity);
      for (std::size_t c = 0; c < 2; ++c) {
        // Friction opposes slip, and none acts on what is open.
        const auto t = static_cast<Eigen::Index>(2 * c + 1);
        const double rubbed = to.impulse[t] - from.impulse[t], pressed = to.impulse[t - 1] - from.impulse[t - 1];
        if (from.stages[c] == MarchStage::open) {
          EXPECT_NEAR(pressed, 0, 1e-9);
        }
        if (from.slips[c] == MarchSlip::slips && std::abs(from.velocity[t]) > 1e-3 && std::abs(to.velocity[t]) > 1e-3) {
          EXPECT_LE(rubbed * from.velocity[t], 1e-12);
        }
      }
    }
    EXPECT_NEAR(work, result.energy.change, 1e-9 * (1 + std::abs(result.energy.change)));
  }
}

}  // namespace
