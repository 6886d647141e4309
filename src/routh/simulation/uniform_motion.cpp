#include "routh/simulation/uniform_motion.h"

#include <algorithm>

namespace routh {

bool accelerates_uniformly(const Model& model) {
  if (model.loop_rows > 0 || !model.springs.empty() || !model.forces.empty()) return false;
  const bool free = std::all_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) {
    const DofDescription& is = dof.properties;
    return is.damping == 0 && is.stiffness == 0 && !is.drive && !is.effort;
  });
  // What carries a link must not turn; what turns must not wobble.
  return free && std::all_of(model.links.begin(), model.links.end(), [&](const Link& link) {
           if (link.parent >= 0 && model.links[static_cast<std::size_t>(link.parent)].kind != LinkKind::slide)
             return false;
           if (link.kind == LinkKind::turn) return link.moment.x == 0 && link.moment.y == 0;
           return link.kind == LinkKind::slide;
         });
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

}  // namespace routh
