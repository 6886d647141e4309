#include "routh/map/map_workers.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <system_error>
#include <thread>

namespace routh::internal {

namespace {

constexpr std::size_t most_threads = 256;
constexpr std::size_t worth_a_thread = 16;  // items; fewer are done at once by the caller
constexpr double least_progress = 1.0 / 256;

}  // namespace

MapValue MapProbe::operator()(double x, double y) {
  ++evaluations_;
  const MapValue value = function_(x, y);
  return std::isnan(value.number) ? MapValue{-1, 0} : value;
}

MapWorkers::MapWorkers(const MapSource& source, const MapOptions& options) : options_(options) {
  const std::size_t wanted = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                 : static_cast<std::size_t>(std::thread::hardware_concurrency());
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, most_threads);
  for (std::size_t k = 0; k < count; ++k) probes_.emplace_back(source());
}

// Chunks are taken in rising order and a chunk once begun is finished unless it throws. So when any item throws, the
// first one that throws has been reached too, and it is the one that comes out: the same with any number of threads.
struct MapWorkers::Batch {
  std::size_t count, chunk;
  Share share;
  const Job& job;
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> halted{false};
  std::mutex mutex{};
  std::size_t thrown_at = 0;
  std::exception_ptr thrown{};

  void keep(std::size_t item, std::exception_ptr exception) {
    const std::lock_guard lock(mutex);
    if (!thrown || item < thrown_at) {
      thrown = std::move(exception);
      thrown_at = item;
    }
    halted = true;
  }
};

void MapWorkers::work(Batch& batch, std::size_t worker) {
  MapProbe& probe = probes_[worker];
  while (!batch.halted) {
    const std::size_t first = batch.next.fetch_add(batch.chunk);
    if (first >= batch.count) return;
    const std::size_t last = std::min(first + batch.chunk, batch.count);
    std::size_t item = first;
    try {
      for (; item < last; ++item) batch.job(probe, item);
      const std::size_t done = batch.done += last - first;
      const double part = static_cast<double>(done) / static_cast<double>(batch.count);
      if (worker == 0) report(batch.share.from + (batch.share.to - batch.share.from) * part);
    } catch (...) {
      batch.keep(item, std::current_exception());
    }
    if (stopped()) batch.halted = true;
  }
}

MapWorkers::Outcome MapWorkers::run(std::size_t count, Share share, const Job& job) {
  if (stopped()) return Outcome::stopped;
  const std::size_t chunk = std::clamp<std::size_t>(count / (probes_.size() * 16), 1, 64);
  Batch batch{count, chunk, share, job};
  std::vector<std::thread> threads;
  const std::size_t helpers = std::min(probes_.size() - 1, count / worth_a_thread);
  for (std::size_t k = 1; k <= helpers; ++k) {
    try {
      threads.emplace_back([this, &batch, k] { work(batch, k); });
    } catch (const std::system_error&) {
      break;  // no more threads to be had: those there are do it all
    }
  }
  work(batch, 0);
  for (std::thread& thread : threads) thread.join();
  if (batch.thrown) std::rethrow_exception(batch.thrown);
  return batch.done == count ? Outcome::done : Outcome::stopped;
}

void MapWorkers::report(double share) {
  if (!options_.progress || (share < reported_ + least_progress && !(share >= 1 && reported_ < 1))) return;
  reported_ = share;
  options_.progress(share);
}

long MapWorkers::evaluations() const {
  long sum = 0;
  for (const MapProbe& probe : probes_) sum += probe.evaluations();
  return sum;
}

}  // namespace routh::internal
