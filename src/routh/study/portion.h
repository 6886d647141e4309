// A piece of a study: some blocks of samples that follow on each other, computed and reduced as far as possible.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/study/study.h"

namespace routh::internal {

// Sample without values, and why.
struct Failure {
  std::uint64_t sample = 0;
  Fault fault = Fault::none;
  std::string reason;
};
// That many failures are kept with their reasons, the first of the study; all are counted.
inline constexpr std::size_t max_failures = 100;

struct MeasurePortion {
  std::vector<Moments> blocks;
  std::vector<std::uint64_t> bins;              // below, the bins, above; empty without
  std::vector<QuantileSketch::Bucket> buckets;  // of quantiles
  std::vector<double> values;                   // of exact quantiles
};

struct Portion {
  std::uint64_t first_block = 0, blocks = 0;
  std::vector<MeasurePortion> measures;
  std::array<std::uint64_t, fault_count> faults = {};
  std::vector<Failure> failures;
  std::vector<double> rows;  // of the table: parameters, measures, fault; empty without
};

std::string to_bytes(const Portion& portion);
// Throws std::runtime_error.
Portion portion_from_bytes(std::string_view bytes);

// Computes portions, one after the other; one per thread. The study must outlive it.
class StudyWorker {
 public:
  // `stop` may be raised by another thread to end a portion early.
  explicit StudyWorker(const Study& study, const std::atomic<bool>* stop = nullptr);

  // Of a worker without `stop`.
  Portion compute(std::uint64_t first_block, std::uint64_t blocks);
  // Nothing once `stop` is raised: what was begun is dropped.
  std::optional<Portion> compute_unless_stopped(std::uint64_t first_block, std::uint64_t blocks);

 private:
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  void compute_block(std::uint64_t first, std::uint64_t count, Portion& portion);
  void compute_sample(std::uint64_t index, std::size_t row, Portion& portion);
  void reduce_block(std::uint64_t first, std::size_t count, Portion& portion);

  const Study& study_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<SampleRunner> runner_;
  std::vector<double> slots_;
  std::vector<std::vector<double>> values_;  // by measure, of a block
  std::vector<QuantileSketch> sketches_;     // by measure with quantiles that are not exact
  std::string reason_;
};

}  // namespace routh::internal
