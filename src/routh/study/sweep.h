// A study on all cores of one machine.
#pragma once

#include <functional>

#include "routh/study/keeper.h"

namespace routh::internal {

struct SweepOptions {
  int threads = 0;                                        // 0: one for each core
  const std::atomic<bool>* stop = nullptr;                // raised by another thread: what is under way is dropped
  std::function<void(const StudyTotals&)> progress = {};  // called by one thread at a time
};

enum class SweepEnd { complete, stopped };

// Computes what is not done yet. The same bits for any number of threads. Throws RuntimeFailure when the keeper cannot
// write. Where it was stopped, the keeper holds the blocks joined so far.
SweepEnd sweep(const Study& study, StudyKeeper& keeper, const SweepOptions& options);

int usable_threads(int wanted);

}  // namespace routh::internal
