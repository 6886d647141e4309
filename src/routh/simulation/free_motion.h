// Steps of the free motion by the pair of Dormand and Prince, of order 5 with an error estimate of order 4.
#pragma once

#include <array>

#include "routh/dynamics/constrained.h"

namespace routh::internal {

class FreeMotion {
 public:
  explicit FreeMotion(const Model& model);

  // One step of size h from `from`; the result, with its quaternions normalised, goes to `to`. False when M is singular
  // on the way or the result is not finite.
  bool step(const Model& model, const State& from, double h, State& to);
  // Size of the error estimate of the last step, relative to the motion: at most 1 is what `tolerance` asks for.
  double error(const State& from, const State& to, double tolerance) const;

  // q̈ at a state; null when M is singular there.
  const Eigen::VectorXd* acceleration(const Model& model, const State& state);

  Workspace& workspace() { return workspace_; }

 private:
  static constexpr int stages = 7;
  Workspace workspace_;
  ConstrainedDynamics dynamics_;
  std::array<Eigen::VectorXd, stages> position_rates_, velocity_rates_;
  State trial_;
};

}  // namespace routh::internal
