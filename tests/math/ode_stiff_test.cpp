// Radau IIA on stiff systems against closed forms and published values, and the signs of stiffness of both steppers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>

#include "ode_problems.h"
#include "routh/math/dormand_prince.h"
#include "routh/math/radau.h"
#include "support/random_problems.h"

namespace {

using namespace ode_problems;
using routh::DormandPrince8;
using routh::Radau5;
using routh::RadauControl;
using testing_support::Random;
using testing_support::scaled;

// The stability function of the method is the (2, 3) Padé approximation of exp.
TEST(Radau5, StabilityFunction) {
  for (const std::complex<double> z :
       {std::complex<double>(-0.3, 0), {-2, 1}, {0, 3}, {0.5, -0.4}, {-50, 20}, {-1e6, 0}}) {
    const std::complex<double> pade =
        (1.0 + 0.4 * z + z * z / 20.0) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
    Rates rates([z](double, const VectorXd& y, VectorXd& dy) {
      dy << z.real() * y[0] - z.imag() * y[1], z.imag() * y[0] + z.real() * y[1];
      return true;
    });
    Radau5 stepper(2);
    ASSERT_EQ(stepper.step(rates, 0, vector({1, 0}), 1, any_error(2)).status, OdeStepStatus::good) << z;
    EXPECT_NEAR(stepper.result()[0], pade.real(), 3e-14) << z;
    EXPECT_NEAR(stepper.result()[1], pade.imag(), 3e-14) << z;
  }
}

// ∫ of t⁴ exactly (Radau's quadrature), of t² inside the step too.
TEST(Radau5, ExactForPolynomials) {
  Rates rates([](double t, const VectorXd&, VectorXd& dy) {
    dy << 0, 2, 3 * t * t, 5 * t * t * t * t;
    return true;
  });
  Radau5 stepper(4);
  VectorXd y(4);
  const OdeStepResult step = stepper.step(rates, 1, vector({7, 2, 1, 1}), 2, any_error(4));
  ASSERT_EQ(step.status, OdeStepStatus::good);
  EXPECT_EQ(step.next, 16);
  EXPECT_LT((stepper.result() - vector({7, 6, 27, 243})).norm(), 1e-12);
  ASSERT_TRUE(stepper.interpolate(rates, 0.5, y));
  EXPECT_LT((y - vector({7, 4, 8, y[3]})).norm(), 1e-13);
}

// y' = λ (y − cos t) − sin t: stays on cos t whatever λ, and falls back to it from elsewhere.
TEST(Radau5, ProtheroRobinson) {
  const double lambda = -1e6;
  Rates rates([=](double t, const VectorXd& y, VectorXd& dy) {
    dy[0] = lambda * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  });
  for (const double start : {1.0, 2.0}) {
    Radau5 stepper(1);
    const Course run = integrate(stepper, rates, {0, 10}, vector({start}), 1e-3, tolerance(1e-8, vector({1})));
    ASSERT_TRUE(run.arrived);
    EXPECT_NEAR(run.y[0], std::cos(10), 1e-8);
    EXPECT_LT(run.good + run.failed, 200);
    EXPECT_GT(stepper.stiffness(), 100);
    EXPECT_LT(stepper.jacobians(), 10);
  }
}

TEST(Radau5, Robertson) {
  Rates rates([](double, const VectorXd& y, VectorXd& dy) {
    const double slow = 0.04 * y[0], back = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];
    dy << -slow + back, slow - back - fast, fast;
    return true;
  });
  for (const RadauControl control : {RadauControl::estimate, RadauControl::result}) {
    Radau5 stepper(3, control);
    const Course run =
        integrate(stepper, rates, {0, 40}, vector({1, 0, 0}), 1e-6, tolerance(1e-9, vector({1, 1e-5, 1})));
    ASSERT_TRUE(run.arrived);
    EXPECT_NEAR(run.y[0], 0.7158270688, 3e-10);
    EXPECT_NEAR(run.y[1], 9.185534765e-6, 5e-15);
    EXPECT_NEAR(run.y[2], 0.2841637457, 3e-10);
    EXPECT_NEAR(run.y.sum(), 1, 1e-13);
    EXPECT_LT(stepper.evaluations(), control == RadauControl::result ? 2500 : 7000);
    EXPECT_LT(stepper.jacobians(), 20);
  }
}

// Newton cannot follow a leap of the rates across y = 0.
TEST(Radau5, SaysWhenNewtonFails) {
  Rates rates([](double, const VectorXd& y, VectorXd& dy) {
    dy[0] = y[0] > 0 ? -1e3 : 1e3;
    return true;
  });
  Radau5 stepper(1);
  const OdeStepResult step = stepper.step(rates, 0, vector({0.01}), 1, tolerance(1e-6, vector({1})));
  EXPECT_EQ(step.status, OdeStepStatus::not_converged);
  EXPECT_EQ(step.next, 0.5);
  EXPECT_LT(stepper.evaluations(), 100);
  EXPECT_EQ(stepper.step(rates, 0, vector({0.01}), 1e-6, tolerance(1e-6, vector({1}))).status, OdeStepStatus::good);
}

// x' = v, ε v' = (1 − x²) v − x with ε = 1e-6: slow, with two leaps before t = 2 [Hairer and Wanner 1996, IV.10,
// VDPOL].
TEST(Radau5, VanDerPol) {
  const double epsilon = 1e-6;
  Rates rates([=](double, const VectorXd& y, VectorXd& dy) {
    dy << y[1], ((1 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
    return true;
  });
  Radau5 stepper(2, RadauControl::result);
  const Course run = integrate(stepper, rates, {0, 2}, vector({2, 0}), 1e-6, tolerance(1e-10, vector({1, 1})));
  ASSERT_TRUE(run.arrived);
  EXPECT_NEAR(run.y[0], 1.7061677321705, 1e-10);
  EXPECT_NEAR(run.y[1], -0.8928097010248, 1e-10);
  EXPECT_LT(stepper.evaluations(), 50000);
}

// y' = Q diag(λ) Qᵀ y with a reflection Q: rates between 1 and 1e5 mixed in all entries.
TEST(Radau5, RandomLinearSystems) {
  constexpr std::uint64_t seed = 9301;
  Random random(seed);
  for (int k = 0; k < scaled(40, 4); ++k) {
    SCOPED_TRACE(fmt::format("seed {}, case {}", seed, k));
    const Eigen::Index n = 1 + random.below(40);
    VectorXd v(n), lambda(n), y0(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      v[i] = random.normal();
      lambda[i] = -std::pow(10, random.uniform(0, 5));
      y0[i] = random.normal();
    }
    const auto reflect = [&](const VectorXd& x) -> VectorXd { return x - v * (2 * v.dot(x) / v.squaredNorm()); };
    Rates rates([&](double, const VectorXd& y, VectorXd& dy) {
      dy = reflect(lambda.cwiseProduct(reflect(y)));
      return true;
    });
    Radau5 stepper(n);
    const Course run = integrate(stepper, rates, {0, 0.5}, y0, 1e-4, tolerance(1e-8, VectorXd::Ones(n)));
    ASSERT_TRUE(run.arrived);
    VectorXd exact = reflect(y0);
    for (Eigen::Index i = 0; i < n; ++i) exact[i] *= std::exp(0.5 * lambda[i]);
    EXPECT_LT((run.y - reflect(exact)).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(stepper.jacobians(), 3);
  }
}

// A mass on a spring with a damper so strong that one motion dies within 1e-4 while the other takes seconds.
TEST(OdeSteppers, TellStiffFromNot) {
  const double damping = 1e4, stiffness = 1e4;
  Rates damped([=](double t, const VectorXd& y, VectorXd& dy) {
    dy << y[1], -stiffness * (y[0] - std::sin(t)) - damping * y[1];
    return true;
  });
  const OdeTolerance tolerated = tolerance(1e-6, vector({1, 1}));
  DormandPrince8 explicit_stepper(2);
  Radau5 implicit_stepper(2);
  const Course a = integrate(explicit_stepper, damped, {0, 0.5}, vector({0, 0}), 1e-5, tolerated);
  EXPECT_TRUE(a.arrived);
  EXPECT_GT(a.most_stiff_in_a_row, 10);
  const Course b = integrate(implicit_stepper, damped, {0, 0.5}, vector({0, 0}), 1e-5, tolerated);
  EXPECT_TRUE(b.arrived);
  EXPECT_GT(implicit_stepper.stiffness(), 10);
  EXPECT_LT(10 * b.good, a.good);
  EXPECT_LT((a.y - b.y).norm(), 1e-5);

  // The same spring without its damper swings at ω = 100 and is not stiff: steps follow the swing.
  Rates swinging([=](double, const VectorXd& y, VectorXd& dy) {
    dy << y[1], -stiffness * y[0];
    return true;
  });
  const OdeTolerance swing = tolerance(1e-8, vector({1, 100}));
  explicit_stepper.reset();
  implicit_stepper.reset();
  const Course c = integrate(explicit_stepper, swinging, {0, 1}, vector({1, 0}), 1e-3, swing);
  EXPECT_LT(c.most_stiff_in_a_row, 4);
  EXPECT_NEAR(c.y[0], std::cos(100), 1e-6);
  const Course d = integrate(implicit_stepper, swinging, {0, 1}, vector({1, 0}), 1e-3, swing);
  EXPECT_LT(implicit_stepper.stiffness(), 0.5);
  EXPECT_NEAR(d.y[0], std::cos(100), 1e-5);
}

}  // namespace
