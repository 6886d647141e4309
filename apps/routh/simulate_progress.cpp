#include "simulate_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace routh {

SimulationProgress::SimulationProgress(Verbosity verbosity, double until)
    : wanted_(verbosity == Verbosity::normal && isatty(STDERR_FILENO) == 1),
      until_(until),
      next_(std::chrono::steady_clock::now() + std::chrono::milliseconds(500)) {}

void SimulationProgress::show(const Simulator& simulator) {
  if (!wanted_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const SimulationStatistics& statistics = simulator.statistics();
  std::string line = fmt::format("t = {:.6g} of {:.6g} s, {} events, {} steps", simulator.state().time, until_,
                                 statistics.events, statistics.steps);
  const std::size_t width = line.size();
  line.resize(std::max(width, width_), ' ');
  std::fputs(("\r" + line).c_str(), stderr);
  std::fflush(stderr);
  width_ = width;
}

void SimulationProgress::clear() {
  if (width_ == 0) return;
  std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
  std::fflush(stderr);
  width_ = 0;
}

}  // namespace routh
