// For tests alone: changes velocities where a fault of the program would, after an operation was solved and its ledger
// written. The energy account has to notice. Private to the module.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "routh/simulation/simulator.h"

namespace routh::internal {

enum class FaultPlace {
  impact,      // the velocity after an impact
  projection,  // the velocity after a projection onto what is closed
  step,        // the velocity at the end of a step
};

struct FaultInjection {
  std::function<void(FaultPlace, Eigen::VectorXd& velocity)> change;
  void at(FaultPlace place, Eigen::VectorXd& velocity) const {
    if (change) change(place, velocity);
  }
};

struct SimulatorFaults {
  static void inject(Simulator& simulator, FaultInjection faults);
};

}  // namespace routh::internal
