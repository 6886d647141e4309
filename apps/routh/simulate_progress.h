// A line on standard error that says how far a run is.
#pragma once

#include <chrono>
#include <cstddef>

#include "options.h"
#include "routh/simulation/simulator.h"

namespace routh {

// Silent unless standard error is a terminal, and for the first half second; then renewed five times a second.
class SimulationProgress {
 public:
  SimulationProgress(Verbosity verbosity, double until);
  ~SimulationProgress() { clear(); }
  SimulationProgress(const SimulationProgress&) = delete;
  SimulationProgress& operator=(const SimulationProgress&) = delete;

  void show(const Simulator& simulator);
  void clear();

 private:
  bool wanted_;
  double until_;
  std::size_t width_ = 0;  // of what stands there
  std::chrono::steady_clock::time_point next_;
};

}  // namespace routh
