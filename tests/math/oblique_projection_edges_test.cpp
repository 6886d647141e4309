// The oblique projection at its edges: which path, what rank, redundant multipliers, bad input, no allocation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "constrained_cases.h"
#include "routh/math/oblique_projection.h"
#include "routh/math/tolerances.h"
#include "support/count_allocations.h"

namespace {

using namespace constrained_cases;
using routh::ObliqueProjection;
using routh::ProjectionPath;
using routh::ProjectionReport;
using testing_support::count_allocations;
using testing_support::scaled;

double relative(const MatrixXd& X, const MatrixXd& Y) { return (X - Y).norm() / std::max(Y.norm(), 1e-30); }

// Each column of an operator that takes and gives vectors.
template <class Operator>
MatrixXd columns_of(const MatrixXd& inputs, int size, Operator apply) {
  MatrixXd outputs(size, inputs.cols());
  for (Eigen::Index j = 0; j < inputs.cols(); ++j) apply(inputs.col(j), outputs.col(j));
  return outputs;
}

// Wherever `compute` takes the fast path, the other one gives the same to 1e-12 of the operator's norm.
TEST(ObliqueProjectionPaths, AgreeWhereTheFastOneIsTaken) {
  Random random(9101);
  int taken = 0, left = 0;
  for (int k = 0; k < scaled(3000, 200); ++k) {
    SCOPED_TRACE(fmt::format("seed 9101, case {}", k));
    const int n = 1 + random.below(12), m = random.below(n + 1);
    const MatrixXd M = random_mass(random, n, random.uniform(0, 3));
    MatrixXd A = random_matrix(random, m, n);
    if (m > 1 && k % 2) A.row(m - 1) = A.row(0) + std::pow(10, random.uniform(-2, 0)) * A.row(m - 1);
    const VectorXd lengths = A.rowwise().norm();
    ObliqueProjection fast(n, m), slow(n, m);
    if (fast.compute(M, A).path != ProjectionPath::cholesky) {
      ++left;
      continue;
    }
    ++taken;
    slow.compute_by(ProjectionPath::projector, M, A);
    ASSERT_EQ(slow.report().rank, m);
    EXPECT_LE(relative(fast.S(), slow.S()), 1e-12);
    EXPECT_LE(relative(fast.M_o_inverse(), slow.M_o_inverse()), 1e-12);
    EXPECT_LE(relative(fast.M_c(), slow.M_c()), 1e-12);
    const MatrixXd units = lengths.asDiagonal(), forces = A.transpose() * lengths.cwiseInverse().asDiagonal();
    const auto reached = [&](const ObliqueProjection& p) {
      return columns_of(units, n, [&](const auto& b, auto y) { p.reach(b, y); });
    };
    const auto multiplied = [&](const ObliqueProjection& p) -> MatrixXd {
      return lengths.asDiagonal() * columns_of(forces, m, [&](const auto& f, auto y) { p.multipliers(f, y); });
    };
    EXPECT_LE(relative(reached(fast), reached(slow)), 1e-12);
    EXPECT_LE(relative(multiplied(fast), multiplied(slow)), 1e-12);
  }
  EXPECT_GT(taken, 40);  // both happen
  EXPECT_GT(left, 40);
}

// ‖λ‖ is least: λ = A⁺ᵀf. Uniqueness against the null space of Aᵀ by singular values.
TEST(ObliqueProjectionRows, MultipliersOfLeastNormAndTheirUniqueness) {
  Random random(9102);
  int unique = 0, free = 0;
  for (int k = 0; k < scaled(700, 70); ++k) {
    SCOPED_TRACE(fmt::format("seed 9102, case {}", k));
    const Case c = random_case(random, static_cast<Kind>(k % kind_count));
    const int n = static_cast<int>(c.M.rows()), m = static_cast<int>(c.A.rows());
    if (m == 0) continue;
    ObliqueProjection projection(n, m);
    ASSERT_EQ(projection.compute(c.M, c.A).rank, c.rank);
    const LongVector f = c.A.cast<long double>().transpose() * random_vector(random, m).cast<long double>();
    // Rows 1e-5 apart and lengths four decades apart stay well above 1e-13, rounding of A below.
    const VectorXd expected = (pseudo_inverse(c.A.cast<long double>(), 1e-13L).transpose() * f).cast<double>();
    VectorXd lambda(m);
    projection.multipliers(f.cast<double>(), lambda);
    // Lengths differ by up to 10⁴, which enters the least norm beside the condition of the unit rows.
    EXPECT_LE((lambda - expected).norm(), 1e-12 * c.row_condition * 1e2 * expected.norm());
    const Eigen::JacobiSVD<LongMatrix> svd(LongMatrix(unit_rows(c.A)), Eigen::ComputeFullU);
    for (int i = 0; i < m; ++i) {
      const long double part = svd.matrixU().row(i).tail(m - c.rank).norm();
      if (part > 1e-7L || part < 1e-11L) {
        EXPECT_EQ(projection.is_unique(i), part < 1e-11L) << i;
      }
      (part < 1e-11L ? unique : free) += m > c.rank;
    }
  }
  EXPECT_GT(unique, 10);
  EXPECT_GT(free, 10);
}

// b that no motion meets: least squares over unit rows, over motions of the range of S: y = S B⁺ D b.
TEST(ObliqueProjectionRows, ReachIsLeastSquaresOverUnitRows) {
  Random random(9103);
  for (int k = 0; k < scaled(700, 70); ++k) {
    SCOPED_TRACE(fmt::format("seed 9103, case {}", k));
    const Case c = random_case(random, static_cast<Kind>(k % kind_count));
    const int n = static_cast<int>(c.M.rows()), m = static_cast<int>(c.A.rows());
    if (m == 0) continue;
    ObliqueProjection projection(n, m);
    projection.compute(c.M, c.A);
    const VectorXd b = c.A.rowwise().norm().asDiagonal() * random_vector(random, m);
    LongVector unit = b.cast<long double>();
    for (int i = 0; i < m; ++i) unit(i) = c.A.row(i).norm() > 0 ? unit(i) / c.A.row(i).cast<long double>().norm() : 0;
    const LongMatrix B = unit_rows(c.A), M = c.M.cast<long double>();
    const LongVector shortest = pseudo_inverse(B, 1e-10L) * unit;
    const VectorXd expected = (shortest - oracle_M_o_inverse(c) * (M * shortest)).cast<double>();
    VectorXd y(n);
    projection.reach(b, y);
    EXPECT_LE((y - expected).norm(), 1e-13 * c.row_condition * c.mass_condition * expected.norm());
  }
}

TEST(ObliqueProjectionRows, RankDoesNotDependOnUnitsAndShowsItsGap) {
  Random random(9104);
  for (int k = 0; k < scaled(200, 40); ++k) {
    SCOPED_TRACE(fmt::format("seed 9104, case {}", k));
    const double apart = std::pow(10, -random.uniform(3, 15));
    const MatrixXd M = random_mass(random, 6, 2);
    MatrixXd A = random_matrix(random, 4, 6);
    A.row(3) = A.row(1) - A.row(0);
    A.row(3) += apart * A.row(3).norm() * random_matrix(random, 1, 6).normalized();
    MatrixXd scaled_rows = A;
    for (int i = 0; i < 4; ++i) scaled_rows.row(i) *= std::pow(10, random.uniform(-100, 100));
    ObliqueProjection projection(6, 4), other(6, 4);
    const ProjectionReport report = projection.compute_by(ProjectionPath::projector, M, A);
    const ProjectionReport same = other.compute_by(ProjectionPath::projector, M, scaled_rows);
    EXPECT_GT(report.smallest_kept, routh::tolerances::projection_rank_relative);
    EXPECT_LE(report.largest_dropped, routh::tolerances::projection_rank_relative);
    if (apart > 1e-9) {
      EXPECT_LT(report.smallest_kept, 10 * apart);
    }
    if (apart > 1e-9 || apart < 1e-13) {
      EXPECT_EQ(report.rank, apart > 1e-9 ? 4 : 3);
      EXPECT_EQ(same.rank, report.rank);
      EXPECT_LE(relative(other.S(), projection.S()), 1e-12 * report.condition);
    }
    const VectorXd s = Eigen::JacobiSVD<MatrixXd>(unit_rows(A).cast<double>()).singularValues();
    const double condition = s(0) / s(report.rank - 1);
    EXPECT_GT(report.condition, condition / 10);
    EXPECT_LT(report.condition, condition * 10);
  }
}

TEST(ObliqueProjectionRows, OrthonormalRowsHaveConditionOne) {
  const MatrixXd I = MatrixXd::Identity(4, 4);
  ObliqueProjection projection(4, 2);
  for (const ProjectionPath path : {ProjectionPath::projector, ProjectionPath::cholesky}) {
    const ProjectionReport report = projection.compute_by(path, 3 * I, 5 * I.topRows(2));
    EXPECT_EQ(report.path, path);
    EXPECT_EQ(report.rank, 2);
    EXPECT_NEAR(report.condition, 1, 1e-15);
    EXPECT_NEAR(report.smallest_kept, 1, 1e-15);
    EXPECT_EQ(report.largest_dropped, 0);
    EXPECT_NEAR(projection.nu(), 3, 1e-14);
  }
}

TEST(ObliqueProjectionEdges, NothingConstrainedNothingFreeOneCoordinate) {
  const MatrixXd mass = MatrixXd::Constant(1, 1, 2.5);
  for (const ProjectionPath path : {ProjectionPath::projector, ProjectionPath::cholesky}) {
    ObliqueProjection open(1, 0), held(1, 1);
    EXPECT_EQ(open.compute_by(path, mass, MatrixXd(0, 1)).path, path);
    EXPECT_EQ(open.report().rank, 0);
    EXPECT_EQ(open.S()(0, 0), 0);
    EXPECT_DOUBLE_EQ(open.M_o_inverse()(0, 0), 0.4);
    EXPECT_EQ(open.P()(0, 0), 1);
    EXPECT_EQ(held.compute_by(path, mass, MatrixXd::Constant(1, 1, -3)).path, path);
    EXPECT_DOUBLE_EQ(held.S()(0, 0), 1);
    EXPECT_EQ(held.M_o_inverse()(0, 0), 0);
    EXPECT_EQ(held.P()(0, 0), 0);
    EXPECT_DOUBLE_EQ(held.M_c()(0, 0), 2.5);
    VectorXd y(1);
    held.reach(VectorXd::Constant(1, 6), y);
    EXPECT_DOUBLE_EQ(y(0), -2);
    held.multipliers(VectorXd::Constant(1, 6), y);
    EXPECT_DOUBLE_EQ(y(0), -2);
    EXPECT_TRUE(held.is_unique(0));
  }
  ObliqueProjection zero(1, 1);
  EXPECT_EQ(zero.compute(mass, MatrixXd::Zero(1, 1)).rank, 0);
  EXPECT_EQ(zero.report().path, ProjectionPath::projector);
  EXPECT_FALSE(zero.is_unique(0));
  VectorXd y(1);
  zero.multipliers(VectorXd::Zero(1), y);
  EXPECT_EQ(y(0), 0);
}

TEST(ObliqueProjectionEdges, AliasedVectors) {
  Random random(9105);
  for (int k = 0; k < 2 * kind_count; ++k) {
    const Case c = random_case(random, static_cast<Kind>(k % kind_count), k < kind_count ? 0.1 : 3);
    const int n = static_cast<int>(c.M.rows());
    ObliqueProjection p(n, static_cast<int>(c.A.rows()));
    p.compute(c.M, c.A);
    const VectorXd x = random_vector(random, n), b = c.A * x;
    const auto check = [&](auto apply) {
      VectorXd other(n), same = x;
      apply(x, other);
      apply(same, same);
      EXPECT_EQ((other - same).norm(), 0) << "case " << k;
    };
    check([&](const VectorXd& in, VectorXd& out) { p.apply_S(in, out); });
    check([&](const VectorXd& in, VectorXd& out) { p.apply_S_transposed(in, out); });
    check([&](const VectorXd& in, VectorXd& out) { p.apply_inverse(in, out); });
    check([&](const VectorXd& in, VectorXd& out) { p.apply_P(in, out); });
    check([&](const VectorXd& in, VectorXd& out) { p.accelerate(in, b, out); });
  }
}

TEST(ObliqueProjectionEdges, OnlyTheLowerTriangleOfMIsRead) {
  Random random(9106);
  for (const double decades : {0.1, 4.0}) {
    const MatrixXd M = random_mass(random, 5, decades), A = random_matrix(random, 2, 5);
    const MatrixXd lower = M.triangularView<Eigen::Lower>();
    for (const ProjectionPath path : {ProjectionPath::projector, ProjectionPath::cholesky}) {
      ObliqueProjection p(5, 2), q(5, 2);
      p.compute_by(path, M, A);
      q.compute_by(path, lower, A);
      EXPECT_EQ((p.S() - q.S()).norm(), 0);
      EXPECT_EQ((p.M_c() - q.M_c()).norm(), 0);
    }
  }
}

// What cannot be used is reported, and no operator gives anything but zeros.
TEST(ObliqueProjectionEdges, BadInputIsReportedAndNeverNaN) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL, 1.7e308};
  const MatrixXd I = MatrixXd::Identity(3, 3);
  const MatrixXd A = (MatrixXd(2, 3) << 1, 2, 3, 0, 1, 1).finished();
  const auto expect_zeros = [](const ObliqueProjection& p) {
    VectorXd y = VectorXd::Constant(3, 7), lambda = VectorXd::Constant(2, 7);
    for (const MatrixXd& X : {p.P(), p.S(), p.M_o_inverse(), p.M_c()}) EXPECT_EQ(X.norm(), 0);
    p.reach(VectorXd::Ones(2), y);
    p.multipliers(VectorXd::Ones(3), lambda);
    EXPECT_EQ(y.norm() + lambda.norm(), 0);
    p.accelerate(VectorXd::Ones(3), VectorXd::Ones(2), y);
    EXPECT_EQ(y.norm(), 0);
    EXPECT_FALSE(p.is_unique(0));
  };
  ObliqueProjection p(3, 2);
  expect_zeros(p);  // before anything is computed
  std::vector<MatrixXd> masses = {MatrixXd::Zero(3, 3), -I, MatrixXd::Ones(3, 3),
                                  (VectorXd(3) << 1, 0, 1).finished().asDiagonal(), I - 2 * MatrixXd::Ones(3, 3)};
  for (int k = 0; k < 3; ++k) {
    masses.push_back(I);
    masses.back()(2, 1) = bad[k];
    masses.push_back(I);
    masses.back()(1, 1) = bad[k];
  }
  for (const MatrixXd& M : masses) {
    for (const ProjectionPath path : {ProjectionPath::projector, ProjectionPath::cholesky}) {
      EXPECT_FALSE(p.compute_by(path, M, A).positive_definite) << M;
      expect_zeros(p);
    }
    EXPECT_FALSE(p.compute(M, A).usable());
    EXPECT_EQ(p.report().rank, 0);
    expect_zeros(p);
  }
  for (const double x : bad) {
    MatrixXd broken = A;
    broken(0, 1) = broken(0, 2) = x;  // the length of 1.7e308 twice is not finite either
    EXPECT_FALSE(p.compute(I, broken).finite_rows);
    EXPECT_TRUE(p.report().positive_definite);
    expect_zeros(p);
  }
  EXPECT_TRUE(p.compute(I, A).usable());  // and recovers
  EXPECT_EQ(p.report().rank, 2);
}

TEST(ObliqueProjectionEdges, VeryLongAndVeryShortRows) {
  const MatrixXd A = (MatrixXd(2, 3) << 1, 2, 3, 0, 1, 1).finished();
  const MatrixXd M = MatrixXd::Identity(3, 3) + MatrixXd::Ones(3, 3);
  ObliqueProjection plain(3, 2), p(3, 2);
  plain.compute(M, A);
  for (const double big : {1e-250, 1e-160, 1e160, 1e250}) {
    MatrixXd B = A;
    B.row(0) *= big;
    EXPECT_EQ(p.compute(M, B).rank, 2) << big;
    EXPECT_LE(relative(p.S(), plain.S()), 1e-14) << big;
  }
}

TEST(ObliqueProjectionEdges, NoAllocationAfterConstruction) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  const double* volatile kept = nullptr;
  EXPECT_GT(count_allocations([&] { kept = VectorXd(1000).data(); }), 0);
  Random random(9107);
  for (const int n : {1, 7, 36, 150})
    for (const int m : {0, 1, 5, 24, 160})
      for (const double decades : {0.1, 4.0}) {
        const MatrixXd M = random_mass(random, n, decades);
        MatrixXd A = random_matrix(random, m, n);
        if (m == 5) A.row(4) = A.row(0) - A.row(1);
        ObliqueProjection p(n, m);
        VectorXd x = random_vector(random, n), y(n), b = random_vector(random, m), lambda(m);
        const long count = count_allocations([&] {
          p.compute(M, A);
          p.apply_S(x, y);
          p.apply_S_transposed(x, y);
          p.apply_inverse(x, y);
          p.apply_P(x, y);
          p.reach(b, y);
          p.accelerate(x, b, y);
          p.multipliers(y, lambda);
          y(0) += p.nu();
        });
        EXPECT_EQ(count, 0) << fmt::format("n = {}, m = {}", n, m);
        EXPECT_TRUE(y.allFinite() && (m == 0 || lambda.allFinite()));
      }
}

}  // namespace
