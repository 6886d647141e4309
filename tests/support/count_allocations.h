// Counts allocations: an executable that calls these has malloc and its kin replaced by counting ones.
#pragma once

namespace testing_support {

// False under the sanitizers, which bring their own malloc: nothing is counted then.
bool counts_allocations();

void start_counting();
long stop_counting();

// Allocations of this thread while `work` runs.
template <class Work>
long count_allocations(Work work) {
  start_counting();
  work();
  return stop_counting();
}

}  // namespace testing_support
