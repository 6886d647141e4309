#include "routh/study/sweep.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
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

// Blocks are given out in order, computed by whoever is free, and joined in order.
SweepEnd sweep(const Study& study, StudyKeeper& keeper, const SweepOptions& options) {
  const int threads = usable_threads(options.threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  tbb::enumerable_thread_specific<std::unique_ptr<StudyWorker>> workers;
  std::uint64_t next = keeper.totals().next_block();
  bool stopped = false;
  const auto give = [&](tbb::flow_control& flow) -> std::uint64_t {
    stopped = stopped || (options.stop && options.stop());
    if (!stopped && next < study.blocks()) return next++;
    flow.stop();
    return 0;
  };
  const auto compute = [&](std::uint64_t block) {
    std::unique_ptr<StudyWorker>& worker = workers.local();
    if (!worker) worker = std::make_unique<StudyWorker>(study);
    return std::make_shared<Portion>(worker->compute(block, 1));
  };
  const auto take = [&](const std::shared_ptr<Portion>& portion) {
    keeper.add(std::move(*portion));
    if (options.progress) options.progress(keeper.totals());
  };
  arena.execute([&] {
    tbb::parallel_pipeline(
        static_cast<std::size_t>(threads) * portions_per_thread,
        tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, give) &
            tbb::make_filter<std::uint64_t, std::shared_ptr<Portion>>(tbb::filter_mode::parallel, compute) &
            tbb::make_filter<std::shared_ptr<Portion>, void>(tbb::filter_mode::serial_in_order, take));
  });
  return keeper.totals().complete() ? SweepEnd::complete : SweepEnd::stopped;
}

}  // namespace routh
