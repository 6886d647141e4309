// What a run shows of itself: its closed contacts with their forces, its accelerations. It looks at a motion with a
// copy of its own, so that nothing a reader asks for acts back on the run. Private to the module.
#pragma once

#include "routh/simulation/recorded_force.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

class MotionReader {
 public:
  explicit MotionReader(const Model& model) : model_(model), motion_(model), workspace_(model) {}

  // With what `run` holds, at this state, under this force of the user (empty: none). None where the motion has no
  // forces there. Redundant contacts have the least forces that obey the laws of contact (recorded_force.h).
  std::vector<ActiveContact> active(const ContactMotion& run, const State& state, const Eigen::VectorXd& force);
  const Eigen::VectorXd& acceleration(const ContactMotion& run, const State& state, const Eigen::VectorXd& force);

 private:
  const Model& model_;
  ContactMotion motion_;
  RecordedForce recorded_;
  Workspace workspace_;
};

}  // namespace routh::internal
