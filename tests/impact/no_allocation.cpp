// A solve allocates nothing: malloc and its kin are replaced here by counting ones.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <vector>

#include "routh/impact/bounds.h"
#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "support/count_allocations.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;

class NoAllocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  }
};

TEST_F(NoAllocation, TheCounterCounts) {
  const double* volatile kept = nullptr;  // seen from outside, so that nothing is optimised away
  EXPECT_GT(count_allocations([&] { kept = std::vector<double>(1000).data(); }), 0);
  EXPECT_GT(count_allocations([&] { kept = Eigen::VectorXd(1000).data(); }), 0);
  EXPECT_EQ(count_allocations([] {}), 0);
}

TEST_F(NoAllocation, SolvesOfEveryLaw) {
  constexpr std::uint64_t seed = 8001;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(2000); ++k) {
    routh::ImpactProblem p = k % 3 == 0 ? random_planar(random) : random_spatial(random);
    if (k % 50 == 0) p.velocity.n = HUGE_VAL;
    if (k % 50 == 1) p.friction = {HUGE_VAL, HUGE_VAL};
    double kept = 0;
    const long count = count_allocations([&] {
      for (const routh::Law law : routh::all_laws) kept += solve_impact(p, law).impulse.n;
      kept += compute_bounds(p).stick_friction;
      kept += check(p).rule != nullptr;
    });
    ASSERT_EQ(count, 0) << oracle::describe(to_oracle(p)) << kept;
  }
}

TEST_F(NoAllocation, ReductionAfterItsConstruction) {
  Random random(8002);
  for (const int n : {2, 7, 12, 40}) {
    for (const int m : {0, 1, 3}) {
      if (m + 2 > n) continue;
      Eigen::MatrixXd root(n, n), jacobian(n < 3 ? 2 : 3, n), bilateral(m, n);
      Eigen::VectorXd velocity(n), external(n);
      for (double& x : root.reshaped()) x = random.normal();
      for (double& x : jacobian.reshaped()) x = random.normal();
      for (double& x : bilateral.reshaped()) x = random.normal();
      for (double& x : velocity) x = random.normal();
      for (double& x : external) x = random.normal();
      const Eigen::MatrixXd mass = root * root.transpose() + Eigen::MatrixXd::Identity(n, n);
      routh::Reduction reduction(n, m);
      const routh::MachineState machine{mass, jacobian, velocity, bilateral, external};
      routh::ImpactResult result;
      const long count = count_allocations([&] {
        if (reduction.compute(machine) != routh::ReductionStatus::ok) return;
        routh::ImpactProblem p;
        p.inertia = reduction.inertia();
        p.velocity = reduction.contact_velocity();
        p.friction = {0.5, 0.4};
        result = solve_impact(p, routh::Law::energetic);
        reduction.expand(machine, result);
      });
      EXPECT_EQ(count, 0) << n << " coordinates, " << m << " loop rows";
      EXPECT_TRUE(reduction.velocity_after().allFinite());
    }
  }
}

}  // namespace
