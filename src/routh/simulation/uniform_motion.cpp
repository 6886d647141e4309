#include "routh/simulation/uniform_motion.h"

#include <algorithm>

#include "routh/dynamics/mass_factor.h"

namespace routh::internal {

bool accelerates_uniformly(const Model& model) {
  if (model.loop_rows > 0 || !model.springs.empty() || !model.forces.empty()) return false;
  const bool free = std::all_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) {
    const DofDescription& is = dof.properties;
    return is.damping == 0 && is.stiffness == 0 && !is.drive && !is.effort;
  });
  return free && has_constant_mass(model);
}

UniformStepper::UniformStepper(const Model& model, Eigen::Index size)
    : OdeStepper(size), count_(model.velocities), start_(size), rates_(Eigen::VectorXd::Zero(size)) {}

void UniformStepper::move(double time, Eigen::VectorXd& y) const {
  y = start_ + time * rates_;
  y.head(count_) += (0.5 * time * time) * rates_.segment(count_, count_);
}

OdeStepResult UniformStepper::step(OdeRates&, double, const Eigen::VectorXd& y, double h, const OdeTolerance&) {
  rates_.head(count_) = y.segment(count_, count_);
  start_ = y;
  h_ = h;
  move(h, result_);
  return {OdeStepStatus::good, 0, h};
}

bool UniformStepper::interpolate(OdeRates&, double theta, Eigen::VectorXd& y) {
  move(theta * h_, y);
  return true;
}

void UniformStepper::bound_rates(Eigen::VectorXd& bound) const {
  bound = rates_.cwiseAbs();
  bound.head(count_) += h_ * bound.segment(count_, count_);
}

}  // namespace routh::internal
