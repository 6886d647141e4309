// Least squares: against the closed form of linear regression, Student's printed table, and models with kinks and
// flats.
#include "routh/study/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;

LeastSquaresProblem problem_of(std::vector<FitParameter> parameters, std::size_t residuals, ResidualFunction evaluate) {
  LeastSquaresProblem problem;
  problem.parameters = std::move(parameters);
  problem.residuals = residuals;
  problem.evaluate = std::move(evaluate);
  problem.noise_floor = 1e-9;
  return problem;
}

TEST(Student, PrintedTable) {
  EXPECT_NEAR(student_quantile(0.95, 1), 12.7062, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 2), 4.30265, 5e-6);
  EXPECT_NEAR(student_quantile(0.95, 3), 3.18245, 5e-6);
  EXPECT_NEAR(student_quantile(0.95, 10), 2.22814, 5e-6);
  EXPECT_NEAR(student_quantile(0.99, 5), 4.03214, 5e-6);
  EXPECT_NEAR(student_quantile(0.99, 30), 2.75000, 5e-6);
  EXPECT_NEAR(student_quantile(0.95, 5'000'000), 1.95996, 5e-6);
}

// y = a + b x: estimate, deviation and intervals a ± t s √((XᵀX)⁻¹) in closed form.
TEST(LeastSquares, StraightLine) {
  Random random(71);
  const int count = 25;
  std::vector<double> x, y;
  for (int k = 0; k < count; ++k) {
    x.push_back(random.uniform(0, 3));
    y.push_back(0.8 + 0.3 * x.back() + 0.05 * random.normal());
  }
  const LeastSquaresFit fit =
      fit_least_squares(problem_of({{"a", 0, 5, false}, {"b", -1, 1, false}}, x.size(), [&](auto at, auto residuals) {
        for (std::size_t k = 0; k < x.size(); ++k) residuals[k] = y[k] - at[0] - at[1] * x[k];
      }));
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  const double n = count, det = n * sxx - sx * sx;
  const double a = (sxx * sy - sx * sxy) / det, b = (n * sxy - sx * sy) / det;
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += std::pow(y[k] - a - b * x[k], 2);
  const double s = std::sqrt(sum / (n - 2)), t = 2.06866;  // 23 degrees of freedom
  EXPECT_NEAR(fit.parameters[0].value, a, 1e-8);
  EXPECT_NEAR(fit.parameters[1].value, b, 1e-8);
  EXPECT_NEAR(fit.deviation, s, 1e-10);
  EXPECT_NEAR(fit.parameters[0].low, a - t * s * std::sqrt(sxx / det), 1e-5);
  EXPECT_NEAR(fit.parameters[0].high, a + t * s * std::sqrt(sxx / det), 1e-5);
  EXPECT_NEAR(fit.parameters[1].high, b + t * s * std::sqrt(n / det), 1e-5);
  EXPECT_EQ(fit.parameters[0].determination, Determination::interval);
  EXPECT_NEAR(fit.correlation[1], -sx / std::sqrt(n * sxx), 1e-6);
}

// What saturates: beyond 0.7 the parameter changes nothing. With the true value below it is found, above it is open.
TEST(LeastSquares, Saturation) {
  for (const double truth : {0.4, 1.5}) {
    const auto model = [](double theta, std::size_t k) {
      return std::min(theta, 0.7) * static_cast<double>(k % 7 + 1);
    };
    const LeastSquaresFit fit = fit_least_squares(problem_of({{"mu", 0, 10, true}}, 30, [&](auto at, auto residuals) {
      for (std::size_t k = 0; k < 30; ++k)
        residuals[k] = model(truth, k) - model(at[0], k) + 0.01 * std::sin(37.0 * static_cast<double>(k));
    }));
    if (truth < 0.7) {
      EXPECT_EQ(fit.parameters[0].determination, Determination::interval);
      EXPECT_NEAR(fit.parameters[0].value, truth, 0.005);
      EXPECT_LT(fit.parameters[0].low, truth);
      EXPECT_GT(fit.parameters[0].high, truth);
    } else {
      EXPECT_EQ(fit.parameters[0].determination, Determination::at_least);
      EXPECT_NEAR(fit.parameters[0].low, 0.7, 0.01);
    }
  }
}

TEST(LeastSquares, ParameterWithoutInfluence) {
  const LeastSquaresFit fit = fit_least_squares(
      problem_of({{"friction", 0, 10, true}, {"restitution", 0, 1, false}}, 12, [](auto at, auto residuals) {
        for (std::size_t k = 0; k < 12; ++k)
          residuals[k] = static_cast<double>(k + 1) * (0.6 - at[1]) + 0.01 * std::cos(11.0 * static_cast<double>(k));
      }));
  EXPECT_EQ(fit.parameters[0].determination, Determination::nothing);
  EXPECT_EQ(fit.parameters[1].determination, Determination::interval);
  EXPECT_NEAR(fit.parameters[1].value, 0.6, 0.01);
}

// A valley with a kink along a slanting line, |θ₁ − 2θ₂|, where steps along the axes alone would stop.
TEST(LeastSquares, SlantingKink) {
  const LeastSquaresFit fit =
      fit_least_squares(problem_of({{"a", 0, 2, false}, {"b", 0, 1, false}}, 4, [](auto at, auto residuals) {
        residuals[0] = 30 * std::abs(at[0] - 2 * at[1]);
        residuals[1] = at[0] - 1.2;
        residuals[2] = at[1] - 0.6;
        residuals[3] = 0.001;
      }));
  EXPECT_NEAR(fit.parameters[0].value, 1.2, 1e-4);
  EXPECT_NEAR(fit.parameters[1].value, 0.6, 1e-4);
}

TEST(LeastSquares, ExactDataAndTheirFloor) {
  const LeastSquaresFit fit = fit_least_squares(problem_of({{"a", 0, 1, false}}, 5, [](auto at, auto residuals) {
    for (std::size_t k = 0; k < 5; ++k) residuals[k] = (at[0] - 0.25) * static_cast<double>(k);
  }));
  EXPECT_NEAR(fit.parameters[0].value, 0.25, 1e-12);
  EXPECT_LE(fit.parameters[0].low, 0.25);
  EXPECT_GE(fit.parameters[0].high, 0.25);
  EXPECT_LT(fit.parameters[0].high - fit.parameters[0].low, 1e-7);
  // Too few residuals for the parameters: nothing is claimed.
  EXPECT_TRUE(fit_least_squares(problem_of({{"a", 0, 1, false}}, 1, [](auto, auto) {})).parameters.empty());
  // Nor where S is infinite everywhere.
  EXPECT_TRUE(fit_least_squares(problem_of({{"a", 0, 1, false}}, 5, [](auto at, auto residuals) {
                for (std::size_t k = 0; k < 5; ++k) residuals[k] = 1e200 * (1 + at[0]);
              })).parameters.empty());
}

}  // namespace
