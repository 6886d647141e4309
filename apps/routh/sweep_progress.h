// How far a study is and how long it will take, on standard error.
#pragma once

#include <cstdint>

#include "progress_line.h"
#include "routh/study/totals.h"

namespace routh {

class SweepProgress {
 public:
  SweepProgress(Verbosity verbosity, std::uint64_t samples, std::uint64_t already)
      : line_(verbosity), samples_(samples), already_(already) {}

  void show(const StudyTotals& totals);
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  std::uint64_t samples_, already_;
};

}  // namespace routh
