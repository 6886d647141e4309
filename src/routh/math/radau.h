// Radau IIA of order 5 with three stages: implicit, L-stable, for stiff systems [Hairer and Wanner 1996, IV.8].
#pragma once

#include <Eigen/Core>
#include <array>

#include "routh/math/ode.h"
#include "routh/math/radau_systems.h"

namespace routh::internal {

// What is held below the tolerance. The estimate belongs to a method of order 3.
enum class RadauControl {
  estimate,  // safe, and more exact than asked for: of smooth entries by orders of magnitude
  // 0.1 · relative^(2/3) for the estimate, as Hairer's RADAU5 has it: at 1e-10 a quarter of the steps, and smooth
  // entries near the tolerance. Entries forced to follow others by a stiff spring may miss it by a factor of a hundred.
  result,
};

// ∂f/∂y by differences: as many evaluations as entries, only when Newton converges slowly with the last one.
class Radau5 : public OdeStepper {
 public:
  explicit Radau5(Eigen::Index size, RadauControl control = RadauControl::estimate);

  OdeStepResult step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                     const OdeTolerance& tolerance) override;
  void reset() override;
  // The collocation polynomial, of order 3; no further evaluations.
  bool interpolate(OdeRates& rates, double theta, Eigen::VectorXd& y) override;
  void bound_rates(Eigen::VectorXd& bound) const override;
  int order() const override { return 5; }
  double stiffness() const override { return stiffness_; }
  long jacobians() const { return jacobians_; }
  long factorisations() const { return factorisations_; }

 private:
  using Stages = std::array<Eigen::VectorXd, 3>;
  enum class Newton { converged, slow, undefined };
  enum class Start { extrapolated, zero };
  enum class Jacobian { none, old, fresh };  // fresh: belongs to the start of the step

  double tolerated(const OdeTolerance& tolerance) const;
  bool begin(OdeRates& rates, double t, const Eigen::VectorXd& y);
  bool find_jacobian(OdeRates& rates, double h, const OdeTolerance& tolerance);
  bool find_column(OdeRates& rates, Eigen::Index j, double increment);
  double spectral_radius();
  bool prepare(OdeRates& rates, double h, const OdeTolerance& tolerance);
  Newton solve(OdeRates& rates, double h, const OdeTolerance& tolerance);
  void set_start(Start start, double h);
  Newton iterate(OdeRates& rates, double h, double enough);
  bool improve(OdeRates& rates, double h);
  double estimate(OdeRates& rates, double h, const OdeTolerance& tolerance);
  double factor_of(double h, double error) const;
  double accept(double h, double error);
  OdeStepResult reject(OdeStepStatus status, double error, double next);

  RadauControl control_;
  RadauSystems systems_;
  Eigen::MatrixXd jacobian_;
  Jacobian jacobian_state_ = Jacobian::none;
  double factored_h_ = 0;  // of the matrices factored; 0: none
  double radius_ = 0;      // spectral radius of the Jacobian

  // This step: y(t + c_i h) = y + z_i.
  double t_ = 0;
  Eigen::VectorXd y_, end_, first_dy_, argument_, scale_, error_, right_;
  Stages z_, change_;
  bool first_known_ = false;
  const OdeRates* rates_ = nullptr;
  int iterations_ = 0;
  double rate_ = 0;  // of Newton's convergence

  // The last good step, for interpolation and starting values.
  bool has_good_ = false;
  double good_h_ = 0, end_t_ = 0;
  Eigen::VectorXd good_y_;
  Stages good_z_;

  // History, which `reset` forgets.
  bool has_last_ = false;
  double last_error_ = 0;
  double remains_ = 1;  // Newton: what is left to do after an iteration, over what it did
  bool after_rejection_ = false;
  double stiffness_ = 0;
  long jacobians_ = 0, factorisations_ = 0;
};

}  // namespace routh::internal
