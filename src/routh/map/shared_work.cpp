#include "routh/map/shared_work.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace routh::internal {

bool share_items(const SharedItems& items,
                 const std::function<void(std::size_t worker, std::size_t first, std::size_t last)>& work,
                 const std::function<bool(std::size_t worker, std::size_t done)>& go_on) {
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> halted = false;
  std::mutex mutex;
  std::size_t thrown_at = 0;
  std::exception_ptr thrown;
  const auto take_chunks = [&](std::size_t worker) {
    while (!halted) {
      const std::size_t first = next.fetch_add(items.chunk);
      if (first >= items.count) return;
      const std::size_t last = std::min(first + items.chunk, items.count);
      try {
        work(worker, first, last);
        if (!go_on(worker, done += last - first)) halted = true;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown || first < thrown_at) {
          thrown = std::current_exception();
          thrown_at = first;
        }
        halted = true;
      }
    }
  };
  std::vector<std::thread> helpers;
  const std::size_t chunks = items.count / items.chunk + (items.count % items.chunk > 0 ? 1 : 0);
  for (std::size_t k = 1; k < std::min(items.threads, chunks); ++k) {
    try {
      helpers.emplace_back(take_chunks, k);
    } catch (const std::system_error&) {
      break;  // no more threads to be had: those there are do it all
    }
  }
  take_chunks(0);
  for (std::thread& helper : helpers) helper.join();
  if (thrown) std::rethrow_exception(thrown);
  return done == items.count;
}

bool for_each_index(std::size_t count, int threads, const std::atomic<bool>* stop,
                    const std::function<void(std::size_t)>& call) {
  const auto goes_on = [&] { return stop == nullptr || !*stop; };
  return goes_on() && share_items(
                          {count, 1, static_cast<std::size_t>(std::max(1, threads))},
                          [&](std::size_t, std::size_t k, std::size_t) { call(k); },
                          [&](std::size_t, std::size_t) { return goes_on(); });
}

}  // namespace routh::internal
