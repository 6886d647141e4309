// Ordinary differential equations dy/dt = f(t, y), one step at a time. Loops over steps, events and the choice between
// an explicit and an implicit stepper are the caller's.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/math/tolerances.h"

namespace routh::internal {

// dy/dt of a system.
class OdeRates {
 public:
  virtual ~OdeRates() = default;
  // false: not defined there. `dy` comes with the right size.
  virtual bool operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) = 0;
};

// An entry is good when weight_i · error_i ≤ relative · max(floor_i, |y_i|).
struct OdeTolerance {
  double relative = 1e-10;
  Eigen::VectorXd floor;   // size to which an entry counts at least; above zero for entries that may vanish
  Eigen::VectorXd weight;  // empty: ones; 0: entry is not controlled
  double newton = 0;       // relative error left in the equations of an implicit step; 0: follows from `relative`
};

enum class OdeStepStatus {
  good,
  too_large,      // error above 1
  undefined,      // rates failed or not finite
  not_converged,  // Newton of an implicit step
};

struct OdeStepResult {
  OdeStepStatus status = OdeStepStatus::undefined;
  double error = 0;  // relative to the tolerance, ≤ 1 is good; the largest number where there is no estimate
  double next = 0;   // proposed size of the next (or repeated) step
};

// Results depend on the input and on the steps since the last reset alone, to the last bit. A step that is not good
// leaves `result` and the interpolation as they were. No allocation after construction.
class OdeStepper {
 public:
  virtual ~OdeStepper() = default;
  // From y at t to t + h; h ≠ 0 may be negative. `y` may be `result()`.
  virtual OdeStepResult step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                             const OdeTolerance& tolerance) = 0;
  // Forgets the steps before. Due after every event, and whenever `rates` is no longer the same function: rates known
  // at the end of a step are otherwise taken again where the next one starts.
  virtual void reset() = 0;
  // y(t + h) of the last good step.
  const Eigen::VectorXd& result() const { return result_; }
  // Value of the last good step at t + θ h, 0 ≤ θ ≤ 1; the first call after a step may evaluate further stages. false,
  // and `y` untouched: no good step yet, or a further stage is undefined.
  virtual bool interpolate(OdeRates& rates, double theta, Eigen::VectorXd& y) = 0;
  // After an interpolation: more than its error, beside max(1, |y|): what its last terms add.
  virtual double interpolation_error() const { return std::numeric_limits<double>::max(); }
  // After a good step: how fast each entry changes at most on it, |dy/dt|, from the rates that the step is made of.
  virtual void bound_rates(Eigen::VectorXd& bound) const = 0;
  virtual int order() const = 0;
  long evaluations() const { return evaluations_; }
  // |h λ| of the last good step, λ the eigenvalue of ∂f/∂y that dominates, over 6.1, where the stability of
  // DormandPrince8 ends. Of the explicit stepper: above 1 several times in a row means stiff. Of the implicit one:
  // below 1 an explicit method would do.
  virtual double stiffness() const = 0;

 protected:
  explicit OdeStepper(Eigen::Index size) : result_(Eigen::VectorXd::Zero(size)) {}
  OdeStepper(const OdeStepper&) = default;
  OdeStepper& operator=(const OdeStepper&) = default;

  bool evaluate(OdeRates& rates, double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) {
    ++evaluations_;
    return rates(t, y, dy) && dy.allFinite();
  }

  Eigen::VectorXd result_;
  long evaluations_ = 0;
};

// What stays of the stability interval of DormandPrince8 on the negative real axis.
inline constexpr double ode_explicit_limit = 6.1;
inline constexpr double ode_no_estimate = std::numeric_limits<double>::max();

// 1 / (tolerated error) of each entry, where `relative` is the relative tolerance and |y_i| the larger of y and z.
inline void ode_error_scale(const OdeTolerance& tolerance, double relative, const Eigen::VectorXd& y,
                            const Eigen::VectorXd& z, Eigen::VectorXd& scale) {
  eigen_assert(tolerance.floor.size() == y.size());
  eigen_assert(tolerance.weight.size() == 0 || tolerance.weight.size() == y.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double size = std::max({tolerance.floor[i], std::abs(y[i]), std::abs(z[i]), tolerances::error_scale_min});
    scale[i] = (tolerance.weight.size() == 0 ? 1.0 : tolerance.weight[i]) / (relative * size);
  }
}

// Largest entry of an error in units of the tolerance.
inline double ode_error_norm(const Eigen::VectorXd& error, const Eigen::VectorXd& scale) {
  double norm = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) norm = std::max(norm, std::abs(error[i]) * scale[i]);
  return std::min(norm, ode_no_estimate);
}

}  // namespace routh::internal
