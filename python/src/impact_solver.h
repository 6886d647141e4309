// Problem k of a batch: made from the arguments, checked, solved. One for each thread.
#pragma once

#include <optional>
#include <string>

#include "impact_arguments.h"
#include "impact_result.h"
#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"

namespace routh::python {

class ImpactSolver {
 public:
  explicit ImpactSolver(const ImpactArguments& arguments);

  // False: the problem breaks a rule, which `why` names.
  bool load(py::ssize_t k);
  std::string why(py::ssize_t k);

  // After `load`.
  const ImpactProblem& problem() const { return problem_; }
  ImpactQuestion question() const;
  ImpactResult solve();

  // Problem k of `out`, after `load` and with the result of its solution.
  void differentiate(py::ssize_t k, const ImpactResult& result, DerivativeArrays& out) const;

  // Of a machine, after `solve`.
  const Eigen::VectorXd& velocity() const { return reduction_->velocity_after(); }
  const Eigen::VectorXd& velocity_before() const { return velocity_; }
  const Eigen::VectorXd& loop_impulse() const { return reduction_->loop_impulse(); }
  const Eigen::VectorXd& multipliers() const { return reduction_->multipliers(); }

 private:
  bool load_inertia(const double* d);
  bool load_machine(py::ssize_t k);
  MachineState machine() const { return {mass_matrix_, jacobian_, velocity_, bilateral_, external_impulse_}; }

  const ImpactArguments& arguments_;
  ImpactProblem problem_;
  std::optional<Reduction> reduction_;
  Eigen::MatrixXd mass_matrix_, jacobian_, bilateral_;
  Eigen::VectorXd velocity_, external_impulse_;
  ReductionStatus reduced_ = ReductionStatus::ok;
  bool symmetric_ = true;
};

}  // namespace routh::python
