#include "routh/dynamics/state.h"

#include "routh/dynamics/tree.h"

namespace routh {

Workspace::Workspace(const Model& model)
    : force(Eigen::VectorXd::Zero(model.velocities)),
      acceleration(Eigen::VectorXd::Zero(model.velocities)),
      applied(Eigen::VectorXd::Zero(model.velocities)),
      link_poses(model.links.size()),
      link_twists(model.links.size()),
      link_drifts(model.links.size()),
      link_steps(model.links.size()),
      row(Eigen::VectorXd::Zero(model.velocities)),
      tree(std::make_unique<TreeMemory>(model)) {}

Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

}  // namespace routh
