#include "routh/study/sweep.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace routh {

namespace {

constexpr int most_threads = 1024;
constexpr std::size_t portions_per_thread = 4;  // under way: bounds the memory

}  // namespace

int usable_threads(int wanted) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::clamp(wanted > 0 ? wanted : cores, 1, most_threads);
}

namespace {

// A portion on its way from one thread to another. TBB orders the two, but inside a library that the thread sanitizer
// does not see; the flag says the same in the open.
struct Parcel {
  std::optional<Portion> portion;
  std::atomic<bool> packed{false};
};
using ParcelPointer = std::shared_ptr<Parcel>;

// The stages of the pipeline: blocks are given out in order, computed by whoever is free, and joined in order.
class Sweeper {
 public:
  Sweeper(const Study& study, StudyKeeper& keeper, const SweepOptions& options)
      : study_(study), keeper_(keeper), options_(options) {
    next_.store(keeper.totals().next_block(), std::memory_order_release);
  }

  std::uint64_t give(tbb::flow_control& flow) {
    const std::uint64_t block = next_.fetch_add(1, std::memory_order_acq_rel);
    if (block < study_.blocks() && !stopped()) return block;
    flow.stop();
    return 0;
  }
  ParcelPointer compute(std::uint64_t block) {
    next_.load(std::memory_order_acquire);
    std::unique_ptr<StudyWorker>& worker = workers_.local();
    if (!worker) worker = std::make_unique<StudyWorker>(study_, options_.stop);
    auto parcel = std::make_shared<Parcel>();
    parcel->portion = worker->compute_unless_stopped(block, 1);
    parcel->packed.store(true, std::memory_order_release);
    return parcel;
  }
  void take(const ParcelPointer& parcel) {
    parcel->packed.load(std::memory_order_acquire);
    const std::lock_guard lock(joining_);
    if (!parcel->portion) return;
    keeper_.add(std::move(*parcel->portion));
    if (options_.progress) options_.progress(keeper_.totals());
  }
  SweepEnd end() {
    const std::lock_guard lock(joining_);
    return keeper_.totals().complete() ? SweepEnd::complete : SweepEnd::stopped;
  }

 private:
  bool stopped() const { return options_.stop && *options_.stop; }

  const Study& study_;
  StudyKeeper& keeper_;
  const SweepOptions& options_;
  std::atomic<std::uint64_t> next_{0};
  std::mutex joining_;
  tbb::enumerable_thread_specific<std::unique_ptr<StudyWorker>> workers_;
};

}  // namespace

SweepEnd sweep(const Study& study, StudyKeeper& keeper, const SweepOptions& options) {
  const int threads = usable_threads(options.threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Sweeper sweeper(study, keeper, options);
  const auto give = [&](tbb::flow_control& flow) { return sweeper.give(flow); };
  const auto compute = [&](std::uint64_t block) { return sweeper.compute(block); };
  const auto take = [&](const ParcelPointer& parcel) { sweeper.take(parcel); };
  arena.execute([&] {
    tbb::parallel_pipeline(static_cast<std::size_t>(threads) * portions_per_thread,
                           tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, give) &
                               tbb::make_filter<std::uint64_t, ParcelPointer>(tbb::filter_mode::parallel, compute) &
                               tbb::make_filter<ParcelPointer, void>(tbb::filter_mode::serial_in_order, take));
  });
  return sweeper.end();
}

}  // namespace routh
