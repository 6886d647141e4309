// A line on standard error that says how far a long computation is.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "options.h"

namespace routh {

// Silent unless standard error is a terminal, and for the first half second; then renewed five times a second.
class ProgressLine {
 public:
  explicit ProgressLine(Verbosity verbosity);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show something.
  bool due() const { return wanted_ && std::chrono::steady_clock::now() >= next_; }
  void show(const std::string& text);
  void clear();
  double elapsed() const;  // [s], since it was made

 private:
  bool wanted_;
  std::size_t width_ = 0;  // of what stands there
  std::chrono::steady_clock::time_point begin_, next_;
};

}  // namespace routh
