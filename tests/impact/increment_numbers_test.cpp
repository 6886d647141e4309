// ζ, ε, L and the impulses and works of one impact: against printed digits and a march in extended precision.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/impact/bounds.h"
#include "routh/impact/solve.h"
#include "support/kane.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;
using routh::PhaseKind;

void expect_printed_increment(double value, double printed, int digits) {
  EXPECT_NEAR(value, printed, 0.5001 * std::pow(10.0, -digits));
}

// Elkaranshawy's section 4, as printed.
TEST(IncrementNumbers, KaneAsPrinted) {
  const Kane kane;
  Eigen::MatrixXd mass(2, 2), jacobian(2, 2);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      mass(i, j) = static_cast<double>(kane.mass[i][j]);
      jacobian(i, j) = static_cast<double>(kane.jacobian[i][j]);
    }
  const Eigen::Vector2d velocity(static_cast<double>(kane.rates[0]), static_cast<double>(kane.rates[1]));
  const ImpactProblem p = kane.problem(0.7);
  const ImpactResult r = solve_impact(p, Law::poisson);
  const auto n = compute_increment_numbers(p, r);
  ASSERT_TRUE(n.has_value());
  EXPECT_EQ(n->first.kind, PhaseKind::slip);
  EXPECT_EQ(n->last.kind, PhaseKind::reversal);
  expect_printed_increment(n->first.zeta, 1.69471, 5);
  expect_printed_increment(n->last.zeta, 12.0527, 4);
  expect_printed_increment(n->halt_impulse, 0.584738, 6);
  expect_printed_increment(n->slip_compression_impulse, 0.454867, 6);
  expect_printed_increment(n->slip_end_impulse, 0.773274, 6);
  const Eigen::MatrixXd bilateral(0, 2);
  const Eigen::VectorXd external;
  const routh::MachineState machine{mass, jacobian, velocity, bilateral, external};
  const Eigen::VectorXd first = velocity_per_impulse(machine, n->first), last = velocity_per_impulse(machine, n->last);
  expect_printed_increment(first[0], -0.155786, 6);
  expect_printed_increment(first[1], 0.696636, 6);
  expect_printed_increment(last[0], -0.0623762, 7);
  expect_printed_increment(last[1], 0.125636, 6);
  // Eqs. 50 and 54, by hand.
  EXPECT_NEAR(n->compression_work, -0.5 * n->first.zeta * p.velocity.n * p.velocity.n, 1e-14);
  EXPECT_NEAR(n->first.epsilon, 1 / (p.inertia.c1 + 0.5 * p.inertia.b11), 1e-13);
  EXPECT_NEAR(n->last.epsilon, 1 / (p.inertia.c1 - 0.5 * p.inertia.b11), 1e-12);
}

TEST(IncrementNumbers, ImpulsesAndWorksAgainstTheOracle) {
  constexpr std::uint64_t seed = 28041;
  Random random(seed);
  int halted = 0, spatial = 0;
  for (int k = 0; k < scaled(400, 100); ++k) {
    const ImpactProblem p = k % 2 == 0 ? random_planar(random) : random_spatial(random);
    const Law law = incremental_laws[k % 3];
    const ImpactResult r = solve_impact(p, law);
    const auto n = compute_increment_numbers(p, r);
    if (!n || r.has(routh::Warning::ill_conditioned) || r.status != routh::ImpactStatus::ok) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << k);
    const oracle::Answer o = solve(to_oracle(p), to_oracle(law));
    if (o.outcome != oracle::Outcome::solved || o.dip < 1e-6L || o.recompressed) continue;
    const double work = std::abs(static_cast<double>(o.compression_work)) + 1e-12;
    EXPECT_NEAR(n->compression_work, static_cast<double>(o.compression_work), 1e-8 * work);
    EXPECT_NEAR(n->restitution_work, static_cast<double>(o.restitution_work), 1e-8 * work);
    EXPECT_NEAR(n->compression_impulse, static_cast<double>(o.compression_impulse), 1e-8 * n->compression_impulse);
    if (!o.halted) continue;
    ++halted;
    spatial += k % 2;
    EXPECT_NEAR(n->halt_impulse, static_cast<double>(o.halt_impulse), 1e-8 * (1 + n->halt_impulse));
  }
  EXPECT_GT(halted, 20);
  EXPECT_GT(spatial, 10);
}

TEST(IncrementNumbers, NoneWithoutAnIncrement) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0.3, 1);
  p.velocity = {-1, 1, 0};
  p.friction = {0.3, 0.3};
  EXPECT_FALSE(compute_increment_numbers(p, solve_impact(p, Law::unified)));
  p.push = {0, 0.1, 0};
  EXPECT_FALSE(compute_increment_numbers(p, solve_impact(p, Law::poisson)));
  p.push = {};
  p.velocity.n = 1;
  EXPECT_FALSE(compute_increment_numbers(p, solve_impact(p, Law::poisson)));
}

}  // namespace
