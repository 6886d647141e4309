// Friction and restitution from spatial impacts whose answers come from the extended-precision oracle.
#include "routh/study/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

// A ball has no coupling, so its impact is a closed form that every law shares: it sticks while |v_t|/3.5 ≤ μ i_n.
// e_t throws back what sticks, as far as friction holds.
struct Ball {
  double friction = 0.3, restitution = 0.6, tangential = 0;

  std::array<double, 2> after(double vn, double vt) const {
    const double impulse = (1 + restitution) * -vn, stop = -(1 + tangential) * vt / 3.5;
    return {-restitution * vn, vt + 3.5 * std::clamp(stop, -friction * impulse, friction * impulse)};
  }
};

FitData ball_data(const Ball& ball, int count, double noise, Random& random, double& sum) {
  FitData data;
  data.dimension = Dimension::planar;
  data.columns = {"after.contact_velocity[0]", "after.contact_velocity[1]"};
  sum = 0;
  for (int row = 0; row < count; ++row) {
    MeasuredImpact impact;
    impact.problem.inertia = planar_inertia(1, 0, 3.5);
    impact.problem.velocity = {-random.uniform(0.2, 1), random.uniform(-1, 1), 0};
    const ContactVector& v = impact.problem.velocity;
    const std::array<double, 2> after = ball.after(v.n, v.t1);
    const std::array<double, 2> errors = {noise * random.normal(), noise * random.normal()};
    impact.measured.push_back({after[0] + errors[0], 1, v.n, {1, 0, 0}, 0});
    impact.measured.push_back({after[1] + errors[1], 1, v.t1, {0, 3.5, 0}, 1});
    sum += errors[0] * errors[0] + errors[1] * errors[1];
    data.measurements += 2;
    data.impacts.push_back(impact);
  }
  return data;
}

bool covers(const FittedParameter& it, double truth) {
  return it.low <= truth && (truth <= it.high || it.determination == Determination::at_least);
}

// Few impacts, most of which stick: S is a wide plateau with a narrow valley below it. The estimate is never worse than
// the truth, and the intervals hold the truth about as often as they say.
TEST(Fit, TheValleyBelowThePlateauIsFound) {
  const int sets = scaled(250, 60);
  for (const bool tangential : {false, true}) {
    Random random(tangential ? 4712 : 4711);
    Ball ball;
    if (tangential) ball.tangential = 0.3;
    FitOptions options;
    options.laws = {tangential ? Law::unified : Law::energetic};
    options.tangential = tangential;
    std::array<int, 3> covered = {};
    for (int set = 0; set < sets; ++set) {
      double sum = 0;
      const FitData data = ball_data(ball, 5 + set % 4, 0.02, random, sum);
      const FitReport report = fit_laws(data, options);
      const LeastSquaresFit& fit = report.laws[0].fit;
      EXPECT_LE(fit.sum, sum * (1 + 1e-9)) << "set " << set;
      const double truth[] = {ball.friction, ball.restitution, ball.tangential};
      for (std::size_t j = 0; j < fit.parameters.size(); ++j) covered[j] += covers(fit.parameters[j], truth[j]) ? 1 : 0;
    }
    const std::size_t count = tangential ? 3 : 2;
    for (std::size_t j = 0; j < count; ++j)
      EXPECT_GE(covered[j], static_cast<int>(0.88 * sets)) << "of " << sets << ", parameter " << j << " of " << count;
  }
}

// Five impacts of such a ball, friction 0.3: on the plateau from 0.2587 on S is 5.5 times as large as at the truth.
TEST(Fit, APlateauIsNotTheMinimum) {
  const double rows[5][4] = {{-0.25, -0.15, 0.137, -0.008},
                             {-0.78, -0.97, 0.485, -0.032},
                             {-0.52, 0.97, 0.318, 0.104},
                             {-0.41, 0.71, 0.265, 0.010},
                             {-0.86, -0.02, 0.501, -0.004}};
  Random random(1);
  double sum = 0;
  FitData data = ball_data({}, 5, 0, random, sum);
  sum = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    MeasuredImpact& impact = data.impacts[k];
    impact.problem.velocity = {rows[k][0], rows[k][1], 0};
    const std::array<double, 2> after = Ball{}.after(rows[k][0], rows[k][1]);
    for (std::size_t i = 0; i < 2; ++i) {
      impact.measured[i].value = rows[k][2 + i];
      impact.measured[i].offset = rows[k][i];
      sum += std::pow(rows[k][2 + i] - after[i], 2);
    }
  }
  FitOptions options;
  options.laws = {Law::energetic};
  const LeastSquaresFit fit = fit_laws(data, options).laws[0].fit;
  EXPECT_LE(fit.sum, sum);
  EXPECT_TRUE(covers(fit.parameters[0], 0.3));
  EXPECT_TRUE(covers(fit.parameters[1], 0.6));
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
