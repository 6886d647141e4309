// A line on standard error that says how far a long computation is.
#pragma once

#include <chrono>

#include "options.h"

namespace routh {

// Silent unless standard error is a terminal, and for the first half second.
class ProgressLine {
 public:
  explicit ProgressLine(Verbosity verbosity);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(double share);
  void clear();

 private:
  bool wanted_;
  int shown_ = -1;  // per cent
  std::chrono::steady_clock::time_point start_;
};

}  // namespace routh
