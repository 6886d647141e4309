// Friction and restitution from spatial impacts whose answers come from the extended-precision oracle.
#include "routh/study/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/base/error.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using namespace testing_support;

// Impacts of random bodies with one friction and one restitution; the contact velocity after each is "measured".
FitData spatial_data(int count, double friction, double restitution, oracle::Law law, double noise) {
  Random random(90210);
  FitData data;
  data.columns = {"after.contact_velocity[0]", "after.contact_velocity[1]", "after.contact_velocity[2]"};
  while (static_cast<int>(data.impacts.size()) < count) {
    MeasuredImpact impact;
    impact.problem = random_spatial(random, Family::body);
    impact.problem.friction = {friction, friction};
    impact.problem.restitution = {};
    impact.problem.restitution.normal = restitution;
    const oracle::Answer truth = oracle::solve(to_oracle(impact.problem), law);
    if (truth.outcome != oracle::Outcome::solved || truth.dip < 1e-6L) continue;
    const ContactInertia& d = impact.problem.inertia;
    const ContactVector& v = impact.problem.velocity;
    const oracle::Real after[3] = {truth.vn, truth.vt1, truth.vt2};
    const ContactVector rows[3] = {{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}};
    const double before[3] = {v.n, v.t1, v.t2};
    for (std::size_t k = 0; k < 3; ++k)
      impact.measured.push_back({static_cast<double>(after[k]) + noise * random.normal(), 1, before[k], rows[k], k});
    data.measurements += 3;
    data.impacts.push_back(impact);
  }
  return data;
}

const LawFit& of(const FitReport& report, Law law) {
  for (const LawFit& each : report.laws)
    if (each.law == law) return each;
  throw std::logic_error("law is not in the report");
}

TEST(Fit, ExactSpatialDataGiveTheTruth) {
  for (const auto& [law, marched] :
       {std::pair{Law::energetic, oracle::Law::energetic}, std::pair{Law::poisson, oracle::Law::poisson},
        std::pair{Law::newton, oracle::Law::newton}}) {
    FitOptions options;
    options.laws = {Law::energetic, Law::poisson, Law::newton};
    const FitReport report = fit_laws(spatial_data(20, 0.37, 0.62, marched, 0), options);
    EXPECT_EQ(report.laws.front().law, law);
    const LawFit& fit = of(report, law);
    EXPECT_NEAR(fit.fit.parameters[0].value, 0.37, 1e-7) << name(law);
    EXPECT_NEAR(fit.fit.parameters[1].value, 0.62, 1e-7) << name(law);
    EXPECT_LT(fit.rms, 1e-7);
    EXPECT_GT(report.laws[1].behind, 100);
  }
}

TEST(Fit, NoiseIsFoundAgain) {
  const FitReport report = fit_laws(spatial_data(60, 0.2, 0.5, oracle::Law::energetic, 0.01), {});
  const LawFit& fit = of(report, Law::energetic);
  EXPECT_NEAR(fit.fit.deviation, 0.01, 0.002);
  EXPECT_LT(fit.fit.parameters[0].low, 0.2);
  EXPECT_GT(fit.fit.parameters[0].high, 0.2);
  EXPECT_LT(fit.fit.parameters[0].high - fit.fit.parameters[0].low, 0.05);
  for (const double r : fit.residuals) EXPECT_LT(std::abs(r), 0.06);
}

// Σ residual² of the result equals what the estimate predicts, and no neighbour is better.
TEST(Fit, TheEstimateIsAMinimum) {
  FitOptions options;
  options.laws = {Law::unified};
  options.tangential = true;
  const FitData data = spatial_data(30, 0.25, 0.4, oracle::Law::energetic, 0.02);
  const FitReport report = fit_laws(data, options);
  ASSERT_EQ(report.laws[0].names.size(), 3u);
  double sum = 0;
  for (const double r : report.laws[0].residuals) sum += r * r;
  EXPECT_NEAR(sum, report.laws[0].fit.sum, 1e-12 * sum);
}

TEST(Fit, TooFewOrNoImpactsAreRefused) {
  FitData none = spatial_data(3, 0.3, 0.5, oracle::Law::energetic, 0);
  for (MeasuredImpact& impact : none.impacts) impact.problem.velocity.n = 1;
  EXPECT_THROW(fit_laws(none, {}), InputError);
  FitData few = spatial_data(1, 0.3, 0.5, oracle::Law::energetic, 0);
  few.impacts[0].measured.resize(2);
  few.measurements = 2;
  EXPECT_THROW(fit_laws(few, {}), InputError);
}

}  // namespace
