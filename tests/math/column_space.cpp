#include "routh/math/column_space.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "support/random_problems.h"

namespace {

using routh::ColumnSpace;

// X of the given rank, with columns of very different lengths.
Eigen::MatrixXd random_columns(testing_support::Random& random, int size, int count, int rank) {
  Eigen::MatrixXd left(size, rank), right(rank, count);
  for (double& x : left.reshaped()) x = random.uniform(-1, 1);
  for (double& x : right.reshaped()) x = random.uniform(-1, 1);
  Eigen::MatrixXd X = left * right;
  for (int k = 0; k < count; ++k) X.col(k) *= std::pow(10, random.uniform(-6, 6));
  return X;
}

// Against the pseudo-inverse by a complete orthogonal decomposition.
TEST(ColumnSpace, AgreesWithThePseudoInverse) {
  testing_support::Random random(5);
  for (int k = 0; k < testing_support::scaled(300, 50); ++k) {
    SCOPED_TRACE("seed 5, case " + std::to_string(k));
    const int size = 3 + k % 7, count = 1 + k % 5, rank = std::min({size, count, 1 + k % 3});
    Eigen::MatrixXd X = random_columns(random, size, count, rank);
    for (int c = 0; c < count; ++c) X.col(c).normalize();  // so that least norm means the same to both
    ColumnSpace space(size, count);
    space.clear();
    for (int c = 0; c < count; ++c) space.add(X.col(c));
    space.finish();
    EXPECT_EQ(space.rank(), rank);
    Eigen::VectorXd x(size), b(count);
    for (double& value : x) value = random.uniform(-1, 1);
    for (double& value : b) value = random.uniform(-1, 1);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> pseudo;
    pseudo.setThreshold(1e-9);
    const Eigen::VectorXd lambda = pseudo.compute(X).solve(x);
    Eigen::VectorXd ours(count);
    space.least_norm(x, ours);
    const double condition = 1 + lambda.norm();
    EXPECT_LE((ours - lambda).norm(), 1e-8 * condition);
    Eigen::VectorXd on = x, off = x;
    space.project_on(on);
    space.project_off(off);
    EXPECT_LE((on + off - x).norm(), 1e-14);
    EXPECT_LE((on - X * lambda).norm(), 1e-8 * condition);
    EXPECT_LE((X.transpose() * off).norm(), 1e-13);
    Eigen::VectorXd y(size);
    space.least_squares(b, y);
    const Eigen::MatrixXd transposed = X.transpose();
    const Eigen::VectorXd expected = pseudo.compute(transposed).solve(b);
    EXPECT_LE((y - expected).norm(), 1e-8 * (1 + expected.norm()));
  }
}

TEST(ColumnSpace, RankDoesNotDependOnUnits) {
  testing_support::Random random(6);
  for (int k = 0; k < 50; ++k) {
    const Eigen::MatrixXd X = random_columns(random, 8, 5, 3);
    ColumnSpace space(8, 5);
    space.clear();
    for (int c = 0; c < 5; ++c) space.add(X.col(c));
    space.finish();
    EXPECT_EQ(space.rank(), 3);
  }
}

// The velocities of four points of a rigid body that stand almost, but not quite, along the axes they are taken in:
// twelve rows of rank six, of which neighbours agree to the last few digits.
TEST(ColumnSpace, NearlyEqualColumnsAreNoNewDirections) {
  for (const double turn : {0.0, 1e-13, 1e-11, 1e-9, 1e-7, 1e-3}) {
    Eigen::MatrixXd rows(12, 6);
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner % 2 ? 0.12 : -0.12, y = corner / 2 ? 0.05 : -0.05;
      const double rx = x - turn * y, ry = y + turn * x, rz = -0.03;
      rows.block<3, 3>(3 * corner, 0).setIdentity();
      rows.block<3, 3>(3 * corner, 3) << 0, rz, -ry, -rz, 0, rx, ry, -rx, 0;
    }
    ColumnSpace space(6, 12);
    space.clear();
    for (int k = 0; k < 12; ++k) space.add(rows.row(k).transpose());
    space.finish();
    EXPECT_EQ(space.rank(), 6) << turn;
    // Least norm against the normal equations, whose matrix is far from singular.
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(6, 1, 2);
    Eigen::VectorXd lambda(12);
    space.least_norm(x, lambda);
    const Eigen::VectorXd expected = rows * (rows.transpose() * rows).ldlt().solve(x);
    EXPECT_LT((lambda - expected).norm(), 1e-10 * expected.norm()) << turn;
  }
}

TEST(ColumnSpace, ZeroColumnsSpanNothing) {
  ColumnSpace space(3, 2);
  space.clear();
  space.add(Eigen::VectorXd::Zero(3));
  space.add(Eigen::VectorXd::Zero(3));
  space.finish();
  EXPECT_EQ(space.rank(), 0);
  Eigen::VectorXd x = Eigen::Vector3d(1, 2, 3), lambda(2);
  space.least_norm(x, lambda);
  EXPECT_EQ(lambda.norm(), 0);
  space.project_off(x);
  EXPECT_EQ(x, Eigen::VectorXd(Eigen::Vector3d(1, 2, 3)));
}

}  // namespace
