// Many evaluations of a map's function, shared among threads. Internal to the map.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "routh/map/verdict_map.h"

namespace routh::internal {

// One thread's copy of the function. Counts, and lets no NaN through. In a cache line of its own, because of the count.
class alignas(64) MapProbe {
 public:
  explicit MapProbe(MapFunction function) : function_(std::move(function)) {}
  MapValue operator()(double x, double y);
  long evaluations() const { return evaluations_; }

 private:
  MapFunction function_;
  long evaluations_ = 0;
};

class MapWorkers {
 public:
  using Job = std::function<void(MapProbe&, std::size_t item)>;
  enum class Outcome { done, stopped };
  struct Share {
    double from = 0, to = 1;  // of the whole work, for `progress`
  };

  MapWorkers(const MapSource& source, const MapOptions& options);

  // job(probe, k) for k = 0 … count − 1; each may write only what belongs to its k. Rethrows what a job throws.
  Outcome run(std::size_t count, Share share, const Job& job);
  // Tells `progress`, unless it was told about as much before.
  void report(double share);
  long evaluations() const;

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  const MapOptions& options_;
  std::vector<MapProbe> probes_;
  double reported_ = -1;
};

}  // namespace routh::internal
