// Nonnegative least squares by its optimality conditions; the nearest point of a polyhedron by brute force over its
// faces; emptiness by construction.
#include "routh/math/least_distance.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "support/random_problems.h"

namespace {

using namespace testing_support;

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

// The nearest point lies on some face A_S z = b_S and is the point of that face nearest to the origin.
double brute_force_distance(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  double best = std::numeric_limits<double>::infinity();
  const unsigned subsets = 1u << a.rows();
  for (unsigned subset = 0; subset < subsets; ++subset) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      if (((subset >> i) & 1u) != 0) rows.push_back(i);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(a.cols());
    if (!rows.empty()) {
      const Eigen::MatrixXd face = a(rows, Eigen::all);
      const Eigen::VectorXd value = b(rows);
      z = face.completeOrthogonalDecomposition().solve(value);
      if ((face * z - value).norm() > 1e-9) continue;
    }
    if ((a * z - b).minCoeff() >= -1e-9) best = std::min(best, z.norm());
  }
  return best;
}

TEST(LeastDistance, OptimalityOfNonnegativeFit) {
  constexpr std::uint64_t seed = 7101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(400, 20); ++k) {
    const Eigen::Index rows = 1 + random.below(8), columns = 1 + random.below(10);
    Eigen::MatrixXd a = random_matrix(random, rows, columns);
    if (columns > 2 && random.chance(0.3)) a.col(1) = a.col(0);  // dependent columns
    const Eigen::VectorXd b = random_matrix(random, rows, 1);
    const routh::NonnegativeFit fit = routh::nonnegative_least_squares(a, b);
    const Eigen::VectorXd gradient = a.transpose() * fit.residual;
    ASSERT_GE(fit.coefficients.minCoeff(), 0);
    ASSERT_LE((b - a * fit.coefficients - fit.residual).norm(), 1e-12);
    ASSERT_LE(gradient.maxCoeff(), 1e-10);
    ASSERT_LE(std::abs(gradient.dot(fit.coefficients)), 1e-9);
  }
}

TEST(LeastDistance, AgainstFaces) {
  constexpr std::uint64_t seed = 7102;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int empty = 0, reached = 0;
  for (int k = 0; k < scaled(400, 40); ++k) {
    const Eigen::Index rows = 1 + random.below(8), columns = 1 + random.below(4);
    const Eigen::MatrixXd a = random_matrix(random, rows, columns);
    const Eigen::VectorXd b = random_matrix(random, rows, 1);
    const routh::LeastDistance nearest = routh::least_distance(a, b);
    const double expected = brute_force_distance(a, b);
    ASSERT_EQ(nearest.exists, std::isfinite(expected)) << expected;
    if (!nearest.exists) {
      ++empty;
      continue;
    }
    ++reached;
    ASSERT_NEAR(nearest.point.norm(), expected, 1e-9 * (1 + expected));
    ASSERT_GE((a * nearest.point - b).minCoeff(), -1e-9 * (1 + expected));
    const Eigen::VectorXd anywhere = random_matrix(random, rows, 1).cwiseAbs();
    ASSERT_LE((routh::least_distance(a, b, anywhere).point - nearest.point).norm(), 1e-9 * (1 + expected));
    ASSERT_LE((routh::least_distance(a, b, nearest.active).point - nearest.point).norm(), 1e-9 * (1 + expected));
  }
  EXPECT_GT(empty, 2);
  EXPECT_GT(reached, 10);
}

TEST(LeastDistance, SmallAnswersByHand) {
  Eigen::MatrixXd a(2, 1);
  a << 1, -1;
  EXPECT_FALSE(routh::least_distance(a, Eigen::Vector2d(2, -1)).exists);  // z ≥ 2 and z ≤ 1
  const routh::LeastDistance pinned = routh::least_distance(a, Eigen::Vector2d(2, -2));
  ASSERT_TRUE(pinned.exists);
  EXPECT_NEAR(pinned.point[0], 2, 1e-12);
  a << 0, 1;
  EXPECT_FALSE(routh::least_distance(a, Eigen::Vector2d(1, 0)).exists);  // 0 z ≥ 1
  EXPECT_NEAR(routh::least_distance(a, Eigen::Vector2d(-1, 3e-200)).point[0], 3e-200, 1e-210);
  EXPECT_TRUE(routh::least_distance(Eigen::MatrixXd(0, 3), Eigen::VectorXd(0)).point.isZero(0));
}

}  // namespace
