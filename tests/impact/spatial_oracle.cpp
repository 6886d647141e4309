// The spatial solution against the oracle: every family, every law, jams and restarts included.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;
using namespace testing_support;

struct Tally {
  int solved = 0, outside = 0, left_out = 0, bad = 0;
  int stuck = 0, restarted = 0, jammed = 0, recompressed = 0;
};

bool excused(const ImpactResult& result) {
  return result.status != routh::ImpactStatus::ok || result.has(routh::Warning::ill_conditioned);
}

// The verdict on one problem. Where the oracle itself sees a dip below 1e-12 nothing is claimed but an honest flag.
void judge(const ImpactProblem& problem, Law law, Tally& tally) {
  const oracle::Answer answer = solve(to_oracle(problem), to_oracle(law));
  ASSERT_EQ(answer.outcome, oracle::Outcome::solved) << describe(problem);
  const ImpactResult result = solve_impact(problem, law);
  const double error = errors(problem, result, answer).worst();
  tally.stuck += answer.stuck, tally.restarted += answer.restarted;
  tally.jammed += answer.jammed, tally.recompressed += answer.recompressed;
  if (answer.dip < 1e-12L) {
    ++tally.left_out;
    EXPECT_TRUE(error < 1e-7 || excused(result))
        << "an unflagged dip of " << static_cast<double>(answer.dip) << ", error " << error << '\n'
        << to_json(problem, law);
    return;
  }
  ++tally.solved;
  if (error < 1e-10) return;
  ++tally.outside;
  if (error < 1e-7 || excused(result)) return;
  if (++tally.bad <= 5) {
    ADD_FAILURE() << name(law) << ": error " << error << " (status " << name(result.status) << ", mode "
                  << name(result.mode) << "), unflagged; shaking the last digits moves the answer by "
                  << sensitivity(to_oracle(problem), to_oracle(law)) << ", dip " << static_cast<double>(answer.dip)
                  << '\n'
                  << to_json(problem, law);
  }
}

class SpatialFamilies : public testing::TestWithParam<Family> {};

TEST_P(SpatialFamilies, AgreesOnRandomProblems) {
  const auto seed = 1000 + static_cast<std::uint64_t>(GetParam());
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  const int count = scaled(450);
  for (int i = 0; i < count; ++i) {
    const ImpactProblem problem = random_spatial(random, GetParam());
    for (const Law law : incremental_laws) judge(problem, law, tally);
  }
  std::cout << "  " << tally.solved << " solves, " << tally.outside << " outside 1e-10, " << tally.left_out
            << " left out, " << tally.stuck << " stuck, " << tally.restarted << " restarted, " << tally.jammed
            << " jammed, " << tally.recompressed << " recompressed\n";
  EXPECT_EQ(tally.bad, 0);
  EXPECT_LE(tally.outside, std::max(1, tally.solved / 1000));
  EXPECT_LE(tally.left_out, tally.solved / 50);
  EXPECT_GT(tally.stuck, 0);
}

INSTANTIATE_TEST_SUITE_P(All, SpatialFamilies,
                         testing::Values(Family::rod, Family::body, Family::gram, Family::near_planar,
                                         Family::coupled));

// Impacts without collision: v_n = 0, pressed, jammed. No phases are assumed; the oracle marches them.
TEST(SpatialOracle, ImpactWithoutCollision) {
  constexpr std::uint64_t seed = 1010;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Tally tally;
  int found = 0, still_slipping = 0;
  while (found < scaled(200, 200)) {
    ImpactProblem problem = random_spatial(random, found % 2 ? Family::gram : Family::rod);
    problem.velocity.n = 0;
    problem.load = routh::Load::pressed;
    const auto p = to_oracle(problem);
    if (solve(p, oracle::Law::poisson).outcome != oracle::Outcome::solved) continue;
    ++found;
    for (const Law law : {Law::poisson, Law::energetic}) judge(problem, law, tally);
    still_slipping += !solve(p, oracle::Law::poisson).stuck;
    EXPECT_EQ(solve_impact(problem, Law::newton).status, routh::ImpactStatus::undefined);
  }
  EXPECT_EQ(tally.bad, 0);
  EXPECT_LE(tally.outside, std::max(1, tally.solved / 1000));
  EXPECT_GT(still_slipping, found / 50) << "three dimensions know more than stick";
}

// A moving surface only shifts the velocity.
TEST(SpatialOracle, MovingSurface) {
  constexpr std::uint64_t seed = 1011;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int i = 0; i < scaled(50); ++i) {
    ImpactProblem problem = random_spatial(random, Family::rod);
    problem.surface_velocity = {0.1 * random.normal(), random.normal(), random.normal()};
    if (problem.velocity.n >= problem.surface_velocity.n) continue;
    for (const Law law : incremental_laws) {
      const ImpactResult result = solve_impact(problem, law);
      const oracle::Answer answer = solve(to_oracle(problem), to_oracle(law));
      if (answer.dip < 1e-9L) continue;
      ASSERT_LT(errors(problem, result, answer).worst(), 1e-10) << describe(problem);
      const auto& s = problem.surface_velocity;
      const double speed = norm(problem.velocity) + norm(s) + norm(result.velocity);
      EXPECT_NEAR(result.velocity.t1, result.relative_velocity.t1 + s.t1, 1e-15 * speed);
      const auto& i_ = result.impulse;
      const double supplied = s.n * i_.n + s.t1 * i_.t1 + s.t2 * i_.t2;
      EXPECT_NEAR(result.energy.supplied, supplied, 1e-14 * speed * norm(i_));
      EXPECT_NEAR(result.energy.change, result.energy.normal_work + result.energy.tangential_work + supplied,
                  1e-12 * speed * norm(i_));
    }
  }
}

}  // namespace
