// Sets of restitution: against impacts solved one by one, and the printed test by its letters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "restitution_oracle.h"

namespace routh {
namespace {

using namespace testing_support;

void expect_right(const RestitutionQuestion& q, const RestitutionAnswer& answer, Random& random) {
  ASSERT_EQ(answer.status, RestitutionStatus::ok) << answer.message;
  ASSERT_TRUE(answer.answered);
  const Eigen::MatrixXd z = allowed(q);
  for (int k = 0; k < 40; ++k) ASSERT_LE(growth(q, z * random_matrix(random, z.cols(), 1)), answer.worst_growth + 1e-7);
  const Eigen::VectorXd& worst = answer.worst_velocity;
  const double size = 1 + std::abs(answer.worst_growth);
  EXPECT_NEAR(energy(q, worst), 1, 1e-9);
  EXPECT_NEAR(growth(q, worst), answer.worst_growth, 1e-7 * size);
  if (q.fixed.rows() > 0) {
    EXPECT_LE((q.fixed * worst).cwiseAbs().maxCoeff(), 1e-9 * worst.norm() * q.fixed.norm());
  }
  EXPECT_EQ(answer.consistent, answer.worst_growth <= 0);
  EXPECT_EQ(answer.consistent_lmi, answer.consistent);
  EXPECT_NEAR(answer.lmi_scaling, answer.largest_scaling, 2e-6 * answer.largest_scaling);
  // At the largest scaling the same velocity neither gains nor loses.
  RestitutionQuestion other = q;
  other.restitution *= answer.largest_scaling;
  EXPECT_NEAR(growth(other, worst), 0, 1e-7);
  EXPECT_EQ(answer.largest_common, 1);
  other.restitution.setOnes();
  EXPECT_NEAR(growth(other, z * random_matrix(random, z.cols(), 1)), 0, 1e-7);
  // The nearest values: below the given ones, better than scaling, consistent.
  EXPECT_LE((answer.nearest - q.restitution).maxCoeff(), 0);
  EXPECT_GE(answer.nearest.minCoeff(), 0);
  EXPECT_GE(answer.nearest.sum(), std::min(1.0, answer.largest_scaling) * q.restitution.sum() - 1e-9);
  if (answer.consistent) {
    EXPECT_EQ(answer.nearest, q.restitution);
  }
  other.restitution = answer.nearest;
  for (int k = 0; k < 40; ++k) ASSERT_LE(growth(other, z * random_matrix(random, z.cols(), 1)), 1e-8);
  EXPECT_EQ(answer.box < 0, !answer.consistent);
}

TEST(RestitutionSet, AgainstSingleImpacts) {
  constexpr std::uint64_t seed = 5501;
  Random random(seed);
  int good = 0, bad = 0, redundant = 0;
  for (int k = 0; k < scaled(200, 40); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, problem {}", seed, k));
    QuestionShape shape{2 + random.below(5), 0, 0, 0};
    shape.fixed = random.below(static_cast<int>(shape.coordinates) - 1);
    shape.striking = 1 + random.below(static_cast<int>(shape.coordinates - shape.fixed));
    const bool depend = random.chance(0.4);
    if (depend) shape.depend = 1 + random.below(2);
    shape.striking += shape.depend;
    const RestitutionQuestion q = random_question(random, shape);
    const RestitutionAnswer answer = examine_restitution(q);
    expect_right(q, answer, random);
    if (HasFatalFailure()) return;
    EXPECT_EQ(answer.rank, shape.striking - shape.depend);
    if (!depend) {
      const Eigen::VectorXd v = answer.worst_velocity;
      EXPECT_NEAR(energy(q, strike_independent(q, v)) - 1, answer.worst_growth,
                  1e-7 * (1 + std::abs(answer.worst_growth)));
      if (shape.fixed == 0) {
        EXPECT_EQ(answer.consistent_printed, answer.consistent);
      }
    }
    redundant += depend;
    (answer.consistent ? good : bad) += 1;
  }
  EXPECT_GT(good, 4);
  EXPECT_GT(bad, 4);
  EXPECT_GT(redundant, 4);
}

// (54), (55) by their letters: S = I − M_o⁺ M with M_o⁺ through a null space.
TEST(RestitutionSet, PrintedTestByItsLetters) {
  Random random(5502);
  for (int k = 0; k < scaled(100, 20); ++k) {
    const RestitutionQuestion q =
        random_question(random, {6, random.below(3), 1 + random.below(3), random.below(2) ? 0 : 1});
    if (q.striking.rows() < 2) continue;
    const Eigen::Index rows = q.fixed.rows() + q.striking.rows();
    Eigen::MatrixXd a(rows, 6);
    a << q.fixed, q.striking;
    const Eigen::MatrixXd z = a.fullPivLu().kernel();
    const Eigen::MatrixXd s = Eigen::MatrixXd::Identity(6, 6) -
                              z * (z.transpose() * q.mass_matrix * z).inverse() * z.transpose() * q.mass_matrix;
    const Eigen::MatrixXd g = s * a.completeOrthogonalDecomposition().pseudoInverse();
    const Eigen::MatrixXd form = g.transpose() * q.mass_matrix * g;
    Eigen::VectorXd e = Eigen::VectorXd::Zero(rows);
    e.tail(q.striking.rows()) = q.restitution;
    const Eigen::MatrixXd change = e.asDiagonal() * form * e.asDiagonal() - form;
    const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(change).eigenvalues().maxCoeff();
    const RestitutionAnswer answer = examine_restitution(q);
    EXPECT_NEAR(answer.printed_eigenvalue, largest, 1e-8 * (1 + form.norm()));
    if (std::abs(largest) > 1e-6 * form.norm()) {
      EXPECT_EQ(answer.consistent_printed, largest <= 0);
    }
  }
}

// One bilateral row, E = diag(0, 1, 1), M = I: Q = (A Aᵀ)⁻¹ = [3 −1 −1; −1 1 0; −1 0 1], so that E Q E − Q has the
// eigenvalue (√17 − 3)/2 > 0; but with the bilateral row kept every velocity is reflected as it is.
TEST(RestitutionSet, PrintedTestFailsWhereNothingGains) {
  RestitutionQuestion q;
  q.mass_matrix = Eigen::Matrix3d::Identity();
  q.fixed = Eigen::RowVector3d(1, 0, 0);
  q.striking.resize(2, 3);
  q.striking << 1, 1, 0, 1, 0, 1;
  q.restitution = Eigen::Vector2d(1, 1);
  const RestitutionAnswer answer = examine_restitution(q);
  EXPECT_EQ(answer.status, RestitutionStatus::ok) << answer.message;
  EXPECT_FALSE(answer.consistent_printed);
  EXPECT_NEAR(answer.printed_eigenvalue, (std::sqrt(17.0) - 3) / 2, 1e-12);
  EXPECT_TRUE(answer.consistent);
  EXPECT_TRUE(answer.consistent_lmi);
  EXPECT_NEAR(answer.worst_growth, 0, 1e-12);
  EXPECT_NEAR(answer.largest_scaling, 1, 1e-12);
  // Beside the bilateral row the two contacts do not act on one another.
  EXPECT_EQ(answer.box, 1);
}

TEST(RestitutionSet, EqualRowsUnitsAndOrder) {
  Random random(5508);
  for (int k = 0; k < scaled(40, 10); ++k) {
    const RestitutionQuestion q = random_question(random, {5, 1, 4, 1});
    const RestitutionAnswer answer = examine_restitution(q);
    RestitutionQuestion other = q;
    other.striking.resize(6, 5);
    other.striking << q.striking.row(3) * 3, q.striking.row(1), q.striking.row(0), q.striking.row(2) * 0.01,
        q.striking.row(1) * 1e3, q.fixed * 2;
    other.restitution.resize(6);
    other.restitution << q.restitution(3), q.restitution(1), q.restitution(0), q.restitution(2), q.restitution(1), 0.5;
    other.fixed.resize(2, 5);
    other.fixed << q.fixed, -7 * q.fixed;
    const RestitutionAnswer same = examine_restitution(other);
    EXPECT_EQ(same.status, RestitutionStatus::ok);
    EXPECT_EQ(same.idle, std::vector<int>{5});
    EXPECT_NE(same.message.find("row 5"), std::string::npos);
    EXPECT_EQ(same.consistent, answer.consistent);
    EXPECT_NEAR(same.worst_growth, answer.worst_growth, 1e-8 * (1 + std::abs(answer.worst_growth)));
    EXPECT_NEAR(same.box, answer.box, 1e-8);
    EXPECT_EQ(same.nearest(5), 0.5);
    EXPECT_EQ(same.nearest(1), same.nearest(4));
  }
}

TEST(RestitutionSet, NoRestitutionAndOneContact) {
  Random random(5509);
  RestitutionQuestion q = random_question(random, {4, 1, 2, 0});
  q.restitution.setZero();
  RestitutionAnswer answer = examine_restitution(q);
  EXPECT_TRUE(answer.consistent && answer.consistent_lmi);
  EXPECT_NEAR(answer.worst_growth, -1, 1e-12);
  EXPECT_TRUE(std::isinf(answer.largest_scaling) && std::isinf(answer.lmi_scaling));
  q = random_question(random, {4, 1, 1, 0});
  q.restitution(0) = 0.25;
  answer = examine_restitution(q);
  EXPECT_NEAR(answer.largest_scaling, 4, 1e-12);
  EXPECT_NEAR(answer.worst_growth, 0.0625 - 1, 1e-12);
  EXPECT_EQ(answer.box, 1);
  EXPECT_LE((q.striking * answer.worst_velocity)(0), 0);
}

}  // namespace
}  // namespace routh
