// The explicit Runge–Kutta pair of order 8(5,3) of Dormand and Prince with dense output of order 7 [Hairer, Nørsett and
// Wanner 1993, DOP853].
#pragma once

#include <Eigen/Core>
#include <array>

#include "routh/math/ode.h"

namespace routh::internal {

// A good step takes 12 evaluations, and one more where the rates at its start are not known; the first interpolation
// in it takes three more.
class DormandPrince8 : public OdeStepper {
 public:
  explicit DormandPrince8(Eigen::Index size);

  OdeStepResult step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                     const OdeTolerance& tolerance) override;
  void reset() override;
  bool interpolate(OdeRates& rates, double theta, Eigen::VectorXd& y) override;
  double interpolation_error() const override;
  void bound_rates(Eigen::VectorXd& bound) const override;
  int order() const override { return 8; }
  double stiffness() const override { return stiffness_; }

 private:
  struct Step {
    double t = 0;
    double h = 0;
    Eigen::VectorXd start, end;
    std::array<Eigen::VectorXd, 16> k;  // rates at the stages
    std::array<Eigen::VectorXd, 7> r;   // terms of the dense output after the first, which is `start`
    enum class State { none, stepped, dense } state = State::none;
  };

  Step& good() { return steps_[good_]; }
  const Step& good() const { return steps_[good_]; }
  Step& trial() { return steps_[1 - good_]; }
  bool first_rates(OdeRates& rates, Step& s);
  void set_argument(const Step& s, int stage, Eigen::VectorXd& argument) const;
  double error_of(const Step& s, const OdeTolerance& tolerance);
  double growth(double error);
  OdeStepResult reject(OdeStepStatus status, double error, double next);
  bool prepare_dense(OdeRates& rates, Step& s);
  static double change(const Step& s, const Eigen::Ref<const Eigen::VectorXd>& rates);

  std::array<Step, 2> steps_;  // the last good one, and the one tried now
  std::size_t good_ = 0;
  Eigen::VectorXd argument_, error5_, error3_, scale_;
  bool first_known_ = false;  // rates before a step: at (first_t_, first_y_)
  const OdeRates* first_of_ = nullptr;
  double first_t_ = 0;
  Eigen::VectorXd first_y_, first_dy_;
  double last_error_ = 0;  // of the good step before; 0: there is none
  bool after_rejection_ = false;
  double stiffness_ = 0;
};

}  // namespace routh::internal
