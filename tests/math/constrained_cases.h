// Random constrained machines M, A, Ȧ for the tests of the oblique projection, and their oracles: pseudo-inverses in
// long double, by factorisations the library does not use.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "support/plain_matrices.h"
#include "support/random_problems.h"

namespace constrained_cases {

using namespace plain_matrices;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
using testing_support::Random;

enum class Kind { independent, redundant, nearly_redundant, zero_row, many_rows, all_fixed, empty };
inline constexpr int kind_count = 7;

struct Case {
  MatrixXd M, A, A_rate;
  int rank = 0;
  double mass_condition = 1;
  double row_condition = 1;  // of the unit rows, from their nonzero singular values
};

inline MatrixXd random_matrix(Random& random, int rows, int columns) {
  MatrixXd X(rows, columns);
  for (double& x : X.reshaped()) x = random.normal();
  return X;
}

inline VectorXd random_vector(Random& random, int size) { return random_matrix(random, size, 1); }

inline MatrixXd random_mass(Random& random, int n, double decades) {
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(random_matrix(random, n, n)).householderQ();
  VectorXd eigenvalues(n);
  for (double& x : eigenvalues) x = std::pow(10, random.uniform(-decades / 2, decades / 2));
  const MatrixXd M = Q * eigenvalues.asDiagonal() * Q.transpose();
  return (M + M.transpose()) / 2;
}

// Rows of unit length, a row of zeros stays one.
inline LongMatrix unit_rows(const MatrixXd& A) {
  LongMatrix B = A.cast<long double>();
  for (Eigen::Index i = 0; i < B.rows(); ++i)
    if (B.row(i).norm() > 0) B.row(i) /= B.row(i).norm();
  return B;
}

inline LongMatrix pseudo_inverse(const LongMatrix& X, long double threshold) {
  if (X.size() == 0 || X.isZero(0)) return LongMatrix::Zero(X.cols(), X.rows());
  Eigen::CompleteOrthogonalDecomposition<LongMatrix> decomposition;
  decomposition.setThreshold(threshold);
  return decomposition.compute(X).pseudoInverse();
}

// A = C A₁ with A₁ of full rank, C constant: rows that depend on one another stay so while the machine moves.
inline Case random_case(Random& random, Kind kind, double decades = 3) {
  const int n = kind == Kind::all_fixed ? 1 + random.below(4) : 1 + random.below(10);
  Case c;
  c.rank = kind == Kind::empty ? 0 : kind == Kind::all_fixed ? n : 1 + random.below(n);
  MatrixXd A1 = random_matrix(random, c.rank, n), rate = random_matrix(random, c.rank, n);
  if (kind == Kind::nearly_redundant && c.rank > 1) {
    const int k = c.rank - 1;
    A1.row(k) = A1.row(0) - A1.row(k - 1) / 2 + 1e-5 * A1.row(k);
    rate.row(k) = rate.row(0) - rate.row(k - 1) / 2 + 1e-5 * rate.row(k);
  }
  const int more = kind == Kind::redundant || kind == Kind::zero_row ? 1 + random.below(3)
                   : kind == Kind::many_rows                         ? n - c.rank + 1 + random.below(3)
                                                                     : 0;
  MatrixXd C = MatrixXd::Zero(c.rank + more, c.rank);
  C.topRows(c.rank).setIdentity();
  // The additional rows leave some of the first ones alone, so that their multipliers stay unique.
  for (int i = c.rank; i < C.rows(); ++i)
    for (int j = 0; j < c.rank; ++j) C(i, j) = random.chance(0.4) ? random.normal() : 0;
  if (kind == Kind::zero_row) C.row(C.rows() - 1).setZero();
  for (int i = 0; i < C.rows(); ++i) C.row(i) *= std::pow(10, random.uniform(-2, 2));
  c.A = C * A1;
  c.A_rate = C * rate;
  c.M = random_mass(random, n, random.uniform(0, decades));
  const VectorXd mass = Eigen::SelfAdjointEigenSolver<MatrixXd>(c.M).eigenvalues();
  c.mass_condition = mass(n - 1) / mass(0);
  if (c.rank > 0) {
    const VectorXd s = Eigen::JacobiSVD<MatrixXd>(unit_rows(c.A).cast<double>()).singularValues();
    c.row_condition = s(0) / s(c.rank - 1);
  }
  return c;
}

// P = I − A⁺A; the rank is judged far above rounding and far below 1e-5, where the nearly redundant rows are.
inline LongMatrix oracle_P(const Case& c) {
  const LongMatrix B = unit_rows(c.A);
  return LongMatrix::Identity(c.M.rows(), c.M.rows()) - pseudo_inverse(B, 1e-10L) * B;
}

// M_o⁺ as the pseudo-inverse of P M P.
inline LongMatrix oracle_M_o_inverse(const Case& c) {
  const LongMatrix P = oracle_P(c);
  if (c.rank == c.M.rows()) return LongMatrix::Zero(P.rows(), P.cols());
  return pseudo_inverse(P * c.M.cast<long double>() * P, 1e-10L);
}

struct KktSolution {
  VectorXd motion;    // q̈ or q̇⁺
  VectorXd reaction;  // Aᵀλ
};

// For a matrix whose least nonzero singular value goes with the square of that of the unit rows. Rows of our cases that
// are nearly redundant stand among independent ones, so that nothing need be told from rounding there.
inline long double squared_threshold(const Case& c) { return c.A.rows() > c.rank ? 1e-15L : 1e-19L; }

// M x − Aᵀλ = f, A x = b by a pseudo-inverse of the whole matrix. b in long double: nearly dependent rows magnify its
// rounding.
inline KktSolution solve_kkt(const Case& c, const VectorXd& f, const LongVector& b) {
  const Eigen::Index n = c.M.rows(), m = c.A.rows();
  const LongMatrix B = unit_rows(c.A);
  const long double size = c.M.cast<long double>().norm();
  LongMatrix K = LongMatrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = c.M.cast<long double>() / size;
  K.topRightCorner(n, m) = -B.transpose();
  K.bottomLeftCorner(m, n) = B;
  LongVector right(n + m);
  right.head(n) = f.cast<long double>() / size;
  for (Eigen::Index i = 0; i < m; ++i) {
    const long double length = c.A.row(i).cast<long double>().norm();
    right(n + i) = length > 0 ? b(i) / length : 0;
  }
  const LongVector x = pseudo_inverse(K, squared_threshold(c)) * right;
  return {x.head(n).cast<double>(), (size * (B.transpose() * x.tail(m))).cast<double>()};
}

}  // namespace constrained_cases
