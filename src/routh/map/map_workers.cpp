#include "routh/map/map_workers.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "routh/map/shared_work.h"
#include "routh/map/tolerances.h"

namespace routh::internal {

MapValue MapProbe::operator()(double x, double y) {
  ++evaluations_;
  const MapValue value = function_(x, y);
  return std::isnan(value.number) ? MapValue{-1, 0} : value;
}

MapWorkers::MapWorkers(const MapSource& source, const MapOptions& options) : options_(options) {
  const std::size_t wanted = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                 : static_cast<std::size_t>(std::thread::hardware_concurrency());
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, tolerances::map_threads_max);
  for (std::size_t k = 0; k < count; ++k) probes_.emplace_back(source());
}

MapWorkers::Outcome MapWorkers::run(std::size_t count, Share share, const Job& job) {
  if (stopped()) return Outcome::stopped;
  const std::size_t helpers = std::min(probes_.size() - 1, count / tolerances::thread_items_min);
  const bool done = share_items(
      {count, std::clamp<std::size_t>(count / (probes_.size() * 16), 1, 64), 1 + helpers},
      [&](std::size_t worker, std::size_t first, std::size_t last) {
        for (std::size_t item = first; item < last; ++item) job(probes_[worker], item);
      },
      [&](std::size_t worker, std::size_t so_far) {
        const double part = static_cast<double>(so_far) / static_cast<double>(count);
        if (worker == 0) report(share.from + (share.to - share.from) * part);
        return !stopped();
      });
  return done ? Outcome::done : Outcome::stopped;
}

void MapWorkers::report(double share) {
  if (!options_.progress || (share < reported_ + tolerances::progress_share_min && !(share >= 1 && reported_ < 1)))
    return;
  reported_ = share;
  options_.progress(share);
}

long MapWorkers::evaluations() const {
  long sum = 0;
  for (const MapProbe& probe : probes_) sum += probe.evaluations();
  return sum;
}

}  // namespace routh::internal
