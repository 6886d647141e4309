// The projection against the paper's formulas by pseudo-inverse from a singular value decomposition, and against the
// equations of motion.
#include "routh/impact/projection.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "routh/impact/simultaneous.h"
#include "support/random_problems.h"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::project;
using routh::Projection;
using routh::ProjectionProblem;
using routh::ProjectionStatus;

MatrixXd drawn(testing_support::Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

MatrixXd pseudo_inverse(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  VectorXd inverse = svd.singularValues();
  for (double& s : inverse) s = s > 1e-9 * svd.singularValues()[0] ? 1 / s : 0;
  return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

ProjectionProblem drawn_problem(testing_support::Random& random, int n, int loops, int contacts, bool redundant) {
  ProjectionProblem p;
  const MatrixXd root = drawn(random, n, n + 2);
  p.mass_matrix = root * root.transpose() / n;
  p.bilateral = drawn(random, loops, n);
  p.unilateral = drawn(random, contacts, n);
  if (redundant && contacts > 1)
    p.unilateral.row(contacts - 1) = p.unilateral.row(0) + (loops > 0 ? 0.5 : 0) * p.bilateral.row(0).eval();
  p.velocity = drawn(random, n, 1);
  if (loops > 0) p.velocity -= pseudo_inverse(p.bilateral) * (p.bilateral * p.velocity);
  p.force = drawn(random, n, 1);
  p.external_impulse = drawn(random, n, 1);
  p.restitution.resize(contacts);
  for (double& e : p.restitution) e = random.uniform(0, 1);
  return p;
}

double apart(const MatrixXd& x, const MatrixXd& y) { return (x - y).norm() / (1 + y.norm()); }

TEST(Projection, IsThePapersByPseudoInverse) {
  testing_support::Random random(2811);
  for (int k = 0; k < testing_support::scaled(200); ++k) {
    const int n = 2 + k % 6, loops = k % 3 == 0 ? 0 : 1, contacts = std::max(1, std::min(n - loops, 1 + k % 4));
    ProjectionProblem p = drawn_problem(random, n, loops, contacts, k % 2 == 0 && n > 2);
    if (k % 5 == 0) p.nu = random.uniform(0.1, 10);
    MatrixXd A(loops + contacts, n);
    A << p.bilateral, p.unilateral;
    p.drift = A * drawn(random, n, 1);
    const Projection got = project(p);
    ASSERT_EQ(got.status, ProjectionStatus::ok);
    const MatrixXd I = MatrixXd::Identity(n, n), A_inverse = pseudo_inverse(A), P = I - A_inverse * A;
    const MatrixXd M_o = P * p.mass_matrix * P, M_c = M_o + got.nu * (I - P), S = I - M_c.inverse() * P * p.mass_matrix;
    EXPECT_LT(apart(got.P, P), 1e-9);
    EXPECT_LT(apart(got.M_c, M_c), 1e-9);
    EXPECT_LT(apart(got.S, S), 1e-8);
    EXPECT_LT(apart(got.R * got.R, I), 1e-8);
    const MatrixXd M_o_inverse = P * M_c.inverse() * P;  // (9c)
    EXPECT_LT(apart(got.M_o_inverse, M_o_inverse), 1e-7);
    EXPECT_EQ(got.rank, (Eigen::FullPivLU<MatrixXd>(A).setThreshold(1e-9).rank()));
    // ν: the condition of M_c by its own eigenvalues, and no better outside.
    const auto condition = [&](double nu) {
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(M_o + nu * (I - P));
      return eigen.eigenvalues()[n - 1] / eigen.eigenvalues()[0];
    };
    EXPECT_NEAR(got.condition, condition(got.nu), 1e-7 * got.condition);
    if (got.nu_high > 0) {
      EXPECT_NEAR(condition(got.nu_low), got.best_condition, 1e-7 * got.best_condition);
      EXPECT_NEAR(condition(got.nu_high), got.best_condition, 1e-7 * got.best_condition);
      EXPECT_GT(condition(0.9 * got.nu_low), got.best_condition * 1.05);
      EXPECT_GT(condition(1.1 * got.nu_high), got.best_condition * 1.05);
    }
    // Motion: the equations themselves, λ the least by the pseudo-inverse.
    EXPECT_LT(apart(p.mass_matrix * got.acceleration, p.force + A.transpose() * got.multipliers), 1e-8);
    EXPECT_LT(apart(A * got.acceleration, -p.drift), 1e-8);
    EXPECT_LT(apart(got.multipliers, pseudo_inverse(A.transpose()) * got.constraint_force), 1e-7);
    // Impact: (49), with i_u by (27); energy by the products.
    VectorXd e = VectorXd::Zero(A.rows());
    e.tail(contacts) = p.restitution;
    const VectorXd after =
        p.velocity - S * (p.velocity + A_inverse * e.cwiseProduct(A * p.velocity)) + M_o_inverse * p.external_impulse;
    EXPECT_LT(apart(got.velocity_after, after), 1e-8);
    EXPECT_LT(apart(p.mass_matrix * (after - p.velocity), p.external_impulse + A.transpose() * got.impulse_multipliers),
              1e-7);
    EXPECT_NEAR(got.ratio, after.dot(p.mass_matrix * after) / p.velocity.dot(p.mass_matrix * p.velocity),
                1e-7 * (1 + got.ratio));
  }
}

// One e and all contacts approaching: the law of the library, which reaches it by complementarity.
TEST(Projection, IsTheSimultaneousImpactWhereAllAct) {
  testing_support::Random random(2812);
  for (int k = 0; k < testing_support::scaled(50); ++k) {
    ProjectionProblem p = drawn_problem(random, 4, 1, 1, false);
    p.external_impulse.resize(0);
    if ((p.unilateral * p.velocity)[0] > 0) p.unilateral = -p.unilateral;
    routh::SimultaneousProblem same;
    same.mass_matrix = p.mass_matrix;
    same.velocity = p.velocity;
    same.bilateral = p.bilateral;
    same.normal = p.unilateral;
    same.restitution.emplace_back().normal = p.restitution[0];
    EXPECT_LT(apart(project(p).velocity_after, solve_simultaneous(same).velocity), 1e-10);
  }
}

TEST(Projection, RefusesWhatHasNoMeaning) {
  testing_support::Random random(2813);
  const ProjectionProblem good = drawn_problem(random, 3, 1, 1, false);
  ProjectionProblem p = good;
  p.mass_matrix(0, 0) = -1;
  EXPECT_EQ(project(p).status, ProjectionStatus::mass_matrix_indefinite);
  p = good;
  p.nu = 0;
  EXPECT_EQ(project(p).status, ProjectionStatus::invalid);
  p = good;
  p.restitution[0] = 1.5;
  EXPECT_EQ(project(p).status, ProjectionStatus::invalid);
  p = good;
  p.velocity.resize(2);
  EXPECT_EQ(project(p).status, ProjectionStatus::invalid);
  p = good;
  p.unilateral = p.bilateral;
  p.drift = Eigen::Vector2d(1, 2);
  EXPECT_EQ(project(p).status, ProjectionStatus::contradiction);
  p.drift = Eigen::Vector2d(1, 1);
  EXPECT_EQ(project(p).status, ProjectionStatus::ok);
}

}  // namespace
