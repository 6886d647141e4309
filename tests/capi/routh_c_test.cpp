// The C interface: the numbers of impacts worked by hand, the same answers as the solver it wraps, and misuse.
#include "routh/capi/routh_c.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "routh/impact/solve.h"
#include "routh/version.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;

// Slips forward to the end, so everything is linear in the impulse: dv_n/dI_n = 2 − 0.6·0.5 = 1.7 and
// dv_t/dI_n = 0.5 − 0.6·1 = −0.1; compression ends at I_n = 1, the impact at 1.5 with v = (0.85, 0.85).
routh_problem sliding() {
  routh_problem problem;
  routh_problem_init(&problem);
  problem.dimension = 2;
  problem.delassus[0][0] = 2;
  problem.delassus[0][1] = problem.delassus[1][0] = 0.5;
  problem.delassus[1][1] = 1;
  problem.velocity[0] = -1.7;
  problem.velocity[1] = 1;
  problem.static_friction = problem.kinetic_friction = 0.6;
  problem.restitution = 0.5;
  return problem;
}

void expect_nothing_but_numbers(const routh_result& result) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(std::isfinite(result.velocity[k]));
    EXPECT_TRUE(std::isfinite(result.impulse[k]));
  }
  for (const double x :
       {result.energy.normal_work, result.energy.tangential_work, result.energy.supplied, result.energy.change})
    EXPECT_TRUE(std::isfinite(x));
}

TEST(Capi, ImpactWorkedByHand) {
  const routh_problem problem = sliding();
  routh_result result;
  ASSERT_EQ(routh_impact(&problem, &result), ROUTH_OK);
  EXPECT_EQ(result.mode, ROUTH_MODE_SLIDING);
  EXPECT_NEAR(result.velocity[0], 0.85, 1e-14);
  EXPECT_NEAR(result.velocity[1], 0.85, 1e-14);
  EXPECT_EQ(result.velocity[2], 0);
  EXPECT_NEAR(result.impulse[0], 1.5, 1e-14);
  EXPECT_NEAR(result.impulse[1], -0.9, 1e-14);
  // W_n = ∫ v_n dI_n = −1.7·1.5 + 1.7·1.5²/2, W_t = −0.6 ∫ v_t dI_n = −0.6 (1.5 − 0.1·1.5²/2).
  EXPECT_NEAR(result.energy.normal_work, -0.6375, 1e-14);
  EXPECT_NEAR(result.energy.tangential_work, -0.8325, 1e-14);
  EXPECT_NEAR(result.energy.change, -1.47, 1e-14);
  EXPECT_EQ(result.energy.consistent, 1);
  EXPECT_EQ(result.warnings, 0u);
}

TEST(Capi, MachineWithALoop) {
  // Two masses of 1 kg and 3 kg that a row ties together, q̇₁ = q̇₂, fall as one of 4 kg on the first one's contact, and
  // an external impulse of 2 N s upward acts beside: v⁺ = 2 e, e = 1/2, and 4 (1 + 2) N s in all.
  const std::array<double, 4> mass{1, 0, 0, 3};
  const std::array<double, 4> jacobian{1, 0, 0, 0};
  const std::array<double, 2> velocity{-2, -2}, push{2, 0}, row{1, -1};
  routh_machine machine{2, mass.data(), jacobian.data(), velocity.data(), 1, row.data(), push.data()};
  routh_problem problem;
  routh_problem_init(&problem);
  problem.dimension = 2;
  problem.restitution = 0.5;
  routh_result result;
  std::array<double, 2> after{};
  ASSERT_EQ(routh_impact_machine(&machine, &problem, &result, after.data()), ROUTH_OK);
  EXPECT_NEAR(after[0], 1, 1e-14);
  EXPECT_NEAR(after[1], 1, 1e-14);
  EXPECT_NEAR(result.impulse[0], 4 * (1 + 2) - 2, 1e-13);
  EXPECT_EQ(routh_impact_machine(&machine, &problem, &result, nullptr), ROUTH_OK);

  machine.coordinates = 0;
  EXPECT_EQ(routh_impact_machine(&machine, &problem, &result, after.data()), ROUTH_BAD_ARGUMENT);
  machine.coordinates = 2;
  machine.bilateral = nullptr;
  EXPECT_EQ(routh_impact_machine(&machine, &problem, &result, after.data()), ROUTH_BAD_ARGUMENT);
  const std::array<double, 4> indefinite{1, 0, 0, -3};
  machine.bilateral = row.data();
  machine.mass_matrix = indefinite.data();
  EXPECT_EQ(routh_impact_machine(&machine, &problem, &result, after.data()), ROUTH_BAD_ARGUMENT);
  expect_nothing_but_numbers(result);
}

TEST(Capi, SameBitsAsTheSolver) {
  Random random(20260915);
  const int count = scaled(2000, 100);
  std::vector<routh_problem> problems;
  std::vector<routh::ImpactProblem> originals;
  for (int k = 0; k < count; ++k) {
    routh::ImpactProblem p = random_spatial(random);
    p.restitution.kind = routh::RestitutionKind::constant;
    const routh::ContactInertia& d = p.inertia;
    // D as a caller has it: entries only, so the sticking slope is formed again from them.
    p.inertia = routh::spatial_inertia(d.a, d.c1, d.c2, d.b11, d.b12, d.b22);
    routh_problem c{3,
                    static_cast<routh_law>(k % routh::law_count),
                    {{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}},
                    {p.velocity.n, p.velocity.t1, p.velocity.t2},
                    {p.surface_velocity.n, p.surface_velocity.t1, p.surface_velocity.t2},
                    p.friction.static_coefficient,
                    p.friction.kinetic_coefficient,
                    p.restitution.normal,
                    p.restitution.tangential,
                    p.load == routh::Load::pressed ? 1 : 0};
    problems.push_back(c);
    originals.push_back(p);
  }
  std::vector<routh_result> results(problems.size());
  const std::size_t unusable = routh_impact_many(problems.data(), results.data(), problems.size());
  std::size_t expected_unusable = 0;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const routh::ImpactResult expected = routh::solve_impact(originals[k], static_cast<routh::Law>(problems[k].law));
    if (!routh::usable(expected.status)) ++expected_unusable;
    EXPECT_STREQ(routh_status_name(results[k].status), routh::name(expected.status));
    EXPECT_STREQ(routh_mode_name(results[k].mode), routh::name(expected.mode));
    EXPECT_EQ(results[k].impulse[0], expected.impulse.n);
    EXPECT_EQ(results[k].velocity[2], expected.velocity.t2);
    EXPECT_EQ(results[k].energy.change, expected.energy.change);
    EXPECT_EQ(results[k].warnings, expected.warnings);
  }
  EXPECT_EQ(unusable, expected_unusable);
}

TEST(Capi, MisuseIsSaid) {
  routh_result result;
  EXPECT_EQ(routh_impact(nullptr, &result), ROUTH_BAD_ARGUMENT);
  expect_nothing_but_numbers(result);
  routh_problem problem = sliding();
  EXPECT_EQ(routh_impact(&problem, nullptr), ROUTH_BAD_ARGUMENT);
  EXPECT_EQ(routh_impact_many(nullptr, &result, 3), 3u);
  EXPECT_EQ(routh_impact_machine(nullptr, &problem, &result, nullptr), ROUTH_BAD_ARGUMENT);

  std::array<char, 200> text{};
  EXPECT_EQ(routh_problem_check(&problem, text.data(), text.size()), 1);
  EXPECT_STREQ(text.data(), "");
  problem.dimension = 4;
  EXPECT_EQ(routh_impact(&problem, &result), ROUTH_BAD_ARGUMENT);
  EXPECT_EQ(routh_problem_check(&problem, text.data(), text.size()), 0);
  EXPECT_STREQ(text.data(), "dimension must be 2 or 3");

  problem = sliding();
  problem.delassus[1][0] = -0.5;
  EXPECT_EQ(routh_impact(&problem, &result), ROUTH_BAD_ARGUMENT);
  EXPECT_EQ(routh_problem_check(&problem, text.data(), text.size()), 0);
  EXPECT_STREQ(text.data(), "delassus must be symmetric");

  problem = sliding();
  problem.restitution = 1.5;
  EXPECT_EQ(routh_impact(&problem, &result), ROUTH_INVALID);
  EXPECT_EQ(routh_usable(result.status), 0);
  EXPECT_EQ(routh_problem_check(&problem, text.data(), text.size()), 0);
  EXPECT_STREQ(text.data(), "restitution = 1.5: must lie in [0, 1]");
  // A text too long for its room is cut, not written beyond it.
  std::array<char, 8> small;
  small.fill('#');
  EXPECT_EQ(routh_problem_check(&problem, small.data(), 5), 0);
  EXPECT_STREQ(small.data(), "rest");
  EXPECT_EQ(small[5], '#');
  EXPECT_EQ(routh_problem_check(&problem, nullptr, 0), 0);

  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (double* place : {&problem.delassus[0][0], &problem.velocity[1], &problem.surface_velocity[0]}) {
      problem = sliding();
      *place = bad;
      EXPECT_EQ(routh_impact(&problem, &result), ROUTH_INVALID);
      expect_nothing_but_numbers(result);
    }
}

TEST(Capi, NamesAndVersion) {
  EXPECT_STREQ(routh_version(), ROUTH_VERSION);
  EXPECT_STREQ(routh_law_name(ROUTH_ENERGETIC), "energetic");
  EXPECT_STREQ(routh_law_name(static_cast<routh_law>(7)), "?");
  EXPECT_STREQ(routh_mode_name(ROUTH_MODE_STICK_IN_RESTITUTION), "stick_in_restitution");
  EXPECT_STREQ(routh_status_name(ROUTH_BAD_ARGUMENT), "bad_argument");
  for (int k = ROUTH_OK; k <= ROUTH_OUT_OF_MEMORY; ++k)
    EXPECT_GT(std::strlen(routh_status_text(static_cast<routh_status>(k))), 3u);
}

}  // namespace
