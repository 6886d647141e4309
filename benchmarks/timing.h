// Timing that survives a noisy machine: thread CPU time, the least of several rounds for each item, then the
// distribution over items. A machine's clock cancels in ratios of figures from the same run.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

struct Distribution {
  double median = 0;
  double p99 = 0;
};

inline Distribution distribution(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  if (values.empty()) return {};
  return {values[values.size() / 2], values[values.size() * 99 / 100]};
}

// Nanoseconds per call of f(item) for each item: `inner` calls between two looks at the clock, least of `rounds`.
template <class Items, class F>
Distribution time_each(const Items& items, int inner, int rounds, F&& f) {
  std::vector<double> best(items.size(), 1e30);
  for (int round = 0; round < rounds; ++round) {
    std::size_t k = 0;
    for (const auto& item : items) {
      const double begin = cpu_seconds();
      for (int i = 0; i < inner; ++i) f(item);
      const double ns = (cpu_seconds() - begin) * 1e9 / inner;
      best[k] = std::min(best[k], ns);
      ++k;
    }
  }
  return distribution(best);
}

// Nanoseconds per item when all items are gone through in turn, so that no branch can be learnt: least of `rounds`.
template <class Items, class F>
double time_through(const Items& items, int rounds, F&& f) {
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const double begin = cpu_seconds();
    for (const auto& item : items) f(item);
    best = std::min(best, (cpu_seconds() - begin) * 1e9 / static_cast<double>(items.size()));
  }
  return best;
}

}  // namespace bench
