// Sets of restitution: against impacts solved one by one, closed forms of two contacts, and grids.
#include "routh/solvability/restitution_set.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

Eigen::MatrixXd random_mass(Random& random, Eigen::Index n) {
  const Eigen::MatrixXd a = random_matrix(random, n, n + 2);
  return a * a.transpose();
}

struct Shape {
  Eigen::Index coordinates, fixed, striking, depend;  // `depend` of the striking rows are sums of the others
};

RestitutionQuestion random_question(Random& random, const Shape& shape) {
  RestitutionQuestion q;
  q.mass_matrix = random_mass(random, shape.coordinates);
  q.fixed = random_matrix(random, shape.fixed, shape.coordinates);
  q.striking = random_matrix(random, shape.striking, shape.coordinates);
  const Eigen::Index free = shape.striking - shape.depend;
  if (shape.depend > 0)
    q.striking.bottomRows(shape.depend) = random_matrix(random, shape.depend, free) * q.striking.topRows(free);
  q.restitution.resize(shape.striking);
  // Half of the questions nearly alike, so that both verdicts occur.
  const double middle = random.uniform(0.1, 0.9), half = random.chance(0.5) ? 0.1 : 1;
  for (double& e : q.restitution) e = std::clamp(middle + half * random.uniform(-1, 1), 0.01, 1.0);
  return q;
}

double energy(const RestitutionQuestion& q, const Eigen::VectorXd& v) { return 0.5 * v.dot(q.mass_matrix * v); }

// Independent rows: [M −Aᵀ; A 0] (q̇⁺, λ) = (M q̇⁻, −E A q̇⁻).
Eigen::VectorXd strike_independent(const RestitutionQuestion& q, const Eigen::VectorXd& v) {
  const Eigen::Index n = v.size(), f = q.fixed.rows(), rows = f + q.striking.rows();
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + rows, n + rows);
  kkt.topLeftCorner(n, n) = q.mass_matrix;
  kkt.block(n, 0, f, n) = q.fixed;
  kkt.bottomLeftCorner(q.striking.rows(), n) = q.striking;
  kkt.topRightCorner(n, rows) = -kkt.bottomLeftCorner(rows, n).transpose();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + rows);
  right.head(n) = q.mass_matrix * v;
  right.tail(q.striking.rows()) = -q.restitution.cwiseProduct(q.striking * v);
  return kkt.fullPivLu().solve(right).head(n);
}

// A basis of the motions that the fixed rows allow.
Eigen::MatrixXd allowed(const RestitutionQuestion& q) {
  if (q.fixed.rows() == 0) return Eigen::MatrixXd::Identity(q.mass_matrix.rows(), q.mass_matrix.rows());
  return q.fixed.fullPivLu().kernel();
}

// Any rows: impulses λ that make the residuals W(φ̇⁺ + E φ̇⁻) smallest, with W the inverse lengths of the rows.
Eigen::VectorXd strike_any(const RestitutionQuestion& q, const Eigen::VectorXd& v) {
  const Eigen::MatrixXd z = allowed(q);
  const Eigen::MatrixXd response =
      z * (z.transpose() * q.mass_matrix * z).fullPivLu().solve(z.transpose() * q.striking.transpose());
  const Eigen::VectorXd weight =
      (q.striking * q.mass_matrix.fullPivLu().solve(q.striking.transpose())).diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd wish = (1 + q.restitution.array()) * (q.striking * v).array();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> system;
  system.setThreshold(1e-10);
  system.compute(weight.asDiagonal() * (q.striking * response));
  return v - response * system.solve(weight.cwiseProduct(wish));
}

// (K⁺ − K⁻) against the energy that a plastic impact takes.
double growth(const RestitutionQuestion& q, const Eigen::VectorXd& v) {
  RestitutionQuestion plastic = q;
  plastic.restitution.setZero();
  const double before = energy(q, v);
  return (energy(q, strike_any(q, v)) - before) / (before - energy(q, strike_any(plastic, v)));
}

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
    Shape shape{2 + random.below(5), 0, 0, 0};
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
      return examine_restitution(other).largest_scaling >= 1 - 1e-9;
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

void expect_refused(const RestitutionQuestion& q, RestitutionStatus status, const std::string& word) {
  const RestitutionAnswer answer = examine_restitution(q);
  EXPECT_EQ(answer.status, status) << word;
  EXPECT_FALSE(answer.answered);
  EXPECT_NE(answer.message.find(word), std::string::npos) << answer.message;
}

TEST(RestitutionSet, IllPosedInWords) {
  Random random(5510);
  const RestitutionQuestion good = random_question(random, {4, 1, 2, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  RestitutionQuestion q = good;
  q.striking.resize(0, 4);
  q.restitution.resize(0);
  expect_refused(q, RestitutionStatus::ill_posed, "no contact strikes");
  q = good;
  q.striking = Eigen::MatrixXd::Zero(2, 4);
  expect_refused(q, RestitutionStatus::ill_posed, "can move");
  q.striking << good.fixed, 2 * good.fixed;
  expect_refused(q, RestitutionStatus::ill_posed, "can move");
  q = good;
  q.mass_matrix(2, 2) = -1;
  expect_refused(q, RestitutionStatus::ill_posed, "positive definite");
  q = good;
  q.mass_matrix = good.striking.transpose() * good.striking;  // singular
  expect_refused(q, RestitutionStatus::ill_posed, "positive definite");
  q = good;
  q.restitution(1) = 1.5;
  expect_refused(q, RestitutionStatus::invalid, "row 1");
  q.restitution(1) = nan;
  expect_refused(q, RestitutionStatus::invalid, "finite");
  q = good;
  q.mass_matrix(0, 1) += 1;
  expect_refused(q, RestitutionStatus::invalid, "symmetric");
  q = good;
  q.restitution.resize(1);
  expect_refused(q, RestitutionStatus::invalid, "restitutions");
  q = good;
  q.fixed = Eigen::MatrixXd::Ones(1, 3);
  expect_refused(q, RestitutionStatus::invalid, "columns");
  expect_refused({}, RestitutionStatus::invalid, "mass matrix");
}

TEST(RestitutionSet, Limits) {
  Random random(5511);
  RestitutionQuestion q = random_question(random, {4, 0, 3, 0});
  q.restitution = Eigen::Vector3d(1, 0.1, 0.6);
  const RestitutionAnswer whole = examine_restitution(q);
  ASSERT_FALSE(whole.consistent);
  for (const RestitutionLimits& limits : {RestitutionLimits{2, 10}, RestitutionLimits{0, 10}, RestitutionLimits{200, 0},
                                          RestitutionLimits{200, -1e300}}) {
    const RestitutionAnswer answer = examine_restitution(q, limits);
    EXPECT_EQ(answer.status, RestitutionStatus::limit_reached);
    EXPECT_NE(answer.message.find("limit was reached") == std::string::npos,
              answer.message.find("allowed") == std::string::npos)
        << answer.message;
    EXPECT_EQ(answer.worst_growth, whole.worst_growth);
    RestitutionQuestion other = q;
    other.restitution = answer.nearest;
    EXPECT_TRUE(examine_restitution(other).consistent);
    EXPECT_LE(answer.nearest.sum(), whole.nearest.sum() + 1e-6);
  }
  q.restitution.setConstant(0.5);
  const RestitutionAnswer box = examine_restitution(q);
  const RestitutionAnswer hurried = examine_restitution(q, {200, 0});
  EXPECT_EQ(hurried.status, RestitutionStatus::limit_reached);
  EXPECT_LE(hurried.box, box.box);
  EXPECT_GT(hurried.box, 0);
  EXPECT_EQ(examine_restitution(q, {200, 1e300}).status, RestitutionStatus::ok);
}

// Masses and rows of any size, nearly dependent rows: never a number that is none, never a promise that fails.
TEST(RestitutionSet, NastyNumbers) {
  Random random(5512);
  for (int k = 0; k < scaled(200, 40); ++k) {
    SCOPED_TRACE(k);
    RestitutionQuestion q = random_question(random, {5, 1, 3, random.below(2)});
    const double spread = 50.0 * random.below(4);
    for (Eigen::Index i = 0; i < 3; ++i) q.striking.row(i) *= std::pow(10, random.uniform(-spread, spread));
    const double mass = std::pow(10, random.uniform(-spread, spread));
    q.mass_matrix *= mass;
    if (random.chance(0.5))
      q.striking.row(2) = q.striking.row(1) + std::pow(10, random.uniform(-16, 0)) * q.striking.row(0);
    const RestitutionAnswer answer = examine_restitution(q);
    ASSERT_FALSE(answer.status == RestitutionStatus::invalid);
    ASSERT_EQ(answer.status == RestitutionStatus::ok || !answer.message.empty(), true);
    ASSERT_FALSE(std::isnan(answer.worst_growth) || std::isnan(answer.largest_scaling) ||
                 std::isnan(answer.lmi_scaling));
    ASSERT_FALSE(std::isnan(answer.box) || std::isnan(answer.printed_eigenvalue));
    ASSERT_TRUE(answer.nearest.allFinite() && answer.worst_velocity.allFinite());
  }
}

}  // namespace
}  // namespace routh
