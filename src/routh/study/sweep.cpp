#include "routh/study/sweep.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "routh/map/tolerances.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>

#define ROUTH_THREAD_SANITIZER
#endif
#endif

namespace routh::internal {

namespace {

// TBB orders the stages of a pipeline, but inside a library that the thread sanitizer does not see: it is told what was
// done before a place was reached, and what comes after. Without the sanitizer these are nothing.
#ifdef ROUTH_THREAD_SANITIZER
void order_before(void* place) { __tsan_release(place); }
void order_after(void* place) { __tsan_acquire(place); }
#else
void order_before(void*) {}
void order_after(void*) {}
#endif

constexpr std::size_t portions_per_thread = 4;  // under way: bounds the memory

// The stages of the pipeline: blocks are given out in order, computed by whoever is free, and joined in order. So those
// under way follow on each other, and as many places for their portions as there are tokens are enough.
class Sweeper {
 public:
  Sweeper(const Study& study, StudyKeeper& keeper, const SweepOptions& options, std::size_t tokens)
      : study_(study), keeper_(keeper), options_(options), next_(keeper.totals().next_block()), portions_(tokens) {
    order_before(this);
  }

  std::uint64_t give(tbb::flow_control& flow) {
    order_after(this);
    const bool over = next_ >= study_.blocks() || (options_.stop && *options_.stop);
    if (over) flow.stop();
    const std::uint64_t block = over ? 0 : next_++;
    order_before(this);
    return block;
  }
  std::uint64_t compute(std::uint64_t block) {
    order_after(this);
    std::optional<Portion>& portion = place_of(block);
    order_after(&portion);
    std::unique_ptr<StudyWorker>& worker = workers_.local();
    if (!worker) worker = std::make_unique<StudyWorker>(study_, options_.stop);
    portion = worker->compute_unless_stopped(block, 1);
    order_before(&portion);
    return block;
  }
  void take(std::uint64_t block) {
    std::optional<Portion>& portion = place_of(block);
    order_after(&portion);
    order_after(&keeper_);
    if (portion) {
      keeper_.add(std::move(*portion));
      if (options_.progress) options_.progress(keeper_.totals());
    }
    portion.reset();
    order_before(&keeper_);
    order_before(&portion);
  }
  SweepEnd end() {
    order_after(this);
    order_after(&keeper_);
    return keeper_.totals().complete() ? SweepEnd::complete : SweepEnd::stopped;
  }

 private:
  std::optional<Portion>& place_of(std::uint64_t block) { return portions_[block % portions_.size()]; }

  const Study& study_;
  StudyKeeper& keeper_;
  const SweepOptions& options_;
  std::uint64_t next_;
  std::vector<std::optional<Portion>> portions_;  // nothing: it was stopped, or is under way
  tbb::enumerable_thread_specific<std::unique_ptr<StudyWorker>> workers_;
};

// TBB 2021 keeps some kilobytes of every arena that it destroys: those that are no longer needed wait for the next
// study with as many threads. Studies that run at the same time have arenas of their own.
class BorrowedArena {
 public:
  explicit BorrowedArena(int threads) : threads_(threads) {
    const std::lock_guard<std::mutex> guard(pool().mutex);
    auto& idle = pool().idle[threads];
    if (idle.empty()) {
      arena_ = std::make_unique<tbb::task_arena>(threads);
    } else {
      arena_ = std::move(idle.back());
      idle.pop_back();
    }
  }
  ~BorrowedArena() {
    const std::lock_guard<std::mutex> guard(pool().mutex);
    pool().idle[threads_].push_back(std::move(arena_));
  }
  BorrowedArena(const BorrowedArena&) = delete;
  BorrowedArena& operator=(const BorrowedArena&) = delete;
  tbb::task_arena* operator->() const { return arena_.get(); }

 private:
  struct Pool {
    std::mutex mutex;
    std::map<int, std::vector<std::unique_ptr<tbb::task_arena>>> idle;  // by threads
  };
  // Never destroyed: TBB may be gone by then.
  static Pool& pool() {
    static Pool* const it = new Pool;
    return *it;
  }

  int threads_;
  std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace

int usable_threads(int wanted) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::clamp(wanted > 0 ? wanted : cores, 1, tolerances::threads_max);
}

SweepEnd sweep(const Study& study, StudyKeeper& keeper, const SweepOptions& options) {
  const int threads = usable_threads(options.threads);
  const std::size_t tokens = static_cast<std::size_t>(threads) * portions_per_thread;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  const BorrowedArena arena(threads);
  Sweeper sweeper(study, keeper, options, tokens);
  const auto give = [&](tbb::flow_control& flow) { return sweeper.give(flow); };
  const auto compute = [&](std::uint64_t block) { return sweeper.compute(block); };
  const auto take = [&](std::uint64_t block) { sweeper.take(block); };
  arena->execute([&] {
    tbb::parallel_pipeline(tokens,
                           tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, give) &
                               tbb::make_filter<std::uint64_t, std::uint64_t>(tbb::filter_mode::parallel, compute) &
                               tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order, take));
  });
  return sweeper.end();
}

}  // namespace routh::internal
