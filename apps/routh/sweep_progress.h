// A line on standard error that says how far a study is and how long it will take.
#pragma once

#include <chrono>
#include <cstddef>

#include "options.h"
#include "routh/study/totals.h"

namespace routh {

// Silent unless standard error is a terminal, and for the first half second; then renewed five times a second.
class SweepProgress {
 public:
  SweepProgress(Verbosity verbosity, std::uint64_t samples, std::uint64_t already);
  ~SweepProgress() { clear(); }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void show(const StudyTotals& totals);
  void clear();

 private:
  bool wanted_;
  std::uint64_t samples_, already_;
  std::size_t width_ = 0;  // of what stands there
  std::chrono::steady_clock::time_point begin_, next_;
};

}  // namespace routh
