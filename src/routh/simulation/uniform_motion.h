// Motion with constant accelerations, q(t) = q + v t + ½ a t²: a step of any length and all that lies on it, without an
// evaluation. Private to the module.
#pragma once

#include "routh/math/ode.h"
#include "routh/model/model.h"

namespace routh::internal {

// Whether free motion of the machine is of this kind whatever its state: a constant mass matrix under gravity alone.
bool accelerates_uniformly(const Model& model);

// As a stepper of y = q, q̇, and entries that stay as they are.
class UniformStepper final : public OdeStepper {
 public:
  explicit UniformStepper(const Model& model, Eigen::Index size);

  // Of all free motion of the machine.
  void set_acceleration(const Eigen::VectorXd& acceleration) { rates_.segment(count_, count_) = acceleration; }

  OdeStepResult step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                     const OdeTolerance& tolerance) override;
  void reset() override {}
  bool interpolate(OdeRates& rates, double theta, Eigen::VectorXd& y) override;
  double interpolation_error() const override { return 0; }
  void bound_rates(Eigen::VectorXd& bound) const override;
  int order() const override { return 2; }
  double stiffness() const override { return 0; }

 private:
  void move(double time, Eigen::VectorXd& y) const;

  Eigen::Index count_;  // of coordinates
  Eigen::VectorXd start_, rates_;
  double h_ = 0;
};

// A machine at rest, as a stepper of y: nothing changes.
class RestStepper final : public OdeStepper {
 public:
  explicit RestStepper(Eigen::Index size) : OdeStepper(size) {}

  OdeStepResult step(OdeRates&, double, const Eigen::VectorXd& y, double h, const OdeTolerance&) override {
    result_ = y;
    return {OdeStepStatus::good, 0, h};
  }
  void reset() override {}
  bool interpolate(OdeRates&, double, Eigen::VectorXd& y) override {
    y = result_;
    return true;
  }
  double interpolation_error() const override { return 0; }
  void bound_rates(Eigen::VectorXd& bound) const override { bound.setZero(result_.size()); }
  int order() const override { return 1; }
  double stiffness() const override { return 0; }
};

}  // namespace routh::internal
