// Sets of restitution that cannot be answered, or not in time, and numbers of any size.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "restitution_oracle.h"

namespace routh {
namespace {

using namespace testing_support;

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
