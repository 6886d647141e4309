// Differential equations with known solutions, and a plain loop over steps.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <utility>

#include "routh/math/ode.h"

namespace ode_problems {

using Eigen::VectorXd;
using routh::OdeStepper;
using routh::OdeStepResult;
using routh::OdeStepStatus;
using routh::OdeTolerance;

class Rates : public routh::OdeRates {
 public:
  using Function = std::function<bool(double, const VectorXd&, VectorXd&)>;
  explicit Rates(Function f) : f_(std::move(f)) {}
  bool operator()(double t, const VectorXd& y, VectorXd& dy) override { return f_(t, y, dy); }

 private:
  Function f_;
};

inline VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double x : values) v[i++] = x;
  return v;
}

inline OdeTolerance tolerance(double relative, const VectorXd& floor) {
  OdeTolerance result;
  result.relative = relative;
  result.floor = floor;
  return result;
}

// For steps of a size that is given: every error will do, but the equations are solved.
inline OdeTolerance any_error(Eigen::Index size) {
  OdeTolerance result = tolerance(1e12, VectorXd::Ones(size));
  result.newton = 1e-13;
  return result;
}

// One body about another: (x, y, ẋ, ẏ), major axis 2, period 2π.
inline Rates kepler() {
  return Rates([](double, const VectorXd& y, VectorXd& dy) {
    const double r = std::hypot(y[0], y[1]);
    dy << y[2], y[3], -y[0] / (r * r * r), -y[1] / (r * r * r);
    return true;
  });
}

// Its solution from the pericentre at t = 0, by Kepler's equation E − e sin E = t.
inline VectorXd kepler_at(double t, double e) {
  double E = t;
  for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
  const double b = std::sqrt(1 - e * e), rate = 1 / (1 - e * std::cos(E));
  return vector({std::cos(E) - e, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate});
}

// Equal steps; NaN when one is not good.
inline VectorXd equal_steps(OdeStepper& stepper, Rates rates, VectorXd y, double end, int steps) {
  const OdeTolerance any = any_error(y.size());
  const double h = end / steps;
  stepper.reset();
  for (int k = 0; k < steps; ++k) {
    if (stepper.step(rates, k * h, y, h, any).status != OdeStepStatus::good)
      return VectorXd::Constant(y.size(), std::nan(""));
    y = stepper.result();
  }
  return y;
}

struct Course {
  VectorXd y;
  bool arrived = false;
  int good = 0, failed = 0;
  int stiff_in_a_row = 0, most_stiff_in_a_row = 0;
};

// Steps under control from t to `end`.
inline Course integrate(OdeStepper& stepper, routh::OdeRates& rates, std::pair<double, double> span, const VectorXd& y0,
                        double h, const OdeTolerance& tolerance) {
  Course run;
  run.y = y0;
  double t = span.first;
  for (int k = 0; k < 200000 && !run.arrived; ++k) {
    const bool last = t + h >= span.second;
    const OdeStepResult step = stepper.step(rates, t, run.y, last ? span.second - t : h, tolerance);
    if (step.status == OdeStepStatus::good) {
      ++run.good;
      t = last ? span.second : t + h;
      run.arrived = last;
      run.y = stepper.result();
      run.stiff_in_a_row = stepper.stiffness() > 1 ? run.stiff_in_a_row + 1 : 0;
      run.most_stiff_in_a_row = std::max(run.most_stiff_in_a_row, run.stiff_in_a_row);
    } else {
      ++run.failed;
    }
    h = step.next;
  }
  return run;
}

}  // namespace ode_problems
