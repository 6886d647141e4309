// The compliant march of a machine: against `solve_impact` for one contact under loops, and for machines that have
// nothing to do with one another and happen to strike at once.
#include "routh/march/run_rule.h"

#include <gtest/gtest.h>

#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

Eigen::MatrixXd random_rows(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.uniform(-1, 1);
  return matrix;
}

// One contact of a machine of n coordinates with `loops` rows that hold, and a velocity that respects them.
struct OneContact {
  Eigen::MatrixXd mass_matrix, jacobian, bilateral;
  Eigen::VectorXd velocity;
  Friction friction;
  double restitution = 0;
};

OneContact random_machine(Random& random, Eigen::Index rows, Eigen::Index loops) {
  const Eigen::Index n = 5;
  OneContact machine;
  const Eigen::MatrixXd root = random_rows(random, n, n);
  machine.mass_matrix = root * root.transpose() + Eigen::MatrixXd::Identity(n, n);
  machine.jacobian = random_rows(random, rows, n);
  machine.bilateral = random_rows(random, loops, n);
  machine.velocity = random_rows(random, n, 1);
  // M⁻¹-orthogonal is not asked for: any velocity with A q̇ = 0 will do.
  for (Eigen::Index r = 0; r < loops; ++r)
    for (int pass = 0; pass < 50; ++pass)
      for (Eigen::Index k = 0; k < loops; ++k) {
        const Eigen::VectorXd row = machine.bilateral.row(k).transpose();
        machine.velocity -= row * (row.dot(machine.velocity) / row.squaredNorm());
      }
  if (machine.jacobian.row(0).dot(machine.velocity) > 0) machine.velocity *= -1;
  machine.friction.static_coefficient = machine.friction.kinetic_coefficient = random.uniform(0, 1);
  machine.restitution = random.uniform(0.1, 1);
  return machine;
}

struct Expected {
  ImpactResult result;
  Eigen::VectorXd velocity, multipliers;
};
Expected solve_alone(const OneContact& machine, Law law) {
  Reduction reduction(static_cast<int>(machine.velocity.size()), static_cast<int>(machine.bilateral.rows()));
  const MachineState state{machine.mass_matrix, machine.jacobian, machine.velocity, machine.bilateral,
                           Eigen::VectorXd()};
  EXPECT_EQ(reduction.compute(state), ReductionStatus::ok);
  ImpactProblem problem;
  problem.inertia = reduction.inertia();
  problem.velocity = reduction.contact_velocity();
  problem.friction = machine.friction;
  problem.restitution.normal = machine.restitution;
  Expected expected{solve_impact(problem, law), {}, {}};
  reduction.expand(state, expected.result);
  expected.velocity = reduction.velocity_after();
  expected.multipliers = reduction.multipliers();
  return expected;
}

// The machines side by side in one.
SimultaneousProblem side_by_side(const std::vector<OneContact>& machines) {
  const auto count = static_cast<Eigen::Index>(machines.size());
  const Eigen::Index n = machines[0].velocity.size(), loops = machines[0].bilateral.rows();
  const Eigen::Index tangents = machines[0].jacobian.rows() - 1;
  SimultaneousProblem all;
  all.mass_matrix = Eigen::MatrixXd::Zero(count * n, count * n);
  all.velocity.resize(count * n);
  all.bilateral = Eigen::MatrixXd::Zero(count * loops, count * n);
  all.normal = Eigen::MatrixXd::Zero(count, count * n);
  all.tangential = Eigen::MatrixXd::Zero(count * tangents, count * n);
  for (Eigen::Index k = 0; k < count; ++k) {
    const OneContact& own = machines[static_cast<std::size_t>(k)];
    all.mass_matrix.block(k * n, k * n, n, n) = own.mass_matrix;
    all.velocity.segment(k * n, n) = own.velocity;
    all.bilateral.block(k * loops, k * n, loops, n) = own.bilateral;
    all.normal.block(k, k * n, 1, n) = own.jacobian.row(0);
    all.tangential.block(k * tangents, k * n, tangents, n) = own.jacobian.bottomRows(tangents);
    all.friction.push_back(own.friction);
    all.restitution.emplace_back().normal = own.restitution;
  }
  return all;
}

TEST(SimultaneousRule, MarchOfStrangersIsTheImpactOfEach) {
  Random random(2201);
  int compared = 0;
  for (int trial = 0; trial < scaled(200); ++trial) {
    const Eigen::Index rows = 2 + trial % 2, loops = trial % 3, count = 1 + trial % 4;
    const Law law = trial % 2 == 0 ? Law::energetic : Law::poisson;
    std::vector<OneContact> machines;
    for (Eigen::Index k = 0; k < count; ++k) machines.push_back(random_machine(random, rows, loops));
    MarchSettings settings;
    settings.laws.assign(machines.size(), law);
    const SimultaneousProblem problem = side_by_side(machines);
    const SimultaneousResult found = solve_march(problem, settings);
    ASSERT_EQ(found.status, SimultaneousStatus::ok) << trial;
    double change = 0;
    bool all_answered = true;
    for (Eigen::Index k = 0; k < count; ++k) {
      const OneContact& own = machines[static_cast<std::size_t>(k)];
      const Expected expected = solve_alone(own, law);
      // Poisson's impulse may take more work out than went in, which springs do not give.
      all_answered = all_answered && usable(expected.result.status) && expected.result.energy.normal_work <= 0;
      if (!all_answered) break;
      const Eigen::Index n = own.velocity.size();
      const double speed = own.velocity.norm(), impulse = expected.result.impulse.n;
      EXPECT_LT((found.velocity.segment(k * n, n) - expected.velocity).norm(), 1e-9 * speed) << trial;
      const SimultaneousContactResult& contact = found.contacts[static_cast<std::size_t>(k)];
      EXPECT_EQ(contact.role, ContactRole::strikes);
      EXPECT_NEAR(contact.normal_impulse, impulse, 1e-9 * impulse) << trial;
      EXPECT_NEAR(contact.tangential_impulse[0], expected.result.impulse.t1, 1e-9 * impulse) << trial;
      const double loads = impulse + expected.multipliers.norm();
      EXPECT_LT((found.bilateral_impulse.segment(k * loops, loops) - expected.multipliers).norm(), 1e-8 * loads)
          << trial;
      change += expected.result.energy.change;
      ++compared;
    }
    if (!all_answered) continue;
    EXPECT_NEAR(found.energy_change, change, 1e-9 * std::abs(change)) << trial;
    // Works are summed along the march, where slip in space is followed in steps.
    // Loops that are all but parallel are left open by the fifty rounds above, and work.
    EXPECT_NEAR(found.normal_work + found.tangential_work + found.bilateral_work, change, 1e-8 * std::abs(change))
        << trial;
    EXPECT_TRUE(found.consistent);
    const Eigen::VectorXd momentum = problem.mass_matrix * (found.velocity - problem.velocity);
    EXPECT_LT((found.impulse - momentum).norm(), 1e-10 * momentum.norm());
  }
  EXPECT_GT(compared, scaled(200));
}

// Two columns on one belt, carried along: the belt supplies what friction takes beside heat.
TEST(SimultaneousRule, MovingSurfacesSupply) {
  SimultaneousProblem machine;
  machine.mass_matrix = Eigen::MatrixXd::Identity(3, 3);
  machine.velocity = Eigen::Vector3d(-1, 0, 0);
  machine.normal = (Eigen::MatrixXd(2, 3) << 1, 0, 0.5, 1, 0, -0.5).finished();
  machine.tangential = (Eigen::MatrixXd(2, 3) << 0, 1, 0, 0, 1, 0).finished();
  machine.friction = {{0.2, 0.2}, {0.2, 0.2}};
  machine.restitution.resize(2);
  machine.restitution[0].normal = machine.restitution[1].normal = 0.5;
  MarchSettings settings{{Law::energetic, Law::energetic}, Eigen::Vector4d(0, 2, 0, 2), Load::unknown};
  const SimultaneousResult found = solve_march(machine, settings);
  ASSERT_EQ(found.status, SimultaneousStatus::ok);
  // I_n = (1 + e) m v in all; friction accelerates by μ I_n / m and never reaches the belt.
  EXPECT_NEAR(found.velocity[0], 0.5, 1e-12);
  EXPECT_NEAR(found.velocity[1], 0.2 * 1.5, 1e-12);
  EXPECT_NEAR(found.velocity[2], 0, 1e-12);
  EXPECT_NEAR(found.supplied, 2 * 0.2 * 1.5, 1e-12);
  EXPECT_NEAR(found.energy_change, found.normal_work + found.tangential_work + found.supplied, 1e-12);
}

// A body between two walls that close in: no impulse stops both approaches.
TEST(SimultaneousRule, WallsThatCloseInHaveNoAnswer) {
  SimultaneousProblem machine;
  machine.mass_matrix = Eigen::Matrix2d::Identity();
  machine.velocity = Eigen::Vector2d(-0.1, 0.3);
  machine.normal = (Eigen::MatrixXd(2, 2) << 1, 0, -1, 0).finished();
  machine.tangential = (Eigen::MatrixXd(2, 2) << 0, 1, 0, 1).finished();
  machine.friction = {{0.2, 0.2}, {0.2, 0.2}};
  machine.restitution.resize(2);
  const MarchSettings settings{{Law::energetic, Law::energetic}, Eigen::Vector4d(1, 0, 1, 0), Load::unknown};
  const SimultaneousResult found = solve_march(machine, settings);
  EXPECT_EQ(found.status, SimultaneousStatus::not_converged);
  EXPECT_EQ(found.velocity, machine.velocity);
}

// In a run each stranger is an impact of its own: against `solve_impact`, one by one, and the momentum of the whole.
TEST(SimultaneousRule, ARunTakesStrangersByThemselves) {
  Random random(2203);
  int compared = 0;
  for (int trial = 0; trial < scaled(100); ++trial) {
    const std::vector<OneContact> machines = {random_machine(random, 3, 1), random_machine(random, 3, 1)};
    const SimultaneousProblem all = side_by_side(machines);
    const RunAnswer run = solve_as_runs(all, {{Law::energetic, Law::poisson}, {}, Load::unknown});
    const Expected expected[] = {solve_alone(machines[0], Law::energetic), solve_alone(machines[1], Law::poisson)};
    if (!usable(run.result.status) || !usable(expected[0].result.status) || !usable(expected[1].result.status))
      continue;
    EXPECT_EQ(run.rules, std::vector<SimultaneousRule>(2, SimultaneousRule::together));
    if (!expected[1].result.energy.consistent || expected[1].result.energy.normal_work > 0) continue;  // Poisson's gain
    ++compared;
    EXPECT_LT((run.result.velocity.head(5) - expected[0].velocity).norm(), 1e-8);
    EXPECT_NEAR(run.result.energy_change,
                run.result.normal_work + run.result.tangential_work + run.result.bilateral_work, 1e-8);
    const Eigen::VectorXd momentum = all.mass_matrix * (run.result.velocity - all.velocity);
    EXPECT_LT((run.result.impulse - momentum).norm(), 1e-9 * momentum.norm());
    EXPECT_EQ(run.result.rows, 2 + 6);
    EXPECT_EQ(run.result.rank, 2 + 6);
  }
  EXPECT_GT(compared, scaled(80));
}

TEST(SimultaneousRule, WhatTheMarchDoesNotKnowIsTold) {
  Random random(7);
  SimultaneousProblem machine = side_by_side({random_machine(random, 2, 0), random_machine(random, 2, 0)});
  MarchSettings settings;
  EXPECT_EQ(solve_march(machine, settings).status, SimultaneousStatus::invalid);  // no laws
  settings.laws = {Law::energetic, Law::newton};
  EXPECT_TRUE(solve_march(machine, settings).has(Warning::law_replaced));
  machine.external_impulse = Eigen::VectorXd::Ones(machine.velocity.size());
  EXPECT_EQ(solve_march(machine, settings).status, SimultaneousStatus::invalid);
  machine.external_impulse.resize(0);
  SimultaneousProblem fast = machine;
  fast.velocity *= 1e200;
  const SimultaneousResult beyond = solve_march(fast, settings);  // its energy is beyond the range of numbers
  EXPECT_EQ(beyond.status, SimultaneousStatus::invalid);
  EXPECT_EQ(beyond.velocity, fast.velocity);
  machine.tangential.resize(0, machine.velocity.size());
  EXPECT_EQ(solve_march(machine, settings).status, SimultaneousStatus::invalid);
  machine.mass_matrix(0, 0) = -1;
  EXPECT_EQ(solve_march(machine, settings).status, SimultaneousStatus::mass_matrix_indefinite);
}

}  // namespace
