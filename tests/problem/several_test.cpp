// Several contacts in a problem file: read, solved and written; against the least-squares answer by hand.
#include "routh/problem/several_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <nlohmann/json.hpp>

#include "routh/problem/reader.h"
#include "routh/problem/stream.h"
#include "samples.h"

namespace routh {
namespace {

using nlohmann::json;

ProblemFile table() { return read_problem_file(ROUTH_TEST_DATA "/problems/several/table.json"); }

// Four legs of a table, rank 3: φ̇⁺ is the projection of −E φ̇⁻ onto what the three coordinates can do, rows scaled by
// √(a M⁻¹ aᵀ), which is the same for all legs here.
TEST(SeveralContacts, TableInTheSenseOfLeastSquares) {
  const SimultaneousAnswers answers = solve_several(table());
  ASSERT_EQ(answers.smooth.status, SimultaneousStatus::ok);
  Eigen::Matrix<double, 4, 3> A;
  A << 1, 0.5, 0.5, 1, 0.5, -0.5, 1, -0.5, -0.5, 1, -0.5, 0.5;
  const Eigen::Vector3d before(-1, 0.2, -0.1);
  const Eigen::Vector4d e(0.2, 0.5, 0.6, 0.8);
  const Eigen::Vector4d wanted = -e.cwiseProduct(A * before);
  const Eigen::Vector3d expected = A.colPivHouseholderQr().solve(wanted);
  EXPECT_LT((answers.smooth.velocity - expected).norm(), 1e-12);
  EXPECT_EQ(answers.smooth.rank, 3);
  const Eigen::Vector4d residual = A * expected - wanted;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(answers.smooth.contacts[k].residual, residual[static_cast<Eigen::Index>(k)], 1e-12);
    EXPECT_FALSE(answers.smooth.contacts[k].impulse_unique);
    EXPECT_GT(answers.smooth.contacts[k].normal_impulse, 0);
  }
  Eigen::Vector3d momentum(10 * (expected[0] + 1), expected[1] - 0.2, expected[2] + 0.1);
  EXPECT_LT((answers.smooth.impulse - momentum).norm(), 1e-11);
}

TEST(SeveralContacts, JsonAndStreamSayTheSame) {
  const ProblemFile file = table();
  std::string text;
  append_several(text, file, solve_several(file));
  const json answer = json::parse(text);
  EXPECT_EQ(answer["smooth"]["contacts"].size(), 4u);
  EXPECT_EQ(answer["sticking"]["status"], "ok");
  std::string line = read_text_file(ROUTH_TEST_DATA "/problems/several/table.json", 1 << 16);
  for (char& ch : line)
    if (ch == '\n') ch = ' ';
  LineSolver solver({});
  std::string out;
  EXPECT_EQ(solver.solve_strictly(line, 1, out), Outcome::answered);
  EXPECT_EQ(json::parse(out), answer);
}

// The answer that does not exist decides, not the one beside it.
TEST(SeveralContacts, EveryStatusHasItsOutcome) {
  ProblemFile file = read_problem_file(ROUTH_TEST_DATA "/problems/several/sticks_only_while_it_pulls.json");
  const SimultaneousAnswers as_runs = solve_several(file);  // beside the answer of a run it is news
  EXPECT_EQ(as_runs.rule, SimultaneousRule::run);
  ASSERT_TRUE(as_runs.sticking.has_value());
  EXPECT_EQ(as_runs.sticking->status, SimultaneousStatus::not_converged);
  EXPECT_EQ(as_runs.outcome(), Outcome::answered);
  file.rule = SimultaneousRule::simultaneous;
  const SimultaneousAnswers answers = solve_several(file);
  EXPECT_EQ(answers.smooth.status, SimultaneousStatus::ok);
  ASSERT_TRUE(answers.sticking.has_value());
  EXPECT_EQ(answers.sticking->status, SimultaneousStatus::not_converged);
  EXPECT_EQ(answers.outcome(), Outcome::no_answer);
  EXPECT_EQ(exit_code(answers.outcome()), 4);
  EXPECT_EQ(outcome_of(SimultaneousStatus::ok), Outcome::answered);
  EXPECT_EQ(outcome_of(SimultaneousStatus::no_impact), Outcome::answered);
  EXPECT_EQ(outcome_of(SimultaneousStatus::contradiction), Outcome::answered);
  EXPECT_EQ(outcome_of(SimultaneousStatus::not_converged), Outcome::no_answer);
  EXPECT_EQ(outcome_of(SimultaneousStatus::invalid), Outcome::invalid);
  EXPECT_EQ(outcome_of(SimultaneousStatus::mass_matrix_indefinite), Outcome::invalid);
  for (const ImpactStatus status : {ImpactStatus::no_solution, ImpactStatus::undefined, ImpactStatus::ill_conditioned,
                                    ImpactStatus::overflow, ImpactStatus::not_converged})
    EXPECT_EQ(outcome_of(status), Outcome::no_answer);
}

// Files that have what runs do not know are projected; others ask for what a run does.
TEST(SeveralContacts, TheRuleOfAFile) {
  ProblemFile file = table();
  EXPECT_EQ(rule_of(file), SimultaneousRule::run);
  file.law = Law::poisson;
  EXPECT_EQ(rule_of(file), SimultaneousRule::run);
  file.law = Law::newton;
  EXPECT_EQ(rule_of(file), SimultaneousRule::simultaneous);
  file.rule = SimultaneousRule::together;
  EXPECT_EQ(rule_of(file), SimultaneousRule::together);
  EXPECT_THROW(solve_several(file), InputError);  // Newton's law does not march
}

TEST(SeveralContacts, OneContactIsAskedForElsewhere) {
  ProblemSolver solver;
  EXPECT_THROW(solver.prepare(table()), InputError);
}

}  // namespace
}  // namespace routh
