#include "routh/simulation/motion_reader.h"

#include "routh/simulation/rounding.h"

namespace routh::internal {

std::vector<ActiveContact> MotionReader::active(const ContactMotion& run, const State& state,
                                                const Eigen::VectorXd& force) {
  motion_.hold_like(run);
  if (motion_.compute(model_, state, force, workspace_) != MotionFault::none) return {};
  std::vector<ActiveContact> list;
  const Eigen::VectorXd& shown = recorded_.find(model_.dimension, motion_);
  for (std::size_t i = 0; i < motion_.held().size(); ++i) {
    const HeldContact& held = motion_.held()[i];
    list.push_back({motion_.contacts()[i], held.mode, held.direction, contact_entries(shown, i, contact_rows(model_))});
  }
  return list;
}

const Eigen::VectorXd& MotionReader::acceleration(const ContactMotion& run, const State& state,
                                                  const Eigen::VectorXd& force) {
  motion_.hold_like(run);
  motion_.compute(model_, state, force, workspace_);
  return motion_.acceleration();
}

}  // namespace routh::internal
