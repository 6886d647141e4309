// Lemke's method against the definition, against all complementary bases, and on degenerate problems.
#include "routh/math/complementarity.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ComplementarityEnd;

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

void expect_solution(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& z, double tolerance) {
  const Eigen::VectorXd w = m * z + q;
  ASSERT_GE(z.minCoeff(), 0);
  ASSERT_GE(w.minCoeff(), -tolerance);
  for (Eigen::Index i = 0; i < z.size(); ++i) ASSERT_LE(std::min(z[i], w[i]), tolerance);
}

// Whether any complementary basis solves the problem.
bool solvable(const Eigen::MatrixXd& m, const Eigen::VectorXd& q) {
  const Eigen::Index n = q.size();
  for (unsigned subset = 0; subset < (1u << n); ++subset) {
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      if (((subset >> i) & 1u) != 0) basis.col(i) = -m.col(i);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(basis);
    if (lu.isInvertible() && lu.solve(q).minCoeff() >= -1e-10) return true;
  }
  return false;
}

TEST(Complementarity, SolvesPositiveDefinite) {
  constexpr std::uint64_t seed = 7201;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(300, 20); ++k) {
    const Eigen::Index n = 1 + random.below(25);
    const Eigen::MatrixXd root = random_matrix(random, n, n);
    const Eigen::MatrixXd skew = random_matrix(random, n, n);
    const Eigen::MatrixXd m = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n) + skew - skew.transpose();
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    const routh::ComplementarityResult result = routh::solve_complementarity(m, q);
    ASSERT_EQ(result.end, ComplementarityEnd::solved);
    expect_solution(m, q, result.z, 1e-9 * (1 + result.z.norm() * m.norm()));
  }
}

// For M positive semidefinite a ray proves that nothing solves the problem.
TEST(Complementarity, SemidefiniteSolvableOrNot) {
  constexpr std::uint64_t seed = 7202;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int unsolvable = 0, solved = 0;
  for (int k = 0; k < scaled(400, 60); ++k) {
    const Eigen::Index n = 2 + random.below(6);
    const Eigen::MatrixXd root = random_matrix(random, n, 1 + random.below(static_cast<int>(n) - 1));
    const Eigen::MatrixXd m = root * root.transpose();
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    const routh::ComplementarityResult result = routh::solve_complementarity(m, q);
    ASSERT_NE(result.end, ComplementarityEnd::limit);
    ASSERT_EQ(result.end == ComplementarityEnd::solved, solvable(m, q));
    if (result.end == ComplementarityEnd::solved) {
      ++solved;
      expect_solution(m, q, result.z, 1e-8 * (1 + result.z.norm() * m.norm()));
    } else {
      ++unsolvable;
    }
  }
  EXPECT_GT(solved, 3);
  EXPECT_GT(unsolvable, 3);
}

// Whole numbers with many ties: no cycling, and the answer is one.
TEST(Complementarity, Degenerate) {
  constexpr std::uint64_t seed = 7203;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(300, 20); ++k) {
    const Eigen::Index n = 2 + random.below(10), rank = 1 + random.below(4);
    Eigen::MatrixXd root(n, rank);
    for (double& x : root.reshaped()) x = random.below(3) - 1;
    Eigen::VectorXd pull(rank);
    for (double& x : pull) x = random.below(3) - 1;
    // q in the range of the root: then a solution exists (a convex problem with the feasible point of its own).
    const Eigen::MatrixXd m = root * root.transpose();
    const Eigen::VectorXd q = root * pull;
    const routh::ComplementarityResult result = routh::solve_complementarity(m, q);
    ASSERT_EQ(result.end, ComplementarityEnd::solved) << m << "\n\n" << q;
    expect_solution(m, q, result.z, 1e-9 * (1 + result.z.norm()));
  }
}

TEST(Complementarity, ByHand) {
  Eigen::MatrixXd m(1, 1);
  m << -1;
  EXPECT_EQ(routh::solve_complementarity(m, Eigen::VectorXd::Constant(1, -1)).end, ComplementarityEnd::ray);
  EXPECT_EQ(routh::solve_complementarity(m, Eigen::VectorXd::Constant(1, 1)).z[0], 0);
  m << 2;
  const routh::ComplementarityResult result =
      routh::solve_complementarity(m, Eigen::VectorXd::Constant(1, -1), Eigen::VectorXd::Constant(1, 3));
  EXPECT_EQ(result.end, ComplementarityEnd::solved);
  EXPECT_NEAR(result.z[0], 0.5, 1e-15);
  EXPECT_EQ(routh::solve_complementarity(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)).end, ComplementarityEnd::solved);
}

}  // namespace
