// Semidefinite programs with a known optimum: by eigenvalues, by corners of a polygon, by construction of both halves.
#include "routh/solvability/semidefinite.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <thread>

#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

Eigen::MatrixXd random_symmetric(Random& random, Eigen::Index n) {
  Eigen::MatrixXd m(n, n);
  for (double& x : m.reshaped()) x = random.normal();
  return 0.5 * (m + m.transpose());
}

// max y with I − y A ⪰ 0, 0 ≤ y ≤ 10
SemidefiniteProblem eigenvalue_problem(const Eigen::MatrixXd& a) {
  SemidefiniteProblem p;
  p.objective = Eigen::VectorXd::Ones(1);
  p.constant = Eigen::MatrixXd::Identity(a.rows(), a.rows());
  p.coefficients = {a};
  p.lower = Eigen::VectorXd::Zero(1);
  p.upper = Eigen::VectorXd::Constant(1, 10);
  return p;
}

TEST(Semidefinite, LargestEigenvalue) {
  Random random(3301);
  for (int k = 0; k < scaled(100, 20); ++k) {
    const Eigen::MatrixXd a = random_symmetric(random, 1 + random.below(8));
    const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues().maxCoeff();
    const double expected = largest > 0.1 ? 1 / largest : 10;
    const SemidefiniteResult result = maximise_semidefinite(eigenvalue_problem(a));
    ASSERT_EQ(result.end, SemidefiniteEnd::solved) << result.message;
    EXPECT_TRUE(result.feasible);
    EXPECT_NEAR(result.y(0), expected, 1e-6 * (1 + expected));
    EXPECT_GE(result.bound, result.objective - 1e-8);
    EXPECT_NEAR(result.bound, expected, 1e-5);
    EXPECT_GE(result.smallest_eigenvalue, -1e-7);
  }
}

// X ⪰ 0 and S ⪰ 0 with X S = 0: C = S + Σ y_i A_i and b_i = ⟨A_i, X⟩ make y optimal, with the value bᵀy.
TEST(Semidefinite, BothHalvesByConstruction) {
  Random random(3302);
  for (int k = 0; k < scaled(100, 20); ++k) {
    const Eigen::Index n = 2 + random.below(6), count = 1 + random.below(5),
                       rank = 1 + random.below(static_cast<int>(n) - 1);
    const Eigen::MatrixXd turn = random_symmetric(random, n).householderQr().householderQ();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n), s = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) (i < rank ? x(i) : s(i)) = random.uniform(0.5, 2);
    SemidefiniteProblem p;
    p.constant = turn * s.asDiagonal() * turn.transpose();
    p.objective.resize(count);
    Eigen::VectorXd y(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::MatrixXd a = random_symmetric(random, n);
      y(i) = random.normal();
      p.coefficients.push_back(a);
      p.constant += y(i) * a;
      p.objective(i) = (a * (turn * x.asDiagonal() * turn.transpose())).trace();
    }
    p.constant = (0.5 * (p.constant + p.constant.transpose())).eval();
    p.lower = y.array() - random.uniform(0.5, 5);
    p.upper = y.array() + random.uniform(0.5, 5);
    if (count > 1 && random.chance(0.3)) p.lower(0) = p.upper(0) = y(0);  // a constant
    const SemidefiniteResult result = maximise_semidefinite(p);
    ASSERT_EQ(result.end, SemidefiniteEnd::solved) << result.message;
    EXPECT_TRUE(result.feasible);
    EXPECT_NEAR(result.objective, p.objective.dot(y), 1e-4);
    EXPECT_NEAR(result.bound, p.objective.dot(y), 1e-4);
    EXPECT_GE((result.y - p.lower).minCoeff(), 0);
    EXPECT_GE((p.upper - result.y).minCoeff(), 0);
  }
}

// Diagonal matrices are half-planes: the best corner of a polygon.
TEST(Semidefinite, PolygonByCorners) {
  Random random(3303);
  for (int k = 0; k < scaled(60, 15); ++k) {
    const Eigen::Index planes = 1 + random.below(6);
    Eigen::MatrixXd a(planes + 4, 2);
    Eigen::VectorXd c(planes + 4);
    for (Eigen::Index i = 0; i < planes; ++i) a.row(i) << random.normal(), random.normal();
    for (Eigen::Index i = 0; i < planes; ++i) c(i) = random.uniform(0.1, 1);
    a.bottomRows(4) << 1, 0, -1, 0, 0, 1, 0, -1;
    c.tail(4) << 1, 2, 3, 1;
    const Eigen::Vector2d b(random.normal(), random.normal());
    double best = -std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const double determinant = a(i, 0) * a(j, 1) - a(i, 1) * a(j, 0);
        if (std::abs(determinant) < 1e-12) continue;
        const Eigen::Vector2d y((c(i) * a(j, 1) - c(j) * a(i, 1)) / determinant,
                                (a(i, 0) * c(j) - a(j, 0) * c(i)) / determinant);
        if ((c - a * y).minCoeff() > -1e-9) best = std::max(best, b.dot(y));
      }
    SemidefiniteProblem p;
    p.objective = b;
    p.constant = c.head(planes).asDiagonal();
    for (Eigen::Index i = 0; i < 2; ++i) p.coefficients.push_back(a.col(i).head(planes).asDiagonal().toDenseMatrix());
    p.lower = Eigen::Vector2d(-2, -1);
    p.upper = Eigen::Vector2d(1, 3);
    const SemidefiniteResult result = maximise_semidefinite(p);
    ASSERT_EQ(result.end, SemidefiniteEnd::solved) << result.message;
    EXPECT_NEAR(result.objective, best, 1e-5);
  }
}

TEST(Semidefinite, InfeasibleIsSaid) {
  SemidefiniteProblem p = eigenvalue_problem(Eigen::MatrixXd::Identity(3, 3));
  p.constant = -p.constant;
  SemidefiniteResult result = maximise_semidefinite(p);
  EXPECT_EQ(result.end, SemidefiniteEnd::infeasible);
  EXPECT_FALSE(result.feasible);
  EXPECT_FALSE(result.message.empty());
  p.upper = p.lower;
  EXPECT_EQ(maximise_semidefinite(p).end, SemidefiniteEnd::infeasible);
  p.constant.setIdentity();
  result = maximise_semidefinite(p);
  EXPECT_EQ(result.end, SemidefiniteEnd::solved);
  EXPECT_EQ(result.y(0), 0);
}

TEST(Semidefinite, InvalidIsSaid) {
  const SemidefiniteProblem good = eigenvalue_problem(Eigen::MatrixXd::Identity(3, 3));
  const auto expect_invalid = [](const SemidefiniteProblem& p) {
    const SemidefiniteResult result = maximise_semidefinite(p);
    EXPECT_EQ(result.end, SemidefiniteEnd::invalid);
    EXPECT_FALSE(result.message.empty());
    EXPECT_EQ(result.y.size(), 0);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  SemidefiniteProblem p = good;
  p.coefficients.clear();
  expect_invalid(p);
  expect_invalid({});
  p = good;
  p.constant(0, 1) = 1;
  expect_invalid(p);
  p = good;
  p.coefficients[0](1, 1) = nan;
  expect_invalid(p);
  p = good;
  p.upper(0) = infinity;
  expect_invalid(p);
  p = good;
  p.lower(0) = 11;
  expect_invalid(p);
  p = good;
  p.coefficients[0] = Eigen::MatrixXd::Identity(2, 2);
  expect_invalid(p);
  p = good;
  p.constant *= 1e300;
  expect_invalid(p);
}

TEST(Semidefinite, Limits) {
  Random random(3304);
  const SemidefiniteProblem p = eigenvalue_problem(random_symmetric(random, 5));
  SemidefiniteLimits limits;
  limits.iterations = 3;
  SemidefiniteResult result = maximise_semidefinite(p, limits);
  EXPECT_EQ(result.end, SemidefiniteEnd::iteration_limit);
  EXPECT_LE(result.iterations, 4);
  limits.iterations = 0;
  EXPECT_EQ(maximise_semidefinite(p, limits).end, SemidefiniteEnd::iteration_limit);
  limits = {};
  for (const double seconds : {1e-9, 0.0, -1.0}) {
    limits.seconds = seconds;
    result = maximise_semidefinite(p, limits);
    EXPECT_EQ(result.end, SemidefiniteEnd::time_limit) << seconds;
    EXPECT_TRUE(result.y.allFinite());
    EXPECT_FALSE(result.message.empty());
  }
}

// Badly scaled, singular, empty and contradictory problems: an end in words, finite numbers, and not a word on stdout.
TEST(Semidefinite, NastyProblemsEndQuietly) {
  Random random(3305);
  testing::internal::CaptureStdout();
  int solved = 0;
  for (int k = 0; k < scaled(400, 60); ++k) {
    const double spread = 5 * random.below(4);
    const auto size = [&] { return std::pow(10, random.uniform(-spread, spread)); };
    const Eigen::Index n = 1 + random.below(6), count = 1 + random.below(5);
    const auto matrix = [&] {
      Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
      for (int rank = random.below(static_cast<int>(n) + 1); rank > 0; --rank) {
        Eigen::VectorXd x(n);
        for (double& v : x) v = random.chance(0.3) ? 0 : random.normal();
        m += (random.chance(0.5) ? 1 : -1) * x * x.transpose();
      }
      return Eigen::MatrixXd(size() * m);
    };
    SemidefiniteProblem p;
    p.constant = matrix();
    if (random.chance(0.6)) p.constant += size() * Eigen::MatrixXd::Identity(n, n);
    p.objective.resize(count);
    p.lower.resize(count);
    p.upper.resize(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      p.coefficients.push_back(matrix());
      p.objective(i) = random.chance(0.2) ? 0 : size() * random.normal();
      p.lower(i) = size() * random.normal();
      p.upper(i) = p.lower(i) + (random.chance(0.1) ? 0 : size() * random.uniform());
    }
    const SemidefiniteResult result = maximise_semidefinite(p);
    ASSERT_TRUE(result.y.allFinite());
    ASSERT_TRUE(std::isfinite(result.objective) && !std::isnan(result.bound));
    ASSERT_EQ(result.message.empty(), result.end == SemidefiniteEnd::solved);
    ASSERT_TRUE(result.feasible || result.end != SemidefiniteEnd::solved);
    solved += result.end == SemidefiniteEnd::solved;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_GT(solved, 10);
}

TEST(Semidefinite, SeveralThreads) {
  Random random(3306);
  const SemidefiniteProblem p = eigenvalue_problem(random_symmetric(random, 6));
  const double expected = maximise_semidefinite(p).y(0);
  std::vector<double> found(4, 0);
  std::vector<std::thread> threads;
  for (double& y : found)
    threads.emplace_back([&p, &y] {
      for (int k = 0; k < 10; ++k) y = maximise_semidefinite(p).y(0);
    });
  for (std::thread& thread : threads) thread.join();
  for (const double y : found) EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace routh
