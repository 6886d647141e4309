// The nearest consistent restitutions and the box around given ones: two contacts in closed form and by grids, more by
// the impacts themselves.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "restitution_oracle.h"

namespace routh {
namespace {

using namespace testing_support;

// Two unit rows at an angle with cosine ρ: E is consistent when (1 − e₁²)(1 − e₂²) ≥ ρ²(1 − e₁e₂)².
struct TwoContacts {
  double rho = 0;
  bool consistent(double e1, double e2) const {
    const double loss = 1 - e1 * e2;
    return (1 - e1 * e1) * (1 - e2 * e2) >= rho * rho * loss * loss - 1e-12;
  }
  // (1 − x e₁²)(1 − x e₂²) = ρ²(1 − x e₁e₂)² at its smaller root x = s².
  double scaling(double e1, double e2) const {
    const double p = e1 * e1 * e2 * e2 * (1 - rho * rho), b = e1 * e1 + e2 * e2 - 2 * rho * rho * e1 * e2,
                 c = 1 - rho * rho;
    return std::sqrt(2 * c / (b + std::sqrt(b * b - 4 * p * c)));
  }
};

struct TwoContactsCase {
  TwoContacts form;
  RestitutionQuestion question;
};

TwoContactsCase two_contacts(Random& random) {
  TwoContactsCase out;
  out.form.rho = random.uniform(-0.95, 0.95);
  RestitutionQuestion& q = out.question;
  q.mass_matrix = random_mass(random, 4);
  const Eigen::MatrixXd lower = q.mass_matrix.llt().matrixL();
  const Eigen::MatrixXd turn = random_matrix(random, 4, 4).householderQr().householderQ();
  q.striking.resize(2, 4);
  q.striking.row(0) = (random.uniform(0.1, 5) * lower * turn.col(0)).transpose();
  q.striking.row(1) = (random.uniform(0.1, 5) * lower *
                       (out.form.rho * turn.col(0) + std::sqrt(1 - out.form.rho * out.form.rho) * turn.col(1)))
                          .transpose();
  q.fixed = (lower * turn.col(2)).transpose();
  q.restitution = Eigen::Vector2d(random.uniform(), random.uniform());
  return out;
}

TEST(RestitutionSet, TwoContactsInClosedForm) {
  Random random(5503);
  for (int k = 0; k < scaled(200, 40); ++k) {
    const TwoContactsCase c = two_contacts(random);
    const double e1 = c.question.restitution(0), e2 = c.question.restitution(1);
    const RestitutionAnswer answer = examine_restitution(c.question);
    EXPECT_EQ(answer.status, RestitutionStatus::ok) << answer.message;
    EXPECT_EQ(answer.consistent, c.form.consistent(e1, e2));
    EXPECT_NEAR(answer.largest_scaling, c.form.scaling(e1, e2), 1e-9 * answer.largest_scaling);
    EXPECT_NEAR(answer.worst_growth, 1 / (answer.largest_scaling * answer.largest_scaling) - 1, 1e-9);
  }
}

TEST(RestitutionSet, NearestOfTwoByGrid) {
  Random random(5504);
  int moved = 0;
  for (int k = 0; k < scaled(60, 30); ++k) {
    const TwoContactsCase c = two_contacts(random);
    const Eigen::Vector2d e = c.question.restitution;
    const RestitutionAnswer answer = examine_restitution(c.question);
    constexpr int steps = 500;
    double best = 0;
    for (int i = 0; i <= steps; ++i)
      for (int j = 0; j <= steps; ++j) {
        const double e1 = e(0) * i / steps, e2 = e(1) * j / steps;
        if (e1 + e2 > best && c.form.consistent(e1, e2)) best = e1 + e2;
      }
    EXPECT_GE(answer.nearest.sum(), best - 2e-6);
    EXPECT_LE(answer.nearest.sum(), best + 2 * e.sum() / steps);
    moved += !answer.consistent;
  }
  EXPECT_GT(moved, 4);
}

TEST(RestitutionSet, BoxOfTwoByGrid) {
  Random random(5505);
  int bounded = 0;
  for (int k = 0; k < scaled(100, 40); ++k) {
    const TwoContactsCase c = two_contacts(random);
    const Eigen::Vector2d e = c.question.restitution;
    const RestitutionAnswer answer = examine_restitution(c.question);
    if (!answer.consistent) {
      EXPECT_EQ(answer.box, -1);
      continue;
    }
    const auto whole = [&](double t) {
      for (int i = 0; i <= 40; ++i)
        for (int j = 0; j <= 40; ++j) {
          const double e1 = std::clamp(e(0) + t * (i - 20) / 20, 0.0, 1.0),
                       e2 = std::clamp(e(1) + t * (j - 20) / 20, 0.0, 1.0);
          if (!c.form.consistent(e1, e2)) return false;
        }
      return true;
    };
    EXPECT_TRUE(whole(answer.box - 1e-8));
    if (answer.box < 1) {
      EXPECT_FALSE(whole(answer.box + 1e-7));
    }
    bounded += answer.box < 1;
  }
  EXPECT_GT(bounded, 4);
}

// Boxes of more contacts: what lies inside is consistent; a little farther some corner is not.
TEST(RestitutionSet, BoxOfSeveralBySampling) {
  Random random(5506);
  for (int k = 0; k < scaled(12, 5); ++k) {
    const Eigen::Index count = 3 + random.below(3);
    RestitutionQuestion q = random_question(random, {count + 1, 1, count, 0});
    q.restitution.setConstant(random.uniform(0.1, 0.8));
    const RestitutionAnswer answer = examine_restitution(q);
    ASSERT_TRUE(answer.consistent);
    ASSERT_GT(answer.box, 0);
    ASSERT_LT(answer.box, 1);
    const auto consistent_at = [&](const Eigen::VectorXd& change) {
      RestitutionQuestion other = q;
      other.restitution = (q.restitution + change).cwiseMax(0).cwiseMin(1);
      return largest_gain(other) <= 1e-9;
    };
    for (int s = 0; s < 20; ++s) {
      Eigen::VectorXd change(count);
      for (double& x : change)
        x = answer.box * (random.chance(0.5) ? random.uniform(-1, 1) : random.chance(0.5) ? 1 : -1);
      EXPECT_TRUE(consistent_at(change));
    }
    bool leaves = false;
    for (unsigned corner = 0; corner < (1u << count); ++corner) {
      Eigen::VectorXd change(count);
      for (Eigen::Index i = 0; i < count; ++i) change(i) = (((corner >> i) & 1u) != 0 ? 1 : -1) * (answer.box + 1e-5);
      leaves = leaves || !consistent_at(change);
    }
    EXPECT_TRUE(leaves);
  }
}

// Twelve contacts in six pairs that do not act on one another are as exact as one pair; twelve that do are bounded.
TEST(RestitutionSet, BoxOfManyContacts) {
  Random random(5507);
  RestitutionQuestion pairs;
  pairs.mass_matrix = Eigen::MatrixXd::Zero(24, 24);
  pairs.striking = Eigen::MatrixXd::Zero(12, 24);
  pairs.restitution.resize(12);
  double least = 1;
  for (Eigen::Index k = 0; k < 6; ++k) {
    TwoContactsCase c = two_contacts(random);
    c.question.fixed.resize(0, 4);
    c.question.restitution.setConstant(random.uniform(0.2, 0.8));
    c.question.restitution(1) += 0.01;
    pairs.mass_matrix.block(4 * k, 4 * k, 4, 4) = c.question.mass_matrix;
    pairs.striking.block(2 * k, 4 * k, 2, 4) = c.question.striking;
    pairs.restitution.segment(2 * k, 2) = c.question.restitution;
    least = std::min(least, examine_restitution(c.question).box);
  }
  RestitutionAnswer answer = examine_restitution(pairs);
  EXPECT_EQ(answer.status, RestitutionStatus::ok);
  EXPECT_NEAR(answer.box, least, 1e-9);
  EXPECT_EQ(answer.message, "");

  RestitutionQuestion tangle = random_question(random, {14, 0, 12, 0});
  tangle.restitution.setConstant(0.3);
  answer = examine_restitution(tangle);
  EXPECT_NE(answer.message.find("lower bound"), std::string::npos);
  EXPECT_GT(answer.box, 0);
  for (int s = 0; s < 50; ++s) {
    RestitutionQuestion other = tangle;
    for (double& e : other.restitution) e += random.chance(0.5) ? answer.box : -answer.box;
    for (int v = 0; v < 5; ++v) EXPECT_LE(growth(other, random_matrix(random, 14, 1)), 1e-9);
  }
}

}  // namespace
}  // namespace routh
