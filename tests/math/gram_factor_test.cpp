#include "routh/math/gram_factor.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd X(rows, columns);
  for (Eigen::Index i = 0; i < X.size(); ++i) X.data()[i] = random.uniform(-1, 1);
  return X;
}

// D⁺ b by another decomposition, of X: X = U T Vᵀ, D⁺ = X⁺ X⁺ᵀ.
Eigen::VectorXd pseudo_inverse(const Eigen::MatrixXd& X, const Eigen::VectorXd& b) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(X);
  decomposition.setThreshold(1e-9);
  const Eigen::MatrixXd inverse = decomposition.pseudoInverse();
  return inverse * (inverse.transpose() * b);
}

TEST(GramFactor, LeastNormOfDependentColumns) {
  Random random(91);
  const int rounds = scaled(500, 50);
  int unclear = 0;
  for (int round = 0; round < rounds; ++round) {
    const int size = 1 + static_cast<int>(random.uniform(0, 23.99));
    const int rank = 1 + static_cast<int>(random.uniform(0, std::min(size, 30) - 0.01));
    Eigen::MatrixXd X = random_matrix(random, 36, rank) * random_matrix(random, rank, size);
    for (int k = 0; k < size; ++k) X.col(k) *= std::pow(10, random.uniform(-1, 1));  // other units
    if (round % 5 == 0) X.col(size - 1).setZero();                                   // a row that nothing moves
    const Eigen::MatrixXd D = X.transpose() * X;
    const Eigen::VectorXd b = X.transpose() * random_matrix(random, 36, 1);
    GramFactor factor(size);
    if (!factor.compute(D)) {  // by chance near to dependence
      ++unclear;
      continue;
    }
    Eigen::VectorXd lambda(size);
    factor.solve(b, lambda);
    const Eigen::VectorXd expected = pseudo_inverse(X, b);
    EXPECT_LE(factor.rank(), rank);
    EXPECT_LE((D * lambda - b).norm(), 1e-10 * b.norm()) << size << ' ' << rank;
    EXPECT_LT((lambda - expected).norm(), 1e-6 * expected.norm() + 1e-14) << size << ' ' << rank;
  }
  EXPECT_LT(unclear, rounds / 10);
}

// Only the lower triangle is read.
TEST(GramFactor, ReadsTheLowerTriangle) {
  Eigen::MatrixXd D(2, 2);
  D << 2, 1e9, 1, 2;
  GramFactor factor(2);
  ASSERT_TRUE(factor.compute(D));
  Eigen::VectorXd lambda(2);
  factor.solve(Eigen::Vector2d(3, 3), lambda);
  EXPECT_NEAR(lambda[0], 1, 1e-15);
  EXPECT_NEAR(lambda[1], 1, 1e-15);
}

// Two columns at an angle: alike to rounding, apart, and in between where D cannot tell.
TEST(GramFactor, SaysWhereDependenceIsNotClear) {
  const auto rank_at = [](double angle) {
    Eigen::MatrixXd X(3, 2);
    X << 1, std::cos(angle), 0, std::sin(angle), 0, 0;
    GramFactor factor(2);
    return factor.compute(X.transpose() * X) ? factor.rank() : -1;
  };
  EXPECT_EQ(rank_at(0), 1);
  EXPECT_EQ(rank_at(1e-9), 1);
  EXPECT_EQ(rank_at(3e-6), -1);
  EXPECT_EQ(rank_at(1e-3), 2);
}

TEST(GramFactor, NothingIsOfRankZero) {
  GramFactor factor(3);
  ASSERT_TRUE(factor.compute(Eigen::MatrixXd::Zero(3, 3)));
  EXPECT_EQ(factor.rank(), 0);
  Eigen::VectorXd lambda(3);
  factor.solve(Eigen::Vector3d(1, 2, 3), lambda);
  EXPECT_EQ(lambda.norm(), 0);
}

}  // namespace
