// D all but singular: the ledger closes within its bound, 1e-9 of the energy that passed, or the status says
// ill_conditioned; and the answer is that of the oracle as far as the digits of D carry it.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace near_singular_test {
namespace {

using namespace testing_support;
using routh::ContactVector;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::ImpactStatus;
using routh::Law;

constexpr std::uint64_t seed = 20260414;
constexpr double ledger_bound = 1e-9;

enum class Kind {
  planar,         // the normal all but a multiple of the tangent
  flat,           // a random direction of contact space all but immovable
  parallel,       // the tangents all but parallel
  scaled_axis,    // one tangent moves ever so much more easily
  scaled_turned,  // the same, in a turned tangent frame
};
constexpr Kind all_kinds[] = {Kind::planar, Kind::flat, Kind::parallel, Kind::scaled_axis, Kind::scaled_turned};

// D = Y Yᵀ.
Eigen::Matrix3d random_root(Random& random, Kind kind, double condition) {
  const double small = 1 / std::sqrt(condition);
  Eigen::Matrix3d Y;
  for (Eigen::Index k = 0; k < 9; ++k) Y(k / 3, k % 3) = random.normal();
  switch (kind) {
    case Kind::planar:
      Y.row(2).setZero();
      Y.row(0) = random.uniform(-2, 2) * Y.row(1) + small * Y.row(0);
      break;
    case Kind::flat:
      Y.col(2) *= small;
      break;
    case Kind::parallel:
      Y.row(2) = 0.7 * Y.row(1) + small * Y.row(2);
      break;
    case Kind::scaled_axis:
    case Kind::scaled_turned:
      Y.row(1 + random.below(2)) /= small;
      break;
  }
  if (kind == Kind::scaled_turned) {
    const double angle = random.uniform(0, 6.28), c = std::cos(angle), s = std::sin(angle);
    const Eigen::RowVector3d first = c * Y.row(1) - s * Y.row(2), second = s * Y.row(1) + c * Y.row(2);
    Y.row(1) = first;
    Y.row(2) = second;
  }
  return Y;
}

ImpactProblem nearly_singular_problem(Random& random, Kind kind, double condition) {
  const Eigen::Matrix3d Y = random_root(random, kind, condition);
  const auto d = [&](int i, int j) { return Y.row(i).dot(Y.row(j)); };
  ImpactProblem p;
  p.inertia = kind == Kind::planar ? routh::planar_inertia(d(0, 0), d(0, 1), d(1, 1))
                                   : routh::spatial_inertia(d(0, 0), d(0, 1), d(0, 2), d(1, 1), d(1, 2), d(2, 2));
  p.velocity = {-random.uniform(0.1, 2), random.normal(), kind == Kind::planar ? 0 : random.normal()};
  const double mu = random.uniform(0, 2);
  p.friction = {mu * random.uniform(1, 1.3), mu};
  p.restitution.normal = random.uniform();
  return p;
}

// |W_n + W_t − ΔT|, of |W_n| + |W_t| + Σ|i v⁻|.
double ledger_gap(const ContactVector& before, const ImpactResult& r) {
  const double work = r.energy.normal_work + r.energy.tangential_work;
  const double scale = std::abs(r.energy.normal_work) + std::abs(r.energy.tangential_work) +
                       std::abs(r.impulse.n * before.n) + std::abs(r.impulse.t1 * before.t1) +
                       std::abs(r.impulse.t2 * before.t2);
  return std::abs(work - (r.energy.change - r.energy.supplied)) / scale;
}

// Of ones given with the digits of D: at most this share may be refused.
double most_refused(Kind kind, double condition) {
  if (condition < 1e12) return 0.005;
  switch (kind) {
    case Kind::planar:
    case Kind::scaled_axis:
      return 0;
    case Kind::flat:
    case Kind::parallel:
      return 0.05;
    case Kind::scaled_turned:
      return condition < 1e14 ? 0.02 : condition < 1e15 ? 0.1 : 0.75;  // the digits of the lesser axis are gone
  }
  return 0;
}

TEST(NearSingular, TheLedgerClosesOrTheStatusSaysSo) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  for (const Kind kind : all_kinds)
    for (int digits = 8; digits <= 17; ++digits) {
      const int count = scaled(150);
      int refused = 0;
      for (int k = 0; k < count; ++k) {
        const double condition = std::pow(10.0, digits);
        const ImpactProblem p = nearly_singular_problem(random, kind, condition);
        bool here = false;
        for (const Law law : incremental_laws) {
          const ImpactResult r = solve_impact(p, law);
          EXPECT_NE(r.status, ImpactStatus::invalid) << describe(p);
          here = here || r.status == ImpactStatus::ill_conditioned;
          if (r.status != ImpactStatus::ok) continue;
          EXPECT_LE(ledger_gap(p.velocity, r), ledger_bound) << describe(p) << ' ' << name(law);
          if (law == Law::energetic) {
            EXPECT_TRUE(r.energy.consistent) << describe(p);
          }
        }
        refused += here;
      }
      EXPECT_LE(refused, most_refused(kind, std::pow(10.0, digits)) * count + 1)
          << static_cast<int>(kind) << " 1e" << digits;
    }
}

// A tangent that moves up to 1e17 times as easily as the other is no singularity: the digits of D carry the answer.
TEST(NearSingular, ScaledAxesAgainstTheOracle) {
  Random random(seed + 1);
  for (int digits = 8; digits <= 17; digits += 3)
    for (int k = 0; k < scaled(60); ++k) {
      const ImpactProblem p = nearly_singular_problem(random, Kind::scaled_axis, std::pow(10.0, digits));
      oracle::Options exact;
      exact.rank_tolerance = 0;
      const oracle::Answer answer = solve(to_oracle(p), oracle::Law::energetic, exact);
      const ImpactResult r = solve_impact(p, Law::energetic);
      if (answer.outcome != oracle::Outcome::solved || answer.dip < 1e-12L) continue;
      ASSERT_EQ(r.status, ImpactStatus::ok) << describe(p);
      EXPECT_LE(errors(p, r, answer).worst(), 1e-5) << "seed " << seed + 1 << ' ' << describe(p);
    }
}

// From M and J, the ledger in q̇, where ΔT shares nothing with the contact's account.
TEST(NearSingular, FromMassMatrixAndJacobian) {
  constexpr int n = 4;
  Random random(seed + 2);
  routh::Reduction reduction(n, 0);
  for (int digits = 8; digits <= 17; ++digits)
    for (int k = 0; k < scaled(60); ++k) {
      const double small = std::pow(10.0, -0.5 * digits);
      Eigen::MatrixXd root(n, n), J(3, n);
      Eigen::VectorXd velocity(n);
      for (double& x : root.reshaped()) x = random.normal();
      for (double& x : J.reshaped()) x = random.normal();
      for (double& x : velocity) x = random.normal();
      const Eigen::MatrixXd M = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
      if (k % 2 == 0)
        J.row(0) = 0.8 * J.row(1) - 0.5 * J.row(2) + small * J.row(0);
      else
        J.row(2) = 0.8 * J.row(1) + small * J.row(2);
      if (J.row(0).dot(velocity) > 0) velocity = -velocity;
      const Eigen::MatrixXd none(0, n);
      const Eigen::VectorXd no_impulse(0);
      const routh::MachineState machine{M, J, velocity, none, no_impulse};
      ASSERT_EQ(reduction.compute(machine), routh::ReductionStatus::ok);
      ImpactProblem p;
      p.inertia = reduction.inertia();
      p.velocity = reduction.contact_velocity();
      const double mu = random.uniform(0, 2);
      p.friction = {mu, mu};
      p.restitution.normal = random.uniform();
      ImpactResult r = solve_impact(p, Law::energetic);
      if (r.status != ImpactStatus::ok) continue;
      reduction.expand(machine, r);
      EXPECT_LE(ledger_gap(p.velocity, r), ledger_bound) << "seed " << seed + 2 << " 1e" << digits;
    }
}

}  // namespace
}  // namespace near_singular_test
