// Both steppers: order, dense output, error control, undefined rates, bits, allocations.
#include "routh/math/ode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ode_problems.h"
#include "routh/math/dormand_prince.h"
#include "routh/math/radau.h"
#include "support/count_allocations.h"

namespace {

using namespace ode_problems;
using routh::DormandPrince8;
using routh::Radau5;
using testing_support::count_allocations;

constexpr double pi = 3.14159265358979323846;

std::vector<std::unique_ptr<OdeStepper>> both(Eigen::Index size) {
  std::vector<std::unique_ptr<OdeStepper>> steppers;
  steppers.push_back(std::make_unique<DormandPrince8>(size));
  steppers.push_back(std::make_unique<Radau5>(size));
  return steppers;
}

TEST(OdeSteppers, HaveTheirOrder) {
  for (const auto& stepper : both(4)) {
    const double e = 0.1, end = 2 * pi;
    const int steps = stepper->order() == 8 ? 24 : 60;
    double last = 0;
    for (int k = 0; k < 3; ++k) {
      const VectorXd y = equal_steps(*stepper, kepler(), kepler_at(0, e), end, steps << k);
      const double error = (y - kepler_at(end, e)).norm();
      ASSERT_GT(error, 3e-14);
      if (k > 0) {
        EXPECT_GT(std::log2(last / error), stepper->order() - 0.3);
        EXPECT_LT(std::log2(last / error), stepper->order() + 1.5);
      }
      last = error;
    }
  }
}

// On an orbit of high eccentricity rates change by far between the stages.
TEST(OdeSteppers, BoundTheirRates) {
  for (const auto& stepper : both(4)) {
    const double e = 0.6;
    Rates rates = kepler();
    VectorXd y = kepler_at(0, e), bound(4), at(4), dy(4);
    double t = 0, h = 0.05;
    const OdeTolerance good = tolerance(1e-6, VectorXd::Ones(4));
    for (int k = 0; k < 60; ++k) {
      const OdeStepResult result = stepper->step(rates, t, y, h, good);
      if (result.status == OdeStepStatus::good) {
        stepper->bound_rates(bound);
        for (int part = 0; part <= 50; ++part) {
          ASSERT_TRUE(stepper->interpolate(rates, part / 50.0, at));
          ASSERT_TRUE(rates(t + h * part / 50.0, at, dy));
          for (Eigen::Index i = 0; i < 4; ++i) ASSERT_LE(std::abs(dy[i]), bound[i] * (1 + 1e-3) + 1e-3) << k;
        }
        ASSERT_LT(bound.norm(), 10 * (dy.norm() + 1));
        t += h;
        y = stepper->result();
      }
      h = result.next;
    }
  }
}

// From an exact start: the error inside one step goes with h to the order of the dense output plus one.
TEST(OdeSteppers, DenseOutputHasItsOrder) {
  for (const auto& stepper : both(4)) {
    const double e = 0.3, at = 1, slope = stepper->order() == 8 ? 7.5 : 3.7;
    for (const double theta : {0.25, 0.5, 0.8}) {
      double last = 0;
      for (int k = 0; k < 2; ++k) {
        const double h = (stepper->order() == 8 ? 0.3 : 0.1) / (1 << k);
        Rates rates = kepler();
        stepper->reset();
        ASSERT_EQ(stepper->step(rates, at, kepler_at(at, e), h, any_error(4)).status, OdeStepStatus::good);
        VectorXd y(4);
        ASSERT_TRUE(stepper->interpolate(rates, theta, y));
        const double error = (y - kepler_at(at + theta * h, e)).norm();
        if (k > 0) {
          EXPECT_GT(std::log2(last / error), slope) << fmt::format("θ = {}, error {:.3g}", theta, error);
        }
        last = error;
      }
    }
    Rates rates = kepler();
    VectorXd y(4);
    ASSERT_TRUE(stepper->interpolate(rates, 0, y));
    EXPECT_LT((y - kepler_at(at, e)).norm(), 1e-15);
    ASSERT_TRUE(stepper->interpolate(rates, 1, y));
    EXPECT_LT((y - stepper->result()).norm(), 1e-15);
  }
}

TEST(OdeSteppers, ErrorControlDelivers) {
  const double e = 0.6;
  for (const auto& stepper : both(4)) {
    Rates rates = kepler();
    const Course run =
        integrate(*stepper, rates, {0, 2 * pi}, kepler_at(0, e), 1e-3, tolerance(1e-10, VectorXd::Ones(4)));
    ASSERT_TRUE(run.arrived);
    EXPECT_LT((run.y - kepler_at(0, e)).norm(), 1e-8);
    EXPECT_LT(run.most_stiff_in_a_row, 3);
    EXPECT_LT(stepper->evaluations(), stepper->order() == 8 ? 800 : 14000);
    EXPECT_LT(4 * run.failed, run.good);
  }
}

TEST(OdeSteppers, NoGrowthAfterRejection) {
  for (const auto& stepper : both(4)) {
    Rates rates = kepler();
    const OdeTolerance tolerated = tolerance(1e-8, VectorXd::Ones(4));
    const VectorXd y = kepler_at(0, 0.3);
    const OdeStepResult first = stepper->step(rates, 0, y, 2, tolerated);
    ASSERT_NE(first.status, OdeStepStatus::good);
    EXPECT_LT(first.next, 2);
    const OdeStepResult second = stepper->step(rates, 0, y, 1e-3, tolerated);
    ASSERT_EQ(second.status, OdeStepStatus::good);
    EXPECT_EQ(second.next, 1e-3);
    EXPECT_GT(stepper->step(rates, 1e-3, stepper->result(), 1e-3, tolerated).next, 5e-3);
  }
}

// Rates that end at y = 1/2, by refusal or by NaN.
TEST(OdeSteppers, UndefinedRates) {
  for (const auto& stepper : both(1))
    for (const bool refuses : {true, false}) {
      Rates rates([&](double, const VectorXd& y, VectorXd& dy) {
        dy[0] = -std::sqrt(y[0] - 0.5);
        return y[0] >= 0.5 || !refuses;
      });
      const OdeTolerance tolerated = tolerance(1e-6, vector({1}));
      stepper->reset();
      VectorXd inside(1), again(1);
      ASSERT_EQ(stepper->step(rates, 0, vector({1}), 0.01, tolerated).status, OdeStepStatus::good);
      const VectorXd y = stepper->result();
      ASSERT_TRUE(stepper->interpolate(rates, 0.3, inside));
      for (const double start : {y[0], 0.2}) {
        const OdeStepResult step = stepper->step(rates, 0.01, vector({start}), 4, tolerated);
        EXPECT_EQ(step.status, OdeStepStatus::undefined);
        EXPECT_EQ(step.next, 1);
        EXPECT_FALSE(std::isnan(step.error));
        EXPECT_EQ(stepper->result(), y);
        ASSERT_TRUE(stepper->interpolate(rates, 0.3, again));
        EXPECT_EQ(again, inside);
      }
      EXPECT_EQ(stepper->step(rates, 0.01, y, 0.01, tolerated).status, OdeStepStatus::good);
    }
}

TEST(OdeSteppers, SameBitsAfterReset) {
  const auto fresh = both(4), used = both(4);
  for (std::size_t k = 0; k < 2; ++k) {
    Rates rates = kepler();
    const OdeTolerance tolerated = tolerance(1e-8, VectorXd::Ones(4));
    const auto run = [&](OdeStepper& stepper) {
      const long before = stepper.evaluations();
      Course course = integrate(stepper, rates, {0, 5}, kepler_at(0, 0.5), 0.01, tolerated);
      EXPECT_TRUE(course.arrived);
      return std::make_pair(course, stepper.evaluations() - before);
    };
    const auto expected = run(*fresh[k]);
    for (const double size : {1e-4, 0.01, 3.0}) {  // the last one fails
      // Of a history the second steps keep a Jacobian, its factors for the same step size, rates and a rate of Newton.
      integrate(*used[k], rates, {0, 1.7}, kepler_at(0.3, 0.7), 0.5, tolerated);
      for (int i = 0; i < 2; ++i) used[k]->step(rates, 0, kepler_at(0.1, 0.1), size, tolerated);
      used[k]->reset();
      const auto found = run(*used[k]);
      EXPECT_EQ(found.first.y, expected.first.y);
      EXPECT_EQ(found.first.good, expected.first.good);
      EXPECT_EQ(found.first.failed, expected.first.failed);
      EXPECT_EQ(found.second, expected.second);
    }
  }
}

// Without a reset too, what is known of the last step is used only where that step ended.
TEST(OdeSteppers, MayStartElsewhere) {
  for (const auto& stepper : both(4)) {
    Rates rates = kepler();
    const OdeTolerance any = any_error(4);
    stepper->step(rates, 0, kepler_at(0, 0.3), 0.05, any);
    for (const double t : {0.05, 0.4}) {
      EXPECT_NE(stepper->step(rates, t, kepler_at(1, 0.3), 3, tolerance(1e-12, VectorXd::Ones(4))).status,
                OdeStepStatus::good);
      ASSERT_EQ(stepper->step(rates, t, kepler_at(2, 0.3), 0.02, any).status, OdeStepStatus::good);
      EXPECT_LT((stepper->result() - kepler_at(2.02, 0.3)).norm(), 1e-11);
    }
  }
}

TEST(OdeSteppers, BackwardsAndWithoutEntries) {
  for (const auto& stepper : both(4)) {
    Rates rates = kepler();
    const VectorXd start = kepler_at(1, 0.3), end = kepler_at(0.98, 0.3);
    const OdeStepResult step = stepper->step(rates, 1, start, -0.02, tolerance(1e-8, VectorXd::Ones(4)));
    ASSERT_EQ(step.status, OdeStepStatus::good);
    EXPECT_LT(step.next, 0);
    EXPECT_LT((stepper->result() - end).norm(), 1e-11);
  }
  for (const auto& stepper : both(0)) {
    Rates rates([](double, const VectorXd&, VectorXd&) { return true; });
    EXPECT_EQ(stepper->step(rates, 0, VectorXd(), 0.5, OdeTolerance()).status, OdeStepStatus::good);
    EXPECT_EQ(stepper->step(rates, 0.5, VectorXd(), 0.5, OdeTolerance()).next, 4);
  }
}

TEST(OdeSteppers, EntriesOfWeightZeroAreNotControlled) {
  for (const auto& stepper : both(2)) {
    Rates rates([](double t, const VectorXd& y, VectorXd& dy) {
      dy << -y[0], std::sin(300 * t);
      return true;
    });
    OdeTolerance tolerated = tolerance(1e-6, vector({1, 1e-3}));
    EXPECT_NE(stepper->step(rates, 0, vector({1, 0}), 0.05, tolerated).status, OdeStepStatus::good);
    tolerated.weight = vector({1, 0});
    stepper->reset();
    EXPECT_EQ(stepper->step(rates, 0, vector({1, 0}), 0.05, tolerated).status, OdeStepStatus::good);
  }
}

// What the interpolation adds last is more than its error, and nothing for a polynomial.
TEST(OdeSteppers, BoundTheErrorOfTheInterpolation) {
  DormandPrince8 stepper(2);
  EXPECT_GT(stepper.interpolation_error(), 1e100);
  VectorXd y(2);
  Rates flight([](double, const VectorXd& at, VectorXd& dy) {
    dy << at[1], -9.81;
    return true;
  });
  const OdeTolerance tolerated = tolerance(1e-6, VectorXd::Ones(2));
  ASSERT_EQ(stepper.step(flight, 0, vector({1, 2}), 0.4, tolerated).status, OdeStepStatus::good);
  EXPECT_GT(stepper.interpolation_error(), 1e100);
  ASSERT_TRUE(stepper.interpolate(flight, 0.5, y));
  EXPECT_LT(stepper.interpolation_error(), 1e-11);
  EXPECT_NEAR(y[0], 1 + 2 * 0.2 - 0.5 * 9.81 * 0.04, 1e-13);
  stepper.reset();
  Rates swing([](double, const VectorXd& at, VectorXd& dy) {
    dy << at[1], -at[0];
    return true;
  });
  for (const double h : {0.1, 0.4, 1.0, 2.0})
    for (const double from : {0.0, 0.5, 2.0}) {
      stepper.reset();
      const VectorXd start = vector({std::cos(from), -std::sin(from)});
      ASSERT_EQ(stepper.step(swing, from, start, h, any_error(2)).status, OdeStepStatus::good);
      double error = 0;
      for (const double theta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        ASSERT_TRUE(stepper.interpolate(swing, theta, y));
        const double t = from + theta * h;
        error = std::max(error, (y - vector({std::cos(t), -std::sin(t)})).cwiseAbs().maxCoeff());
      }
      EXPECT_GT(stepper.interpolation_error(), error - 1e-15);
      EXPECT_LT(stepper.interpolation_error(), 1e-15 + 1e-4 * std::pow(h, 6));
    }
}

TEST(OdeSteppers, NoAllocationAfterConstruction) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  const double* volatile kept = nullptr;
  EXPECT_GT(count_allocations([&] { kept = VectorXd(1000).data(); }), 0);
  for (const Eigen::Index n : {1, 6, 40, 100})
    for (const auto& stepper : both(n)) {
      Rates rates([n](double t, const VectorXd& y, VectorXd& dy) {
        for (Eigen::Index i = 0; i < n; ++i) dy[i] = std::cos(t) - y[i] * static_cast<double>(i + 1) - y[(i + 1) % n];
        return true;
      });
      VectorXd y = VectorXd::Ones(n);
      const OdeTolerance tolerated = tolerance(1e-6, VectorXd::Ones(n));
      const long counted = count_allocations([&] {
        double t = 0, h = 0.01;
        for (int k = 0; k < 20; ++k) {
          const OdeStepResult step = stepper->step(rates, t, stepper->result(), h, tolerated);
          stepper->interpolate(rates, 0.5, y);
          if (step.status == OdeStepStatus::good) t += h;
          h = step.next;
        }
      });
      EXPECT_EQ(counted, 0) << fmt::format("n = {}, order {}", n, stepper->order());
    }
}

}  // namespace
